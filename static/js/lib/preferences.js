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

/** Set the preferred suit colours, button side and log as data attributes, which the stylesheets use. */
export function applyDisplayPreferences() {
  document.documentElement.dataset.log = getPreference("log", "shown");
  document.documentElement.dataset.thumb = getPreference("thumb", "right");
  document.documentElement.dataset.suits = getPreference("suits", "two");
}
