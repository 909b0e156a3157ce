// @ts-check
// Live regions: what is added to them is read aloud. Line comes after line, none in another's place, so that nothing is
// lost at any speed: whoever reads aloud keeps the queue. What is under an open dialog is not read: lines wait till it
// has closed. Cards are told by name.

import { spokenText } from "./spoken_cards.js";

const KEPT = 30;

/** @type {(() => void)[]} */
const flushers = [];

/**
 * @param {Element} region
 * @returns {(text: string) => void} says a text
 */
export function createAnnouncer(region) {
  /** @type {string[]} */
  let waiting = [];
  const speak = () => {
    for (const text of waiting) {
      const line = document.createElement("p");
      line.textContent = spokenText(text);
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

/** Whether what is said now can be heard. */
export function canAnnounce() {
  return document.querySelector("dialog[open]") === null;
}

/** Say what has waited, if it can be heard now. */
export function flushAnnouncements() {
  if (canAnnounce()) for (const speak of flushers) speak();
}
