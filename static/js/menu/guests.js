// @ts-check
// The guests as rows of the menu: people without a name who watch. Only people with a name see them.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { menuRow, riskyRow } from "./rows.js";

/** @import { Desk, Guest } from "../types.d.ts" */

/** Describe a guest, who has no name. @param {Guest} guest */
function guestText({ since, screen }) {
  const time = new Date(since).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  return t(screen ? "guest.screen" : "guest.since", { time });
}

/** Draw a guest: for the host a row that opens, and shows what the host can do. @param {Desk} desk @param {Guest} guest @param {boolean} open */
export function guestRow(desk, guest, open) {
  const { number } = guest;
  const text = h("span", { class: "who" }, guestText(guest));
  const toggle = () => desk.fill("guest", open ? null : number);
  const leave = async () => {
    if (await desk.ask({ t: "remove_spectator", number })) desk.fill("guest", null);
  };
  return h(
    "li",
    { key: `guest ${number}`, "data-guest": number },
    desk.update.you.host
      ? button({ key: "row", class: "menu-row person opens", "aria-expanded": open, onclick: toggle }, text)
      : h("div", { key: "row", class: "menu-row person" }, text),
    open
      ? h("div", { key: "actions", class: "menu-list" }, [
          menuRow("ask_to_leave", t("guest.ask_to_leave"), leave),
          riskyRow(desk, "ban_guest", t("menu.remove.ban"), number),
        ])
      : null,
  );
}
