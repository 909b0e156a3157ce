// @ts-check
// Runs functions after the browser has shown a drawing.

/** Longest wait for the next frame, in ms: hidden pages have no frames. */
const FALLBACK_TIMEOUT_MS = 500;

/** Call a function once, after the next frame is shown; on a hidden page, after half a second. @param {() => void} callback */
export function afterPaint(callback) {
  let done = false;
  const once = () => {
    if (!done) callback();
    done = true;
  };
  requestAnimationFrame(() => window.setTimeout(once));
  window.setTimeout(once, FALLBACK_TIMEOUT_MS);
}
