// @ts-check
// The field for a name, with what is wrong with it said beside it. What a name may be is the server's to say
// (rooms/people/names.py): here it is only seen whether there is anything to send.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { getPreference } from "../lib/preferences.js";

/** As long as the wire takes it; the server says how many of these characters are a name. */
const MAX_LENGTH = 64;

/** What the server refuses a name for; `not_now` is said to who has another one until the match is over. */
const NAME_ERROR_CODES = new Set(["bad_name", "name_taken", "not_now"]);

/** Whether a refusal is about the name, and belongs beside its field. @param {string | null | undefined} code */
export function isNameError(code) {
  return NAME_ERROR_CODES.has(code ?? "");
}

/**
 * @param {string} problem a sentence, or nothing
 * @param {() => void} typing when somebody goes on writing
 * @param {string} [name] as it stands there at first
 */
export function nameField(problem, typing, name = getPreference("name", "")) {
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
    wrong ? h("p", { key: "problem", id: "name-problem", class: "problem", role: "alert" }, problem) : null,
  );
}

/**
 * What was typed into a form's name field; without anything to be seen, the sentence that asks for it.
 * @param {HTMLFormElement} form
 * @returns {{ name: string, problem: string }}
 */
export function readNameField(form) {
  const name = String(new FormData(form).get("name") ?? "").trim();
  return { name, problem: name === "" ? t("name.empty") : "" };
}

/** Back to the field, so that it can be put right. @param {HTMLFormElement} form */
export function focusName(form) {
  const field = form.elements.namedItem("name");
  if (field instanceof HTMLInputElement) field.focus();
}
