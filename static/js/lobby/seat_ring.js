// @ts-check
// The table of the waiting room, seen from above: people and free seats stand in the same ring as in play. The middle
// says what everyone waits for.

import { button, h } from "../lib/virtual_dom.js";
import { formatNames, formatValue, t } from "../lib/messages.js";
import { addSoftHyphens } from "../lib/soft_hyphens.js";
import { avatar, faceOf, marksOf, wornAt } from "../ui/avatar.js";
import { icon } from "../ui/icons.js";
import { levelSign } from "../ui/level_signs.js";
import { botKinds, botName, changeBotLabel, titleName } from "../events/labels.js";
import { minRingHeight, seatPositions } from "../table/seats.js";
import { hostAwayNotice } from "../table/waiting.js";
import { roomCodeView } from "./room_link.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Person} Person */
/** @typedef {import("../types.d.ts").Room} Room */

/** Numbers of seats that are drawn. With such steps, hardly anybody who comes in moves the other seats. */
const TABLE_SIZES = [8, 12, 16];
/** With more seats than this, a narrow page shows rows of seats instead of a ring. */
const MOST_IN_NARROW_RING = 10;
/** With more seats than this, a ring is crowded: the seats are smaller. */
const MOST_AT_EASE = 13;
/** The largest number of people whose names the waiting room shows because they are not ready. */
const MOST_NAMED = 2;
/** The height of a seat in pixels: the own seat takes it from the ring in addition to the other seats. */
const SEAT_HEIGHT = 96;
/** The position of the own seat, in percent of the felt. */
const OWN_POSITION = { x: 50, y: 100 };

/** Return the smallest and the largest number of players in the room. @param {Room} room */
function playerRange({ known_cards, min, max }) {
  return known_cards?.players ? [known_cards.players, known_cards.players] : [min, max];
}

/** Return the number of seats to draw. @param {number} seated number of people with a seat @param {number} max */
export function seatsToDraw(seated, max) {
  return Math.max(seated, Math.min(max, TABLE_SIZES.find((size) => size >= seated) ?? max));
}

/** Tell whether a person need not say that they are ready, or has said so. @param {Room} room @param {Person} person */
function isReady(room, person) {
  return person.bot !== null || person.name === room.host || person.ready;
}

/**
 * Say which people are not ready yet. If many are missing, give the number of ready people instead of names.
 * @param {string[]} missing names of the people who are not ready @param {number} total number of people with a seat
 * @param {import("../types.d.ts").You} you
 */
function unreadyText(missing, total, { host, name: own }) {
  if (missing.length > MOST_NAMED)
    return t(host ? "lobby.ready.count.host" : "lobby.ready.count", { count: total - missing.length, total });
  if (own !== null && missing.includes(own)) return t("lobby.ready.waiting.you");
  return t(host ? "lobby.ready.waiting.host" : "lobby.ready.waiting", { names: formatNames(missing) });
}

/**
 * Choose the sentence in the middle of the table: what everyone waits for.
 * @param {import("../types.d.ts").Update} update
 */
export function waitingText({ room, you }) {
  const seated = room.people.filter((person) => person.role === "seated");
  const [min = 0] = playerRange(room);
  if (seated.length < min) return t("lobby.missing", { count: min - seated.length });
  if (room.start_blocked) return formatValue(room.start_blocked);
  const missing = seated.filter((person) => !isReady(room, person)).map((person) => person.name);
  if (missing.length > 0) return unreadyText(missing, seated.length, you);
  const alone = seated.every(({ name, bot }) => bot !== null || name === you.name);
  return you.host
    ? t(alone ? "lobby.ready.alone" : "lobby.ready.all")
    : t("lobby.wait", { host: room.host ?? t("lobby.nobody") });
}

/** Tell whether a person has a seat here and is not connected. @param {Person} person */
const isAway = ({ present, bot }) => !present && bot === null;

/** Describe a person: title, role and state. @param {Desk} desk @param {Person} person */
function personText({ update: { room, you } }, person) {
  const host = person.name === room.host;
  return [
    titleName(room.carried_titles[person.name]?.title),
    person.name === you.name ? t("lobby.you") : "",
    host ? t("lobby.host") : "",
    person.program ? t("lobby.program") : "",
    person.bot ? botName(person.bot) : "",
    isAway(person) ? t("seat.away") : person.bot || host ? "" : t(person.ready ? "lobby.ready" : "lobby.ready.not_yet"),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Draw what the host can do with a person's seat. @param {Desk} desk @param {Person} person */
function seatActions(desk, { name, bot }) {
  const close = () => desk.fill("seat", null);
  /** @param {import("../types.d.ts").Command} command */
  const ask = async (command) => {
    if (await desk.ask(command)) close();
  };
  const askToHandOver = () => {
    /** @type {import("../menu/question_sheet.js").Question} */
    const question = { what: "transfer_host", name, from: null };
    desk.set({ sheet: "question", form: { ...desk.model.form, seat: null, question } });
  };
  const levels = bot === null ? [] : botKinds(desk.catalogue).filter((kind) => kind !== bot);
  return h(
    "div",
    { key: "actions", "data-zone": "seat-actions", class: "seat-actions", role: "group", "aria-label": name },
    h(
      "p",
      { class: "seat-actions-head" },
      h("b", { translate: "no" }, name),
      button({ class: "tool", "aria-label": t("sheet.close"), onclick: close }, icon("close")),
    ),
    levels.map((kind) =>
      button(
        { key: kind, class: "button small", "data-level": kind, onclick: () => ask({ t: "set_bot", name, kind }) },
        changeBotLabel(kind),
      ),
    ),
    bot === null ? button({ key: "host", class: "button small", onclick: askToHandOver }, t("menu.hand_over")) : null,
    button(
      {
        key: "remove",
        class: "button small bad",
        "data-do": "remove",
        "aria-label": t(bot ? "lobby.remove_bot" : "lobby.remove", { name }),
        onclick: () => ask({ t: bot ? "remove_bot" : "remove", name }),
      },
      t("menu.remove"),
    ),
  );
}

/** @typedef {{ "--x": number, "--y": number, "--wx": number, "--wy": number }} Position of a seat on a narrow and on a wide page */

/** Draw a person's seat: bird, name and state. The host can press it. @param {Desk} desk @param {Person} person @param {Position} style @param {number} seated number of people with a seat */
function seat(desk, person, style, seated) {
  const { room, you } = desk.update;
  const { name } = person;
  const ready = isReady(room, person) && !isAway(person);
  const inside = [
    h(
      "span",
      { "data-zone": "perch", class: "perch" },
      avatar({
        ...faceOf(room, name),
        ...marksOf(person),
        worn: wornAt(room.carried_titles[name]?.place, seated),
      }),
      ready ? h("span", { key: "ready", class: "ready-mark", "aria-hidden": "true" }, "✓") : null,
    ),
    h("span", { "data-zone": "name", class: "name", translate: "no" }, addSoftHyphens(name)),
    " ",
    h("span", { "data-zone": "about", class: "what" }, personText(desk, person)),
  ];
  const open = desk.model.form.seat === name;
  /** @param {KeyboardEvent} event */
  const onkeydown = (event) => {
    if (event.key === "Escape" && open) desk.fill("seat", null);
  };
  return h(
    "li",
    {
      key: name,
      "data-sits": name,
      "data-absent": isAway(person),
      "data-ready": ready,
      class: `${isAway(person) ? "absent" : ""}${ready ? " ready" : ""}`,
      style,
      onkeydown,
    },
    you.host && name !== you.name
      ? button(
          { class: "chair", "aria-expanded": open, onclick: () => desk.fill("seat", open ? null : name) },
          ...inside,
        )
      : h("div", { class: "chair" }, ...inside),
    you.host && open ? seatActions(desk, person) : null,
  );
}

/** Draw a free seat. @param {number} i @param {Position} style */
function freeSeat(i, style) {
  return h(
    "li",
    { key: `free${i}`, class: "free", style },
    h(
      "div",
      { class: "chair" },
      h("span", { class: "perch" }, h("span", { "data-hue": "", class: "avatar empty" })),
      h("span", { class: "name" }, t("lobby.free")),
    ),
  );
}

/** Draw the host's button to undo the removal of a person from a seat. @param {Desk} desk @param {Person} person */
function undoRemovalRow(desk, { name }) {
  return h(
    "p",
    { key: `unseated ${name}`, class: "undo-removal" },
    h("span", null, t("lobby.unseated", { name })),
    button(
      {
        class: "button small",
        "data-ask": "reseat",
        "aria-label": t("lobby.reseat.of", { name }),
        onclick: () => desk.ask({ t: "reseat", name }),
      },
      t("lobby.reseat"),
    ),
  );
}

/** Draw the host's buttons that add a bot, one for each level. @param {Desk} desk */
function addBotButtons(desk) {
  return h(
    "div",
    { key: "bots", class: "add-bots", role: "group", "aria-labelledby": "add-bots" },
    h("span", { id: "add-bots" }, t("lobby.add_bot")),
    botKinds(desk.catalogue).map((kind) =>
      button(
        { key: kind, class: "add-bot", "data-bot": kind, onclick: () => desk.ask({ t: "add_bot", kind }) },
        levelSign(desk.catalogue?.signs[kind] ?? ""),
        h("span", null, botName(kind)),
      ),
    ),
  );
}

/** Draw the middle of the table: what everyone waits for, the room code, and what the host can do. @param {Desk} desk @param {boolean} hasFreeSeat */
function middle(desk, hasFreeSeat) {
  const { model, update } = desk;
  const { room, you } = update;
  const waiting = room.people.filter((person) => person.role === "waiting").map((person) => person.name);
  return h(
    "div",
    { key: "middle", class: "lobby-middle" },
    (you.host ? null : hostAwayNotice(room)) ??
      h(
        "p",
        { key: "status", "data-zone": "lobby-status", class: "lobby-status" },
        model.rulesChanged ? h("mark", null, t("lobby.rules_changed")) : waitingText(update),
      ),
    roomCodeView(room),
    you.host
      ? room.people
          .filter(({ role, unseated }) => role === "spectator" && unseated)
          .map((person) => undoRemovalRow(desk, person))
      : null,
    waiting.length > 0
      ? h(
          "p",
          { key: "waiting", "data-zone": "waiting" },
          t(you.host ? "full.host" : "full.waits", { names: formatNames(waiting), count: waiting.length }),
        )
      : null,
    you.host && hasFreeSeat ? addBotButtons(desk) : null,
  );
}

/** Draw the table with all seats, the own seat at the bottom. @param {Desk} desk */
export function seatRing(desk) {
  const { room, you } = desk.update;
  const seated = room.people.filter((person) => person.role === "seated");
  const [, max = 0] = playerRange(room);
  const count = seatsToDraw(seated.length, max);
  // A free seat keeps its place when somebody else sits down: people take the first free seat.
  const all = Array.from({ length: count }, (_, i) => ({ person: seated[i] ?? null, i }));
  const own = Math.max(
    0,
    seated.findIndex(({ name }) => name === you.name),
  );
  const narrow = [OWN_POSITION, ...seatPositions(count - 1, false)];
  const wide = [OWN_POSITION, ...seatPositions(count - 1, true)];
  /** @param {boolean} isWide */
  const least = (isWide) => (minRingHeight(count - 1, isWide, false) + SEAT_HEIGHT) / 16;
  return h(
    "section",
    {
      key: "chairs",
      "data-zone": "lobby-seats",
      class: `felt lobby-felt${count > MOST_IN_NARROW_RING ? " many" : ""}${count > MOST_AT_EASE ? " crowded" : ""}`,
      style: { "--least": least(false), "--least-wide": least(true) },
      "aria-labelledby": "chairs-title",
    },
    h("h2", { id: "chairs-title", class: "sr-only" }, t("lobby.seats", { count: seated.length })),
    middle(desk, seated.length < max),
    h(
      "ol",
      { class: "lobby-seats" },
      [...all.slice(own), ...all.slice(0, own)].map(({ person, i }, at) => {
        const [near, far] = [narrow[at] ?? OWN_POSITION, wide[at] ?? OWN_POSITION];
        const style = { "--x": near.x, "--y": near.y, "--wx": far.x, "--wy": far.y };
        return person === null ? freeSeat(i, style) : seat(desk, person, style, seated.length);
      }),
    ),
  );
}
