// @ts-check
// Pure: finds the card moves of events: which cards went from where to where.

import { splitCards } from "./card_selection.js";

/** @import { GameEvent, Motion, Where } from "../types.d.ts" */

/**
 * A location of cards: a player (with a name), or another place on the table (name null).
 * @typedef {{ where: Where, name: string | null }} CardLocation
 */

/**
 * A move of cards between two locations. `cards` is empty if they are hidden; `count` is the number of cards.
 * @typedef {{ from: CardLocation, to: CardLocation, cards: string[], count: number }} CardMove
 */

/** Return the card moves of each event. @param {GameEvent[]} events @param {Record<string, Motion>} animations @returns {CardMove[][]} */
export function cardMovesOf(events, animations) {
  const all = events.map((event) =>
    (animations[event.e]?.paths ?? []).map(([from, to]) => buildCardMove(event, from, to)),
  );
  // Everybody gets an event without the cards, and some players a second event with them: both are the same move.
  const known = new Set(
    all
      .flat()
      .filter(({ cards }) => cards.length > 0)
      .map(routeKey),
  );
  return all.map((some) => some.filter((each) => each.cards.length > 0 || !known.has(routeKey(each))));
}

/** @param {GameEvent} event @param {Where} from @param {Where} to @returns {CardMove} */
function buildCardMove(event, from, to) {
  const cards = typeof event.cards === "string" ? splitCards(event.cards) : [];
  const count = cards.length || (typeof event.count === "number" ? event.count : 1);
  return { from: locationOf(event, from), to: locationOf(event, to), cards, count };
}

/** @param {GameEvent} event @param {Where} where @returns {CardLocation} */
function locationOf(event, where) {
  const name = where === "by" || where === "to" ? event[where] : null;
  return { where, name: typeof name === "string" ? name : null };
}

/** @param {CardMove} journey */
function routeKey({ from, to }) {
  return [from, to].map(({ where, name }) => name ?? `:${where}`).join("\n");
}
