// @ts-check
// What could not be done just now, and may be in a moment.

/** Milliseconds until it is tried again, and as many again by chance: not all at the same moment. */
const AGAIN = 2000;

/** What servers that are busy say, and proxies whose server is away. */
const FOR_NOW = [429, 502, 503, 504];

/** Whether what was refused will be possible a little later. @param {Response} answer */
export function passes({ status }) {
  return FOR_NOW.includes(status);
}

/** @param {number} ms @returns {Promise<void>} */
export function pause(ms) {
  return new Promise((done) => window.setTimeout(done, ms));
}

/** Wait until something may be tried again. */
export function later() {
  return pause(AGAIN * (1 + Math.random()));
}
