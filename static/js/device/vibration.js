// @ts-check
// Lets a phone be felt: when it is one's turn, and when something bursts.

import { soundsFor, TURN_SOUND } from "../sound/event_sounds.js";
import { getPreference } from "../lib/preferences.js";

/** What one has chosen: "on" or "off". */
export const VIBRATION_PREFERENCE = "vibration";

/** What is felt of what is heard: ms of it and of rest, in turn. @type {Partial<Record<import("../sound/synth.js").SoundName, number[]>>} */
const PATTERNS = { boom: [25, 30, 90], [TURN_SOUND]: [35] };

/** What is felt of what happens: the greatest of it. @param {import("../events/presentation.js").Moment[]} moments @param {string} prompt */
export function vibrationPattern(moments, prompt) {
  return (
    soundsFor(moments, prompt)
      .map((name) => PATTERNS[name])
      .find(Boolean) ?? []
  );
}

/** Whether this device could: browsers without a touch screen say so, too, and nothing moves. */
export const canVibrate = () => "vibrate" in navigator && navigator.maxTouchPoints > 0;

/** Something has happened. @param {import("../events/presentation.js").Moment[]} moments @param {string} asked what one is asked now */
export function vibrateFor(moments, asked) {
  const pattern = vibrationPattern(moments, asked);
  if (pattern.length === 0 || !canVibrate() || getPreference(VIBRATION_PREFERENCE, "on") !== "on") return;
  // Before the first gesture browsers refuse, and complain of it.
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate(pattern);
}
