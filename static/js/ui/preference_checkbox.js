// @ts-check
// One thing that a person likes so or otherwise: a box to be ticked, kept in this browser.

import { h } from "../lib/virtual_dom.js";
import { applyLooks, like, liked } from "../lib/preferences.js";

/** @typedef {import("../types.d.ts").Desk} Desk */

/** @param {Desk} desk @param {string} name @param {string} on @param {string} off @param {string} text @param {string} [usual] one of both */
export function preference(desk, name, on, off, text, usual = off) {
  const is = liked(name, usual) === on;
  return h(
    "label",
    { key: name, class: "toggle" },
    h("input", {
      type: "checkbox",
      checked: is,
      onchange: () => {
        like(name, is ? off : on);
        applyLooks();
        desk.set({});
      },
    }),
    h("span", null, text),
  );
}
