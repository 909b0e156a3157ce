// @ts-check
// Draws the log of a room in words, with the last trick.

import { textWithSpokenCards } from "../a11y/spoken_cards.js";
import { afterPaint } from "../lib/after_paint.js";
import { t } from "../lib/messages.js";
import { h } from "../lib/virtual_dom.js";
import { cardsText } from "../model/card_names.js";
import { playerOf } from "./trick.js";

/** @import { Table } from "../types.d.ts" */

/** Draw the log, below the pile and the last trick. @param {Table | null} table @param {import("../types.d.ts").LogLine[]} lines @param {string | null} me */
export function logView(table, lines, me) {
  const last = table?.last_trick ?? [];
  return [
    table?.pile
      ? h(
          "section",
          { key: "pile", class: "last-trick" },
          h("h3", null, t("log.pile")),
          h("p", null, textWithSpokenCards(cardsText(table.pile))),
        )
      : null,
    last.length > 0
      ? h(
          "section",
          { key: `last ${last.map((play) => `${play.by} ${play.cards}`).join()}`, class: "last-trick" },
          h("h3", null, t("trick.last")),
          h(
            "ol",
            null,
            last.map((play, i) =>
              h("li", { key: String(i) }, playerOf(play, me), " ", textWithSpokenCards(cardsText(play.cards))),
            ),
          ),
        )
      : null,
    h(
      "ol",
      { "data-zone": "log", class: "log-lines", ref: scrollToNewest, tabindex: "0", "aria-label": t("tool.log") },
      lines.map((line, i) => [
        line.hand !== lines[i - 1]?.hand && line.hand > 0
          ? h(
              "li",
              { key: `h${line.hand}`, "data-log": "hand", class: "log-hand" },
              t("log.hand", { number: line.hand }),
            )
          : null,
        logLine(line),
      ]),
    ),
  ];
}

/** @type {WeakMap<import("../types.d.ts").LogLine, import("../lib/virtual_dom.js").VNode>} Lines never change, so cache them. */
const logLines = new WeakMap();

/** @param {import("../types.d.ts").LogLine} line */
function logLine(line) {
  const drawn =
    logLines.get(line) ??
    h("li", { key: `l${line.id}`, "data-log": line.kind, class: `log-${line.kind}` }, textWithSpokenCards(line.text));
  logLines.set(line, drawn);
  return drawn;
}

/** @type {WeakMap<Element, Element | null>} The last line when drawn. A count fails: long logs drop old lines. */
const lastItems = new WeakMap();

/** Scroll to the end of the log when a line was added. @param {Element} list */
function scrollToNewest(list) {
  if (lastItems.get(list) === list.lastElementChild) return;
  lastItems.set(list, list.lastElementChild);
  // Reading the height before the layout would cause a second layout.
  afterPaint(() => {
    list.scrollTop = list.scrollHeight;
  });
}
