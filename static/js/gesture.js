// @ts-check
// What a finger or a mouse does before anybody is here who sees to it: kept, so that it can be done over again.

/** The last gesture: where it began, where it has gone, and where it ended, if it has. @typedef {{ down?: PointerEvent, move?: PointerEvent, up?: PointerEvent }} Kept */

export class Gesture {
  /** @type {Kept} */
  #kept = {};
  #over = new AbortController();

  /** @param {HTMLElement} root where it may begin */
  constructor(root) {
    const { signal } = this.#over;
    root.addEventListener("pointerdown", (down) => (this.#kept = { down }), { signal });
    document.addEventListener("pointermove", (move) => this.#kept.up ?? (this.#kept.move = move), { signal });
    document.addEventListener("pointerup", (up) => (this.#kept.up ??= up), { signal });
    document.addEventListener("pointercancel", () => (this.#kept = {}), { signal });
  }

  /** What there was; somebody else sees to what comes. @returns {Kept} */
  taken() {
    this.#over.abort();
    return this.#kept;
  }
}
