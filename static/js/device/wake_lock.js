// @ts-check
// Keeps the screen awake during a match, if the browser supports it (on https and localhost).

/** Ask the browser for a wake lock. @returns {Promise<WakeLockSentinel | null>} null if it has none or refuses, as on a low battery */
async function requestWakeLock() {
  try {
    return (await navigator.wakeLock?.request("screen")) ?? null;
  } catch {
    return null;
  }
}

export class ScreenWakeLock {
  constructor() {
    /** Whether the browser has refused to keep the screen of the visible page awake. */
    this.refused = false;
    this.wanted = false;
    /** @type {WakeLockSentinel | null} */
    this.lock = null;
    this.asking = false;
    // The browser takes a lock away when the page is hidden.
    document.addEventListener("visibilitychange", () => this.acquireOrRelease());
  }

  /** @param {boolean} wanted whether the screen should stay awake from now on */
  setWanted(wanted) {
    this.wanted = wanted;
    this.acquireOrRelease();
  }

  acquireOrRelease() {
    const wanted = this.wanted && document.visibilityState === "visible";
    if (wanted && this.lock === null) void this.acquire();
    else if (!wanted && this.lock !== null) void this.lock.release();
  }

  async acquire() {
    if (this.asking) return;
    this.asking = true;
    const lock = await requestWakeLock();
    this.asking = false;
    if (lock === null) {
      this.refused ||= this.wanted && document.visibilityState === "visible";
      return;
    }
    this.lock = lock;
    lock.addEventListener("release", () => {
      if (this.lock === lock) this.lock = null;
    });
    // The match may have ended during the request.
    this.acquireOrRelease();
  }
}
