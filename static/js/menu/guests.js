// @ts-check
// The guests as rows of the menu: people without a name who watch. Only people with a name see them.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";

/** @import { Guest } from "../types.d.ts" */

/** Describe a guest, who has no name. @param {Guest} guest */
function guestText({ since, screen }) {
  const time = new Date(since).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  return t(screen ? "guest.screen" : "guest.since", { time });
}

/** Draw a guest. @param {Guest} guest */
export function guestRow(guest) {
  const { number } = guest;
  return h(
    "li",
    { key: `guest ${number}`, "data-guest": number },
    h("div", { key: "row", class: "menu-row person" }, h("span", { class: "who" }, guestText(guest))),
  );
}
