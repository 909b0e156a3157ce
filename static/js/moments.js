// @ts-check
// Pure: an update's events as moments, with all that a page makes of them: words, how loud, what travels, how it is
// celebrated. Whoever does something as things happen (says them, sounds them, shows them) is told these.

import { split } from "./selection.js";
import { sentence, toneOf } from "./words.js";

/** @typedef {import("./types.d.ts").GameEvent} GameEvent */
/** @typedef {import("./types.d.ts").Motion} Motion */
/** @typedef {import("./types.d.ts").Where} Where */

/** Where cards lie: with somebody, or where nobody does. @typedef {{ where: Where, name: string | null }} Place */

/**
 * Cards on their way. `cards` is empty where they are not known: then `count` tells how many.
 * @typedef {{ from: Place, to: Place, cards: string[], count: number }} Journey
 */

/**
 * Something that has happened. `text` is empty where there is nothing to say.
 * @typedef {{ event: GameEvent, text: string, tone: string, journeys: Journey[],
 *   celebrated: Motion["celebrated"] | null }} Moment
 */

/**
 * What has happened, in order.
 * @param {{ events: GameEvent[], tones: Record<string, string>, motions: Record<string, Motion> }} told
 * @param {string | null} me
 * @returns {Moment[]}
 */
export function momentsOf({ events, tones, motions }, me) {
  const moments = events.map((event) => ({
    event,
    text: sentence(event, me),
    tone: toneOf(event, tones),
    journeys: (motions[event.e]?.ways ?? []).map(([from, to]) => journey(event, from, to)),
    celebrated: motions[event.e]?.celebrated ?? null,
  }));
  // What all are told without the cards, and some with them, is one journey.
  const known = new Set(moments.flatMap((each) => each.journeys.filter(({ cards }) => cards.length > 0).map(way)));
  const unknown = (/** @type {Journey} */ each) => each.cards.length > 0 || !known.has(way(each));
  return moments.map((moment) => ({ ...moment, journeys: moment.journeys.filter(unknown) }));
}

/** @param {GameEvent} event @param {Where} from @param {Where} to @returns {Journey} */
function journey(event, from, to) {
  const cards = typeof event.cards === "string" ? split(event.cards) : [];
  const count = cards.length || (typeof event.count === "number" ? event.count : 1);
  return { from: place(event, from), to: place(event, to), cards, count };
}

/** @param {GameEvent} event @param {Where} where @returns {Place} */
function place(event, where) {
  const name = where === "by" || where === "to" ? event[where] : null;
  return { where, name: typeof name === "string" ? name : null };
}

/** @param {Journey} journey */
function way({ from, to }) {
  return [from, to].map(({ where, name }) => name ?? `:${where}`).join("\n");
}
