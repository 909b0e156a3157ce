// @ts-check
// A document for tests of what is drawn: jsdom's, put where modules of pages look for the browser's.

import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!doctype html><body></body>");
Object.assign(globalThis, {
  window,
  document: window.document,
  Element: window.Element,
  HTMLElement: window.HTMLElement,
});
// jsdom knows dialogs, but not how they close.
window.HTMLDialogElement.prototype.close = function close() {
  this.removeAttribute("open");
};

/** An empty part of the page, alone on it. @returns {HTMLElement} */
export function emptyPart() {
  const part = window.document.createElement("div");
  window.document.body.replaceChildren(part);
  return part;
}
