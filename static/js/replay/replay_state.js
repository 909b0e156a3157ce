// @ts-check
// The state of a replay's page: which hand is shown, from which seat, and at which step.

import { initialModel, sameSize } from "../model/state.js";
import { createStore } from "../lib/store.js";

/**
 * @import { Frame } from "../types.d.ts"
 * @import { Store } from "../lib/store.js"
 */
/** @typedef {{ frames: Frame[], event_prominence: Record<string, string>, event_animations: Record<string, import("../types.d.ts").Motion>, players: string[],
 *   birds?: Record<string, string>, hues?: Record<string, number> }} Hand `birds` and `hues` are missing in a file */

/**
 * `seat` is the seat whose view is shown; null: all cards are open. `playing` is the timer of automatic steps, or 0.
 * `checked` is the result of the check of the deal, `seeds` who gave a
 * seed for it, the seats without one, and the number of deals that were cancelled before.
 * `copied`: the link to this step was just copied. `problem`: why a room could not be opened.
 * @typedef {{ number: number, seat: string | null, hand: Hand, at: number, playing: number, speed: keyof typeof SPEEDS,
 *   checked: string, seeds: { gave: string[], without: string[], cancelled: number }, copied: boolean, problem: string, size: import("../types.d.ts").Model["felt"] }} Replay
 */
/** @typedef {Store<Replay>} ReplayStore */

/** Duration of a usual step in automatic playback, in milliseconds; `pauseAfter` has the others. */
export const SPEEDS = { slow: 2800, usual: 1400, fast: 600 };

/** @type {Hand} */
export const NO_HAND = { frames: [], event_prominence: {}, event_animations: {}, players: [] };

/**
 * Create the store of a replay's page. It draws at once, because steps are announced when drawn.
 * @param {number} number index of the hand, from 0
 * @param {string | null} seat
 * @param {() => void} draw draws the page
 * @returns {ReplayStore}
 */
export function createReplayStore(number, seat, draw) {
  return createStore({
    initial: {
      number,
      seat,
      hand: NO_HAND,
      at: 0,
      playing: 0,
      speed: /** @type {const} */ ("usual"),
      checked: "",
      seeds: { gave: [], without: [], cancelled: 0 },
      copied: false,
      problem: "",
      size: initialModel().felt,
    },
    draw,
    schedule: (drawNow) => drawNow(),
    merge: (state, change) =>
      change.size !== undefined && sameSize(change.size, state.size) ? state : { ...state, ...change },
  });
}
