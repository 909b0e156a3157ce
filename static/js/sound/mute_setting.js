// @ts-check
// Whether one wants to hear the table.

import { like, liked } from "../lib/preferences.js";

/** What one has chosen: "on" or "off". */
const SOUND = "sound";

/** Whether one wants to hear anything. */
export const audible = () => liked(SOUND, "on") === "on";

/** @param {boolean} on */
export function wantSound(on) {
  like(SOUND, on ? "on" : "off");
}
