// @ts-check
// One thing that a person likes so or otherwise: a box to be ticked, kept in this browser.

import { h } from "../lib/virtual_dom.js";
import { applyDisplayPreferences, setPreference, getPreference } from "../lib/preferences.js";

/** @typedef {import("../types.d.ts").Desk} Desk */

/** @param {Desk} desk @param {string} name @param {string} on @param {string} off @param {string} text @param {string} [initial] one of both */
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
