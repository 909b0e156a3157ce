// @ts-check
// Draws a checkbox for a preference with two values, saved in this browser.

import { h } from "../lib/virtual_dom.js";
import { applyDisplayPreferences, setPreference, getPreference } from "../lib/preferences.js";

/** @import { Desk } from "../types.d.ts" */

/**
 * Draw the checkbox; a change is saved and applied at once.
 * @param {Desk} desk
 * @param {string} name of the preference
 * @param {string} on value when checked
 * @param {string} off value when unchecked
 * @param {string} text label
 * @param {string} [initial] value if none is saved: `on` or `off`
 */
export function preferenceCheckbox(desk, name, on, off, text, initial = off) {
  const is = getPreference(name, initial) === on;
  return h(
    "label",
    { key: name, class: "toggle" },
    h("input", {
      type: "checkbox",
      checked: is,
      onchange: () => {
        setPreference(name, is ? off : on);
        applyDisplayPreferences();
        desk.set({});
      },
    }),
    h("span", null, text),
  );
}
