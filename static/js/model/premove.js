// @ts-check
// Playing ahead: cards chosen before one's turn are played when it comes, if they may be then. Until then one may take
// it back, or choose others, which is the same. What may be played the server says, as ever.

import { delay, isOpen, left } from "./auto_pass.js";
import { cardOf } from "./card_selection.js";
import { legal, myTurn, nameOf, purpose, readings } from "./state.js";

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Action} Action */

/** What is meant: these cards in this hand, and no others. @param {Model} model */
export function meant({ chosen, update }) {
  return `${update?.table?.number} ${chosen.join(" ")}`;
}

/** Whether the chosen cards are to be played. @param {Model} model */
export function isMeant(model) {
  return model.ahead !== null && model.chosen.length > 0 && model.ahead === meant(model);
}

/** Whether one may say so now: others play, by tricks, and the cards are for nothing else. @param {Update} update */
export function mayMean(update) {
  const { room, table, you } = update;
  const mine = room.people.find((person) => person.name === you.name);
  const plays = room.phase === "playing" && table?.trick !== undefined && Boolean(you.cards);
  return plays && !room.rest && !myTurn(update) && purpose(update) === null && !mine?.playing_for;
}

/**
 * What becomes of what was meant, now that it is one's turn: a play; null where it can't be one; undefined where one is
 * asked something else, or which of several plays it is.
 * @param {Model} model
 * @returns {Action | null | undefined}
 */
export function comesTo(model) {
  const update = /** @type {Update} */ (model.update);
  const ways = readings(model);
  if (ways.length > 0) return ways.length === 1 ? ways[0] : undefined;
  // Where not all plays are listed the server judges.
  if (update.you.more) return { do: nameOf(update, "cards"), cards: model.chosen.map(cardOf).join(" ") };
  const playing = legal(update, "cards").length > 0 || legal(update, "beside").length > 0;
  return playing ? null : undefined;
}

/**
 * How many milliseconds what was meant waits, now that it is one's turn: none, unless others may be about to break in.
 * @param {Update} update
 * @param {number} chance from 0 to 1
 */
export function waits(update, chance) {
  return isOpen(update) ? delay(chance, left(update), true) : 0;
}

/** Whether it is time to see what it comes to. @param {Model} model */
export function isTime(model) {
  const { update, link } = model;
  return update !== null && link === "open" && isMeant(model) && !update.room.rest && myTurn(update);
}
