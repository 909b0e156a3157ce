// @ts-check
// The player's setting whether sound is on.

import { setPreference, getPreference } from "../lib/preferences.js";

/** Preference of the player: "on" or "off". */
const SOUND_PREFERENCE = "sound";

/** Whether sound is on; the default is on. */
export const isSoundOn = () => getPreference(SOUND_PREFERENCE, "on") === "on";

/** @param {boolean} on */
export function setSoundOn(on) {
  setPreference(SOUND_PREFERENCE, on ? "on" : "off");
}
