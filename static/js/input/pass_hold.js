// @ts-check
// A long press on Pass gives up the trick, as the button with that text does. A short press passes once.

import { autoPassOptions, trickKey } from "../model/auto_pass.js";
import { DRAG_THRESHOLD } from "./drag_geometry.js";
import { suppressClick } from "./suppress_click.js";

/** @typedef {import("../types.d.ts").Desk} Desk */

/** Milliseconds after which a press on Pass is long. */
const LONG_PRESS_MS = 500;

export class PassHoldHandler {
  #timer = 0;
  /** Whether the current press was long. */
  #held = false;
  #start = { x: 0, y: 0 };

  /**
   * @param {HTMLElement} root element in which the buttons are drawn
   * @param {() => Desk | null} desk returns the current desk
   */
  constructor(root, desk) {
    this.desk = desk;
    root.addEventListener("pointerdown", (event) => this.#begin(event));
    root.addEventListener("contextmenu", (event) => this.#held && event.preventDefault());
    document.addEventListener("pointermove", ({ clientX, clientY }) => {
      if (Math.hypot(clientX - this.#start.x, clientY - this.#start.y) >= DRAG_THRESHOLD)
        window.clearTimeout(this.#timer);
    });
    document.addEventListener("pointerup", () => this.#end());
    document.addEventListener("pointercancel", () => this.#end());
  }

  /** @param {PointerEvent} event */
  #begin({ target, button, clientX, clientY }) {
    window.clearTimeout(this.#timer);
    this.#held = false;
    if (button !== 0 || !(target instanceof Element) || target.closest(".actions .pass") === null) return;
    this.#start = { x: clientX, y: clientY };
    this.#timer = window.setTimeout(() => this.#giveUp(), LONG_PRESS_MS);
  }

  /** Pass until the end of the trick, if the player may still play in it. */
  #giveUp() {
    const desk = this.desk();
    if (desk === null || !autoPassOptions(desk.update).includes("trick")) return;
    this.#held = true;
    desk.set({ passing: { until: "trick", trick: trickKey(desk.update) } });
  }

  #end() {
    window.clearTimeout(this.#timer);
    if (this.#held) suppressClick();
  }
}
