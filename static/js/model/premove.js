// @ts-check
// Playing ahead: cards chosen before one's turn are played when it comes, if they may be then. Until then one may take
// it back, or choose others, which is the same. What may be played the server says, as ever.

import { autoActionDelay, canOthersBreakIn, clockTimeLeft } from "./auto_pass.js";
import { cardOfSlot } from "./card_selection.js";
import { legalActions, isMyTurn, actionName, cardPurpose, playInterpretations } from "./state.js";

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Action} Action */

/** What is meant: these cards in this hand, and no others. @param {Model} model */
export function premoveKey({ chosen, update }) {
  return `${update?.table?.number} ${chosen.join(" ")}`;
}

/** Whether the chosen cards are to be played. @param {Model} model */
export function isPremoveSet(model) {
  return model.ahead !== null && model.chosen.length > 0 && model.ahead === premoveKey(model);
}

/** Whether one may say so now: others play, by tricks, and the cards are for nothing else. @param {Update} update */
export function canPremove(update) {
  const { room, table, you } = update;
  const mine = room.people.find((person) => person.name === you.name);
  const plays = room.phase === "playing" && table?.trick !== undefined && Boolean(you.cards);
  return plays && !room.rest && !isMyTurn(update) && cardPurpose(update) === null && !mine?.playing_for;
}

/**
 * What becomes of what was meant, now that it is one's turn: a play; null where it can't be one; undefined where one is
 * asked something else, or which of several plays it is.
 * @param {Model} model
 * @returns {Action | null | undefined}
 */
export function resolvePremove(model) {
  const update = /** @type {Update} */ (model.update);
  const ways = playInterpretations(model);
  if (ways.length > 0) return ways.length === 1 ? ways[0] : undefined;
  // Where not all plays are listed the server judges.
  if (update.you.more) return { do: actionName(update, "cards"), cards: model.chosen.map(cardOfSlot).join(" ") };
  const playing = legalActions(update, "cards").length > 0 || legalActions(update, "beside").length > 0;
  return playing ? null : undefined;
}

/**
 * How many milliseconds what was meant waits, now that it is one's turn: none, unless others may be about to break in.
 * @param {Update} update
 * @param {number} random from 0 to 1
 */
export function premoveDelay(update, random) {
  return canOthersBreakIn(update) ? autoActionDelay(random, clockTimeLeft(update), true) : 0;
}

/** Whether it is time to see what it comes to. @param {Model} model */
export function isPremoveDue(model) {
  const { update, link } = model;
  return update !== null && link === "open" && isPremoveSet(model) && !update.room.rest && isMyTurn(update);
}
