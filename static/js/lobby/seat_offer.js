// @ts-check
// The question to a spectator whether they take the seat that a player offers them.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";

/** @import { Desk } from "../types.d.ts" */

/** Ask a spectator whether they take the seat that a player offers them. @param {Desk} desk */
export function seatOffer(desk) {
  const { room, you } = desk.update;
  const name = room.people.find((each) => each.offers_seat_to === you.name)?.name;
  if (you.name === null || you.role !== "spectator" || name === undefined) return null;
  /** @param {boolean} yes */
  const answer = (yes) => () => desk.ask({ t: "answer_seat_offer", name, yes });
  return h(
    "div",
    { key: "seat-offer", class: "seat-request", role: "group", "aria-label": t("seat_offer.asked", { name }) },
    h("p", { "data-zone": "question", class: "ask" }, t("seat_offer.asked", { name })),
    h(
      "div",
      { class: "buttons" },
      button({ class: "button", "data-ask": "decline_seat", onclick: answer(false) }, t("seat_offer.decline")),
      button({ class: "button main", "data-ask": "accept_seat", onclick: answer(true) }, t("seat_offer.accept")),
    ),
  );
}
