// @ts-check
// Pure functions: the text and the address of a step in a replay.

import { eventSentence, eventTone } from "../events/sentences.js";
import { joinSentences } from "../lib/messages.js";

/**
 * @import { Frame } from "../types.d.ts"
 * @import { Replay } from "./replay_state.js"
 * @import { Namer } from "../events/sentences.js"
 */

/**
 * Describe a step, with one line for each event.
 * @param {Pick<Replay, "hand" | "number" | "seat">} state
 * @param {Frame} frame
 * @param {Namer} [cards]
 */
export function words({ hand, number, seat }, frame, cards) {
  return frame.events
    .map((event) => ({
      text: eventSentence(event, seat, cards),
      kind: eventTone(event, hand.event_prominence),
      hand: number + 1,
    }))
    .filter((line) => line.text !== "");
}

/** Describe a step in one line. @param {Replay} state @param {Frame} frame @param {Namer} [cards] */
export function line(state, frame, cards) {
  return joinSentences(words(state, frame, cards).map((each) => each.text));
}

/** Return the log of a hand up to the current step. @param {Replay} state @returns {import("../types.d.ts").LogLine[]} */
export function linesSoFar(state) {
  return state.hand.frames
    .slice(0, state.at + 1)
    .flatMap((each) => words(state, each))
    .map((each, id) => ({ ...each, id: id + 1 }));
}

/** Return the indexes of the special steps of a hand. @param {Replay} state @returns {number[]} */
export function moments({ hand }) {
  return hand.frames.flatMap((frame, step) => (frame.highlight ? [step] : []));
}

/**
 * Return the address of the current step and seat.
 * @param {Replay} state
 * @param {string | null} [meeting] token of the watch party, if the address should lead there
 */
export function addressOf({ number, at, seat }, meeting = null) {
  const url = new URL(location.href);
  url.search = "";
  url.searchParams.set("hand", String(number));
  url.searchParams.set("move", String(at));
  if (seat !== null) url.searchParams.set("seat", seat);
  if (meeting !== null) url.searchParams.set("follow", meeting);
  return url;
}
