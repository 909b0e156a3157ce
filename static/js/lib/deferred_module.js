// @ts-check
// A part of a page that no first look waits for, and that comes right after it. What wants it earlier is done when it is
// here; who can't get it tries again.

import { afterPaint } from "./after_paint.js";
import { waitBeforeRetry } from "./retry.js";

/** @template T */
export class DeferredModule {
  /** What has come. @type {T | null} */
  module = null;
  #asked = false;
  /** @type {((here: T) => void)[]} */
  #waiting = [];

  /**
   * @param {() => Promise<T>} fetching
   * @param {() => void} come it is here, and what has waited for it is done
   * @param {() => Promise<void>} [again] waits until it is worth trying again
   */
  constructor(fetching, come, again = waitBeforeRetry) {
    this.fetching = fetching;
    this.come = come;
    this.again = again;
  }

  /** Fetch it when what has just been drawn can be seen, once. */
  loadAfterPaint() {
    if (this.#asked) return;
    this.#asked = true;
    afterPaint(() => void this.loadWithRetries());
  }

  /** Fetch it, until it is here. @returns {Promise<void>} */
  async loadWithRetries() {
    try {
      this.module = await this.fetching();
    } catch {
      await this.again();
      return this.loadWithRetries();
    }
    for (const does of this.#waiting.splice(0)) does(this.module);
    this.come();
  }

  /** Do something with it: at once, or as soon as it is here, in the order in which it was wanted. @param {(here: T) => void} callback */
  whenLoaded(callback) {
    if (this.module === null) this.#waiting.push(callback);
    else callback(this.module);
  }
}
