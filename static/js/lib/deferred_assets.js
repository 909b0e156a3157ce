// @ts-check
// What a first look at a table does without, the rest of its texts and styles: fetched when its cards can be seen, or when
// something wants it.

import { loadMessages } from "./messages.js";
import { staticFile } from "./static_file.js";

/** @type {Promise<unknown> | null} */
let loading = null;

/** Fetch it, if it is not here yet. @returns {Promise<unknown>} fails where it can't be had; then it may be asked for again */
export function loadDeferredAssets() {
  loading ??= Promise.all([
    loadMessages("rest."),
    loadStylesheetAfter("components", "base"),
    loadStylesheetAfter("table_deferred", "table"),
  ]).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Put a stylesheet right behind another, so that what stands after that overrules it. @param {string} name @param {string} previous */
async function loadStylesheetAfter(name, previous) {
  const link = (/** @type {string} */ sheet) => document.querySelector(`link[href*="/css/${sheet}.css"]`);
  if (link(name)) return;
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = staticFile(`css/${name}.css`);
  await new Promise((done, fail) => {
    sheet.addEventListener("load", done);
    sheet.addEventListener("error", () => {
      sheet.remove();
      fail(new Error(sheet.href));
    });
    link(previous)?.after(sheet);
  });
}
