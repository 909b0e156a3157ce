// @ts-check
// What a person likes, kept in this browser: never needed, so a browser that keeps nothing is fine.

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
    // A private window: it lasts as long as the page.
  }
}

/** So many rooms' hands are remembered. */
const MAX_SAVED_ORDERS = 8;

/** @returns {[string, number, string[]][]} whose hand in which room, which one, and its order; the latest last */
function savedHandOrders() {
  try {
    const all = JSON.parse(getPreference("orders", "[]"));
    return Array.isArray(all) ? all : [];
  } catch {
    return [];
  }
}

/**
 * The order that one has given one's cards.
 * @param {string} roomAndPlayer the room, and who one is in it
 * @param {number} hand its number
 * @returns {string[]} slots; none where one has not
 */
export function findHandOrder(roomAndPlayer, hand) {
  return savedHandOrders().find(([place, number]) => place === roomAndPlayer && number === hand)?.[2] ?? [];
}

/** @param {string} where @param {number} hand @param {string[]} ids */
export function saveHandOrder(where, hand, ids) {
  const others = savedHandOrders().filter(([place]) => place !== where);
  setPreference("orders", JSON.stringify([...others, [where, hand, ids]].slice(-MAX_SAVED_ORDERS)));
}

/** Show what was chosen: the four colours, and on which side the buttons are, are the style sheet's business. */
export function applyDisplayPreferences() {
  document.documentElement.dataset.thumb = getPreference("thumb", "right");
  document.documentElement.dataset.suits = getPreference("suits", "two");
}
