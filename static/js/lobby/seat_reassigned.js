// @ts-check
// The notice for a returning player whose seat the host has given to another browser.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";

/** @import { Desk } from "../types.d.ts" */

/** Draw the notice with a button to take the seat back; null if the seat was not given away. @param {Desk} desk */
export function seatReassignedNotice(desk) {
  const given = desk.update.you.seat_given;
  if (!given) return null;
  const time = new Date(given.at).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  const { name, by } = given;
  return h(
    "section",
    { key: "given", "data-zone": "seat-given", class: "seat-given", "aria-labelledby": "seat-given-title" },
    h(
      "h2",
      { id: "seat-given-title" },
      by === null ? t("given.title.unknown", { name, time }) : t("given.title", { name, host: by, time }),
    ),
    button(
      {
        key: "back",
        class: "button main",
        "data-ask": "take_seat_back",
        onclick: () => desk.ask({ t: "take_seat_back" }),
      },
      t("given.back"),
    ),
  );
}
