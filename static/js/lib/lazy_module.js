// @ts-check
// Loads a module when it is first needed, and keeps it.

/** @template T */
export class LazyModule {
  /** The loaded module, or null. @type {T | null} */
  here = null;
  #asked = false;

  /**
   * @param {() => Promise<T>} fetching
   * @param {() => void} come called when the module is loaded
   * @param {() => void} missed called when loading fails; the next `getOrLoad` tries again
   */
  constructor(fetching, come, missed) {
    this.fetching = fetching;
    this.come = come;
    this.missed = missed;
  }

  /** Return the module; start loading it if needed. @returns {T | null} null until the module is loaded */
  getOrLoad() {
    if (!this.#asked) {
      this.#asked = true;
      this.fetching().then(
        (got) => {
          this.here = got;
          this.come();
        },
        () => {
          this.#asked = false;
          this.missed();
        },
      );
    }
    return this.here;
  }
}
