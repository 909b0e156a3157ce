// @ts-check
// What a finger or a mouse does before anybody is here who sees to it: kept, so that it can be done over again.

/** The last gesture: where it began, where it has gone, and where it ended, if it has. @typedef {{ down?: PointerEvent, move?: PointerEvent, up?: PointerEvent }} RecordedGesture */

export class EarlyPointerRecorder {
  /** @type {RecordedGesture} */
  #kept = {};
  #over = new AbortController();

  /** @param {HTMLElement} root where it may begin */
  constructor(root) {
    const { signal } = this.#over;
    root.addEventListener("pointerdown", (down) => this.#keep({ down }), { signal });
    document.addEventListener("pointermove", (move) => this.#kept.up ?? this.#keep({ ...this.#kept, move }), {
      signal,
    });
    document.addEventListener("pointerup", (up) => this.#keep({ up, ...this.#kept }), { signal });
    document.addEventListener("pointercancel", () => this.#keep({}), { signal });
  }

  /** @param {RecordedGesture} kept */
  #keep(kept) {
    this.#kept = kept;
  }

  /** What there was; somebody else sees to what comes. @returns {RecordedGesture} */
  stopRecording() {
    this.#over.abort();
    return this.#kept;
  }
}
