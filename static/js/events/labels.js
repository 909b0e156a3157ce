// @ts-check
// Pure: labels for plays, kinds, titles and bots of any game, from the message catalogue.

import { rankName } from "../model/card_names.js";
import { splitCards } from "../model/card_selection.js";
import { formatList, hasMessage, formatValue, t } from "../lib/messages.js";

/** Return the text of a key, or another text if the catalogue lacks the key. @param {string} key @param {string} text */
const known = (key, text) => (hasMessage(key) ? t(key) : text);

/** Return the name of a kind of combination. @param {string | null | undefined} kind */
export function kindName(kind) {
  if (!kind) return "";
  return known(`kind.${kind}`, kind.replaceAll("_", " "));
}

/** Return the translated title of a player, or the host's own title as it is. @param {string | null | undefined} title */
export function titleName(title) {
  return title ? known(`title.${title}`, title) : "";
}

/** Return a title as narrow places show it, with soft hyphens in its long words. @param {string} title */
export const titleShown = (title) => known(`shown.${title}`, title);

/**
 * Return a player's score: the game's own counter (such as dimes), or points.
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

/** Say how chosen cards count: as a rank, or as a kind up to a rank if a set has that rank. @param {string} as */
export function readingText(as) {
  const [kind = "", rank] = as.split(" ");
  if (rank === undefined) return t("choice.as", { as: rankName(kind) });
  const key = `choice.as.${kind}`;
  if (hasMessage(key)) return t(key, { as: rankName(rank) });
  return t("choice.as", { as: formatList([kindName(kind), rankName(rank)]) });
}

/** Return the name of an announced call. @param {string} call */
export function callName(call) {
  return known(`call.${call}`, call);
}

/** Describe the cards that a player still has to give. @param {import("../types.d.ts").Owes} gift */
export function owedGiftText({ which, count, to }) {
  return t(`owes.${which}`, { count, to });
}

/** Return the levels of bots that the server offers. @param {import("../types.d.ts").Catalogue | null} catalogue null before it is fetched */
export const botKinds = (catalogue) => catalogue?.bots ?? ["easy"];

/** Return the name of a bot level. @param {string} kind */
export function botName(kind) {
  return known(`bot.${kind}`, t("bot.unknown", { kind }));
}

/** Return the label of the button that adds a bot of a level. @param {string} kind */
export function addBotLabel(kind) {
  return known(`bot.add.${kind}`, t("bot.add.unknown", { kind }));
}

/** Return the label of the button that changes a bot's level. @param {string} kind */
export function changeBotLabel(kind) {
  return known(`bot.become.${kind}`, t("bot.become.unknown", { kind }));
}

const SETS = new Set(["single", "pair", "triple", "four", "five", "six", "seven", "eight"]);

/**
 * Return the rank that a set counts as, if its cards don't show it (mostly because of wild cards).
 * @param {import("../types.d.ts").GameEvent | import("../types.d.ts").Play} play
 * @returns {string} empty if there is nothing to say
 */
export function standsForText(play) {
  const { as, cards } = play;
  if (typeof as !== "string" || as === "" || typeof cards !== "string" || !SETS.has(String(play.kind))) return "";
  return cards.split(" ").some((card) => card[0] !== as) ? rankName(as) : "";
}

/** Return the question before a play. @param {import("../types.d.ts").Action} action @param {(cards: string[]) => string} named formats cards as text */
export function confirmationText(action, named) {
  return t("menu.sure", { what: t(`action.${action.do}`, { cards: named(splitCards(action.cards)) }) });
}
