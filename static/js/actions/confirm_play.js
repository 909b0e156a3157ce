// @ts-check
// Asks for confirmation before a play, for players who turned that on. The line of the turn shows the question.

import { button } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";

/**
 * @import { VNode } from "../lib/virtual_dom.js"
 * @import { Desk } from "../types.d.ts"
 */

/** Draw the two answers. @param {Desk} desk @param {import("../types.d.ts").Action} action @returns {VNode[]} */
export function confirmationButtons(desk, action) {
  return [
    button(
      { key: "sure.no", class: "button", "data-sure": "false", onclick: () => desk.set({ sure: null }) },
      t("sure.no"),
    ),
    button(
      { key: "sure.yes", class: "button main", "data-sure": "true", onclick: () => desk.playAction(action) },
      t("sure.yes"),
    ),
  ];
}
