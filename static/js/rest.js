// @ts-check
// What a first look at a table does without, the rest of its texts and styles: fetched when its cards can be seen, or when
// something wants it.

import { load } from "./messages.js";

/** @type {Promise<unknown> | null} */
let coming = null;

/** Fetch it, if it is not here yet. @returns {Promise<unknown>} fails where it can't be had; then it may be asked for again */
export function rest() {
  return (coming ??= Promise.all([load("rest."), styles()]).catch((error) => {
    coming = null;
    throw error;
  }));
}

/** Put the stylesheet right behind that of the table, so that the page's own overrules it. */
async function styles() {
  if (document.querySelector('link[href*="/css/rest.css"]')) return;
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = new URL("../css/rest.css", import.meta.url).href;
  await new Promise((done, fail) => {
    sheet.addEventListener("load", done);
    sheet.addEventListener("error", () => {
      sheet.remove();
      fail(new Error(sheet.href));
    });
    document.querySelector('link[href*="/css/table.css"]')?.after(sheet);
  });
}
