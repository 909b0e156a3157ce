// @ts-check
// Draws a choice between a few values as one divided button.

import { h } from "../lib/virtual_dom.js";

/**
 * Draw a choice between a few values as radio buttons. @template {string} T
 * @param {string} name @param {string} title @param {T[]} all @param {T | null} now
 * @param {(one: T) => import("../lib/virtual_dom.js").Children} word @param {(one: T) => void} choose
 */
export function segmentedControl(name, title, all, now, word, choose) {
  return h(
    "fieldset",
    { key: name, class: "segments" },
    h("legend", null, title),
    all.map((each) =>
      h(
        "label",
        { key: each },
        h("input", { type: "radio", name, value: each, checked: now === each, onchange: () => choose(each) }),
        h("span", null, word(each)),
      ),
    ),
  );
}
