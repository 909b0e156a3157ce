// @ts-check
// In which order one's cards stand: sorted, or as one puts them. What one chooses stays, in this browser.

import { keepOrder, keptOrder, like, liked } from "../lib/preferences.js";
import { movedTo } from "../model/card_selection.js";
import { handOf } from "../model/state.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Sort} Sort */
/** @typedef {import("../types.d.ts").Update} Update */

/** @type {Sort[]} */
export const SORTS = ["rank", "suit", "sets", "own"];

/** As one likes it. @returns {Sort} */
export function likedSort() {
  const kept = liked("sort", "rank");
  return SORTS.find((each) => each === kept) ?? "rank";
}

/** Whose cards they are. @param {Update} update */
const place = ({ room, you }) => `${room.code} ${you.name}`;

/** The order that was given to this hand before the page was loaded. @param {Update} update */
export function orderGiven(update) {
  return update.table === null ? [] : keptOrder(place(update), update.table.number);
}

/** @param {Desk} desk @param {Sort} sort */
export function sortBy(desk, sort) {
  like("sort", sort);
  desk.set({ sort });
}

/** @param {Desk} desk */
export function sortOtherwise(desk) {
  sortBy(desk, SORTS[(SORTS.indexOf(desk.model.sort) + 1) % SORTS.length] ?? "rank");
}

/**
 * Put cards elsewhere in the hand.
 * @param {Desk} desk
 * @param {string[]} ids of their slots
 * @param {number} to how many others stand before them then
 */
export function put(desk, ids, to) {
  const { model, update } = desk;
  const own = movedTo(
    handOf(model).map((slot) => slot.id),
    ids,
    to,
  );
  keepOrder(place(update), update.table?.number ?? 0, own);
  like("sort", "own");
  desk.set({ sort: "own", own });
}

/** One place on, or back. @param {Desk} desk @param {string} id @param {number} way */
export function shift(desk, id, way) {
  put(desk, [id], handOf(desk.model).findIndex((slot) => slot.id === id) + way);
}
