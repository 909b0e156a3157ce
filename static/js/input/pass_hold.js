// @ts-check
// A long press on Pass gives up the trick, as the button with that text does. A short press passes once.

import { autoPassOptions, trickKey } from "../model/auto_pass.js";
import { DRAG_THRESHOLD } from "./drag_geometry.js";
import { suppressClick } from "./suppress_click.js";

/** @typedef {import("../types.d.ts").Desk} Desk */

/** Milliseconds after which a press on Pass is long. */
const PASS_PRESS_MS = 500;

export class PassHoldHandler {
  #timer = 0;
  /** Whether the current press was long. */
  #held = false;
  #start = { x: 0, y: 0 };
  /** The trick when the press began. @type {string | null} */
  #trick = null;

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
    this.#trick = this.#currentTrick();
    this.#timer = window.setTimeout(() => this.#giveUp(), PASS_PRESS_MS);
  }

  /** Return the key of the trick on the table, or null without one. */
  #currentTrick() {
    const desk = this.desk();
    return desk === null ? null : trickKey(desk.update);
  }

  /** Pass until the end of the trick in which the press began, if the player may still play in it. */
  #giveUp() {
    const desk = this.desk();
    if (desk === null || this.#trick === null || this.#trick !== this.#currentTrick()) return;
    if (!autoPassOptions(desk.update).includes("trick")) return;
    this.#held = true;
    desk.set({ passing: { until: "trick", trick: this.#trick } });
  }

  #end() {
    window.clearTimeout(this.#timer);
    if (!this.#held) return;
    suppressClick();
    // A context menu of this touch may still come after it ends.
    window.setTimeout(() => {
      this.#held = false;
    });
  }
}
