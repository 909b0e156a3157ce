// @ts-check
// Helpers for retrying requests after temporary failures.

/** Shortest wait before a retry, in ms. Up to the same time is added at random, so that browsers don't retry all at once. */
const RETRY_DELAY_MS = 2000;

/** HTTP statuses of busy servers, and of proxies without a reachable server. */
const TEMPORARY_STATUSES = [429, 502, 503, 504];

/** Return whether a request failed only for now and is worth a retry. @param {Response} answer */
export function isTemporaryFailure({ status }) {
  return TEMPORARY_STATUSES.includes(status);
}

/** @param {number} ms @returns {Promise<void>} */
export function pause(ms) {
  return new Promise((done) => window.setTimeout(done, ms));
}

/** Wait two to four seconds before a retry. */
export function waitBeforeRetry() {
  return pause(RETRY_DELAY_MS * (1 + Math.random()));
}
