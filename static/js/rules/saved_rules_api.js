// @ts-check
// Client for the saved house rules of a person (web/api/saved_rules.py): fetch, save, rename and delete.

import { refusalText, t } from "../lib/messages.js";

/** @import { KeptRules } from "../types.d.ts" */
/** @typedef {{ game: string, options: Record<string, unknown> }} Rules The rules to save. */
/** @typedef {{ kept: KeptRules | null, problem: string, taken: boolean }} SaveResult The answer; `taken`: other rules have the name. */
/** @typedef {{ open: boolean, name: string, problem: string, taken: boolean, done: KeptRules | null }} SaveFormState State of the name field. */

/** The state before the button is pressed. @type {SaveFormState} */
export const CLOSED_FORM = { open: false, name: "", problem: "", taken: false, done: null };

const PATH = "/api/me/rules";

/** Fetch the person's saved rules, newest first; an empty list after an error. @returns {Promise<KeptRules[]>} */
export async function fetchSavedRules() {
  const answer = await fetch(PATH).catch(() => null);
  return answer?.ok ? (await answer.json()).rules : [];
}

/** @param {Rules} rules @param {string} name @param {boolean} replace */
export function saveRules(rules, name, replace) {
  return requestRules("POST", PATH, { ...rules, name, replace });
}

/** @param {string} id @param {string} name @param {boolean} replace */
export function renameRules(id, name, replace) {
  return requestRules("PUT", `${PATH}/${id}`, { name, replace });
}

/** @param {string} id */
export function deleteRules(id) {
  return requestRules("DELETE", `${PATH}/${id}`);
}

/** @param {string} method @param {string} path @param {object} [body] @returns {Promise<SaveResult>} */
async function requestRules(method, path, body) {
  try {
    const sent =
      body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(path, { method, ...sent });
    const said = answer.status === 204 ? null : await answer.json();
    if (answer.ok) return { kept: said, problem: "", taken: false };
    return { kept: null, problem: refusalText(said), taken: said.code === "name_taken" };
  } catch {
    return { kept: null, problem: t("error.offline"), taken: false };
  }
}
