// @ts-check
// Whether one wants to hear the table.

import { setPreference, getPreference } from "../lib/preferences.js";

/** What one has chosen: "on" or "off". */
const SOUND_PREFERENCE = "sound";

/** Whether one wants to hear anything. */
export const isSoundOn = () => getPreference(SOUND_PREFERENCE, "on") === "on";

/** @param {boolean} on */
export function setSoundOn(on) {
  setPreference(SOUND_PREFERENCE, on ? "on" : "off");
}
