// @ts-check
// Draws notices about late and absent players with the time that others have waited, and the buttons to let a bot play
// for them.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { isMyTurn } from "../model/state.js";

/** @import { Desk, Room, Update } from "../types.d.ts" */

/**
 * Return the players who have to act and are away or over the room's patience, longest wait first.
 * @param {Update} update
 * @param {number} now by the server's clock, epoch milliseconds
 * @returns {{ name: string, since: number, botAt: number | null }[]}
 */
export function latePlayers({ room }, now) {
  return Object.entries(room.waiting_since)
    .map(([name, since]) => ({ name, since, botAt: room.bot_takes_over_at[name] ?? null }))
    .filter(({ since, botAt }) => botAt !== null || now >= since + room.clock.patience * 1000)
    .sort((one, other) => one.since - other.since);
}

/**
 * Return the next time at which notices about late players or lost connections change without an update. The page has to
 * be drawn again then.
 * @param {Update} update
 * @param {number} now by the server's clock, epoch milliseconds
 * @returns {number | null} by the server's clock; null if no change is due
 */
export function nextWaitingChange(update, now) {
  const { room } = update;
  const waited = Object.entries(room.waiting_since);
  const times = waited.flatMap(([name, since]) => [since + room.clock.patience * 1000, botAllowedFrom(update, name)]);
  const links = room.people.flatMap(({ link_allowed_from: from }) => (from === null ? [] : [from]));
  const next = Math.min(...[...times, ...links].filter((at) => at > now));
  return Number.isFinite(next) ? next : null;
}

/**
 * Return the time from which this player may let a bot play for another, by the server's clock; Infinity if never.
 * @param {Update} update
 * @param {string} name of the other player
 */
export function botAllowedFrom({ room, you }, name) {
  const patience =
    you.let_bot_play_as && name !== you.name ? room.let_bot_play_after[you.let_bot_play_as][name] : undefined;
  if (patience === undefined) return Infinity;
  return patience === 0 ? 0 : (room.waiting_since[name] ?? Infinity) + patience;
}

/**
 * Draw a notice about the player who is late by the most, then buttons to let a bot play; empty if no player is late.
 * @param {Desk} desk
 */
export function waitingNotice({ update, model, ask }) {
  const { room } = update;
  if (room.phase !== "playing" || isMyTurn(update)) return [];
  const now = Date.now() + model.offset;
  // In a secret exchange, players who have chosen still count as choosing.
  const one = latePlayers(update, now).find((late) => late.name !== update.you.name);
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

/** Draw the time that the others have waited for this player; null if the player is not late. @param {Desk} desk */
export function ownDelayNotice({ update, model }) {
  const { room, you } = update;
  if (!isMyTurn(update)) return null;
  const mine = latePlayers(update, Date.now() + model.offset).find(({ name }) => name === you.name);
  // A clock already shows the remaining time.
  if (mine === undefined || you.name === null || room.deadlines[you.name] !== undefined) return null;
  return h("span", {
    key: "my-wait",
    "data-zone": "my-wait",
    class: "my-wait",
    "data-since": mine.since,
    "data-key": "wait.me",
  });
}

/** Draw the time at which an absent host is replaced; null if the host is present. @param {Room} room */
export function hostAwayNotice(room) {
  if (room.host_transfer_at === null || room.host === null) return null;
  return h("p", {
    key: "host-away",
    "data-zone": "question",
    class: "ask quiet",
    "data-until": room.host_transfer_at,
    "data-key": "wait.host",
    "data-name": room.host,
  });
}
