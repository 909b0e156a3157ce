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

/** Show what was chosen: the four colours are the style sheet's business. */
export function applyLooks() {
  document.documentElement.dataset.suits = liked("suits", "two");
}
