// @ts-check
// Menu settings for sound, volume and vibration. The mute button itself is in the top bar.

import { isSoundOn } from "../sound/mute_setting.js";
import { h } from "../lib/virtual_dom.js";
import { TURN_SOUND } from "../sound/event_sounds.js";
import { setVolume, playSound, toggleMute, volume } from "../sound/player.js";
import { t } from "../lib/messages.js";
import { preferenceCheckbox } from "../ui/preference_checkbox.js";
import { canVibrate, VIBRATION_PREFERENCE } from "../device/vibration.js";

/** @typedef {import("../types.d.ts").Desk} Desk */

/** @param {Desk} desk */
export function soundSettings(desk) {
  return h(
    "div",
    { key: "sound", class: "toggles" },
    h(
      "div",
      { class: "loudness" },
      h(
        "label",
        { class: "toggle" },
        h("input", {
          type: "checkbox",
          name: "sound",
          checked: isSoundOn(),
          onchange: () => {
            toggleMute();
            desk.set({});
          },
        }),
        h("span", null, t("menu.sound")),
      ),
      h("input", {
        type: "range",
        name: "volume",
        min: 0,
        max: 100,
        step: 5,
        value: String(volume()),
        "aria-label": t("menu.volume"),
        // Play a sound so that the player hears the new volume.
        onchange: (/** @type {Event} */ event) => {
          setVolume(Number(/** @type {HTMLInputElement} */ (event.target).value));
          playSound(TURN_SOUND);
          desk.set({});
        },
      }),
    ),
    canVibrate() ? preferenceCheckbox(desk, VIBRATION_PREFERENCE, "on", "off", t("menu.vibration"), "on") : null,
  );
}
