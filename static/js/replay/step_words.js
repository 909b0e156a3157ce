// @ts-check
// Pure functions: the text, the address and the pause of a step in a replay.

import { eventSentence, eventTone } from "../events/sentences.js";
import { joinSentences } from "../lib/messages.js";

/**
 * @import { Frame } from "../types.d.ts"
 * @import { Hand, Replay } from "./replay_state.js"
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

/**
 * Return the moments of a hand: its steps that are highlights or that the table celebrates as great.
 * @param {Pick<Replay, "hand">} state
 * @returns {{ step: number, great: boolean }[]}
 */
export function moments({ hand }) {
  return hand.frames.flatMap((frame, step) => {
    const great = has(hand, frame, "great");
    return great || frame.highlight ? [{ step, great }] : [];
  });
}

/** Tell whether a step has an event of this prominence. @param {Hand} hand @param {Frame} frame @param {string} prominence */
function has(hand, frame, prominence) {
  return frame.events.some(({ e }) => hand.event_prominence[e] === prominence);
}

/** Return the step at which a replay begins: the first play, or the step after the deal. @param {Hand} hand */
export function firstPlay(hand) {
  const step = hand.frames.findIndex((frame) => has(hand, frame, "move"));
  return step === -1 ? 1 : step;
}

/**
 * Return how long a step is shown in automatic playback, as a multiple of the chosen speed: a pass is short, and great
 * events and the end of a trick are long. A long thought before the next step is shown, much shorter than it was.
 * @param {Hand} hand
 * @param {number} at
 */
export function pauseAfter(hand, at) {
  const frame = /** @type {Frame} */ (hand.frames[at]);
  const thought = (hand.frames[at + 1]?.seconds ?? 0) / 10;
  return Math.max(Math.min(thought, 2.5), pauseOfEvents(hand, frame));
}

/** @param {Hand} hand @param {Frame} frame */
function pauseOfEvents(hand, frame) {
  if (has(hand, frame, "great")) return 2;
  const cleared = frame.events.some(({ e }) => hand.event_animations[e]?.paths?.some(([from]) => from === "table"));
  if (cleared || has(hand, frame, "end")) return 1.5;
  return has(hand, frame, "move") ? 1 : 0.6;
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
