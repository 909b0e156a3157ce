// @ts-check
// Suppresses the click that a browser reports at the end of a gesture.

/** Ignore the click that follows the pointer event that is handled now. */
export function suppressClick() {
  const stop = (/** @type {Event} */ click) => click.stopPropagation();
  document.addEventListener("click", stop, { capture: true, once: true });
  window.setTimeout(() => document.removeEventListener("click", stop, { capture: true }));
}
