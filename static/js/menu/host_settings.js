// @ts-check
// The host's settings for the room, which can be changed at any time: bots, lock, and undo.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { addBotLabel, botKinds } from "../events/labels.js";
import { segmentedControl } from "../ui/segmented_control.js";
import { menuRow } from "./rows.js";

/** @import { Command, Desk, Room } from "../types.d.ts" */
/** @typedef {NonNullable<import("../types.d.ts").Room["pace"]>} Pace */
/** @typedef {Room["stand_in"]} StandIn */

/** @type {Pace[]} */
const PACES = ["slow", "normal", "fast", "at_once"];
/** @type {StandIn[]} */
const STAND_INS = ["easy", "medium"];

/** Draw the page about bots: their speed, the bot for absent players, and buttons to add bots. @param {Desk} desk */
export function botsPage(desk) {
  desk.fetchCatalogueOnce();
  return [
    paceSetting(desk),
    standInSetting(desk),
    desk.update.room.seat_plan.free > 0
      ? botKinds(desk.catalogue).map((kind) =>
          menuRow(`add-${kind}`, addBotLabel(kind), () => desk.ask({ t: "add_bot", kind })),
        )
      : null,
  ];
}

/** Draw the setting for the pace of bots. @param {Desk} desk */
function paceSetting({ update, ask }) {
  const choose = (/** @type {Pace} */ each) => ask({ t: "configure", pace: each });
  return segmentedControl("pace", t("pace.title"), PACES, update.room.pace, (each) => t(`pace.${each}`), choose);
}

/** Draw the setting for the bot that replaces absent players. @param {Desk} desk */
function standInSetting({ update, ask }) {
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

/** @param {Desk} desk @param {string} name @param {string} text @param {boolean} checked @param {Command} command */
function commandCheckbox({ ask }, name, text, checked, command) {
  return h(
    "label",
    { key: name, class: "toggle" },
    h("input", { type: "checkbox", name, checked, onchange: () => ask(command) }),
    h("span", null, text),
  );
}

/** Draw the checkbox that locks the room. @param {Desk} desk */
export function lockSetting(desk) {
  const { locked } = desk.update.room;
  return commandCheckbox(desk, "lock", t("menu.lock"), locked, { t: "lock", locked: !locked });
}

/** Draw the checkbox that allows undo. @param {Desk} desk */
export function undoSetting(desk) {
  const { allow_undo: allowed } = desk.update.room;
  return commandCheckbox(desk, "take_back", t("take_back.allow"), allowed, { t: "configure", allow_undo: !allowed });
}

/** Draw the checkbox that lets players give their seats to spectators. @param {Desk} desk */
export function seatOffersSetting(desk) {
  const { seat_offers: allowed } = desk.update.room;
  return commandCheckbox(desk, "seat_offers", t("seat_offer.allow"), allowed, {
    t: "configure",
    seat_offers: !allowed,
  });
}

/** Draw the checkbox that lets people watch who have not joined. @param {Desk} desk */
export function spectatorsSetting(desk) {
  const { allow_spectators: allowed } = desk.update.room;
  return commandCheckbox(desk, "spectators", t("watch.allow"), allowed, {
    t: "configure",
    allow_spectators: !allowed,
  });
}
