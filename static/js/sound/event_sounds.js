// @ts-check
// Pure: choose the sounds for events, from their declared presentation: celebration, card moves and tone.

/**
 * @import { Moment } from "../events/presentation.js"
 * @import { CardMove as Journey } from "../model/card_moves.js"
 * @import { SoundName } from "./synth.js"
 */
/** @typedef {NonNullable<Moment["celebrated"]>} Celebration */

/** The sound of the player's turn. @type {SoundName} */
export const TURN_SOUND = "bell";

/** @type {Record<Celebration, SoundName>} */
const CELEBRATION_SOUNDS = {
  triumph: "fanfare",
  blast: "boom",
  launch: "boom",
  turn: "tumble",
  flip: "tumble",
  reverse: "tumble",
  flare: "flare",
  crown: "rise",
  bow: "sink",
  fall: "sink",
  lock: "latch",
  cut: "sweep",
  exchange: "handover",
};

/** Sounds of events without a celebration or card moves. @type {Record<string, SoundName>} */
const TONE_SOUNDS = { move: "slap", still: "tap", notable: "nudge", end: "done", great: "flare" };

/** Of several sounds at once, only the first in this list is played. @type {SoundName[]} */
const SOUND_PRIORITY = [
  "fanfare",
  "boom",
  "tumble",
  "flare",
  "rise",
  "sink",
  "handover",
  "latch",
  "done",
  "riffle",
  "slide",
  "sweep",
  "nudge",
  "slap",
  "tap",
];

/** @param {Journey} journey @returns {SoundName} */
function soundOfMove({ from, to }) {
  if (from.where === "deck" && to.where === "all") return "riffle";
  if (from.where === "table") return "sweep";
  return to.where === "table" ? "slap" : "slide";
}

/** Return the possible sounds of an event. @param {Moment} moment @returns {(SoundName | undefined)[]} */
function soundsOfMoment({ celebrated, journeys, tone }) {
  if (celebrated) return [CELEBRATION_SOUNDS[celebrated]];
  return journeys.length > 0 ? journeys.map(soundOfMove) : [TONE_SOUNDS[tone]];
}

/**
 * Choose the sounds to play in sequence: the most important sound of the events, then the sound of the player's turn.
 * @param {Moment[]} moments of one update
 * @param {string} prompt the prompt if the player must act, or ""
 * @returns {SoundName[]}
 */
export function soundsFor(moments, prompt) {
  const all = new Set(moments.flatMap(soundsOfMoment));
  const greatest = SOUND_PRIORITY.find((each) => all.has(each));
  return [...(greatest === undefined ? [] : [greatest]), ...(prompt === "" ? [] : [TURN_SOUND])];
}
