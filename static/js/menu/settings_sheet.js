// @ts-check
// The form for the rules of the room, in the order of the page for a new room.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { checkRules, newForm, optionsToSend } from "../rules/form_state.js";
import { rulesForm } from "../rules/form.js";
import { clockFields } from "../rules/clock_fields.js";
import { stakeFields, parseStake, stakeToInput } from "../rules/stake.js";
import { dialog } from "../table/sheet.js";

/**
 * @import { VNode } from "../lib/virtual_dom.js"
 * @import { Desk, Room } from "../types.d.ts"
 * @import { Clock } from "../rules/clock_fields.js"
 * @import { RulesForm } from "../rules/form_state.js"
 */

/** @type {Room["carry_titles"][]} */
const TITLE_DURATIONS = ["never", "game", "always"];

/** The form whose rules were checked last: answers about earlier ones are ignored. @type {RulesForm | null} */
let checked = null;

/** Draw the form. @param {Desk} desk */
export function settingsSheet(desk) {
  const { room } = desk.update;
  desk.fetchCatalogueOnce();
  const catalogue = desk.catalogue;
  if (catalogue === null) return dialog(desk, t("settings.title"), [h("p", null, t("loading"))]);
  const game = catalogue.games.find((each) => each.key === room.game) ?? catalogue.games[0];
  if (game === undefined) return null;
  const form = /** @type {RulesForm} */ (
    desk.model.form.rules ?? { ...newForm(game), preset: room.preset, changes: { ...room.differences } }
  );
  const clock = /** @type {Clock} */ (desk.model.form.clock ?? room.clock);
  const titles = /** @type {Room["carry_titles"]} */ (desk.model.form.carry_titles ?? room.carry_titles);
  const stake = /** @type {import("../rules/stake.js").StakeInput} */ (
    desk.model.form.stake ?? stakeToInput(room.stake)
  );
  /** @param {RulesForm} next */
  const change = async (next) => {
    desk.fill("rules", next);
    const chosen = catalogue.games.find((each) => each.key === next.game);
    if (chosen === undefined) return;
    checked = next;
    const { problem, special } = await checkRules(chosen, next);
    if (checked === next) desk.fill("rules", { ...next, problem, special });
  };
  if (desk.model.form.rules === undefined) queueMicrotask(() => change(form));
  const save = async () => {
    const chosen = catalogue.games.find((each) => each.key === form.game);
    if (chosen === undefined) return;
    const done = await desk.ask({
      t: "configure",
      game: chosen.key,
      options: optionsToSend(chosen, form),
      clock: { turn: clock.turn, reserve: clock.reserve, pause: clock.pause },
      carry_titles: titles,
      stake: parseStake(stake),
    });
    if (done) desk.close("settings");
  };
  return dialog(
    desk,
    t("settings.title"),
    [
      /** @type {VNode} */ (rulesForm(catalogue, form, change)),
      h(
        "details",
        { class: "more", key: "table", "data-more": "table" },
        h("summary", null, h("span", null, t("settings.more"))),
        clockFields(clock, (next) => desk.fill("clock", next)),
        titleDurationSelect(desk, titles),
        stakeFields(stake, (next) => desk.fill("stake", next)),
      ),
      h(
        "div",
        { "data-zone": "submit", class: "submit-bar", key: "save" },
        button({ class: "button main", disabled: form.problem !== "", onclick: save }, t("settings.save")),
      ),
    ],
    "broad",
  );
}

/** Draw the choice when titles carry over to the next match. @param {Desk} desk @param {Room["carry_titles"]} chosen */
function titleDurationSelect(desk, chosen) {
  return h(
    "label",
    { key: "ranks", class: "field" },
    h("span", null, t("settings.ranks")),
    h(
      "select",
      {
        id: "ranks",
        onchange: (/** @type {Event} */ event) =>
          desk.fill("carry_titles", /** @type {HTMLSelectElement} */ (event.target).value),
      },
      TITLE_DURATIONS.map((each) =>
        h("option", { value: each, selected: each === chosen }, t(`settings.ranks.${each}`)),
      ),
    ),
  );
}
