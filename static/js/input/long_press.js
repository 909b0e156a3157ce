// @ts-check
// A long press on Pass passes until the trick ends, as in the menu of its arrow.

import { passTurn } from "./card_input.js";
import { suppressClick } from "./suppress_click.js";

/** Milliseconds after which a press is long. */
const LONG_PRESS_MS = 500;

/** @param {HTMLElement} root element in which the buttons are drawn @param {() => import("../types.d.ts").Desk | null} desk returns the current desk */
export function watchLongPresses(root, desk) {
  let timer = 0;
  let isLong = false;
  root.addEventListener("pointerdown", ({ target, button }) => {
    window.clearTimeout(timer);
    if (button !== 0 || !(target instanceof Element) || target.closest(".actions .pass") === null) return;
    timer = window.setTimeout(() => {
      const now = desk();
      isLong = now !== null && passTurn(now, true);
    }, LONG_PRESS_MS);
  });
  root.addEventListener("contextmenu", (event) => isLong && event.preventDefault());
  for (const kind of ["pointerup", "pointercancel"])
    document.addEventListener(kind, () => {
      window.clearTimeout(timer);
      if (isLong) suppressClick();
      isLong = false;
    });
}
