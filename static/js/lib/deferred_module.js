// @ts-check
// A part of a page that no first look waits for, and that comes right after it. What wants it earlier is done when it is
// here; who can't get it tries again.

import { whenDrawn } from "./after_paint.js";
import { later } from "./retry.js";

/** @template T */
export class Soon {
  /** What has come. @type {T | null} */
  here = null;
  #asked = false;
  /** @type {((here: T) => void)[]} */
  #waiting = [];

  /**
   * @param {() => Promise<T>} fetching
   * @param {() => void} come it is here, and what has waited for it is done
   * @param {() => Promise<void>} [again] waits until it is worth trying again
   */
  constructor(fetching, come, again = later) {
    this.fetching = fetching;
    this.come = come;
    this.again = again;
  }

  /** Fetch it when what has just been drawn can be seen, once. */
  fetchSoon() {
    if (this.#asked) return;
    this.#asked = true;
    whenDrawn(() => void this.fetch());
  }

  /** Fetch it, until it is here. @returns {Promise<void>} */
  async fetch() {
    try {
      this.here = await this.fetching();
    } catch {
      await this.again();
      return this.fetch();
    }
    for (const does of this.#waiting.splice(0)) does(this.here);
    this.come();
  }

  /** Do something with it: at once, or as soon as it is here, in the order in which it was wanted. @param {(here: T) => void} does */
  use(does) {
    if (this.here === null) this.#waiting.push(does);
    else does(this.here);
  }
}
