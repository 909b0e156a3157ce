// @ts-check
// The people in the room as rows of the menu. A row opens and shows the actions for this person; the host has more.

import { button, h } from "../lib/virtual_dom.js";
import { refusalText, t } from "../lib/messages.js";
import { avatar, faceOf, marksOf } from "../ui/avatar.js";
import { reclaimHostButton } from "../lobby/rejoin_request.js";
import { menuRow, riskyRow } from "./rows.js";
import { isMuted, setMuted } from "../chat/muted_people.js";
import { botAllowedFrom } from "../table/waiting.js";
import { copyText } from "../lib/share.js";
import { botKinds, changeBotLabel, botName } from "../events/labels.js";

/** @import { Desk, Guest, Person } from "../types.d.ts" */

/** @typedef {{ name: string, url: string, qr: string }} SeatLink */

/** The most rows on one page. */
const MOST_ROWS = 8;

/** Draw the small face of a person. @param {Desk} desk @param {string} name */
export function face({ update: { room } }, name) {
  const person = room.people.find((each) => each.name === name);
  return avatar({ ...faceOf(room, name), ...marksOf(person), size: "small", key: "face" });
}

/** Describe a person: role, connection, and countdowns until a bot takes over or the seat can be given. @param {Desk} desk @param {Person} person */
function personStatus(desk, person) {
  const { update } = desk;
  const { room } = update;
  const botAt = room.bot_takes_over_at[person.name];
  const states = [
    person.name === update.you.name ? t("lobby.you") : "",
    person.name === room.host ? t("lobby.host") : "",
    person.bot ? botName(person.bot) : "",
    person.program ? t("lobby.program") : "",
    person.stand_in ? t("menu.played_by_bot") : "",
    person.leaving_as ? t("menu.going") : "",
    isMuted(room.code, person.name) ? t("talk.muted") : "",
    person.role === "spectator" ? t("menu.watches") : "",
    reserveText(room, person.name),
    person.role === "waiting" ? t(room.seat_plan.joining.includes(person.name) ? "menu.next_hand" : "menu.waits") : "",
    person.present || person.bot || botAt !== undefined ? "" : t("seat.away"),
  ].filter(Boolean);
  return [
    states.length === 0 ? null : h("span", { class: "what" }, states.join(" · ")),
    botAt === undefined ? null : h("span", { class: "what", "data-until": botAt, "data-key": "menu.away_bot" }),
    seatLinkCountdown(desk, person),
  ];
}

/** Tell the rest of a player's time reserve; empty without one. @param {import("../types.d.ts").Room} room @param {string} name */
function reserveText({ reserves }, name) {
  const ms = reserves[name];
  return ms === undefined ? "" : t("menu.reserve", { count: Math.ceil(ms / 1000) });
}

/**
 * Draw the countdown until the host may give this seat to another browser; null if none runs.
 * @param {Desk} desk @param {Person} person
 */
function seatLinkCountdown({ model, update }, { link_allowed_from: from }) {
  if (!update.you.host || from === null || from <= Date.now() + model.offset) return null;
  return h("span", { key: "link-wait", class: "what", "data-until": from, "data-key": "menu.link.wait" });
}

/** Show a person's other name: in the record of this match, or from the next match on. @param {Person} person */
function otherNameText({ chosen_name, known }) {
  if (known !== undefined) return h("span", { class: "what" }, t("menu.known", { name: known }));
  return chosen_name === null ? null : h("span", { class: "what" }, t("menu.called", { name: chosen_name }));
}

/** Ask the server for a link to a person's seat, and show it in the menu. @param {Desk} desk @param {Person} person */
async function createSeatLink(desk, { name, known = name }) {
  try {
    const answer = await fetch(`/api/rooms/${desk.update.room.code}/links`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: known }),
    });
    const made = await answer.json();
    if (answer.ok) desk.fill("seat_link", { ...made, name });
    else desk.showNotice(refusalText(made), true);
  } catch {
    desk.showNotice(t("error.offline"), true);
  }
}

/** @param {Desk} desk @param {Person} person */
function seatLinkView(desk, person) {
  const link = /** @type {SeatLink | undefined} */ (desk.model.form.seat_link);
  if (link?.name !== person.name || person.present) return null;
  const copy = async () => {
    if (await copyText(link.url)) desk.showNotice(t("share.copied"));
    else desk.showNotice(t("share.select"), true);
  };
  return h(
    "div",
    { key: "link", class: "seat-link" },
    h("p", null, t("menu.link.how", { name: person.name })),
    h(
      "label",
      { class: "field" },
      h("span", { class: "sr-only" }, t("menu.link.label", { name: person.name })),
      h("input", {
        readOnly: true,
        value: link.url,
        onfocus: (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select(),
      }),
    ),
    h("div", { class: "buttons" }, button({ class: "button", onclick: copy }, t("menu.link.copy"))),
    h("img", {
      class: "qr-code",
      src: link.qr,
      alt: t("menu.link.qr", { name: person.name }),
      width: 148,
      height: 148,
    }),
  );
}

/** Draw the player's action for a spectator: offer the own seat, or withdraw the offer. @param {Desk} desk @param {Person} person */
function offerSeatRow(desk, { name, role, present }) {
  const { room, you } = desk.update;
  const me = room.people.find((each) => each.name === you.name);
  if (room.phase === "lobby" || room.phase === "finished" || me?.role !== "seated" || me.leaving_as !== null)
    return null;
  if (me.offers_seat_to === name)
    return menuRow("keep_seat", t("seat_offer.keep"), () => desk.ask({ t: "offer_seat", name: null }));
  if (role !== "spectator" || !present || !room.seat_offers) return null;
  return menuRow("offer_seat", t("seat_offer.give", { name }), () => desk.ask({ t: "offer_seat", name }));
}

/** Draw the actions for another person: those of everybody, then the host's. @param {Desk} desk @param {Person} person */
function personActions(desk, person) {
  const { room, you } = desk.update;
  const { name } = person;
  if (name === you.name) return [];
  const muted = isMuted(room.code, name);
  const mute = () => {
    setMuted(room.code, name, !muted);
    desk.set({});
  };
  const bots = botAllowedFrom(desk.update, name) <= Date.now() + desk.model.offset;
  return [
    menuRow("mute", t(muted ? "talk.unmute" : "talk.mute", { name }), mute),
    offerSeatRow(desk, person),
    bots ? menuRow("let_bot", t("menu.let_bot"), () => desk.ask({ t: "let_bot_play", name, seat: true })) : null,
    ...(you.host ? (person.bot === null ? hostActions(desk, person) : botActions(desk, person)) : []),
  ].filter((row) => row !== null);
}

/** Draw the host's actions for a bot. @param {Desk} desk @param {Person} person */
function botActions(desk, { name, bot, leaving_as }) {
  if (leaving_as) return [];
  return [
    ...botKinds(desk.catalogue)
      .filter((kind) => kind !== bot)
      .map((kind) =>
        menuRow(kind, changeBotLabel(kind), () => desk.ask({ t: "set_bot", name, kind }), { "data-level": kind }),
      ),
    menuRow("remove", t("menu.remove"), async () => {
      if (await desk.ask({ t: "remove_bot", name })) desk.fill("person", null);
    }),
  ];
}

/** Draw the host's actions for a person. @param {Desk} desk @param {Person} person */
function hostActions(desk, person) {
  const { room } = desk.update;
  const { name, leaving_as, link_allowed_from: from } = person;
  const seated = person.role !== "spectator" && leaving_as === null;
  const removable = name !== room.host && leaving_as !== "gone";
  return [
    person.counted_as_one
      ? menuRow("apart", t("back.count_apart.of", { name }), () => desk.ask({ t: "count_separately", name }))
      : null,
    from !== null && from <= Date.now() + desk.model.offset
      ? menuRow("link", t("menu.link"), () => createSeatLink(desk, person))
      : null,
    seatLinkView(desk, person),
    name !== room.host && !leaving_as ? riskyRow(desk, "transfer_host", t("menu.hand_over"), name) : null,
    removable && person.role === "spectator"
      ? menuRow("ask_to_leave", t("guest.ask_to_leave"), () => desk.ask({ t: "remove_spectator", name }))
      : null,
    removable && seated ? riskyRow(desk, "unseat", t("menu.remove.seat"), name) : null,
    removable ? riskyRow(desk, "ban", t("menu.remove.ban"), name) : null,
  ];
}

/**
 * Draw a row of the list: it opens and shows the actions, or is plain if there is nothing to do.
 * @param {Desk} desk @param {string | number} id a name, or the number of a guest
 * @param {Record<string, unknown>} data attributes for tests @param {import("../lib/virtual_dom.js").Children} says
 * @param {import("../lib/virtual_dom.js").VNode[]} actions @param {boolean} open
 */
function listRow(desk, id, data, says, actions, open) {
  const toggle = () => desk.fill("person", open ? null : id);
  return h(
    "li",
    { key: String(id), ...data },
    actions.length === 0
      ? h("div", { key: "row", class: "menu-row person" }, says)
      : button({ key: "row", class: "menu-row person opens", "aria-expanded": open, onclick: toggle }, says),
    open ? h("div", { key: "actions", class: "menu-list" }, actions) : null,
  );
}

/** Draw a person. @param {Desk} desk @param {Person} person @param {boolean} open */
function personRow(desk, person, open) {
  const { name } = person;
  const says = [
    face(desk, name),
    h(
      "span",
      { class: "who" },
      h("b", { class: "name", translate: "no" }, name),
      otherNameText(person),
      personStatus(desk, person),
    ),
  ];
  return listRow(desk, name, { "data-person": name }, says, personActions(desk, person), open);
}

/** Describe a guest, who has no name. @param {Guest} guest */
function guestText({ since, screen }) {
  const time = new Date(since).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  return t(screen ? "guest.screen" : "guest.since", { time });
}

/** Draw a guest, with the host's actions. @param {Desk} desk @param {Guest} guest @param {boolean} open */
function guestRow(desk, guest, open) {
  const { number } = guest;
  const leave = async () => {
    if (await desk.ask({ t: "remove_spectator", number })) desk.fill("person", null);
  };
  const actions = desk.update.you.host
    ? [
        menuRow("ask_to_leave", t("guest.ask_to_leave"), leave),
        riskyRow(desk, "ban_guest", t("menu.remove.ban"), number),
      ]
    : [];
  const says = [
    h("span", { class: "avatar small empty", "aria-hidden": "true" }),
    h("span", { class: "who" }, guestText(guest)),
  ];
  return listRow(desk, number, { "data-guest": number }, says, actions, open);
}

/**
 * Draw the people, then the guests. While a row is open, the others are hidden, so that few controls are visible at
 * once.
 * @param {Desk} desk
 */
export function peoplePage(desk) {
  const { room, you } = desk.update;
  const { person, people_from: from = 0 } = /** @type {{ person?: string | number, people_from?: number }} */ (
    desk.model.form
  );
  if (you.host) desk.fetchCatalogueOnce();
  const rows = [
    ...room.people.map((each) => ({ id: each.name, draw: () => personRow(desk, each, person === each.name) })),
    ...(you.guests ?? []).map((each) => ({
      id: each.number,
      draw: () => guestRow(desk, each, person === each.number),
    })),
  ];
  const open = rows.find(({ id }) => id === person);
  const start = Number(from) < rows.length ? Number(from) : 0;
  const shown = open ? [open] : rows.slice(start, start + MOST_ROWS);
  return [
    reclaimHostButton(desk),
    h(
      "ul",
      { key: "people", "data-zone": "people", class: "people" },
      shown.map(({ draw }) => draw()),
    ),
    !open && rows.length > MOST_ROWS
      ? menuRow("more", t("menu.people.more"), () => desk.fill("people_from", start + MOST_ROWS))
      : null,
  ];
}
