// @ts-check
// Draws a new link that signs the person in on another device: as text, as a QR code, and with a button to copy it.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";

/** @typedef {{ kind: "device" | "recovery", url: string, qr: string | null }} Link */

/** @param {Link} link @param {() => unknown} copy */
export function deviceLinkView(link, copy) {
  return h(
    "div",
    { key: `link-${link.kind}`, "data-zone": "made-link", class: "made-link" },
    h("p", null, t(`mine.link.${link.kind}`)),
    link.qr === null
      ? null
      : h("img", { class: "qr-code", src: link.qr, alt: t("mine.link.qr"), width: 180, height: 180 }),
    h("p", null, h("a", { class: "hash", href: link.url }, link.url)),
    h("p", { class: "buttons" }, button({ class: "button small", onclick: copy }, t("menu.link.copy"))),
  );
}
