// @ts-check
// Pure: what happened in a step of a replay, in words, and the address of a step.

import { eventSentence, eventTone } from "../events/sentences.js";

/** @typedef {import("../types.d.ts").Frame} Frame */
/** @typedef {import("./replay_state.js").Replay} Replay */
/** @typedef {import("../events/sentences.js").Namer} Namer */

/**
 * What happened in a step, a line for each event.
 * @param {Pick<Replay, "hand" | "number" | "seat">} state
 * @param {Frame} frame
 * @param {Namer} [cards]
 */
export function words({ hand, number, seat }, frame, cards) {
  return frame.events
    .map((event) => ({ text: eventSentence(event, seat, cards), kind: eventTone(event, hand.tones), hand: number + 1 }))
    .filter((line) => line.text !== "");
}

/** The same in one line. @param {Replay} state @param {Frame} frame @param {Namer} [cards] */
export function line(state, frame, cards) {
  return words(state, frame, cards)
    .map((each) => each.text)
    .join(" ");
}

/** The log of a hand up to the step that is shown. @param {Replay} state @returns {import("../types.d.ts").LogLine[]} */
export function linesSoFar(state) {
  return state.hand.frames
    .slice(0, state.at + 1)
    .flatMap((each) => words(state, each))
    .map((each, id) => ({ ...each, id: id + 1 }));
}

/** The steps that people will speak of. @param {Replay} state @returns {number[]} */
export function moments({ hand }) {
  return hand.frames.flatMap((frame, step) => (frame.moment ? [step] : []));
}

/**
 * The address of this step, as it is seen now.
 * @param {Replay} state
 * @param {string | null} [meeting] where others meet, if the address is for them
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
