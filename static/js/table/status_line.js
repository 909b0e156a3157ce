// @ts-check
// Draws the lines below the table: whose turn it is, and what just happened or is asked meanwhile.

import { textWithSpokenCards } from "../a11y/spoken_cards.js";
import { owedGiftText } from "../events/labels.js";
import { h } from "../lib/virtual_dom.js";
import { isMyTurn, owedGifts, cardPurpose, turnText } from "../model/state.js";
import { question } from "./question.js";
import { combinationSuggestions } from "./suggestions.js";

/** @typedef {import("../types.d.ts").Desk} Desk */

/** So many characters find room on two lines of the narrowest screens. */
const LONGEST_SAID = 84;

/** And so many on one, where they are larger and bold. */
const LONGEST_TURN = 40;

/** Return what the player owes, if it is one gift, or else whose turn it is. @param {import("../types.d.ts").Update} update */
function turnLineText(update) {
  const [gift, ...others] = update.room.rest === null && cardPurpose(update) === "gifts" ? owedGifts(update) : [];
  return gift === undefined || others.length > 0 ? turnText(update) : owedGiftText(gift);
}

/** Draw the lines under the table: whose turn it is, and what just happened or what is asked meanwhile. @param {Desk} desk */
export function statusLines(desk) {
  const { model, update } = desk;
  const asks = question(desk);
  const mine = isMyTurn(update);
  const [earlier, last] = [model.latest.at(-2), model.latest.at(-1) ?? ""];
  const turn = turnLineText(update);
  const latest = earlier !== undefined && earlier.length + last.length < LONGEST_SAID ? `${earlier} ${last}` : last;
  return h(
    "div",
    {
      key: "said",
      "data-zone": "status",
      "data-turn": mine ? "mine" : undefined,
      "data-great": model.great,
      class: `said${mine ? " my-turn" : ""}${model.great ? " great" : ""}${asks === null ? "" : " asks"}`,
    },
    asks?.heading ??
      h(
        "p",
        { key: `turn ${turn}`, "data-zone": "turn", class: `turn-line${turn.length > LONGEST_TURN ? " long" : ""}` },
        textWithSpokenCards(turn),
      ),
    // Other words are another paragraph: how many lines they take moves nothing that stays.
    asks?.answers ??
      combinationSuggestions(desk) ??
      h("p", { key: `latest ${turn} ${latest}`, "data-zone": "latest", class: "latest", title: latest }, latest),
  );
}
