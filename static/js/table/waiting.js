// @ts-check
// Nobody waits for one person: who is waited for and how long already, who is away and what comes of it, and the
// buttons of those who may let a bot play.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { isMyTurn } from "../model/state.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Room} Room */

/**
 * Who is to act and is away, or has been waited for too long; whoever keeps the others longest comes first.
 * @param {Update} update
 * @param {number} now by the server's clock, epoch milliseconds
 * @returns {{ name: string, since: number, botAt: number | null }[]}
 */
export function latePlayers({ room }, now) {
  return Object.entries(room.waits)
    .map(([name, since]) => ({ name, since, botAt: room.away[name] ?? null }))
    .filter(({ since, botAt }) => botAt !== null || now >= since + room.clock.patience * 1000)
    .sort((one, other) => one.since - other.since);
}

/**
 * When somebody will have been waited for too long, or one may do something about it, though nothing else happens:
 * the picture is drawn anew then.
 * @param {Update} update
 * @param {number} now
 * @returns {number | null} by the server's clock
 */
export function nextWaitingChange(update, now) {
  const { room } = update;
  const waited = Object.entries(room.waits);
  const times = waited.flatMap(([name, since]) => [since + room.clock.patience * 1000, botAllowedFrom(update, name)]);
  const links = room.people.flatMap(({ link_from: from }) => (from === null ? [] : [from]));
  const next = Math.min(...[...times, ...links].filter((at) => at > now));
  return Number.isFinite(next) ? next : null;
}

/**
 * From when on one may let a bot play for somebody, by the server's clock; Infinity: not as things are.
 * @param {Update} update
 * @param {string} name
 */
export function botAllowedFrom({ room, you }, name) {
  const patience = you.helps && name !== you.name ? room.helps[you.helps][name] : undefined;
  if (patience === undefined) return Infinity;
  return patience === 0 ? 0 : (room.waits[name] ?? Infinity) + patience;
}

/** Draw for whom all wait and how long, then the buttons of a player who may help; empty: nobody keeps the others waiting. @param {Desk} desk */
export function waitingNotice({ update, model, ask }) {
  const { room } = update;
  if (room.phase !== "playing" || isMyTurn(update)) return [];
  const now = Date.now() + model.offset;
  const one = latePlayers(update, now)[0];
  if (one === undefined) return [];
  const { name, since, botAt } = one;
  const may = botAllowedFrom(update, name) <= now;
  /** @param {string} key @param {boolean} seat @param {string} text */
  const offer = (key, seat, text) =>
    button(
      {
        key,
        class: "button",
        "data-ask": "let_bot_play",
        "data-seat": String(seat),
        onclick: () => ask({ t: "let_bot_play", name, seat }),
      },
      text,
    );
  return [
    botAt === null
      ? h("p", {
          key: `waits${name}`,
          "data-zone": "waits",
          class: "turn-line waits",
          "data-since": since,
          "data-key": "wait.long",
          "data-name": name,
        })
      : h("p", {
          key: `away${name}`,
          "data-zone": "waits",
          class: "turn-line waits",
          "data-until": botAt,
          "data-key": "wait.away",
          "data-name": name,
        }),
    may && botAt === null ? offer("bot-turn", false, t("wait.bot.turn")) : null,
    may ? offer("bot-seat", true, botAt === null ? t("wait.bot.seat", { name }) : t("wait.bot.now")) : null,
  ].filter((part) => part !== null);
}

/** For whoever keeps the others waiting: how long it has been. @param {Desk} desk */
export function ownDelayNotice({ update, model }) {
  const { room, you } = update;
  const mine = latePlayers(update, Date.now() + model.offset).find(({ name }) => name === you.name);
  // Where there is a clock, it says enough.
  if (mine === undefined || you.name === null || room.deadlines[you.name] !== undefined) return null;
  return h("span", {
    key: "my-wait",
    "data-zone": "my-wait",
    class: "my-wait",
    "data-since": mine.since,
    "data-key": "wait.me",
  });
}

/** When somebody else will have the powers of a host who is away. @param {Room} room */
export function hostAwayNotice(room) {
  if (room.host_at === null || room.host === null) return null;
  return h("p", {
    key: "host-away",
    "data-zone": "question",
    class: "ask quiet",
    "data-until": room.host_at,
    "data-key": "wait.host",
    "data-name": room.host,
  });
}
