// @ts-check
// Where the keyboard is: when what has the focus goes, the focus goes where one would look next, never to nowhere.

import { myTurn, purpose } from "./state.js";

/** @typedef {import("./types.d.ts").Update} Update */

const CARDS = ".hand [tabindex='0']";
const CONTROLS = ".actions :is(button, a, input, select):not(:disabled)";

/** Where to look, best first. @param {Update} update @param {string} open */
function nextToDo(update, open) {
  if (open !== "") return ["dialog[open] .sheet-head button"];
  const byButton = update.room.phase !== "playing" || (myTurn(update) && purpose(update) === "idle");
  return [...(byButton ? [CONTROLS, CARDS] : [CARDS, CONTROLS]), "#main"];
}

/** Whether what had the focus is gone, or can't be used any more. */
function lost() {
  const active = document.activeElement;
  return active === null || active === document.body || active.matches(":disabled");
}

/**
 * Do a drawing, and see that the focus is not lost by it.
 * @param {HTMLElement} root what is drawn
 * @param {Update} update
 * @param {string} open key of the dialog that is to be open afterwards, or ""
 * @param {() => void} drawing
 */
export function keepingFocus(root, update, open, drawing) {
  const within = root.contains(document.activeElement);
  // Closing a dialog, unlike taking it away, brings the focus back to what had opened it.
  for (const dialog of root.querySelectorAll("dialog"))
    if (dialog.dataset.sheet !== open && dialog.open) dialog.close();
  drawing();
  if (!within || !lost()) return;
  for (const place of nextToDo(update, open)) {
    const next = root.querySelector(place);
    if (next instanceof HTMLElement) return next.focus({ preventScroll: place === "#main" });
  }
}
