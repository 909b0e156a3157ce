// @ts-check
// The order of the player's cards: sorted, or the player's own order. The choice is saved in this browser.

import { setPreference, getPreference } from "../lib/preferences.js";
import { moveSlots } from "../model/card_selection.js";
import { handSlots } from "../model/state.js";

/** @import { Desk, Sort, Update } from "../types.d.ts" */

/** Card orders are saved for this number of rooms, one each. */
const MAX_SAVED_ORDERS = 8;

/** @returns {[string, number, string[]][]} whose hand (room and player), its number, and slot ids in order; the latest last */
function savedHandOrders() {
  try {
    const all = JSON.parse(getPreference("orders", "[]"));
    return Array.isArray(all) ? all : [];
  } catch {
    return [];
  }
}

/**
 * Return the card order that the player saved for a hand.
 * @param {string} roomAndPlayer code of the room and name of the player
 * @param {number} hand number of the hand
 * @returns {string[]} slots in order; empty if no order was saved
 */
function findHandOrder(roomAndPlayer, hand) {
  return savedHandOrders().find(([place, number]) => place === roomAndPlayer && number === hand)?.[2] ?? [];
}

/** Save a card order; it replaces the order saved for the same room. @param {string} where @param {number} hand @param {string[]} ids */
function saveHandOrder(where, hand, ids) {
  const others = savedHandOrders().filter(([place]) => place !== where);
  setPreference("orders", JSON.stringify([...others, [where, hand, ids]].slice(-MAX_SAVED_ORDERS)));
}

/** @type {Sort[]} */
export const SORT_MODES = ["rank", "suit", "sets", "own"];

/** Return the preferred sorting; by rank if none is saved. @returns {Sort} */
export function preferredSort() {
  const kept = getPreference("sort", "rank");
  return SORT_MODES.find((each) => each === kept) ?? "rank";
}

/** Return the key under which a player's card order in a room is saved. @param {Update} update */
const orderKey = ({ room, you }) => `${room.code} ${you.name}`;

/** Return the saved order of the current hand's cards; empty if none was saved. @param {Update} update */
export function loadHandOrder(update) {
  return update.table === null ? [] : findHandOrder(orderKey(update), update.table.number);
}

/** Sort the cards this way, and save the preference. @param {Desk} desk @param {Sort} sort */
export function setSort(desk, sort) {
  setPreference("sort", sort);
  desk.set({ sort });
}

/** Switch to the next kind of sorting. @param {Desk} desk */
export function cycleSort(desk) {
  setSort(desk, SORT_MODES[(SORT_MODES.indexOf(desk.model.sort) + 1) % SORT_MODES.length] ?? "rank");
}

/**
 * Move cards to another position, save the new order, and switch to the player's own order.
 * @param {Desk} desk
 * @param {string[]} ids of their slots
 * @param {number} to number of other cards that stand before the moved cards
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

/** Move a card by some positions. @param {Desk} desk @param {string} id of its slot @param {number} steps positive: to the right */
export function moveCardBy(desk, id, steps) {
  moveCards(desk, [id], handSlots(desk.model).findIndex((slot) => slot.id === id) + steps);
}
