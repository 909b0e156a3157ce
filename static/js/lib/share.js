// @ts-check
// Shares or copies links. Copying works in every browser, also on plain http.

/**
 * Copy a text to the clipboard. Pages on plain http have no clipboard API, so a hidden text field is copied there.
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

/** Copy a text by selecting it in a hidden field; return whether that worked. @param {string} text */
function copyViaTextarea(text) {
  const before = document.activeElement;
  // Text outside an open dialog can't be selected.
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

/** Return whether this browser can share with other apps; it can't on plain http. */
export function canShare() {
  return typeof navigator.share === "function";
}

/**
 * Open the browser's share dialog for a link.
 * @param {{ title: string, text: string, url: string }} link
 * @returns {Promise<boolean>} false if sharing failed and the caller should copy the link instead
 */
export async function shareLink(link) {
  try {
    await navigator.share(link);
    return true;
  } catch (error) {
    // The person closed the share dialog: that is not a failure.
    return error instanceof DOMException && error.name === "AbortError";
  }
}
