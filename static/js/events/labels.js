// @ts-check
// Pure: what plays, kinds, titles and bots of any game are called, through the catalogue.

import { rankName } from "../model/card_names.js";
import { has, list, shown, t } from "../lib/messages.js";

/** A kind of combination in words. @param {string | null | undefined} kind */
export function kindName(kind) {
  if (!kind) return "";
  return has(`kind.${kind}`) ? t(`kind.${kind}`) : kind.replaceAll("_", " ");
}

/** What somebody is called by their place, unless the host made it up. @param {string | null | undefined} title */
export function titleName(title) {
  if (!title) return "";
  return has(`title.${title}`) ? t(`title.${title}`) : title;
}

/**
 * What a player has: what the game counts (such as dimes), or points.
 * @param {Pick<import("../types.d.ts").Table, "players" | "tally">} table
 * @param {string} name
 * @returns {string} empty if nobody has points, as in games without them
 */
export function scoreWords({ players, tally }, name) {
  const player = players[name];
  if (player?.counter) return shown(player.counter.text);
  const some = Object.values(players).some(({ total }) => total !== 0);
  return some && (tally === null || tally.points) ? t("me.points", { count: player?.total ?? 0 }) : "";
}

/** What a wild card or a run stands for. @param {string} as */
export function asName(as) {
  return as.length === 1 ? rankName(as) : as.replaceAll("_", " ");
}

/** What was called. @param {string} call */
export function callName(call) {
  return has(`call.${call}`) ? t(`call.${call}`) : call;
}

/** What somebody has to give. @param {import("../types.d.ts").Owes} gift */
export function owing({ which, count, to }) {
  return t(`owes.${which}`, { count, to });
}

/** What came of a hand, in a sentence. @param {import("../types.d.ts").Table} table @param {boolean} over whether the match is */
export function outcome({ tally, winners, number }, over) {
  if (over && winners.length > 0) return t("result.match", { names: list(winners), count: winners.length });
  return tally?.told ? shown(tally.told) : t("result.title", { number });
}

/** What a kind of bot is called among people. @param {string} kind */
export function botName(kind) {
  return has(`bot.${kind}`) ? t(`bot.${kind}`) : t("bot.unknown", { kind });
}

/** Asking for a bot of a kind. @param {string} kind */
export function addBot(kind) {
  return has(`bot.add.${kind}`) ? t(`bot.add.${kind}`) : t("bot.add.unknown", { kind });
}

/** Having a bot play as another kind does. @param {string} kind */
export function becomeBot(kind) {
  return has(`bot.become.${kind}`) ? t(`bot.become.${kind}`) : t("bot.become.unknown", { kind });
}

const SETS = new Set(["single", "pair", "triple", "four", "five", "six", "seven", "eight"]);

/**
 * What a play counts as, where its cards don't show it: wild cards, mostly.
 * @param {import("../types.d.ts").GameEvent | import("../types.d.ts").Play} play
 * @returns {string} empty if there is nothing to say
 */
export function standsFor(play) {
  if (typeof play.as !== "string" || typeof play.cards !== "string" || !SETS.has(String(play.kind))) return "";
  const as = play.as;
  return play.cards.split(" ").some((card) => card[0] !== as) ? asName(as) : "";
}
