// @ts-check
// Live regions, which screen readers read aloud. Each text is a new line, so that the screen reader queues it and no
// text is lost. Lines under an open dialog would not be read, so they wait until it closes. Cards are read by name.

import { spokenSentence } from "./spoken_cards.js";

const KEPT = 30;

/** @type {(() => void)[]} */
const flushers = [];

/**
 * @param {Element} region
 * @returns {(text: string) => void} says a text, after any open dialog has closed
 */
export function createAnnouncer(region) {
  /** @type {string[]} */
  let waiting = [];
  const speak = () => {
    for (const text of waiting) {
      const line = document.createElement("p");
      line.textContent = spokenSentence(text);
      region.append(line);
    }
    waiting = [];
    while (region.childElementCount > KEPT) region.firstElementChild?.remove();
  };
  flushers.push(speak);
  return (text) => {
    if (text !== "") waiting.push(text);
    flushAnnouncements();
  };
}

/** Tell whether screen readers would read an announcement now: not under an open dialog. */
export function canAnnounce() {
  return document.querySelector("dialog[open]") === null;
}

/** Announce all waiting texts, unless a dialog is open. */
export function flushAnnouncements() {
  if (canAnnounce()) for (const speak of flushers) speak();
}
