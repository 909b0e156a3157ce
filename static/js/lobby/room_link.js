// @ts-check
// How friends find the room: its invitation link, its code, and the card that shares them.

import { copyText, canShare, shareLink } from "../lib/share.js";
import { t } from "../lib/messages.js";
import { button, h } from "../lib/virtual_dom.js";
import { dialog } from "../table/sheet.js";
import { addressField, savedAddress } from "./public_address.js";

/** @import { Desk, Room } from "../types.d.ts" */

/**
 * Build the invitation link. The server supplies its start, since a link to localhost fails on other devices. If the
 * server knows no other address, the host can enter one.
 * @param {Room} room
 */
export function inviteLink(room) {
  const given = (isLinkLocalOnly() && savedAddress()) || document.getElementById("room")?.dataset.link;
  return new URL(`/j/${room.invite}`, given || location.href).href;
}

/** Draw the room code with spaces between its letters, so that people and screen readers spell it. @param {Room} room */
export function roomCodeView({ code }) {
  const spelt = [...code].join(" ");
  return h(
    "p",
    { key: "code", "data-zone": "code", class: "code", translate: "no" },
    t("share.code"),
    " ",
    h("b", { role: "img", "aria-label": spelt }, spelt),
  );
}

/** Tell whether the link works on this device only, as with localhost. Then a QR code would be useless. */
function isLinkLocalOnly() {
  return document.getElementById("room")?.dataset.hereOnly !== undefined;
}

/** Draw the QR code of the invitation link; null if the link works on this device only. @param {Room} room */
export function inviteQrCode({ invite }) {
  if (isLinkLocalOnly()) return null;
  return h(
    "div",
    { key: "qr", "data-zone": "qr", class: "qr" },
    h("img", { src: `/j/${invite}/qr.svg`, alt: t("share.qr"), width: 148, height: 148 }),
  );
}

/** Draw how friends join. If the link works on this device only, the host can enter another address. @param {Desk} desk @param {string} id of the field with the link */
function invitationHint(desk, id) {
  if (isLinkLocalOnly()) return desk.update.you.host ? addressField(desk, `${id}-address`) : null;
  return h("p", { class: "quiet" }, t("share.how"));
}

/**
 * Draw the buttons that send the invitation link, the link, and how friends join.
 * @param {Desk} desk @param {string} id of the field with the link
 */
function inviteControls(desk, id) {
  const { room } = desk.update;
  const link = inviteLink(room);
  const copy = async () => {
    if (await copyText(link)) return desk.showNotice(t("share.copied"));
    const field = document.getElementById(id);
    if (field instanceof HTMLInputElement) field.select();
    desk.showNotice(t("share.select"), true);
  };
  const share = async () => {
    const game = t(`game.${room.game}`);
    const told = { title: t("share.title", { game }), text: t("share.text", { game }), url: link };
    if (!(await shareLink(told))) await copy();
  };
  return [
    h(
      "div",
      { class: "buttons" },
      canShare() ? button({ class: "button", onclick: share }, t("share.share")) : null,
      button({ class: "button", onclick: copy }, t("share.copy")),
    ),
    h(
      "label",
      { class: "field" },
      h("span", { class: "sr-only" }, t("share.link")),
      h("input", {
        id,
        readOnly: true,
        value: link,
        onfocus: (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select(),
      }),
    ),
    invitationHint(desk, id),
  ];
}

/** Draw the card with the invitation link and the buttons to send it. @param {Desk} desk */
export function inviteSection(desk) {
  return h(
    "section",
    { key: "invite", "data-zone": "share", class: "invite", "aria-labelledby": "invite-title" },
    h("h2", { id: "invite-title" }, t("share.heading")),
    inviteControls(desk, "invite-link"),
  );
}

/** Draw the sheet that the free seat opens: QR code, room code and link. @param {Desk} desk */
export function inviteSheet(desk) {
  return dialog(desk, t("share.heading"), [
    inviteQrCode(desk.update.room),
    roomCodeView(desk.update.room),
    h("div", { key: "invite", class: "invite" }, inviteControls(desk, "invite-link-in-sheet")),
  ]);
}
