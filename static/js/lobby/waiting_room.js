// @ts-check
// The waiting room before a match: the table with its seats, invitation, rules, reactions and the main button.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { reactionButtons } from "../chat/stickers.js";
import { rulesInForce } from "../rules/room_rules.js";
import { knownCardsNotice } from "../table/status_badges.js";
import { seatQueueControls } from "./join_form.js";
import { reclaimHostButton } from "./rejoin_request.js";
import { inviteQrCode, inviteSection } from "./room_link.js";
import { seatRing, unreadyNames } from "./seat_ring.js";

/** @import { Desk } from "../types.d.ts" */

/** The number of recent log lines in the waiting room. */
const NEWS_LINES = 3;
/** The number of reactions that are always visible; the chat has all of them. */
const REACTIONS_SHOWN = 6;

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
export function waitingRoom(desk) {
  return h(
    "div",
    { key: "lobby", class: "lobby" },
    seatRing(desk),
    h(
      "div",
      { class: "lobby-side" },
      inviteSection(desk),
      rulesInForce(desk),
      inviteQrCode(desk.update.room),
      recentEvents(desk),
    ),
  );
}

/** Start the match. While people are not ready, ask the host first, until they have said yes once. @param {Desk} desk */
function start(desk) {
  const { model, update } = desk;
  if (model.startsUnready || unreadyNames(update.room).length === 0) return desk.ask({ t: "start" });
  /** @type {import("../menu/question_sheet.js").Question} */
  const question = { what: "start", from: null };
  return desk.set({ sheet: "question", form: { ...model.form, question } });
}

/** Draw the main button: start for the host, ready for a guest. @param {Desk} desk */
function mainButton(desk) {
  const { room, you } = desk.update;
  if (you.host)
    return button(
      {
        key: "start",
        class: "button main",
        "data-do": "start",
        disabled: !room.can_start,
        onclick: () => start(desk),
      },
      t("lobby.start"),
    );
  const me = room.people.find((person) => person.name === you.name);
  if (me === undefined) return null;
  return button(
    {
      key: "ready",
      class: me.ready ? "button" : "button main",
      "data-do": "ready",
      onclick: () => desk.ask({ t: "ready", ready: !me.ready }),
    },
    t(me.ready ? "lobby.ready.not" : "lobby.ready.say"),
  );
}

/** Draw the bottom of the waiting room: reactions and the main button, or the choice of a bot's seat. @param {Desk} desk */
export function waitingRoomActions(desk) {
  const { room, you } = desk.update;
  return h(
    "div",
    { key: "lobbybar", "data-zone": "actions", class: "actions" },
    reactionButtons(desk, REACTIONS_SHOWN),
    you.role === "waiting"
      ? seatQueueControls(desk)
      : [knownCardsNotice(room), you.host ? null : reclaimHostButton(desk), mainButton(desk)],
  );
}
