// @ts-check
// Returning from another browser: the visitor asks for their seat, and the host accepts or refuses.

import { button, h } from "../lib/virtual_dom.js";
import { scoreText } from "../events/labels.js";
import { formatList, t } from "../lib/messages.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Person} Person */

/**
 * Tell whether the host may give away a seat now, because its player has been away long enough.
 * @param {Desk} desk
 * @param {Person} person
 */
function isSeatReleasable({ model }, { link_allowed_from: from }) {
  return from !== null && from <= Date.now() + model.offset;
}

/**
 * Draw the countdown while the seat is still reserved for its player; null afterwards, and for players who left.
 * @param {Desk} desk
 * @param {Person | undefined} person
 */
function seatHoldCountdown(desk, person) {
  if (person === undefined || person.link_allowed_from === null || isSeatReleasable(desk, person)) return null;
  return h("p", {
    key: "kept-seat",
    class: "quiet",
    "data-until": person.link_allowed_from,
    "data-name": person.name,
    "data-key": desk.update.you.host ? "back.kept.host" : "back.kept",
  });
}

/** Let a visitor ask for the seat of an absent player of the same name, or show that the host was asked. @param {Desk} desk */
export function rejoinControls(desk) {
  const { room, you } = desk.update;
  if (you.requested_seat) {
    const name = you.requested_seat;
    return h(
      "div",
      { key: "coming-back", class: "coming-back", role: "status" },
      h("p", null, t("back.asked", { name, host: room.host ?? t("lobby.nobody") })),
      seatHoldCountdown(
        desk,
        room.people.find((person) => person.name === name),
      ),
    );
  }
  const typed = String(desk.model.form.name_taken ?? "");
  const away = room.people.find(({ name, bot, present }) => name === typed && bot === null && !present);
  if (away === undefined && !room.left_players.some(({ name }) => name === typed)) return null;
  return h(
    "div",
    { key: "coming-back", class: "coming-back" },
    h("p", null, t(away ? "back.is_it_you" : "back.is_it_you.left", { name: typed })),
    seatHoldCountdown(desk, away),
    button(
      { class: "button", "data-ask": "ask_for_seat", onclick: () => desk.ask({ t: "ask_for_seat", name: typed }) },
      t("back.ask"),
    ),
  );
}

/** Say what the visitor gets with the seat, or with a free seat if the player left. @param {Desk} desk @param {string} name */
function seatContentsText({ update: { room, table } }, name) {
  const left = room.left_players.find((player) => player.name === name);
  if (left !== undefined)
    return t("back.gives", {
      what: formatList([
        t(room.seat_plan.free > 0 ? "back.gives.free_seat" : "back.gives.next_seat"),
        left.points === 0 ? "" : t("me.points", { count: left.points }),
        t("back.gives.history"),
      ]),
    });
  const player = table?.players[name];
  return t("back.gives", {
    what: formatList([
      player ? t("back.gives.seat") : "",
      player?.cards ? t("back.gives.cards", { count: player.cards }) : "",
      table ? scoreText(table, name) : "",
      t("back.gives.history"),
    ]),
  });
}

/** Show the host a visitor's request for the seat of an absent player, with buttons to accept or refuse. @param {Desk} desk */
export function rejoinRequestForHost(desk) {
  const { room, you } = desk.update;
  const person = room.people.find(({ seat_requested }) => seat_requested);
  const name = person?.name ?? room.left_players.find(({ seat_requested }) => seat_requested)?.name;
  if (!you.host || name === undefined) return null;
  /** @param {boolean} yes */
  const answer = (yes) => () => desk.ask({ t: "answer_seat_request", name, yes });
  return h(
    "div",
    {
      key: "seat-request",
      class: "seat-request",
      role: "group",
      "aria-label": t("back.request", { name }),
    },
    h("p", { "data-zone": "question", class: "ask" }, t("back.request", { name })),
    h("p", { class: "quiet" }, seatContentsText(desk, name)),
    seatHoldCountdown(desk, person),
    h(
      "div",
      { class: "buttons" },
      button({ class: "button", "data-ask": "turn_away", onclick: answer(false) }, t("back.turn_away")),
      button(
        {
          class: "button main",
          "data-ask": "let_in",
          disabled: person !== undefined && !isSeatReleasable(desk, person),
          onclick: answer(true),
        },
        t("back.let_in"),
      ),
    ),
  );
}

/** Draw the button by which a former host becomes host again, after another player took over. @param {Desk} desk */
export function reclaimHostButton(desk) {
  if (!desk.update.you.was_host) return null;
  return button(
    {
      key: "host-again",
      class: "button",
      "data-ask": "take_host_back",
      onclick: () => desk.ask({ t: "take_host_back" }),
    },
    t("back.host_again"),
  );
}
