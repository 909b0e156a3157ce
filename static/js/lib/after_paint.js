// @ts-check
// When what was drawn can be seen.

/** So long after a drawing it is seen, or nobody looks: pages that are hidden have no frames. ms */
const FALLBACK_TIMEOUT_MS = 500;

/** Do something when what is being drawn can be seen; soon, where nobody looks. @param {() => void} callback */
export function afterPaint(callback) {
  let done = false;
  const once = () => {
    if (!done) callback();
    done = true;
  };
  requestAnimationFrame(() => window.setTimeout(once));
  window.setTimeout(once, FALLBACK_TIMEOUT_MS);
}
