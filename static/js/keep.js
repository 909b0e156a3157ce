// @ts-check
// On pages that show rules: a button that keeps them. What it needs comes with the page.

import { draw } from "./dom.js";
import { CLOSED } from "./house_rules.js";
import { load } from "./messages.js";
import { keepRules } from "./render_keep.js";

/** @typedef {import("./house_rules.js").Keeping} Keeping */

const root = document.querySelector("[data-keep]");
if (root instanceof HTMLElement) {
  /** @type {import("./house_rules.js").Rules} */
  const rules = JSON.parse(root.dataset.keep ?? "");
  /** @param {Keeping} state */
  const show = (state) => draw(root, keepRules(state, rules, show));
  await load();
  show(CLOSED);
}
