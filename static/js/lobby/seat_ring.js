// @ts-check
// The table of the waiting room, seen from above: the players are spread around it, with one free seat that opens the
// invitation. The middle says what everyone waits for.

import { button, h } from "../lib/virtual_dom.js";
import { formatList, formatNames, formatValue, t } from "../lib/messages.js";
import { addSoftHyphens } from "../lib/soft_hyphens.js";
import { avatar, faceOf, marksOf, wornAt } from "../ui/avatar.js";
import { icon } from "../ui/icons.js";
import { levelSign } from "../ui/level_signs.js";
import { botKinds, botName, changeBotLabel, titleName } from "../events/labels.js";
import { longestWordLength, minRingHeight, seatPositions } from "../table/seats.js";
import { hostAwayNotice } from "../table/waiting.js";
import { loadMonthHats, monthHat, monthText } from "./month_hats.js";
import { roomCodeView } from "./room_link.js";

/** @import { Desk, Person, Room } from "../types.d.ts" */

/** With more seats than this, a narrow or low page shows rows of seats instead of a ring. */
const MOST_IN_NARROW_RING = 10;
/** With more seats than this, a ring is crowded: the seats are smaller. */
const MOST_AT_EASE = 13;
/** Longer names, in characters, take two lines or more. */
const LONG_NAME = 11;
/** The number of letters in a line of a name, and the number of lines for which the ring has room. */
const LINE = { letters: 12, count: 2 };
/** The largest number of people whose names the waiting room shows because they are not ready. */
const MOST_NAMED = 2;
/** The height that the own seat takes from the ring in addition to the other seats, in pixels. */
const SEAT_HEIGHT = { narrow: 64, wide: 96 };
/** The smallest height of a ring with the buttons that add bots, in pixels. */
const BUTTONS_HEIGHT = 370;
/** The position of the own seat, in percent of the felt. */
const OWN_POSITION = { x: 50, y: 100 };
/** The position of a seat at the upper edge has this `y`. */
const UPPER_EDGE = 0;

/** Return the smallest and the largest number of players in the room. @param {Room} room */
function playerRange({ known_cards, min, max }) {
  return known_cards?.players ? [known_cards.players, known_cards.players] : [min, max];
}

/** Tell whether a person need not say that they are ready, or has said so. @param {Room} room @param {Person} person */
function isReady(room, person) {
  return person.bot !== null || person.name === room.host || person.ready;
}

/** Return the names of the people with a seat who are not ready. @param {Room} room */
export function unreadyNames(room) {
  return room.people.filter((person) => person.role === "seated" && !isReady(room, person)).map(({ name }) => name);
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
  const missing = unreadyNames(room);
  if (missing.length > 0) return unreadyText(missing, seated.length, you);
  const alone = seated.every(({ name, bot }) => bot !== null || name === you.name);
  return you.host
    ? t(alone ? "lobby.ready.alone" : "lobby.ready.all")
    : t("lobby.wait", { host: room.host ?? t("lobby.nobody") });
}

/** Tell whether a person has a seat here and is not connected. @param {Person} person */
const isAway = ({ present, bot }) => !present && bot === null;

/**
 * Describe a person: the one or two words below the name, and the rest, which the face and the position show. Screen
 * readers read both.
 * @param {Desk} desk @param {Person} person
 */
function personTexts({ update: { room, you } }, person) {
  const { name, bot, program, ready } = person;
  const host = name === room.host ? t("lobby.host") : "";
  const own = name === you.name ? t("lobby.you") : "";
  const state = bot || host ? "" : t(ready ? "lobby.ready" : "lobby.ready.not_yet");
  const kind = bot ? botName(bot) : program ? t("lobby.program") : "";
  const shown = isAway(person) ? t("seat.away") : kind || (own && host ? t("lobby.you_host") : own || host || state);
  const title = titleName(room.carried_titles[name]?.title);
  return {
    shown,
    also: formatList([title, monthText(name), own, host, kind, state].filter((text) => !shown.includes(text))),
  };
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
    const question = { what: "transfer_host", who: name, from: null };
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

/** @typedef {Record<string, number>} Position of a seat on a narrow and on a wide page, as variables of the style sheet */

/**
 * Return the style of a seat. A seat at an edge of the felt touches it with its own edge, other seats are centred.
 * @param {{ x: number, y: number }} narrow @param {{ x: number, y: number }} wide
 * @returns {Position}
 */
function seatStyle(narrow, wide) {
  const pull = (/** @type {number} */ y) => (y === OWN_POSITION.y ? -100 : y === UPPER_EDGE ? 0 : -50);
  return {
    "--x": narrow.x,
    "--y": narrow.y,
    "--pull": pull(narrow.y),
    "--wx": wide.x,
    "--wy": wide.y,
    "--wide-pull": pull(wide.y),
  };
}

/** Draw a person's seat: bird, name and state. The host can press it. @param {Desk} desk @param {Person} person @param {Position} style @param {number} seated number of people with a seat */
function seat(desk, person, style, seated) {
  const { room, you } = desk.update;
  const { name } = person;
  const ready = isReady(room, person) && !isAway(person);
  const { shown, also } = personTexts(desk, person);
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
    h(
      "span",
      { "data-zone": "name", class: "name", translate: "no", title: monthText(name) || null },
      addSoftHyphens(name),
      monthHat(name),
    ),
    " ",
    h("span", { "data-zone": "about", class: "what" }, addSoftHyphens(shown)),
    also === "" ? null : h("span", { key: "also", "data-zone": "also", class: "sr-only" }, also),
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

/** Draw the free seat. It opens the invitation, for people who have a seat themselves. @param {Desk} desk @param {Position} style */
function freeSeat(desk, style) {
  const invites = desk.update.you.role === "seated";
  const inside = [
    h("span", { class: "perch" }, h("span", { "data-hue": "", class: "avatar empty" }, invites ? icon("plus") : null)),
    h("span", { class: "name" }, t(invites ? "share.heading" : "lobby.free")),
  ];
  return h(
    "li",
    { key: "free", class: "free", style },
    invites
      ? button({ class: "chair", "data-do": "invite", onclick: () => desk.set({ sheet: "invite" }) }, ...inside)
      : h("div", { class: "chair" }, ...inside),
  );
}

/** Draw the host's button to undo the removal of a person from a seat. @param {Desk} desk @param {Person} person */
function undoRemovalRow(desk, { name }) {
  return h(
    "p",
    { key: `unseated ${name}`, class: "in-a-row" },
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

/** Say how many people are typing their name, and how many watch. @param {Room} room */
function othersLine({ joining, spectators }) {
  const said = formatList([
    joining > 0 ? t("lobby.joining", { count: joining }) : "",
    spectators > joining ? t("lobby.watchers", { count: spectators - joining }) : "",
  ]);
  return said === "" ? null : h("p", { key: "others", "data-zone": "others", class: "lobby-others" }, said);
}

/** The numbers that are counted while a match begins. */
const COUNT = [3, 2, 1];

/** Tell whether a match begins: the server waits for the seeds of its first deal, for the first time. @param {Room} room */
const begins = ({ fair }) => fair.closed !== null && fair.cancelled.length === 0;

/** Let the first press end the count. @param {Element} count */
function endAtPress(count) {
  for (const press of ["pointerdown", "keydown"])
    document.addEventListener(press, () => count.classList.add("cut-short"), { once: true });
}

/** Draw the count until the first card is there: the table takes its place. With reduced motion it is a sentence. */
function countdown() {
  return h(
    "div",
    { key: "count", "data-zone": "count", class: "lobby-count", ref: endAtPress },
    h("p", { class: "lobby-status" }, t("lobby.begins")),
    COUNT.map((number) => h("b", { key: String(number), "aria-hidden": "true" }, number)),
  );
}

/** Draw the middle of the table: what everyone waits for, the room code, and what the host can do. @param {Desk} desk @param {boolean} hasFreeSeat */
function middle(desk, hasFreeSeat) {
  const { model, update } = desk;
  const { room, you } = update;
  const waiting = room.people.filter((person) => person.role === "waiting").map((person) => person.name);
  if (begins(room)) return h("div", { key: "middle", class: "lobby-middle" }, countdown());
  return h(
    "div",
    { key: "middle", class: "lobby-middle" },
    (you.host ? null : hostAwayNotice(room)) ??
      h(
        "p",
        { key: "status", "data-zone": "lobby-status", class: "lobby-status" },
        model.rulesChanged ? h("mark", null, t("lobby.rules_changed")) : waitingText(update),
      ),
    othersLine(room),
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

/** Draw the table with the players and one free seat, the own seat at the bottom. @param {Desk} desk */
export function seatRing(desk) {
  const { room, you } = desk.update;
  loadMonthHats(desk);
  const seated = room.people.filter((person) => person.role === "seated");
  const [, max = 0] = playerRange(room);
  const hasFreeSeat = seated.length < max;
  /** @type {(Person | null)[]} */
  const all = hasFreeSeat ? [...seated, null] : seated;
  const own = Math.max(
    0,
    seated.findIndex(({ name }) => name === you.name),
  );
  const others = all.length - 1;
  const narrow = [OWN_POSITION, ...seatPositions(others, false)];
  const wide = [OWN_POSITION, ...seatPositions(others, true)];
  // The buttons that add bots need more space, above all between long names.
  const withButtons = you.host && hasFreeSeat;
  const long = withButtons && seated.some(({ name }) => name.length > LONG_NAME);
  /** @param {boolean} isWide */
  const least = (isWide) => {
    const height = minRingHeight(others, isWide, long) + SEAT_HEIGHT[isWide ? "wide" : "narrow"];
    return Math.max(height, withButtons ? BUTTONS_HEIGHT : 0) / 16;
  };
  const order = [...all.slice(own), ...all.slice(0, own)];
  const upper = order.filter((person, at) => person !== null && narrow[at]?.y === UPPER_EDGE);
  const lines = Math.ceil(longestWordLength(upper.map((person) => person?.name ?? "")) / LINE.letters);
  return h(
    "section",
    {
      key: "chairs",
      "data-zone": "lobby-seats",
      class: `felt lobby-felt${all.length > MOST_IN_NARROW_RING ? " many" : ""}${all.length > MOST_AT_EASE ? " crowded" : ""}`,
      style: {
        "--least": least(false),
        "--least-wide": least(true),
        "--more-lines": lines > LINE.count ? lines - 1 : 0,
      },
      "aria-labelledby": "chairs-title",
    },
    h("h2", { id: "chairs-title", class: "sr-only" }, t("lobby.seats", { count: seated.length })),
    middle(desk, hasFreeSeat),
    h(
      "ol",
      { class: "lobby-seats" },
      order.map((person, at) => {
        const style = seatStyle(narrow[at] ?? OWN_POSITION, wide[at] ?? OWN_POSITION);
        return person === null ? freeSeat(desk, style) : seat(desk, person, style, seated.length);
      }),
    ),
  );
}
