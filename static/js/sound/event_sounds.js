// @ts-check
// Pure: what is heard of what happens. It follows from what an event declares of itself: how it is celebrated, which
// way its cards go, how loud it is.

/** @typedef {import("../events/presentation.js").Moment} Moment */
/** @typedef {import("../events/presentation.js").Journey} Journey */
/** @typedef {import("./synth.js").SoundName} SoundName */
/** @typedef {NonNullable<Moment["celebrated"]>} Celebration */

/** One's turn. @type {SoundName} */
export const TURN_SOUND = "bell";

/** @type {Record<Celebration, SoundName>} */
const CELEBRATION_SOUNDS = {
  triumph: "chorus",
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
};

/** Of what is neither celebrated nor moves. @type {Record<string, SoundName>} */
const TONE_SOUNDS = { move: "slap", still: "tap", notable: "nudge", end: "done", great: "flare" };

/** Of all that happened at once, the first of these is heard. @type {SoundName[]} */
const SOUND_PRIORITY = [
  "chorus",
  "boom",
  "tumble",
  "flare",
  "rise",
  "sink",
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

/** What it sounds like, if like anything. @param {Moment} moment @returns {(SoundName | undefined)[]} */
function soundsOfMoment({ celebrated, journeys, tone }) {
  if (celebrated) return [CELEBRATION_SOUNDS[celebrated]];
  return journeys.length > 0 ? journeys.map(soundOfMove) : [TONE_SOUNDS[tone]];
}

/**
 * What is heard, one after the other: the greatest of what has happened, and that it is one's turn.
 * @param {Moment[]} moments of one update
 * @param {string} prompt what one is asked now; empty if nothing
 * @returns {SoundName[]}
 */
export function soundsFor(moments, prompt) {
  const all = new Set(moments.flatMap(soundsOfMoment));
  const greatest = SOUND_PRIORITY.find((each) => all.has(each));
  return [...(greatest === undefined ? [] : [greatest]), ...(prompt === "" ? [] : [TURN_SOUND])];
}
