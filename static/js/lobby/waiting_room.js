// @ts-check
// The waiting room before a match: invitation link, seats, bots and the current rules.

import { avatar, faceOf, marksOf, wornAt } from "../ui/avatar.js";
import { levelSign } from "../ui/level_signs.js";
import { button, h } from "../lib/virtual_dom.js";
import { formatNames, formatValue, t } from "../lib/messages.js";
import { rulesInForce } from "../rules/room_rules.js";
import { knownCardsNotice } from "../table/status_badges.js";
import { reclaimHostButton } from "./rejoin_request.js";
import { hostAwayNotice } from "../table/waiting.js";
import { seatQueueControls } from "./join_form.js";
import { canShare, copyText, shareLink } from "../lib/share.js";
import { addBotLabel, botName, titleName } from "../events/labels.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Room} Room */

/** The number of recent log lines in the waiting room. */
const NEWS_LINES = 3;

/**
 * Build the invitation link. The server supplies its start, since a link to localhost fails on other devices.
 * @param {Room} room
 */
export function inviteLink(room) {
  const given = document.getElementById("room")?.dataset.link;
  return new URL(`/j/${room.invite}`, given || location.href).href;
}

/** Draw the room code with spaces between its letters, so that people and screen readers spell it. @param {Room} room */
export function roomCodeView({ code }) {
  const spelt = [...code].join(" ");
  return h(
    "p",
    { key: "code", "data-zone": "code", class: "code", translate: "no" },
    t("share.code"),
    " ",
    h("b", { role: "img", "aria-label": spelt }, spelt),
  );
}

/** Tell whether the link works on this device only, as with localhost. Then a QR code would be useless. */
function isLinkLocalOnly() {
  return document.getElementById("room")?.dataset.hereOnly !== undefined;
}

/** @param {Desk} desk */
function inviteSection(desk) {
  const { room } = desk.update;
  const link = inviteLink(room);
  const copy = async () => {
    if (await copyText(link)) return desk.showNotice(t("share.copied"));
    const field = document.querySelector("#invite-link");
    if (field instanceof HTMLInputElement) field.select();
    desk.showNotice(t("share.select"), true);
  };
  const hand = async () => {
    const text = t("share.text", { game: t(`game.${room.game}`) });
    if (!(await shareLink({ title: t("share.title"), text, url: link }))) await copy();
  };
  return h(
    "section",
    { key: "invite", class: "invite", "aria-labelledby": "invite-title" },
    h("h2", { id: "invite-title" }, t("share.heading")),
    isLinkLocalOnly()
      ? null
      : h(
          "div",
          { "data-zone": "qr", class: "qr" },
          h("img", { src: `/j/${room.invite}/qr.svg`, alt: t("share.qr"), width: 148, height: 148 }),
        ),
    h(
      "div",
      { "data-zone": "share", class: "share" },
      h("p", { class: "quiet" }, t(isLinkLocalOnly() ? "share.here_only" : "share.how")),
      h(
        "label",
        { class: "field" },
        h("span", { class: "sr-only" }, t("share.link")),
        h("input", {
          id: "invite-link",
          readOnly: true,
          value: link,
          onfocus: (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select(),
        }),
      ),
      h(
        "div",
        { class: "buttons" },
        canShare() ? button({ class: "button main", onclick: hand }, t("share.share")) : null,
        button({ class: `button${canShare() ? "" : " main"}`, onclick: copy }, t("share.copy")),
      ),
    ),
  );
}

/** Draw a seated person: bird, name and status. @param {Desk} desk @param {Room["people"][number]} person @param {number} seated count */
function seatRow(desk, person, seated) {
  const { room, you } = desk.update;
  const rank = room.carried_titles[person.name];
  return h(
    "li",
    {
      key: person.name,
      "data-sits": person.name,
      "data-absent": !person.present && !person.bot,
      class: person.present || person.bot ? "" : "absent",
    },
    avatar({
      ...faceOf(room, person.name),
      worn: wornAt(rank?.place, seated),
      ...marksOf(person),
    }),
    h("span", { "data-zone": "name", class: "name", translate: "no" }, person.name),
    h(
      "span",
      { "data-zone": "about", class: "what" },
      [
        titleName(rank?.title),
        person.name === you.name ? t("lobby.you") : "",
        person.name === room.host ? t("lobby.host") : "",
        person.program ? t("lobby.program") : "",
        person.bot ? botName(person.bot) : person.present ? "" : t("seat.away"),
        person.ready && !person.bot && person.name !== room.host ? t("lobby.ready") : "",
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    you.host && person.name !== you.name ? removeButton(desk, person) : null,
  );
}

/** @param {Desk} desk @param {Room["people"][number]} person */
function removeButton(desk, { name, bot }) {
  return button(
    {
      class: "tool",
      "aria-label": t(bot ? "lobby.remove_bot" : "lobby.remove", { name }),
      onclick: () => desk.ask({ t: bot ? "remove_bot" : "remove", name }),
    },
    "✕",
  );
}

/** Draw the host's button to undo the removal of a person from a seat. @param {Desk} desk @param {Room["people"][number]} person */
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

/** Draw the latest log lines. Live regions announce each line when it happens (a11y/live_region.js). @param {Desk} desk */
function recentEvents({ model }) {
  const lines = model.log.slice(-NEWS_LINES);
  return h(
    "section",
    { key: "news", class: "lobby-news", "aria-label": t("lobby.news") },
    h(
      "ul",
      null,
      lines.map(({ id, text }) => h("li", { key: id }, text)),
    ),
  );
}

/** @param {Desk} desk */
function addBotButtons(desk) {
  const bots = desk.catalogue?.bots ?? ["easy"];
  return h(
    "div",
    { class: "buttons" },
    bots.map((kind) =>
      button(
        {
          key: kind,
          class: "button",
          "data-bot": kind,
          onclick: () => desk.ask({ t: "add_bot", kind }),
        },
        levelSign(desk.catalogue?.signs[kind] ?? ""),
        addBotLabel(kind),
      ),
    ),
  );
}

/** @param {Desk} desk */
function seatList(desk) {
  const { room, you } = desk.update;
  const seated = room.people.filter((person) => person.role === "seated");
  const [min, max] = room.known_cards?.players
    ? [room.known_cards.players, room.known_cards.players]
    : [room.min, room.max];
  const waiting = room.people.filter((person) => person.role === "waiting").map((person) => person.name);
  const free = Math.max(0, Math.min(max, Math.max(min, seated.length + 1)) - seated.length);
  return h(
    "section",
    { key: "chairs", "data-zone": "lobby-seats", class: "chairs", "aria-labelledby": "chairs-title" },
    h(
      "h2",
      { id: "chairs-title" },
      t("lobby.seats", { count: seated.length }),
      " ",
      h("small", null, min === max ? t("lobby.exactly", { count: min }) : t("lobby.range", { min, max })),
    ),
    h(
      "ul",
      null,
      seated.map((person) => seatRow(desk, person, seated.length)),
      Array.from({ length: free }, (_, i) =>
        h(
          "li",
          { key: `free${i}`, class: "free" },
          h("span", { "data-hue": "", class: "avatar empty" }),
          h("span", { class: "name" }, t("lobby.free")),
        ),
      ),
    ),
    you.host
      ? room.people
          .filter(({ role, unseated }) => role === "spectator" && unseated)
          .map((person) => undoRemovalRow(desk, person))
      : null,
    you.host && seated.length < max ? addBotButtons(desk) : null,
    waiting.length > 0
      ? h(
          "p",
          { key: "waiting", "data-zone": "waiting", class: "waiting" },
          t(you.host ? "full.host" : "full.waits", { names: formatNames(waiting), count: waiting.length }),
        )
      : null,
    room.spectators > 0 ? h("p", { class: "quiet" }, t("lobby.watchers", { count: room.spectators })) : null,
  );
}

/** @param {Desk} desk */
export function waitingRoom(desk) {
  const { room, you } = desk.update;
  return h(
    "div",
    { key: "lobby", class: "lobby" },
    h(
      "div",
      { "data-zone": "lobby-head", class: "lobby-head" },
      h("h1", null, t(`game.${room.game}`)),
      h("p", null, you.host ? t("lobby.lead.host") : t("lobby.lead", { host: room.host ?? t("lobby.nobody") })),
      roomCodeView(room),
    ),
    recentEvents(desk),
    seatList(desk),
    inviteSection(desk),
    rulesInForce(desk),
  );
}

/** Choose the text above a guest's button: that the rules changed, or that the host starts the match. @param {Desk} desk */
function guestStatusText({ model, update: { room } }) {
  if (model.rulesChanged) return h("mark", null, t("lobby.rules_changed"));
  return t("lobby.wait", { host: room.host ?? t("lobby.nobody") });
}

/** Draw the buttons at the bottom of the waiting room: start for the host, ready for a guest. @param {Desk} desk */
export function waitingRoomActions(desk) {
  const { room, you } = desk.update;
  if (you.role === "waiting")
    return h("div", { key: "lobbybar", "data-zone": "actions", class: "actions" }, seatQueueControls(desk));
  if (!you.host) {
    const me = room.people.find((person) => person.name === you.name);
    return h(
      "div",
      { key: "lobbybar", "data-zone": "actions", class: "actions" },
      knownCardsNotice(room),
      hostAwayNotice(room) ?? h("p", { "data-zone": "question", class: "ask" }, guestStatusText(desk)),
      reclaimHostButton(desk),
      me !== undefined
        ? button(
            {
              key: "ready",
              class: me.ready ? "button" : "button main",
              "data-do": "ready",
              onclick: () => desk.ask({ t: "ready", ready: !me.ready }),
            },
            t(me.ready ? "lobby.ready.not" : "lobby.ready.say"),
          )
        : null,
    );
  }
  return h(
    "div",
    { key: "lobbybar", "data-zone": "actions", class: "actions" },
    knownCardsNotice(room),
    room.can_start
      ? null
      : h(
          "p",
          { key: "why", "data-zone": "question", class: "ask" },
          room.start_blocked ? formatValue(room.start_blocked) : "",
        ),
    button(
      {
        key: "start",
        class: "button main",
        "data-do": "start",
        disabled: !room.can_start,
        onclick: () => desk.ask({ t: "start" }),
      },
      t("lobby.start"),
    ),
  );
}
