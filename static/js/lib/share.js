// @ts-check
// Handing a link on: shared where the browser can, copied everywhere, also on plain http.

/**
 * Copy a text. Pages on plain http have no clipboard of their own; what is selected in a field can be copied there too.
 * @param {string} text
 * @returns {Promise<boolean>} whether it was copied
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyViaTextarea(text);
  }
}

/** @param {string} text */
function copyViaTextarea(text) {
  const before = document.activeElement;
  // What is under a dialog can't be selected.
  const place = document.querySelector("dialog[open]") ?? document.body;
  const field = document.createElement("textarea");
  field.className = "sr-only";
  field.readOnly = true;
  field.value = text;
  place.append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}

/** Whether this browser can hand something to other apps; on plain http it can't. */
export function canShare() {
  return typeof navigator.share === "function";
}

/**
 * Hand a link to another app.
 * @param {{ title: string, text: string, url: string }} link
 * @returns {Promise<boolean>} false: it could not be, so it has to go another way
 */
export async function shareLink(link) {
  try {
    await navigator.share(link);
    return true;
  } catch (error) {
    // Who thinks better of it needs no other way.
    return error instanceof DOMException && error.name === "AbortError";
  }
}
