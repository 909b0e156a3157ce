// @ts-check
// Rows of the menu: a list of actions, links and pages that looks the same everywhere.

import { button, h } from "../lib/virtual_dom.js";

/**
 * @import { Desk } from "../types.d.ts"
 * @import { Question } from "./question_sheet.js"
 */

/** Draw a row that does something. @param {string} key @param {string} text @param {() => unknown} onclick @param {Record<string, unknown>} [more] */
export function menuRow(key, text, onclick, more = {}) {
  return button({ key, class: "menu-row", onclick, ...more }, text);
}

/** Draw a row with a link. @param {string} key @param {string} text @param {Record<string, unknown>} to */
export function linkRow(key, text, to) {
  return h("a", { key, class: "menu-row", ...to }, text);
}

/** Draw a row that opens another sheet. @param {Desk} desk @param {string} sheet @param {import("../lib/virtual_dom.js").Children} text @param {string} [extra] */
export function sheetRow(desk, sheet, text, extra = "") {
  const open = () => desk.set({ sheet, form: {} });
  return button({ key: sheet, class: `menu-row opens ${extra}`, "data-open": sheet, onclick: open }, text);
}

/** Draw a row that opens a page of the menu. @param {Desk} desk @param {string} page @param {string} text */
export function pageRow(desk, page, text) {
  return menuRow(page, text, () => desk.fill("page", page), { class: "menu-row opens", "data-page": page });
}

/** Draw a row for an action that can't be undone; it asks first. @param {Desk} desk @param {Question["what"]} what @param {string} text @param {string | number} [who] whom it is about: a name, or the number of a guest */
export function riskyRow(desk, what, text, who = "") {
  /** @type {Question} */
  const question = { what, who, from: desk.model.sheet };
  const ask = () => desk.set({ sheet: "question", form: { ...desk.model.form, question } });
  return menuRow(what, text, ask, { class: "menu-row bad", "data-confirm": what });
}
