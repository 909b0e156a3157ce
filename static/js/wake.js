// @ts-check
// Keeps the screen awake during a match, if the browser can do that (on https and localhost).

export class Wake {
  constructor() {
    this.wanted = false;
    /** @type {WakeLockSentinel | null} */
    this.lock = null;
    this.asking = false;
    // The browser takes a lock away when the page is hidden.
    document.addEventListener("visibilitychange", () => this.see());
  }

  /** @param {boolean} wanted whether the screen is to stay awake from now on */
  want(wanted) {
    this.wanted = wanted;
    this.see();
  }

  see() {
    const wanted = this.wanted && document.visibilityState === "visible";
    if (wanted && this.lock === null) void this.take();
    else if (!wanted && this.lock !== null) void this.lock.release();
  }

  async take() {
    if (this.asking || !("wakeLock" in navigator)) return;
    this.asking = true;
    try {
      const lock = await navigator.wakeLock.request("screen");
      this.lock = lock;
      lock.addEventListener("release", () => {
        if (this.lock === lock) this.lock = null;
      });
    } catch {
      // A battery that is low, or a user who does not want it: then the screen does as it always does.
      return;
    } finally {
      this.asking = false;
    }
    // The match may have ended while we asked.
    this.see();
  }
}
