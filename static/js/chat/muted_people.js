// @ts-check
// Muted people: this browser hides their reactions and chat lines. The list is saved in this browser only, so that
// other people don't learn about it.

import { setPreference, getPreference } from "../lib/preferences.js";

const MOST = 200;

/** @returns {string[]} */
function loadMuted() {
  try {
    const kept = JSON.parse(getPreference("muted", "[]"));
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

/** Return the key of a person; a name is unique in its room only. @param {string} room its code @param {string} name */
function muteKey(room, name) {
  return `${room} ${name}`;
}

/** @param {string} room @param {string} name */
export function isMuted(room, name) {
  return loadMuted().includes(muteKey(room, name));
}

/** @param {string} room @param {string} name @param {boolean} muted */
export function setMuted(room, name, muted) {
  const others = loadMuted().filter((each) => each !== muteKey(room, name));
  setPreference("muted", JSON.stringify((muted ? [...others, muteKey(room, name)] : others).slice(-MOST)));
}
