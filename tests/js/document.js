// @ts-check
// A jsdom document for tests of drawings, in the place of the browser's.

import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!doctype html><body></body>");
Object.assign(globalThis, {
  window,
  document: window.document,
  Element: window.Element,
  HTMLElement: window.HTMLElement,
  SVGElement: window.SVGElement,
});
// jsdom knows dialogs, but can't close them.
window.HTMLDialogElement.prototype.close = function close() {
  this.removeAttribute("open");
};

/** An empty element, alone on the page. @returns {HTMLElement} */
export function emptyPart() {
  const part = window.document.createElement("div");
  window.document.body.replaceChildren(part);
  return part;
}
