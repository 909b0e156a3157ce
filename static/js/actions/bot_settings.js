// @ts-check
// Draws the host's settings for bots, which can be changed at any time: their pace, and the kind that replaces players who
// are away. Also draws the button that finishes a hand in which only bots still play.

import { button } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { segmentedControl } from "../ui/segmented_control.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {NonNullable<import("../types.d.ts").Room["pace"]>} Pace */

/** @typedef {import("../types.d.ts").Room["stand_in"]} StandIn */

/** @type {Pace[]} */
const PACES = ["slow", "normal", "fast", "at_once"];
/** @type {StandIn[]} */
const STAND_INS = ["easy", "medium"];

/** Draw the setting for the pace of bots, in the host's menu. @param {Desk} desk */
export function paceSetting({ update, ask }) {
  const choose = (/** @type {Pace} */ each) => ask({ t: "configure", pace: each });
  return segmentedControl("pace", t("pace.title"), PACES, update.room.pace, (each) => t(`pace.${each}`), choose);
}

/** Draw the setting for the bot that replaces absent players, in the host's menu. @param {Desk} desk */
export function standInSetting({ update, ask }) {
  const choose = (/** @type {StandIn} */ each) => ask({ t: "configure", stand_in: each });
  return segmentedControl(
    "stand_in",
    t("stand_in.title"),
    STAND_INS,
    update.room.stand_in,
    (each) => t(`stand_in.${each}`),
    choose,
  );
}

/** Draw the button that finishes a hand in which only bots still play; null if that is not possible. @param {Desk} desk */
export function finishHandButton({ update, ask }) {
  const { room, table, you } = update;
  if (room.bots_speed !== "faster" || !table?.seats.includes(you.name ?? "")) return null;
  return button(
    { key: "hurry", class: "button", "data-ask": "finish_hand", onclick: () => ask({ t: "finish_hand" }) },
    t("pace.finish"),
  );
}
