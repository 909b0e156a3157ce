// @ts-check
// What could not be done just now, and may be in a moment.

/** Milliseconds until it is tried again, and as many again by chance: not all at the same moment. */
const RETRY_DELAY_MS = 2000;

/** What servers that are busy say, and proxies whose server is away. */
const TEMPORARY_STATUSES = [429, 502, 503, 504];

/** Whether what was refused will be possible a little later. @param {Response} answer */
export function isTemporaryFailure({ status }) {
  return TEMPORARY_STATUSES.includes(status);
}

/** @param {number} ms @returns {Promise<void>} */
export function pause(ms) {
  return new Promise((done) => window.setTimeout(done, ms));
}

/** Wait until something may be tried again. */
export function waitBeforeRetry() {
  return pause(RETRY_DELAY_MS * (1 + Math.random()));
}
