// @ts-check
// Records the last pointer gesture before the module that handles pointers is loaded, so that it can be replayed.

/**
 * The last gesture: its first event, its last movement, and its end, if it has ended.
 * @typedef {{ down?: PointerEvent, move?: PointerEvent, up?: PointerEvent }} RecordedGesture
 */

export class EarlyPointerRecorder {
  /** @type {RecordedGesture} */
  #kept = {};
  #over = new AbortController();

  /** @param {HTMLElement} root element in which gestures must start */
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

  /** Stop recording and return the last gesture. @returns {RecordedGesture} */
  stopRecording() {
    this.#over.abort();
    return this.#kept;
  }
}
