// @ts-check
// Copying the invitation link. A player without a name is asked for a name first, so that friends recognise the inviter.

import { h } from "../lib/virtual_dom.js";
import { refusalText, readResponse, t } from "../lib/messages.js";
import { isNameError, focusName, nameField, readNameField } from "../ui/name_field.js";
import { setPreference } from "../lib/preferences.js";
import { inviteLink } from "./room_link.js";
import { dialog } from "../table/sheet.js";
import { copyText } from "../lib/share.js";

/** @import { Desk } from "../types.d.ts" */

/** Ask the site whether it knows this visitor but has no name from them. @returns {Promise<boolean>} */
async function hasNoName() {
  const answer = await fetch("/api/me").catch(() => null);
  const me = answer?.ok ? await answer.json() : null;
  return me?.known === true && me.name === null;
}

/** Copy the invitation link and say so, or open the name sheet if the player has no name yet. @param {Desk} desk */
export async function copyInviteLink(desk) {
  if (await hasNoName()) return desk.set({ sheet: "name" });
  const link = inviteLink(desk.update.room);
  desk.showNotice((await copyText(link)) ? t("share.copied") : t("share.by_hand", { link }));
}

/** Draw the sheet that asks for a name; when the name is saved, copy the invitation link. @param {Desk} desk */
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

/** Save the player's name; return the error, or "". @param {Desk} desk @param {string} name @returns {Promise<string>} */
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
