// @ts-check
// Draws the button that finishes a hand in which only bots still play.

import { button } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { isSeated } from "../model/state.js";

/** @import { Desk } from "../types.d.ts" */

/** Draw the button that finishes a hand in which only bots still play; null if that is not possible. @param {Desk} desk */
export function finishHandButton({ update, ask }) {
  if (update.room.bots_speed !== "faster" || !isSeated(update)) return null;
  return button(
    { key: "hurry", class: "button", "data-ask": "finish_hand", onclick: () => ask({ t: "finish_hand" }) },
    t("pace.finish"),
  );
}
