// @ts-check
// Draws the lines below the table: whose turn it is, and below it a question, suggestions, advice or the latest event.

import { textWithSpokenCards } from "../a11y/spoken_cards.js";
import { confirmationText, owedGiftText } from "../events/labels.js";
import { joinSentences } from "../lib/messages.js";
import { h } from "../lib/virtual_dom.js";
import { cardsText, cardOrderText } from "../model/card_names.js";
import { isMyLead, isMyTurn, lookedUp, owedGifts, cardPurpose, turnText } from "../model/state.js";
import { textWithMiniCards } from "../ui/card_faces.js";
import { question } from "./question.js";
import { combinationSuggestions } from "./suggestions.js";

/** @import { Desk } from "../types.d.ts" */

/** Number of characters that fit on two lines of the narrowest screens. */
const LONGEST_SAID = 84;

/** Number of characters that fit on two lines beside the hand on wide pages. */
const LONGEST_WITH_ORDER = 65;

/** Number of characters that fit on a line of the turn's larger, bold text. */
const LONGEST_TURN = 40;

/** Return the number of Latin letters that take the width of a text: characters of Chinese and Japanese are twice as wide. @param {string} text */
const width = (text) => text.replace(/[\u3000-\uffef]/g, (wide) => wide + wide).length;

/**
 * Return the text of the only gift that the player has to give, or else whose turn it is.
 * @param {import("../types.d.ts").Update} update
 */
function turnLineText(update) {
  const [gift, ...others] = update.room.paused === null && cardPurpose(update) === "gifts" ? owedGifts(update) : [];
  return gift === undefined || others.length > 0 ? turnText(update) : owedGiftText(gift);
}

/** Join the latest events that fit on two lines. For a lead after the first, the order of cards follows if it fits. @param {Desk} desk */
function latestText({ model, update }) {
  const [earlier, last] = [model.latest.at(-2), model.latest.at(-1) ?? ""];
  const order = isMyLead(update) && update.table?.last_trick ? cardOrderText(update.table) : "";
  const withOrder = joinSentences([last, order]);
  if (order !== "" && width(withOrder) <= LONGEST_WITH_ORDER) return withOrder;
  const both = joinSentences([earlier ?? "", last]);
  return width(both) <= LONGEST_SAID ? both : last;
}

/** Draw the lines below the table: whose turn it is, then answers, suggestions, advice or the latest event. @param {Desk} desk */
export function statusLines(desk) {
  const { model, update } = desk;
  const asks = question(desk);
  const mine = isMyTurn(update);
  const turn = model.sure === null ? turnLineText(update) : confirmationText(model.sure, cardsText);
  const why = lookedUp(model)?.why ?? "";
  const latest = why || latestText(desk);
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
        { key: `turn ${turn}`, "data-zone": "turn", class: `turn-line${width(turn) > LONGEST_TURN ? " long" : ""}` },
        textWithSpokenCards(turn),
      ),
    // A new text is a new element, so that its number of lines does not move elements that stay.
    asks?.answers ??
      combinationSuggestions(desk) ??
      (why === "" ? desk.after?.coachLine(desk) : null) ??
      h(
        "p",
        { key: `latest ${turn} ${latest}`, "data-zone": "latest", class: "latest", title: latest },
        why === "" ? textWithMiniCards(latest) : textWithSpokenCards(why),
      ),
  );
}
