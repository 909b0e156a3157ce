// @ts-check
// The form field for a name, with its error below. The server checks names (rooms/people/names.py); this page only
// refuses an empty field.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { getPreference } from "../lib/preferences.js";

/** Longest name that the protocol accepts, in characters. The server's own limit is lower. */
const MAX_LENGTH = 64;

/** Error codes about names. `not_now`: the person must keep their other name until the match is over. */
const NAME_ERROR_CODES = new Set(["bad_name", "name_taken", "not_now"]);

/** Return whether an error is about the name, and so is shown at its field. @param {string | null | undefined} code */
export function isNameError(code) {
  return NAME_ERROR_CODES.has(code ?? "");
}

/**
 * Draw the field for a name.
 * @param {string} problem error shown below the field, or ""
 * @param {() => void} typing called when the person edits a name with an error
 * @param {string} [name] initial text
 * @param {import("../lib/virtual_dom.js").VNode | null} [more] what the person can do about the error
 */
export function nameField(problem, typing, name = getPreference("name", ""), more = null) {
  const wrong = problem !== "";
  return h(
    "div",
    { key: "name-field", class: "name-field" },
    h(
      "label",
      { class: "field" },
      h("span", null, t("join.name")),
      h("input", {
        id: "name",
        name: "name",
        value: name,
        maxlength: MAX_LENGTH,
        autocomplete: "nickname",
        autocapitalize: "words",
        spellcheck: "false",
        enterkeyhint: "go",
        "aria-required": true,
        "aria-invalid": wrong ? "true" : undefined,
        "aria-describedby": wrong ? "name-problem" : undefined,
        oninput: wrong ? typing : undefined,
      }),
    ),
    h(
      "div",
      { key: "trouble", class: "name-trouble" },
      wrong ? h("p", { key: "problem", id: "name-problem", class: "problem", role: "alert" }, problem) : null,
      more,
    ),
  );
}

/**
 * Return the name typed into a form, and an error if it is empty.
 * @param {HTMLFormElement} form
 * @returns {{ name: string, problem: string }}
 */
export function readNameField(form) {
  const name = String(new FormData(form).get("name") ?? "").trim();
  return { name, problem: name === "" ? t("name.empty") : "" };
}

/** Focus the name field, so that the person can correct it. @param {HTMLFormElement} form */
export function focusName(form) {
  const field = form.elements.namedItem("name");
  if (field instanceof HTMLInputElement) field.focus();
}
