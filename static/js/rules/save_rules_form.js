// @ts-check
// The field to save rules under a name. It avoids the form element, since other forms contain it.

import { button, h } from "../lib/virtual_dom.js";
import { CLOSED_FORM, saveRules } from "./saved_rules_api.js";
import { t } from "../lib/messages.js";

/**
 * @import { Rules, SaveFormState as Keeping, SaveResult as Answered } from "./saved_rules_api.js"
 * @import { KeptRules } from "../types.d.ts"
 */

/** The longest text that the API accepts. The server checks the real limit for names. */
const MAX_LENGTH = 200;

/**
 * Draw the button to save rules, then the field for a name, then the confirmation.
 * @param {Keeping} state
 * @param {Rules} rules
 * @param {(next: Keeping) => void} change
 * @param {string} [called] the name that they already have
 */
export function saveRulesForm(state, rules, change, called = "") {
  if (state.done !== null) return savedConfirmation(state.done);
  if (!state.open) {
    const open = () => {
      change({ ...CLOSED_FORM, open: true, name: called });
      document.getElementById("rules-name")?.focus();
    };
    return button({ key: "keep-rules", class: "button small", "data-do": "keep-rules", onclick: open }, t("keep.open"));
  }
  return nameRulesForm(state, change, t("keep.go"), (name, replace) => saveRules(rules, name, replace));
}

/** Say under which name the rules are saved, with a link to all saved rules. @param {KeptRules} kept */
export function savedConfirmation({ name }) {
  return h(
    "p",
    { key: "kept-as", "data-zone": "kept-as", class: "kept-as", role: "status" },
    t("keep.done", { name }),
    " ",
    h("a", { href: "/me#house-rules", target: "_blank", rel: "noopener" }, t("keep.all")),
  );
}

/**
 * Draw the field for a name and its error. If other rules have the name, offer to replace them.
 * @param {Keeping} state
 * @param {(next: Keeping) => void} change
 * @param {string} go the button's text
 * @param {(name: string, replace: boolean) => Promise<Answered>} send
 */
export function nameRulesForm(state, change, go, send) {
  const wrong = state.problem !== "";
  /** @param {boolean} replace */
  const submit = async (replace) => {
    const name = state.name.trim();
    const { kept, problem, taken } =
      name === "" ? { kept: null, problem: t("name.empty"), taken: false } : await send(name, replace);
    change(kept === null ? { ...state, problem, taken } : { ...CLOSED_FORM, done: kept });
    if (kept === null && !taken) document.getElementById("rules-name")?.focus();
  };
  /** @param {Event} event */
  const typed = (event) =>
    change({ ...state, name: /** @type {HTMLInputElement} */ (event.target).value, problem: "", taken: false });
  /** @param {Event} event */
  const pressed = (event) => {
    if (/** @type {KeyboardEvent} */ (event).key !== "Enter") return;
    event.preventDefault();
    void submit(false);
  };
  return h(
    "div",
    { key: "naming", class: "naming" },
    h(
      "label",
      { class: "field" },
      h("span", null, t("keep.name")),
      h("input", {
        id: "rules-name",
        value: state.name,
        maxlength: MAX_LENGTH,
        autocomplete: "off",
        enterkeyhint: "done",
        "aria-invalid": wrong ? "true" : undefined,
        "aria-describedby": wrong ? "rules-name-problem" : undefined,
        oninput: typed,
        onkeydown: pressed,
      }),
    ),
    wrong ? h("p", { key: "problem", id: "rules-name-problem", class: "problem", role: "alert" }, state.problem) : null,
    h(
      "div",
      { class: "buttons" },
      state.taken
        ? button(
            { key: "replace", class: "button small bad", "data-do": "replace", onclick: () => submit(true) },
            t("keep.replace"),
          )
        : button({ key: "go", class: "button small", "data-do": "keep-as", onclick: () => submit(false) }, go),
      button({ key: "not", class: "button small plain", onclick: () => change(CLOSED_FORM) }, t("keep.not")),
    ),
  );
}
