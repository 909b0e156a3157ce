// @ts-check
// The page for a new room: a name, the rules, a clock, bots. Then the server makes the room and we go there.

import { byId, draw, h } from "./dom.js";
import { fetchCatalogue, fresh, options, problemWith, rulesForm } from "./form.js";
import { load, t } from "./messages.js";
import { like, liked } from "./prefs.js";

/** @typedef {import("./types.d.ts").Catalogue} Catalogue */
/** @typedef {import("./form.js").RulesForm} RulesForm */

const TURNS = [null, 15, 30, 60, 120];
const PAUSES = [null, 5, 10, 20, 40];

const root = byId("new-room");
const [catalogue] = await Promise.all([fetchCatalogue(), load()]);
const first = catalogue.games.find((each) => each.key === root.dataset.game) ?? catalogue.games[0];
if (first === undefined) throw new Error("there is no game");

/** @type {{ form: RulesForm, turn: number | null, pause: number | null, bots: string[], problem: string, busy: boolean }} */
let state = { form: fresh(first), turn: null, pause: null, bots: [], problem: "", busy: false };

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
  const problem = await problemWith(game, form);
  if (state.form.changes === form.changes && state.form.preset === form.preset)
    set({ form: { ...state.form, problem } });
}

/** @param {string} legend @param {string} name @param {(number | null)[]} values @param {number | null} value @param {(value: number | null) => void} change */
function seconds(legend, name, values, value, change) {
  return h(
    "fieldset",
    { class: "plain", key: name },
    h("legend", null, legend),
    h(
      "div",
      { class: "choices" },
      values.map((each) =>
        h(
          "label",
          { key: String(each), class: "choice" },
          h("input", {
            type: "radio",
            name,
            value: String(each),
            checked: each === value,
            onchange: () => change(each),
          }),
          h("span", null, each === null ? t(`new.${name}.none`) : t("new.seconds", { count: each })),
        ),
      ),
    ),
  );
}

/** @param {Event} event */
async function create(event) {
  event.preventDefault();
  if (state.busy) return;
  const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name") ?? "").trim();
  const game = catalogue.games.find((each) => each.key === state.form.game);
  if (name === "" || game === undefined) return;
  set({ busy: true, problem: "" });
  like("name", name);
  try {
    const answer = await fetch("/api/rooms", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        name,
        game: game.key,
        options: options(game, state.form),
        clock: { turn: state.turn, pause: state.pause },
        bots: state.bots,
      }),
    });
    const made = await answer.json();
    if (answer.ok) {
      location.assign(made.url ?? `/r/${made.code}`);
      return;
    }
    set({ problem: made.message ?? t("error.unknown") });
  } catch {
    set({ problem: t("error.offline") });
  } finally {
    set({ busy: false });
  }
}

function show() {
  const { form, turn, pause, bots, problem, busy } = state;
  draw(
    root,
    h(
      "form",
      { class: "new-room", onsubmit: create },
      h(
        "label",
        { class: "field name-field", key: "name" },
        h("span", null, t("join.name")),
        h("input", {
          name: "name",
          id: "name",
          value: liked("name", ""),
          required: true,
          maxlength: 20,
          autocomplete: "nickname",
          spellcheck: "false",
        }),
      ),
      rulesForm(catalogue, form, setRules),
      h(
        "section",
        { class: "house", key: "house" },
        seconds(t("new.turn"), "turn", TURNS, turn, (value) => set({ turn: value })),
        seconds(t("new.pause"), "pause", PAUSES, pause, (value) => set({ pause: value })),
        h(
          "fieldset",
          { class: "plain", key: "bots" },
          h("legend", null, t("new.bots")),
          h(
            "div",
            { class: "buttons" },
            catalogue.bots.map((kind) =>
              h(
                "button",
                {
                  key: kind,
                  type: "button",
                  class: "button",
                  "data-bot": kind,
                  onclick: () => set({ bots: [...bots, kind] }),
                },
                t("lobby.add_bot", { kind: t(`bot.${kind}`) }),
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
                t(`bot.${kind}`),
                " ",
                h(
                  "button",
                  {
                    type: "button",
                    class: "tool",
                    "aria-label": t("lobby.remove_bot", { name: t(`bot.${kind}`) }),
                    onclick: () => set({ bots: bots.filter((_, at) => at !== i) }),
                  },
                  "✕",
                ),
              ),
            ),
          ),
        ),
      ),
      h(
        "div",
        { class: "submit-bar", key: "submit" },
        problem !== "" ? h("p", { class: "problem", role: "alert" }, problem) : null,
        h(
          "button",
          { type: "submit", class: "button main", disabled: busy || form.problem !== "" },
          busy ? t("new.busy") : t("new.open"),
        ),
      ),
    ),
  );
}

show();
root.removeAttribute("aria-busy");
