// @ts-check
// Loads a module right after the first drawing of the page, and retries until it is loaded. Calls that need the module
// earlier are queued until then.

import { afterPaint } from "./after_paint.js";
import { waitBeforeRetry } from "./retry.js";

/** @template T */
export class DeferredModule {
  /** The loaded module, or null. @type {T | null} */
  module = null;
  #asked = false;
  /** @type {((here: T) => void)[]} */
  #waiting = [];

  /**
   * @param {() => Promise<T>} fetching
   * @param {() => void} come called when the module is loaded, after the queued callbacks
   * @param {() => Promise<void>} [again] waits before the next attempt
   */
  constructor(fetching, come, again = waitBeforeRetry) {
    this.fetching = fetching;
    this.come = come;
    this.again = again;
  }

  /** Start loading the module after the next frame. Later calls do nothing. */
  loadAfterPaint() {
    if (this.#asked) return;
    this.#asked = true;
    afterPaint(() => void this.loadWithRetries());
  }

  /** Fetch the module, with retries, then run the queued callbacks. @returns {Promise<void>} */
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

  /** Call a function with the module: at once if it is loaded, else later in order of the calls. @param {(here: T) => void} callback */
  whenLoaded(callback) {
    if (this.module === null) this.#waiting.push(callback);
    else callback(this.module);
  }
}
