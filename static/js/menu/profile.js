// @ts-check
// The player's profile at the table: name, bird, colour, and a link to use the same seat on another device.

import { button, h } from "../lib/virtual_dom.js";
import { refusalText, t } from "../lib/messages.js";
import { isNameError, focusName, nameField, readNameField } from "../ui/name_field.js";
import { setPreference } from "../lib/preferences.js";
import { deviceLinkView } from "../ui/device_link.js";
import { avatarPicker } from "../ui/avatar_picker.js";
import { dialog } from "../table/sheet.js";
import { copyText } from "../lib/share.js";

/**
 * @import { Desk } from "../types.d.ts"
 * @import { Looks } from "../ui/avatar_picker.js"
 * @import { Link } from "../ui/device_link.js"
 */

/**
 * Send a request about the player's profile. Show a refused name in the form and other errors as a notice.
 * @param {Desk} desk @param {string} method @param {string} path @param {object} [body]
 * @returns {Promise<any>} null after an error, else the answer
 */
async function requestOrShowError(desk, method, path, body) {
  try {
    const sent =
      body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(path, { method, ...sent });
    const said = await answer.json();
    if (answer.ok) return said;
    if (body !== undefined && "name" in body && isNameError(said.code)) desk.fill("wrong_name", refusalText(said));
    else desk.showNotice(refusalText(said), true);
  } catch {
    desk.showNotice(t("error.offline"), true);
  }
  return null;
}

/** @param {Desk} desk @param {Event} event */
async function saveName(desk, event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const { name, problem } = readNameField(form);
  desk.fill("wrong_name", problem);
  const me = problem === "" ? await requestOrShowError(desk, "PUT", "/api/me", { name }) : null;
  if (me === null) return focusName(form);
  setPreference("name", me.name ?? "");
  // A running match or a player with the same name can delay the new name in this room: say so.
  const held = me.name_taken_in.find((/** @type {{ code: string }} */ room) => room.code === desk.update.room.code);
  desk.showNotice(held ? t("mine.otherwise", held) : t("mine.saved"), held !== undefined);
}

/** Return the bird and colour just picked, to show before the room's update. @param {Desk} desk @returns {Partial<Looks>} */
function pendingLooks(desk) {
  return /** @type {Partial<Looks>} */ (desk.model.form.looks ?? {});
}

/** @param {Desk} desk @param {Partial<Looks>} change */
async function saveLooks(desk, change) {
  desk.fill("looks", { ...pendingLooks(desk), ...change });
  if ((await requestOrShowError(desk, "PUT", "/api/me", change)) === null) desk.fill("looks", {});
}

/** @param {Desk} desk */
function otherDeviceSection(desk) {
  const link = /** @type {Link | undefined} */ (desk.model.form.device_link);
  const make = async () => {
    const made = await requestOrShowError(
      desk,
      "POST",
      `/api/me/devices?room=${encodeURIComponent(desk.update.room.code)}`,
    );
    if (made !== null) desk.fill("device_link", { ...made, kind: "device" });
  };
  const copy = async () => {
    if (link === undefined) return;
    if (await copyText(link.url)) desk.showNotice(t("share.copied"));
    else desk.showNotice(t("share.by_hand", { link: link.url }), true);
  };
  return h(
    "section",
    { key: "another" },
    h("h3", null, t("self.another")),
    h("p", null, t("self.another.text")),
    link === undefined
      ? h(
          "p",
          { key: "make", class: "buttons" },
          button({ class: "button", "data-make": "device", onclick: make }, t("self.another.make")),
        )
      : deviceLinkView(link, copy),
    h("p", { key: "rest" }, h("a", { href: "/me/settings", target: "_blank", rel: "noopener" }, t("self.devices"))),
  );
}

/** Draw a button that lets the host make seat links again, after the player took the seat back. @param {Desk} desk */
function allowSeatLinksSection(desk) {
  if (!desk.update.you.links_blocked) return null;
  return h(
    "section",
    { key: "links", class: "links-again" },
    h("h3", null, t("self.links")),
    h("p", null, t("self.links.text")),
    h(
      "p",
      { class: "buttons" },
      button(
        { class: "button", "data-ask": "ask_for_link", onclick: () => desk.ask({ t: "ask_for_link" }) },
        t("self.links.allow"),
      ),
    ),
  );
}

/** @param {Desk} desk */
export function profileSheet(desk) {
  const { room, you } = desk.update;
  const me = room.people.find(({ name }) => name === you.name);
  if (me === undefined) return null;
  const wrong = String(desk.model.form.wrong_name ?? "");
  return dialog(desk, t("mine.title"), [
    h(
      "form",
      {
        key: "rename",
        class: "rename",
        novalidate: true,
        onsubmit: (/** @type {Event} */ event) => saveName(desk, event),
      },
      nameField(wrong, () => desk.fill("wrong_name", ""), me.chosen_name ?? me.name),
      me.known === undefined ? null : h("p", { key: "later", class: "quiet" }, t("menu.known", { name: me.known })),
      me.chosen_name === null || me.known !== undefined
        ? null
        : h("p", { key: "later", class: "quiet" }, t("menu.called", { name: me.chosen_name })),
      h("p", { class: "buttons", key: "go" }, h("button", { type: "submit", class: "button" }, t("mine.rename"))),
    ),
    h(
      "div",
      { key: "looks", class: "own-looks" },
      avatarPicker({ ...me, ...pendingLooks(desk) }, (change) => saveLooks(desk, change)),
    ),
    otherDeviceSection(desk),
    allowSeatLinksSection(desk),
  ]);
}
