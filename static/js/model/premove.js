// @ts-check
// Premoves: a player chooses cards before their turn, and the page plays them when the turn comes, if that is legal then.
// Until then the player can cancel, also by choosing other cards. The server decides which plays are legal.

import { autoActionDelay, canOthersBreakIn, clockTimeLeft } from "./auto_pass.js";
import { cardOfSlot } from "./card_selection.js";
import { legalActions, isMyTurn, actionName, cardPurpose, playInterpretations } from "./state.js";

/** @import { Action, Model, Update } from "../types.d.ts" */

/** Return a key for the chosen cards and the hand: a premove holds only for these. @param {Model} model */
export function premoveKey({ chosen, update }) {
  return `${update?.table?.number} ${chosen.join(" ")}`;
}

/** Return whether the chosen cards are set as a premove. @param {Model} model */
export function isPremoveSet(model) {
  return model.ahead !== null && model.chosen.length > 0 && model.ahead === premoveKey(model);
}

/** Return whether a premove can be set: others play a trick, and the cards have no other use now. @param {Update} update */
export function canPremove(update) {
  const { room, table, you } = update;
  const mine = room.people.find((person) => person.name === you.name);
  const plays = room.phase === "playing" && table?.trick !== undefined && Boolean(you.cards);
  return plays && !room.paused && !isMyTurn(update) && cardPurpose(update) === null && !mine?.stand_in;
}

/**
 * Return the action for a premove on the player's turn. Null: the cards can't be played. Undefined: the player has to
 * answer another question, or to choose between several plays of these cards.
 * @param {Model} model
 * @returns {Action | null | undefined}
 */
export function resolvePremove(model) {
  const update = /** @type {Update} */ (model.update);
  const ways = playInterpretations(model);
  if (ways.length > 0) return ways.length === 1 ? ways[0] : undefined;
  // If not all legal plays are listed, send the cards and let the server decide.
  if (update.you.more) return { do: actionName(update, "cards"), cards: model.chosen.map(cardOfSlot).join(" ") };
  const playing = legalActions(update, "cards").length > 0 || legalActions(update, "beside").length > 0;
  return playing ? null : undefined;
}

/**
 * Return the delay of a premove on the player's turn, in ms: 0 unless other players may break in.
 * @param {Update} update
 * @param {number} random from 0 to 1
 */
export function premoveDelay(update, random) {
  return canOthersBreakIn(update) ? autoActionDelay(random, clockTimeLeft(update), true) : 0;
}

/** Return whether a premove is set and it is the player's turn, with an open connection and no pause. @param {Model} model */
export function isPremoveDue(model) {
  const { update, link } = model;
  return update !== null && link === "open" && isPremoveSet(model) && !update.room.paused && isMyTurn(update);
}
