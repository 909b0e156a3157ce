// @ts-check
// Where the keyboard is: when what has the focus goes, the focus goes where one would look next, never to nowhere.

import { setFocusLossHandler, isBeingRemoved } from "../lib/virtual_dom.js";
import { isMyTurn, cardPurpose } from "../model/state.js";

/** @typedef {import("../types.d.ts").Update} Update */

const CARDS = ".hand [tabindex='0']";
const MAIN = ".actions > .main:not(:disabled)";
const CONTROLS = ".actions :is(button, a, input, select):not(:disabled)";

/** Where the focus waits for what is better, which is still to be drawn. @type {Element | null} */
let temporaryFocus = null;

/** Where to look, best first. @param {Update} update @param {string} open */
function focusCandidates(update, open) {
  if (open !== "") return ["dialog[open] .sheet-head button"];
  const byButton = update.room.phase !== "playing" || (isMyTurn(update) && cardPurpose(update) === null);
  return [...(byButton ? [MAIN, CONTROLS, CARDS] : [CARDS, CONTROLS]), "#main"];
}

/** Whether it has a place on the page, as far as the browser can tell; it looks at styles, as `focus` does, and lays nothing out. @param {Element} each */
const isShown = (each) => each.checkVisibility?.() ?? true;

/**
 * Whether what had the focus is gone, or can't be used any more. Where a hand is over, the result may have taken the place
 * of one's cards a frame before these go; while cards are played nobody looks, since that takes time.
 * @param {Update} update
 */
function isFocusLost(update) {
  const active = document.activeElement;
  if (active === null || active === document.body || active.matches(":disabled")) return true;
  return update.room.phase !== "playing" && !isShown(active);
}

/**
 * In a list, and in a sheet, one goes on with a neighbour: the next, or else the one before.
 * @param {Element | null} here what has the focus
 * @returns {() => HTMLElement | undefined} the neighbour that is still there
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
 * Do a drawing, and see that the focus is not lost by it.
 * @param {HTMLElement} root what is drawn
 * @param {Update} update
 * @param {string} open key of the dialog that is to be open afterwards, or ""
 * @param {() => void} draw
 */
export function drawKeepingFocus(root, update, open, draw) {
  const within = root.contains(document.activeElement);
  const neighbour = neighbourFinder(document.activeElement);
  // Closing a dialog, unlike taking it away, brings the focus back to what had opened it.
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
  // It is not nowhere for a moment either, which a screen reader would take for the end of the page.
  setFocusLossHandler(within ? goOn : null);
  draw();
  setFocusLossHandler(null);
  if (temporaryFocus !== document.activeElement) temporaryFocus = null;
  if (temporaryFocus !== null || (within && isFocusLost(update))) goOn();
}
