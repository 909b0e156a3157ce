// @ts-check
// A button that saves the rules shown on a page. Their data is part of the page.

import { draw } from "../lib/virtual_dom.js";
import { CLOSED_FORM } from "../rules/saved_rules_api.js";
import { loadMessages } from "../lib/messages.js";
import { saveRulesForm } from "../rules/save_rules_form.js";

/** @import { SaveFormState as Keeping } from "../rules/saved_rules_api.js" */

const root = document.querySelector("[data-keep]");
if (root instanceof HTMLElement) {
  /** @type {import("../rules/saved_rules_api.js").Rules} */
  const rules = JSON.parse(root.dataset.keep ?? "");
  /** @param {Keeping} state */
  const show = (state) => draw(root, saveRulesForm(state, rules, show));
  await loadMessages();
  show(CLOSED_FORM);
}
