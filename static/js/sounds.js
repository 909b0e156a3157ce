// @ts-check
// Small sounds made on the spot, off until somebody asks for them.

import { liked } from "./prefs.js";

/** @type {AudioContext | null} */
let context = null;

/** @type {Record<string, [frequency: number, seconds: number, shape: OscillatorType][]>} */
const TUNES = {
  move: [[420, 0.05, "triangle"]],
  still: [[190, 0.05, "sine"]],
  turn: [
    [660, 0.08, "sine"],
    [880, 0.12, "sine"],
  ],
  notable: [
    [520, 0.08, "triangle"],
    [390, 0.1, "triangle"],
  ],
  great: [
    [392, 0.07, "triangle"],
    [523, 0.07, "triangle"],
    [659, 0.07, "triangle"],
    [1047, 0.25, "triangle"],
  ],
  end: [
    [523, 0.1, "sine"],
    [659, 0.1, "sine"],
    [784, 0.2, "sine"],
  ],
  "reaction.cluck": [
    [520, 0.05, "square"],
    [620, 0.05, "square"],
    [520, 0.05, "square"],
  ],
  "reaction.crow": [
    [440, 0.09, "sawtooth"],
    [660, 0.18, "sawtooth"],
  ],
  "reaction.clap": [
    [180, 0.03, "square"],
    [150, 0.03, "square"],
  ],
  "reaction.thumb": [[587, 0.12, "sine"]],
  "reaction.heart": [
    [523, 0.08, "sine"],
    [659, 0.16, "sine"],
  ],
  "reaction.egg": [
    [240, 0.04, "triangle"],
    [110, 0.12, "triangle"],
  ],
  "reaction.tear": [
    [494, 0.12, "sine"],
    [440, 0.2, "sine"],
  ],
  "reaction.snail": [[130, 0.3, "sine"]],
  chat: [[740, 0.04, "sine"]],
};

/** Of all that happened at once, the first of these is heard. */
const LOUDEST_FIRST = ["great", "end", "notable", "move", "still"];

/** Something has happened. @param {import("./moments.js").Moment[]} moments @param {string} asked what one is asked now */
export function sounding(moments, asked) {
  const loudest = LOUDEST_FIRST.find((each) => moments.some(({ tone }) => tone === each));
  if (loudest !== undefined) sound(loudest);
  if (asked !== "") sound("turn");
}

/** @param {string} name */
export function sound(name) {
  const tune = TUNES[name];
  if (tune === undefined || liked("sound", "off") !== "on") return;
  try {
    context ??= new AudioContext();
    let at = context.currentTime;
    for (const [frequency, seconds, shape] of tune) {
      const tone = context.createOscillator();
      const volume = context.createGain();
      tone.type = shape;
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0.0001, at);
      volume.gain.exponentialRampToValueAtTime(0.12, at + 0.01);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
      tone.connect(volume).connect(context.destination);
      tone.start(at);
      tone.stop(at + seconds + 0.02);
      at += seconds;
    }
  } catch {
    // No sound here: nothing depends on it.
  }
}
