// @ts-check
// The page for a new room: name, rules, clock and bots. The server creates the room, then the page opens it.

import { levelSign } from "../ui/level_signs.js";
import { button, byId, draw, h } from "../lib/virtual_dom.js";
import { checkRules, formFromLink, fetchCatalogue, optionsToSend } from "../rules/form_state.js";
import { loadMessages, refusalText, t, joinSentences } from "../lib/messages.js";
import { isNameError, focusName, nameField, readNameField } from "../ui/name_field.js";
import { setPreference } from "../lib/preferences.js";
import { rulesForm } from "../rules/form.js";
import { clockFields } from "../rules/clock_fields.js";
import { stakeFields, parseStake, stakeToInput } from "../rules/stake.js";
import { addBotLabel, botName } from "../events/labels.js";

/**
 * @import { RulesForm } from "../rules/form_state.js"
 * @import { Clock } from "../rules/clock_fields.js"
 * @import { StakeInput as Typed } from "../rules/stake.js"
 */

const root = byId("new-room");
const [catalogue] = await Promise.all([fetchCatalogue(), loadMessages()]);
const first = formFromLink(catalogue, root.dataset);
if (first === null) throw new Error("there is no game");

/** @type {{ form: RulesForm, clock: Clock, stake: Typed, bots: string[], problem: string, wrongName: string, busy: boolean }} */
let state = {
  form: first,
  clock: { turn: null, reserve: null, pause: null },
  stake: stakeToInput(null),
  bots: [],
  problem: "",
  wrongName: "",
  busy: false,
};

/** @param {Partial<typeof state>} change */
function set(change) {
  state = { ...state, ...change };
  show();
}

/** @param {RulesForm} form */
async function setRules(form) {
  const rules =
    form.game !== state.form.game || form.preset !== state.form.preset || form.changes !== state.form.changes;
  set({ form: rules ? { ...form, problem: state.form.problem } : form });
  const game = catalogue.games.find((each) => each.key === form.game);
  if (!rules || game === undefined) return;
  const { problem, special } = await checkRules(game, form);
  if (state.form.changes === form.changes && state.form.preset === form.preset)
    set({ form: { ...state.form, problem, special } });
}

/** @param {Event} event */
async function createRoom(event) {
  event.preventDefault();
  if (state.busy) return;
  const page = /** @type {HTMLFormElement} */ (event.target);
  const { name, problem } = readNameField(page);
  const game = catalogue.games.find((each) => each.key === state.form.game);
  if (game === undefined) return;
  set({ problem: "", wrongName: problem });
  if (problem !== "") return focusName(page);
  set({ busy: true });
  setPreference("name", name);
  try {
    const answer = await fetch("/api/rooms", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        name,
        game: game.key,
        options: optionsToSend(game, state.form),
        clock: state.clock,
        bots: state.bots,
        stake: parseStake(state.stake),
      }),
    });
    const made = await answer.json();
    if (answer.ok) {
      location.assign(made.url ?? `/r/${made.code}`);
      return;
    }
    const why = refusalText(made);
    if (!isNameError(made.code)) return set({ problem: why });
    set({ wrongName: why });
    focusName(page);
  } catch {
    set({ problem: t("error.offline") });
  } finally {
    set({ busy: false });
  }
}

/** Draw the fields for bots. @param {string[]} bots the chosen bots */
function botFields(bots) {
  return h(
    "fieldset",
    { class: "plain", key: "bots" },
    h("legend", null, t("new_room.bots")),
    h("p", { class: "what" }, joinSentences(catalogue.bots.map((kind) => t(`bot.about.${kind}`)))),
    h(
      "div",
      { class: "buttons" },
      catalogue.bots.map((kind) =>
        button(
          {
            key: kind,
            class: "button",
            "data-bot": kind,
            onclick: () => set({ bots: [...bots, kind] }),
          },
          levelSign(catalogue.signs[kind] ?? ""),
          addBotLabel(kind),
        ),
      ),
    ),
    h(
      "ul",
      { class: "bot-list" },
      bots.map((kind, i) =>
        h(
          "li",
          { key: String(i) },
          botName(kind),
          " ",
          button(
            {
              class: "tool",
              "aria-label": t("lobby.remove_bot", { name: botName(kind) }),
              onclick: () => set({ bots: bots.filter((_, at) => at !== i) }),
            },
            "✕",
          ),
        ),
      ),
    ),
  );
}

function show() {
  const { form, clock, stake, bots, problem, wrongName, busy } = state;
  draw(
    root,
    h(
      "form",
      { class: "new-room", novalidate: true, onsubmit: createRoom },
      nameField(wrongName, () => set({ wrongName: "" })),
      rulesForm(catalogue, form, setRules),
      h(
        "details",
        { class: "more", key: "table", "data-more": "table" },
        h("summary", null, h("span", null, t("new_room.more"))),
        clockFields(clock, (next) => set({ clock: next })),
        stakeFields(stake, (next) => set({ stake: next })),
        botFields(bots),
      ),
      h(
        "div",
        { "data-zone": "submit", class: "submit-bar", key: "submit" },
        problem !== "" ? h("p", { class: "problem", role: "alert" }, problem) : null,
        h(
          "button",
          { type: "submit", class: "button main", disabled: busy || form.problem !== "" },
          busy ? t("new_room.busy") : t("new_room.open"),
        ),
      ),
    ),
  );
}

show();
// Check the rules at once, because rules from a link may contradict each other.
void setRules({ ...state.form, changes: { ...state.form.changes } });
root.removeAttribute("aria-busy");
