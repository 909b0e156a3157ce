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

/** Preference for the felt that the game has by default. */
export const GAMES_FELT = "game";

let gameFelt = "green";

/** Show the felt that the player has chosen, or else that of the game. @param {string} [ofGame] the latest if omitted */
export function showFelt(ofGame = gameFelt) {
  gameFelt = ofGame;
  const chosen = getPreference("felt", GAMES_FELT);
  document.documentElement.dataset.felt = chosen === GAMES_FELT ? gameFelt : chosen;
}

/** Set the preferences for the display as data attributes, which the style sheets use. */
export function applyDisplayPreferences() {
  const { dataset } = document.documentElement;
  dataset.log = getPreference("log", "shown");
  dataset.thumb = getPreference("thumb", "right");
  dataset.suits = getPreference("suits", "two");
  showFelt();
  dataset.cardBack = getPreference("back", "stripes");
}
