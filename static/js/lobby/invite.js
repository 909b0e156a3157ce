// @ts-check
// The link for others, handed on. Who sat down without being asked for a name is asked before the first friend comes.

import { h } from "../lib/virtual_dom.js";
import { refusalText, readResponse, t } from "../lib/messages.js";
import { isNameError, focusName, nameField, readNameField } from "../ui/name_field.js";
import { setPreference } from "../lib/preferences.js";
import { inviteLink } from "./waiting_room.js";
import { dialog } from "../table/sheet.js";
import { copyText } from "../lib/share.js";

/** @typedef {import("../types.d.ts").Desk} Desk */

/** Whether somebody is called here what they never said themselves. @returns {Promise<boolean>} */
export async function hasNoName() {
  const answer = await fetch("/api/me").catch(() => null);
  const me = answer?.ok ? await answer.json() : null;
  return me?.known === true && me.name === null;
}

/** Copy the link, or ask for a name first. @param {Desk} desk */
export async function copyInviteLink(desk) {
  if (await hasNoName()) return desk.set({ sheet: "name" });
  const link = inviteLink(desk.update.room);
  desk.showNotice((await copyText(link)) ? t("share.copied") : t("share.by_hand", { link }));
}

/** The name that friends will read, and then the link. @param {Desk} desk */
export function nameSheet(desk) {
  /** @param {Event} event */
  const onsubmit = async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const { name, problem } = readNameField(form);
    const wrong = problem || (await saveName(desk, name));
    desk.fill("name_problem", wrong);
    if (wrong) return focusName(form);
    desk.set({ sheet: null });
    await copyInviteLink(desk);
  };
  return dialog(desk, t("named.title"), [
    h("p", { key: "why" }, t("named.why", { name: desk.update.you.name ?? "" })),
    h(
      "form",
      { key: "form", class: "name-form", novalidate: true, onsubmit },
      nameField(String(desk.model.form.name_problem ?? ""), () => desk.fill("name_problem", "")),
      h("button", { type: "submit", class: "button main" }, t("named.go")),
    ),
  ]);
}

/** Be called so from now on; what is wrong with the name. @param {Desk} desk @param {string} name @returns {Promise<string>} */
async function saveName(desk, name) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch("/api/me", { method: "PUT", headers, body: JSON.stringify({ name }) }).catch(() => null);
  if (answer === null) return t("error.offline");
  const told = await readResponse(answer);
  if (answer.ok) {
    setPreference("name", told.name);
    return "";
  }
  if (isNameError(told.code)) return refusalText(told);
  desk.showNotice(refusalText(told), true);
  return "";
}
