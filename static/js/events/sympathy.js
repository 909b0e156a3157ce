// @ts-check
// Pure: a line of sympathy for a player who gives away a card they would rather keep. Only the giver's and the taker's page
// know the card, so no other page has such a line.

import { t } from "../lib/messages.js";
import { rankName } from "../model/card_names.js";

/** @import { Moment } from "./presentation.js" */

/**
 * Return the line for the exchanged cards among the moments; "" if this page knows of none that deserves it.
 * @param {Moment[]} moments
 * @param {{ you: { name: string | null, cards?: string }, table: { ranks?: string } | null }} page whose page it is, and this player's cards
 */
export function sympathyText(moments, { you: { name: me, cards: held = "" }, table }) {
  const highest = table?.ranks?.at(-1) ?? "";
  for (const { celebrated, journeys } of moments) {
    if (celebrated !== "exchange") continue;
    for (const { from, to, cards } of journeys) {
      const jokers = cards.filter((card) => card.startsWith("X")).length;
      if (from.name === me && jokers > 0) return t("sympathy.joker", { count: jokers });
      if (to.name === me && jokers > 0) return t("sympathy.joker.from", { by: from.name, count: jokers });
      const last = cards.some((card) => card[0] === highest) && !held.split(" ").some((card) => card[0] === highest);
      if (from.name === me && highest !== "" && last) return t("sympathy.last", { rank: rankName(highest) });
    }
  }
  return "";
}
