// @ts-check
// Returning from another browser: the visitor asks for their seat, and the host accepts or refuses.

import { button, h } from "../lib/virtual_dom.js";
import { scoreText } from "../events/labels.js";
import { formatList, t } from "../lib/messages.js";

/** @import { Desk } from "../types.d.ts" */

/**
 * Return until when a seat is reserved for its absent player, in epoch milliseconds; null if the host may give it away.
 * @param {Desk} desk
 * @param {string} name
 */
function reservedUntil({ model, update }, name) {
  const from = update.room.people.find((person) => person.name === name)?.link_allowed_from ?? 0;
  return from > Date.now() + model.offset ? from : null;
}

/** Draw the countdown while a seat is reserved for its player; null afterwards. @param {Desk} desk @param {string} name */
function seatHoldCountdown(desk, name) {
  const until = reservedUntil(desk, name);
  if (until === null) return null;
  return h("p", {
    key: "kept-seat",
    class: "quiet",
    "data-until": until,
    "data-name": name,
    "data-key": desk.update.you.host ? "back.kept.host" : "back.kept",
  });
}

/** Let a visitor ask for the seat of an absent player of the same name, or show that the host was asked. @param {Desk} desk */
export function rejoinControls(desk) {
  const { room, you } = desk.update;
  const name = you.requested_seat;
  if (name)
    return h(
      "div",
      { key: "coming-back", class: "coming-back", role: "status" },
      h("p", null, t("back.asked", { name, host: room.host ?? t("lobby.nobody") })),
      seatHoldCountdown(desk, name),
    );
  const typed = String(desk.model.form.name_taken ?? "");
  const away = room.people.find(({ name, bot }) => name === typed && bot === null);
  if (away === undefined && !room.left_players.some(({ name }) => name === typed)) return null;
  if (away?.present) return h("p", { key: "coming-back", class: "coming-back" }, t("back.is_here", { name: typed }));
  return h(
    "div",
    { key: "coming-back", class: "coming-back" },
    h("p", null, t(away ? "back.is_it_you" : "back.is_it_you.left", { name: typed })),
    seatHoldCountdown(desk, typed),
    button(
      { class: "button", "data-ask": "ask_for_seat", onclick: () => desk.ask({ t: "ask_for_seat", name: typed }) },
      t("back.ask"),
    ),
  );
}

/** Say what the visitor gets with the seat, or with a free seat if the player left. @param {Desk} desk @param {string} name */
function seatContentsText({ update: { room, table } }, name) {
  const left = room.left_players.find((player) => player.name === name);
  const player = table?.players[name];
  const parts = left
    ? [
        t(room.seat_plan.free > 0 ? "back.gives.free_seat" : "back.gives.next_seat"),
        left.points ? t("me.points", { count: left.points }) : "",
      ]
    : [
        player ? t("back.gives.seat") : "",
        player?.cards ? t("back.gives.cards", { count: player.cards }) : "",
        table ? scoreText(table, name) : "",
      ];
  return t("back.gives", { what: formatList([...parts, t("back.gives.history")]) });
}

/** Show the host a visitor's request for the seat of an absent player, with buttons to accept or refuse. @param {Desk} desk */
export function rejoinRequestForHost(desk) {
  const { room, you } = desk.update;
  const name = [...room.people, ...room.left_players].find(({ seat_requested }) => seat_requested)?.name;
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
    seatHoldCountdown(desk, name),
    h(
      "div",
      { class: "buttons" },
      button({ class: "button", "data-ask": "turn_away", onclick: answer(false) }, t("back.turn_away")),
      button(
        {
          class: "button main",
          "data-ask": "let_in",
          disabled: reservedUntil(desk, name) !== null,
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
