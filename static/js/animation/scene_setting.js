// @ts-check
// The viewer's setting whether scenes are shown.

import { getPreference, setPreference } from "../lib/preferences.js";

/** Preference of the viewer: "on" or "off". */
export const SCENE_PREFERENCE = "scenes";

/** Whether scenes are on; the default is on. */
export const areScenesOn = () => getPreference(SCENE_PREFERENCE, "on") === "on";

/** Turn scenes on or off. */
export function toggleScenes() {
  setPreference(SCENE_PREFERENCE, areScenesOn() ? "off" : "on");
}
