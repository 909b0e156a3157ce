// @ts-check
// Menu settings for sound, volume and vibration.

import { isSoundOn } from "../sound/mute_setting.js";
import { h } from "../lib/virtual_dom.js";
import { TURN_SOUND } from "../sound/event_sounds.js";
import { setVolume, playSound, toggleMute, volume } from "../sound/player.js";
import { t } from "../lib/messages.js";
import { preferenceCheckbox } from "../ui/preference_checkbox.js";
import { canVibrate, VIBRATION_PREFERENCE } from "../device/vibration.js";

/** @import { Desk } from "../types.d.ts" */

/** @param {Desk} desk */
export function soundCheckbox(desk) {
  const onchange = () => {
    toggleMute();
    desk.set({});
  };
  return h(
    "label",
    { key: "sound", class: "toggle" },
    h("input", { type: "checkbox", name: "sound", checked: isSoundOn(), onchange }),
    h("span", null, t("menu.sound")),
  );
}

/** @param {Desk} desk */
export function volumeSlider(desk) {
  // Play a sound so that the player hears the new volume.
  const onchange = (/** @type {Event} */ event) => {
    setVolume(Number(/** @type {HTMLInputElement} */ (event.target).value));
    playSound(TURN_SOUND);
    desk.set({});
  };
  return h(
    "label",
    { key: "volume", class: "toggle loudness" },
    h("span", null, t("menu.volume")),
    h("input", { type: "range", name: "volume", min: 0, max: 100, step: 5, value: String(volume()), onchange }),
  );
}

/** @param {Desk} desk */
export function vibrationCheckbox(desk) {
  return canVibrate() ? preferenceCheckbox(desk, VIBRATION_PREFERENCE, "on", "off", t("menu.vibration"), "on") : null;
}
