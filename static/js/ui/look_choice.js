// @ts-check
// Draws a choice between felts or card backs, each shown by a sample. This browser keeps the choice.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { applyDisplayPreferences, GAMES_FELT, getPreference, setPreference } from "../lib/preferences.js";
import { segmentedControl } from "./segmented_control.js";

/** @import { Desk } from "../types.d.ts" */

/**
 * Draw the choice; it is saved and applied at once.
 * @param {Desk} desk
 * @param {"felt" | "back"} name of the preference, and the start of the style variables
 * @param {[string, ...string[]]} all values; the first is the initial one
 */
export function lookChoice(desk, name, all) {
  const choose = (/** @type {string} */ each) => {
    setPreference(name, each);
    applyDisplayPreferences();
    desk.set({});
  };
  const sample = (/** @type {string} */ each) => [
    h("i", {
      class: `swatch of-${name}`,
      style: { "--shown": `var(--${name}-${each === GAMES_FELT ? desk.update.room.felt : each})` },
      "aria-hidden": "true",
    }),
    t(`look.${name}.${each}`),
  ];
  return segmentedControl(name, t(`look.${name}`), all, getPreference(name, all[0]), sample, choose);
}
