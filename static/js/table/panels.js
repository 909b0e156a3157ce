// @ts-check
// Draws the panels that a game shows in the middle of the table: things with words below them, and lists.

import { textWithSpokenCards } from "../a11y/spoken_cards.js";
import { formatValue } from "../lib/messages.js";
import { h } from "../lib/virtual_dom.js";
import { cardBack } from "../ui/card_faces.js";

/** @typedef {import("../types.d.ts").Panel} Panel */

/** What an icon of the table's looks like. @type {Record<import("../types.d.ts").Icon, () => import("../lib/virtual_dom.js").VNode>} */
const ICON_DRAWINGS = {
  pack: () => cardBack(),
  nothing: () => h("span", { "data-back": "gone", class: "card gone" }),
  deck: () =>
    h("span", { "data-zone": "pack", class: "pack", "aria-hidden": "true" }, cardBack(), cardBack(), cardBack()),
  coin: () => {
    const coin = () => h("i", { class: "coin" });
    return h("span", { "data-zone": "coins", class: "pot-coins", "aria-hidden": "true" }, coin(), coin(), coin());
  },
};

/** Things to be seen, each with its words below. @param {Panel} panel */
function iconPanel({ key, lines }) {
  return h(
    "div",
    { key, class: "things" },
    lines.map((line) =>
      h(
        "div",
        { key: line.key, class: "thing", "data-line": line.key },
        line.icon === null ? null : ICON_DRAWINGS[line.icon](),
        h("span", null, textWithSpokenCards(formatValue(line.text))),
      ),
    ),
  );
}

/** Lines to be read. @param {Panel} panel */
function listPanel({ key, title, lines }) {
  return h(
    "section",
    { key, class: "lines", "data-panel": key },
    title === null ? null : h("h2", null, formatValue(title)),
    h(
      "ul",
      null,
      lines.map((line) =>
        h(
          "li",
          { key: line.key, class: line.done ? "done" : "" },
          h("span", null, textWithSpokenCards(formatValue(line.text))),
          line.state === null ? null : h("span", { class: "state" }, textWithSpokenCards(formatValue(line.state))),
        ),
      ),
    ),
  );
}

/** What the game has to tell in the middle of the table; what is for one alone comes first. @param {Panel[]} all */
export function panels(all) {
  const first = all.find((panel) => panel.look === "list");
  if (first === undefined) return all.map(iconPanel);
  return h(
    "div",
    // Longer than its place, at times: whoever has no wheel scrolls it by keys.
    {
      key: "panels",
      "data-zone": "panel",
      class: "panel",
      tabindex: "0",
      role: "group",
      "aria-label": formatValue(first.title ?? ""),
    },
    all.map((panel) => (panel.look === "list" ? listPanel(panel) : iconPanel(panel))),
  );
}
