// @ts-check
// Whom one's own eyes are spared: nothing that they show or say at the table reaches this browser's owner. Kept here
// only: nobody else hears of it.

import { like, liked } from "../lib/preferences.js";

const MOST = 200;

/** @returns {string[]} */
function all() {
  try {
    const kept = JSON.parse(liked("muted", "[]"));
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

/** A name is somebody's in one room only. @param {string} room its code @param {string} name */
function key(room, name) {
  return `${room} ${name}`;
}

/** @param {string} room @param {string} name */
export function isMuted(room, name) {
  return all().includes(key(room, name));
}

/** @param {string} room @param {string} name @param {boolean} muted */
export function mute(room, name, muted) {
  const others = all().filter((each) => each !== key(room, name));
  like("muted", JSON.stringify((muted ? [...others, key(room, name)] : others).slice(-MOST)));
}
