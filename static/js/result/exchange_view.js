// @ts-check
// The exchange while players choose: the birds of each pair face each other, with the cards between them. The list of gifts
// is its small print.

import { largeBird, groupGifts } from "../animation/scenes.js";
import { h } from "../lib/virtual_dom.js";
import { panels } from "../table/panels.js";
import { cardBack } from "../ui/card_faces.js";

/** @import { Gift, Update } from "../types.d.ts" */

/** Draw at most this number of cards of a gift. */
const MOST_CARDS = 4;

/** Draw the cards of a gift: at the giver until they are given, and as empty places until they are chosen. @param {Gift} gift @param {boolean} rightwards */
function waitingCards({ from, to, count, chosen, done }, rightwards) {
  return h(
    "span",
    {
      key: `${from}\n${to}`,
      "data-gift": done ? "done" : chosen ? "chosen" : "open",
      class: `scene-cards ${rightwards === done ? "hand_over" : "toss"}`,
    },
    Array.from({ length: Math.min(count, MOST_CARDS) }, () => cardBack(chosen || done ? "" : "open")),
  );
}

/** Draw the exchange in the middle of the table; null in other phases. @param {Update} update */
export function exchangeView(update) {
  const { table, you } = update;
  const gifts = table?.phase === "exchange" ? (table.exchange?.gifts ?? []) : [];
  if (!table || gifts.length === 0) return null;
  const all = gifts.map((gift) => ({ ...gift, cards: [] }));
  const rows = groupGifts(all, (name) => table.players[name]?.place ?? 0);
  return h(
    "div",
    { key: "exchange", "data-zone": "exchange", class: "exchange-view" },
    h(
      "div",
      { key: "rows", class: "scene-duos", "aria-hidden": "true", style: { "--rows": rows.length } },
      rows.map(({ left, right, gifts: each }) =>
        h(
          "div",
          { key: `${left}\n${right}`, class: "scene-pair" },
          largeBird(update, left, "bow"),
          h(
            "span",
            { class: "scene-lane" },
            each.map((gift) => waitingCards(gift, gift.from === left)),
          ),
          largeBird(update, right, "stand"),
        ),
      ),
    ),
    panels([...(you.panels ?? []), ...table.panels]),
  );
}
