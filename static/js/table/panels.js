// @ts-check
// Draws the panels that a game shows in the middle of the table: icons with text below them, and lists.

import { textWithSpokenCards } from "../a11y/spoken_cards.js";
import { formatValue } from "../lib/messages.js";
import { h } from "../lib/virtual_dom.js";
import { cardBack } from "../ui/card_faces.js";

/** @import { Panel } from "../types.d.ts" */

/**
 * Drawings of the icons that the server names.
 * @type {Record<import("../types.d.ts").Icon, () => import("../lib/virtual_dom.js").VNode>}
 */
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

/** Draw a panel of icons, each with its text below. @param {Panel} panel */
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

/** Draw a panel with a title and a list of lines. @param {Panel} panel */
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

/** Draw all panels. If any is a list, put all of them in a scrollable group named after the first list. @param {Panel[]} all */
export function panels(all) {
  const first = all.find((panel) => panel.look === "list");
  if (first === undefined) return all.map(iconPanel);
  return h(
    "div",
    // The group may be longer than its space: with a tab stop, it can be scrolled by keys.
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
