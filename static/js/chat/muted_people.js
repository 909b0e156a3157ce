// @ts-check
// Whom one's own eyes are spared: nothing that they show or say at the table reaches this browser's owner. Kept here
// only: nobody else hears of it.

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

/** A name is somebody's in one room only. @param {string} room its code @param {string} name */
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
