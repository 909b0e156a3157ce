// @ts-check
// Pure: an update's events as moments, with all that a page makes of them: words, how loud, what travels, how it is
// celebrated. Whoever does something as things happen (says them, sounds them, shows them) is told these.

import { cardMovesOf } from "../model/card_moves.js";
import { eventSentence, eventTone } from "./sentences.js";

/** @typedef {import("../types.d.ts").GameEvent} GameEvent */
/** @typedef {import("../types.d.ts").Motion} Motion */

/** @typedef {import("../model/card_moves.js").CardMove} Journey */

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
export function buildMoments({ events, tones, motions }, me) {
  const journeys = cardMovesOf(events, motions);
  return events.map((event, i) => ({
    event,
    text: eventSentence(event, me),
    tone: eventTone(event, tones),
    journeys: journeys[i] ?? [],
    celebrated: motions[event.e]?.celebrated ?? null,
  }));
}
