// @ts-check
// What a person likes, kept in this browser: never needed, so a browser that keeps nothing is fine.

/** @type {Record<string, string>} */
const kept = {};

/** @param {string} key @param {string} otherwise */
export function liked(key, otherwise) {
  try {
    return localStorage.getItem(`po.${key}`) ?? otherwise;
  } catch {
    return kept[key] ?? otherwise;
  }
}

/** @param {string} key @param {string} value */
export function like(key, value) {
  kept[key] = value;
  try {
    localStorage.setItem(`po.${key}`, value);
  } catch {
    // A private window: it lasts as long as the page.
  }
}

/** So many rooms' hands are remembered. */
const ORDERS = 8;

/** @returns {[string, number, string[]][]} whose hand in which room, which one, and its order; the latest last */
function orders() {
  try {
    const all = JSON.parse(liked("orders", "[]"));
    return Array.isArray(all) ? all : [];
  } catch {
    return [];
  }
}

/**
 * The order that one has given one's cards.
 * @param {string} where the room, and who one is in it
 * @param {number} hand its number
 * @returns {string[]} slots; none where one has not
 */
export function keptOrder(where, hand) {
  return orders().find(([place, number]) => place === where && number === hand)?.[2] ?? [];
}

/** @param {string} where @param {number} hand @param {string[]} ids */
export function keepOrder(where, hand, ids) {
  const others = orders().filter(([place]) => place !== where);
  like("orders", JSON.stringify([...others, [where, hand, ids]].slice(-ORDERS)));
}

/** Show what was chosen: the four colours, and on which side the buttons are, are the style sheet's business. */
export function applyLooks() {
  document.documentElement.dataset.thumb = liked("thumb", "right");
  document.documentElement.dataset.suits = liked("suits", "two");
}
