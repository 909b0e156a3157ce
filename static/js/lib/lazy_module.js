// @ts-check
// A part of the page that a first look does without: it is fetched when it is first wanted, and stays.

/** @template T */
export class LazyModule {
  /** What has been fetched. @type {T | null} */
  #here = null;
  #asked = false;

  /**
   * @param {() => Promise<T>} fetching
   * @param {() => void} come it is here now
   * @param {() => void} missed it could not be had
   */
  constructor(fetching, come, missed) {
    this.fetching = fetching;
    this.come = come;
    this.missed = missed;
  }

  /** @returns {T | null} null as long as it is on its way */
  getOrLoad() {
    if (!this.#asked) {
      this.#asked = true;
      this.fetching().then(
        (got) => {
          this.#here = got;
          this.come();
        },
        () => {
          this.#asked = false;
          this.missed();
        },
      );
    }
    return this.#here;
  }
}
