// @ts-check
// In which order one's cards stand: sorted, or as one puts them. What one chooses stays, in this browser.

import { saveHandOrder, findHandOrder, setPreference, getPreference } from "../lib/preferences.js";
import { moveSlots } from "../model/card_selection.js";
import { handSlots } from "../model/state.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Sort} Sort */
/** @typedef {import("../types.d.ts").Update} Update */

/** @type {Sort[]} */
export const SORT_MODES = ["rank", "suit", "sets", "own"];

/** As one likes it. @returns {Sort} */
export function preferredSort() {
  const kept = getPreference("sort", "rank");
  return SORT_MODES.find((each) => each === kept) ?? "rank";
}

/** Whose cards they are. @param {Update} update */
const orderKey = ({ room, you }) => `${room.code} ${you.name}`;

/** The order that was given to this hand before the page was loaded. @param {Update} update */
export function loadHandOrder(update) {
  return update.table === null ? [] : findHandOrder(orderKey(update), update.table.number);
}

/** @param {Desk} desk @param {Sort} sort */
export function setSort(desk, sort) {
  setPreference("sort", sort);
  desk.set({ sort });
}

/** @param {Desk} desk */
export function cycleSort(desk) {
  setSort(desk, SORT_MODES[(SORT_MODES.indexOf(desk.model.sort) + 1) % SORT_MODES.length] ?? "rank");
}

/**
 * Put cards elsewhere in the hand.
 * @param {Desk} desk
 * @param {string[]} ids of their slots
 * @param {number} to how many others stand before them then
 */
export function moveCards(desk, ids, to) {
  const { model, update } = desk;
  const own = moveSlots(
    handSlots(model).map((slot) => slot.id),
    ids,
    to,
  );
  saveHandOrder(orderKey(update), update.table?.number ?? 0, own);
  setPreference("sort", "own");
  desk.set({ sort: "own", own });
}

/** One place on, or back. @param {Desk} desk @param {string} id @param {number} steps */
export function moveCardBy(desk, id, steps) {
  moveCards(desk, [id], handSlots(desk.model).findIndex((slot) => slot.id === id) + steps);
}
