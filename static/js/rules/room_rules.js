// @ts-check
// The current rules of a room: the preset and the room's changes. All texts about options come from the server.

import { button, h } from "../lib/virtual_dom.js";
import { valueLabel } from "./form_state.js";
import { CLOSED_FORM } from "./saved_rules_api.js";
import { joinSentences, t } from "../lib/messages.js";
import { optionPicture, presetPicture } from "./preset_picture.js";
import { saveRulesForm } from "./save_rules_form.js";
import { rulesPath } from "../ui/rule_link.js";
import { stakeWorthText } from "./stake.js";

/**
 * @import { VNode } from "../lib/virtual_dom.js"
 * @import { Desk } from "../types.d.ts"
 * @import { SaveFormState as Keeping } from "./saved_rules_api.js"
 */

/** The most lines in the list of changes; the rules page has the whole list. */
const MAX_LINES = 10;
/** Explain each change if there are at most this number of changes. */
const MAX_EXPLAINED = 3;

/** List the room's changes to the preset as pictures, in the server's order. @param {Desk} desk @param {string} page path of the rules page */
function changedRulesList(desk, page) {
  const { room } = desk.update;
  const game = desk.catalogue?.games.find((each) => each.key === room.game);
  const switches = game?.sections.flatMap((section) => section.switches);
  const differs = Object.entries(room.differences);
  if (differs.length === 0) return null;
  const shown = differs.length > MAX_LINES ? differs.slice(0, MAX_LINES - 1) : differs;
  const more = differs.length - shown.length;
  return [
    h("h3", { key: "count" }, t("rules.differs", { count: differs.length })),
    h(
      "ul",
      { key: "differences", class: "differences" },
      shown.map(([key, value]) => {
        const declared = switches?.find((each) => each.key === key);
        return h(
          "li",
          { key },
          presetPicture(optionPicture(game?.presets ?? [], key, value)),
          h(
            "span",
            null,
            h("b", null, declared?.name ?? key),
            ": ",
            h("mark", null, declared ? valueLabel(declared, value) : String(value)),
            declared && differs.length <= MAX_EXPLAINED ? h("span", { class: "quiet" }, ` ${declared.sentence}`) : null,
          ),
        );
      }),
      more > 0
        ? h(
            "li",
            { key: "more" },
            h("a", { href: `${page}#changed`, target: "_blank", rel: "noopener" }, t("rules.more", { count: more })),
          )
        : null,
    ),
  ];
}

/** Find the room's game and preset; both are undefined until the catalogue is there. @param {Desk} desk */
export function findPreset(desk) {
  const { room } = desk.update;
  desk.fetchCatalogueOnce();
  const game = desk.catalogue?.games.find((each) => each.key === room.game);
  return { game, preset: game?.presets.find((each) => each.key === room.preset) };
}

/** Draw a summary of the rules: game, preset, the room's changes, players and clock. @param {Desk} desk */
export function rulesSummary(desk) {
  const { room } = desk.update;
  const { preset } = findPreset(desk);
  const game = t(`game.${room.game}`);
  const facts = [
    t("rules.players", { min: room.min, max: room.max }),
    room.clock.turn ? t("rules.clock", { count: room.clock.turn }) : t("rules.no_clock"),
    room.clock.reserve ? t("rules.reserve", { count: room.clock.reserve }) : "",
    room.stake ? t("stake.point", { worth: stakeWorthText(room.stake, 1) }) : "",
  ];
  return [
    h(
      "div",
      { key: "name", class: "rules-name" },
      presetPicture(preset ?? { picture: "", mark: "" }),
      h(
        "p",
        null,
        h("b", null, game),
        preset && preset.name !== game ? h("span", { key: "preset", "data-zone": "preset" }, preset.name) : null,
        preset?.mark_text ? h("small", { key: "mark" }, preset.mark_text) : null,
      ),
    ),
    preset ? h("p", { key: "sentence" }, preset.sentence) : null,
    changedRulesList(desk, rulesPath(room)),
    h("p", { key: "facts", class: "quiet" }, joinSentences(facts)),
  ];
}

/**
 * Draw the buttons below a summary: `read`, the host's button for other rules, and the form to save these.
 * @param {Desk} desk @param {VNode} read
 * @param {boolean} inSheet whether the buttons stand in the sheet; the form to save opens where it was pressed
 */
export function rulesButtons(desk, read, inSheet) {
  const { room, you } = desk.update;
  const open = room.phase === "lobby" || room.phase === "finished";
  return h(
    "div",
    { key: "buttons", class: "buttons" },
    read,
    you.host && open
      ? button({ class: "button", onclick: () => desk.set({ sheet: "settings", form: {} }) }, t("rules.change"))
      : null,
    saveRulesForm(
      /** @type {Keeping} */ ((inSheet === (desk.model.sheet === "rules") && desk.model.form.keeping) || CLOSED_FORM),
      { game: room.game, options: { preset: room.preset, ...room.differences } },
      (next) => desk.fill("keeping", next),
    ),
  );
}

/** Draw the card with the current rules in the waiting room. @param {Desk} desk */
export function rulesInForce(desk) {
  return h(
    "section",
    {
      key: "rules",
      "data-zone": "rules",
      class: `rules-in-force${desk.model.rulesChanged ? " changed" : ""}`,
      "aria-labelledby": "rules-title",
      "aria-busy": desk.catalogue ? null : "true",
    },
    h("h2", { id: "rules-title" }, t("rules.in_force")),
    rulesSummary(desk),
    rulesButtons(
      desk,
      button({ class: "button", onclick: () => desk.set({ sheet: "rules" }) }, t("rules.read")),
      false,
    ),
  );
}
