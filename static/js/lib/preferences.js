// @ts-check
// Preferences, saved in this browser. Without local storage they last until the page is closed.

/** @type {Record<string, string>} */
const memoryStore = {};

/** @param {string} key @param {string} fallback */
export function getPreference(key, fallback) {
  try {
    return localStorage.getItem(`po.${key}`) ?? fallback;
  } catch {
    return memoryStore[key] ?? fallback;
  }
}

/** @param {string} key @param {string} value */
export function setPreference(key, value) {
  memoryStore[key] = value;
  try {
    localStorage.setItem(`po.${key}`, value);
  } catch {
    // No storage, as in a private window: `memoryStore` lasts until the page is closed.
  }
}

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
export function findHandOrder(roomAndPlayer, hand) {
  return savedHandOrders().find(([place, number]) => place === roomAndPlayer && number === hand)?.[2] ?? [];
}

/** Save a card order; it replaces the order saved for the same room. @param {string} where @param {number} hand @param {string[]} ids */
export function saveHandOrder(where, hand, ids) {
  const others = savedHandOrders().filter(([place]) => place !== where);
  setPreference("orders", JSON.stringify([...others, [where, hand, ids]].slice(-MAX_SAVED_ORDERS)));
}

/** Set the preferred suit colours, button side and log as data attributes, which the stylesheets use. */
export function applyDisplayPreferences() {
  document.documentElement.dataset.log = getPreference("log", "shown");
  document.documentElement.dataset.thumb = getPreference("thumb", "right");
  document.documentElement.dataset.suits = getPreference("suits", "two");
}
