// @ts-check
// Draws a choice between felts, card backs or letters of cards. This browser keeps the choice.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { applyDisplayPreferences, getPreference, setPreference } from "../lib/preferences.js";

/** @import { Desk } from "../types.d.ts" */

/**
 * Draw the choice; it is saved, and applied at once to the table behind it.
 * @param {Desk} desk
 * @param {"felt" | "back" | "letters"} name of the preference
 * @param {[string, ...string[]]} all values; the first is the initial one
 * @param {(value: string) => string} [labelOf]
 */
export function lookChoice(desk, name, all, labelOf = (each) => t(`look.${name}.${each}`)) {
  const chosen = getPreference(name, all[0]);
  const onchange = (/** @type {Event} */ event) => {
    setPreference(name, /** @type {HTMLSelectElement} */ (event.target).value);
    applyDisplayPreferences();
    desk.set({});
  };
  return h(
    "label",
    { key: name, class: "field" },
    h("span", null, t(`look.${name}`)),
    h(
      "select",
      { name, value: chosen, onchange },
      all.map((each) => h("option", { key: each, value: each, selected: each === chosen }, labelOf(each))),
    ),
  );
}
