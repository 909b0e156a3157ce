// @ts-check
// Loads the texts and stylesheets that a table does not need at first. They are fetched after the cards are shown, or
// earlier if something needs them.

import { loadMessages } from "./messages.js";
import { staticFile } from "./static_file.js";

/** @type {Promise<unknown> | null} */
let loading = null;

/**
 * Fetch the remaining texts and stylesheets, once.
 * @returns {Promise<unknown>} fails if a file can't be fetched; the next call tries again
 */
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

/**
 * Load a stylesheet and insert it right after another: sheets after `previous` override it.
 * @param {string} name @param {string} previous
 */
export async function loadStylesheetAfter(name, previous) {
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
