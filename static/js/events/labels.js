// @ts-check
// Pure: what plays, kinds, titles and bots of any game are called, through the catalogue.

import { rankName } from "../model/card_names.js";
import { hasMessage, formatNames, formatValue, t } from "../lib/messages.js";

/** A kind of combination in words. @param {string | null | undefined} kind */
export function kindName(kind) {
  if (!kind) return "";
  return hasMessage(`kind.${kind}`) ? t(`kind.${kind}`) : kind.replaceAll("_", " ");
}

/** What somebody is called by their place, unless the host made it up. @param {string | null | undefined} title */
export function titleName(title) {
  if (!title) return "";
  return hasMessage(`title.${title}`) ? t(`title.${title}`) : title;
}

/**
 * What a player has: what the game counts (such as dimes), or points.
 * @param {Pick<import("../types.d.ts").Table, "players" | "tally">} table
 * @param {string} name
 * @returns {string} empty if nobody has points, as in games without them
 */
export function scoreText({ players, tally }, name) {
  const player = players[name];
  if (player?.counter) return formatValue(player.counter.text);
  const some = Object.values(players).some(({ total }) => total !== 0);
  return some && (tally === null || tally.points) ? t("me.points", { count: player?.total ?? 0 }) : "";
}

/** What a wild card or a run stands for. @param {string} as */
export function standsForName(as) {
  return as.length === 1 ? rankName(as) : as.replaceAll("_", " ");
}

/** What was called. @param {string} call */
export function callName(call) {
  return hasMessage(`call.${call}`) ? t(`call.${call}`) : call;
}

/** What somebody has to give. @param {import("../types.d.ts").Owes} gift */
export function owedGiftText({ which, count, to }) {
  return t(`owes.${which}`, { count, to });
}

/** What came of a hand, in a sentence. @param {import("../types.d.ts").Table} table @param {boolean} over whether the match is */
export function outcomeText({ tally, winners, number }, over) {
  if (over && winners.length > 0) return t("result.match", { names: formatNames(winners), count: winners.length });
  return tally?.told ? formatValue(tally.told) : t("result.title", { number });
}

/** What a kind of bot is called among people. @param {string} kind */
export function botName(kind) {
  return hasMessage(`bot.${kind}`) ? t(`bot.${kind}`) : t("bot.unknown", { kind });
}

/** Asking for a bot of a kind. @param {string} kind */
export function addBotLabel(kind) {
  return hasMessage(`bot.add.${kind}`) ? t(`bot.add.${kind}`) : t("bot.add.unknown", { kind });
}

/** Having a bot play as another kind does. @param {string} kind */
export function changeBotLabel(kind) {
  return hasMessage(`bot.become.${kind}`) ? t(`bot.become.${kind}`) : t("bot.become.unknown", { kind });
}

const SETS = new Set(["single", "pair", "triple", "four", "five", "six", "seven", "eight"]);

/**
 * What a play counts as, where its cards don't show it: wild cards, mostly.
 * @param {import("../types.d.ts").GameEvent | import("../types.d.ts").Play} play
 * @returns {string} empty if there is nothing to say
 */
export function standsForText(play) {
  if (typeof play.as !== "string" || typeof play.cards !== "string" || !SETS.has(String(play.kind))) return "";
  const as = play.as;
  return play.cards.split(" ").some((card) => card[0] !== as) ? standsForName(as) : "";
}
