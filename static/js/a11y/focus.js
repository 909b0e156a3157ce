// @ts-check
// Keyboard focus: when the focused element disappears, move the focus to the next useful element.

import { setFocusLossHandler, isBeingRemoved } from "../lib/virtual_dom.js";
import { isMyTurn, cardPurpose } from "../model/state.js";

/** @import { Update } from "../types.d.ts" */

const CARDS = ".hand [tabindex='0']";
const MAIN = ".actions > .main:not(:disabled)";
const CONTROLS = ".actions :is(button, a, input, select):not(:disabled)";

/** The element that holds the focus until a better target is drawn. @type {Element | null} */
let temporaryFocus = null;

/** Return selectors of focus targets, best first. @param {Update} update @param {string} open */
function focusCandidates(update, open) {
  if (open !== "") return ["dialog[open] .sheet-head button"];
  const byButton = update.room.phase !== "playing" || (isMyTurn(update) && cardPurpose(update) === null);
  return [...(byButton ? [MAIN, CONTROLS, CARDS] : [CARDS, CONTROLS]), "#main"];
}

/** Whether an element is displayed. `checkVisibility` computes styles, as `focus` does, but causes no layout. @param {Element} each */
const isShown = (each) => each.checkVisibility?.() ?? true;

/**
 * Tell whether the focused element is gone, disabled or hidden. After a hand the result may cover the player's cards one
 * frame before they go. During play the slow check for hidden elements is skipped.
 * @param {Update} update
 */
function isFocusLost(update) {
  const active = document.activeElement;
  if (active === null || active === document.body || active.matches(":disabled")) return true;
  return update.room.phase !== "playing" && !isShown(active);
}

/**
 * Remember the neighbours of an element in its list or sheet: the elements after it, then those before it.
 * @param {Element | null} here the focused element
 * @returns {() => HTMLElement | undefined} the nearest neighbour that still exists
 */
function neighbourFinder(here) {
  const place = here?.closest("ul, ol, dialog");
  if (!place) return () => undefined;
  const all = [...place.querySelectorAll(/** @type {"button"} */ ("button, a, input, select, textarea, summary"))];
  const at = all.indexOf(/** @type {HTMLButtonElement} */ (here));
  const nearest = [...all.slice(at + 1), ...all.slice(0, Math.max(0, at)).reverse()];
  return () =>
    nearest.find((each) => each.isConnected && !isBeingRemoved(each) && !each.matches(":disabled") && isShown(each));
}

/**
 * Draw, and keep the keyboard focus on a useful element.
 * @param {HTMLElement} root the element that is drawn
 * @param {Update} update
 * @param {string} open key of the dialog that will be open afterwards, or ""
 * @param {() => void} draw
 */
export function drawKeepingFocus(root, update, open, draw) {
  const within = root.contains(document.activeElement);
  const neighbour = neighbourFinder(document.activeElement);
  // Close a dialog before its removal: closing returns the focus to the element that opened it.
  for (const dialog of root.querySelectorAll("dialog"))
    if (dialog.dataset.sheet !== open && dialog.open) dialog.close();
  const goOn = () => {
    const near = neighbour();
    if (near !== undefined) return near.focus();
    for (const place of focusCandidates(update, open)) {
      const next = [...root.querySelectorAll(place)].find((each) => !isBeingRemoved(each) && isShown(each));
      if (!(next instanceof HTMLElement)) continue;
      temporaryFocus = place === "#main" ? next : null;
      return next.focus({ preventScroll: place === "#main" });
    }
  };
  // Move the focus during drawing already: a screen reader takes lost focus for the end of the page.
  setFocusLossHandler(within ? goOn : null);
  draw();
  setFocusLossHandler(null);
  if (temporaryFocus !== document.activeElement) temporaryFocus = null;
  if (temporaryFocus !== null || (within && isFocusLost(update))) goOn();
}
