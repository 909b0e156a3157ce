// @ts-check
// Vibration of a phone on the player's turn, and on explosive events.

import { soundsFor, TURN_SOUND } from "../sound/event_sounds.js";
import { getPreference } from "../lib/preferences.js";

/** Preference of the player: "on" or "off". */
export const VIBRATION_PREFERENCE = "vibration";

/** Patterns for sounds: ms on and off, alternating. @type {Partial<Record<import("../sound/synth.js").SoundName, number[]>>} */
const PATTERNS = { boom: [25, 30, 90], [TURN_SOUND]: [35] };

/** Return the first pattern of the events' sounds, or []. @param {import("../events/presentation.js").Moment[]} moments @param {string} prompt */
export function vibrationPattern(moments, prompt) {
  return (
    soundsFor(moments, prompt)
      .map((name) => PATTERNS[name])
      .find(Boolean) ?? []
  );
}

/** Whether this device can vibrate. Desktop browsers have `vibrate` too, so a touch screen is required. */
export const canVibrate = () => "vibrate" in navigator && navigator.maxTouchPoints > 0;

/** Vibrate for new events. @param {import("../events/presentation.js").Moment[]} moments @param {string} asked prompt, or "" */
export function vibrateFor(moments, asked) {
  const pattern = vibrationPattern(moments, asked);
  if (pattern.length === 0 || !canVibrate() || getPreference(VIBRATION_PREFERENCE, "on") !== "on") return;
  // Before the first gesture, browsers refuse and log a warning.
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate(pattern);
}
