// @ts-check
// Pure: the events of an update with their presentation: text, tone, card moves and celebration. Announcements, sounds
// and animations all use these moments.

import { cardMovesOf } from "../model/card_moves.js";
import { eventSentence, eventTone } from "./sentences.js";

/**
 * @import { GameEvent, Motion, Update } from "../types.d.ts"
 * @import { CardMove as Journey } from "../model/card_moves.js"
 */

/**
 * An event and its presentation. `text` is "" if the event has no sentence.
 * @typedef {{ event: GameEvent, text: string, tone: string, journeys: Journey[],
 *   celebrated: Motion["celebration"] | null }} Moment
 */

/**
 * Build the moments of an update, in the order of its events.
 * @param {{ events: GameEvent[], event_prominence: Record<string, string>, event_animations: Record<string, Motion> }} told
 * @param {string | null} me
 * @returns {Moment[]}
 */
export function buildMoments({ events, event_prominence, event_animations }, me) {
  const journeys = cardMovesOf(events, event_animations);
  return events.map((event, i) => ({
    event,
    text: eventSentence(event, me),
    tone: eventTone(event, event_prominence),
    journeys: journeys[i] ?? [],
    celebrated: event_animations[event.e]?.celebration ?? null,
  }));
}

/** Tell whether a hand ends with an update, so that a result comes. @param {Update} before @param {Update} update */
export function hasHandEnded(before, update) {
  return before.room.phase === "playing" && update.room.phase !== "playing";
}
