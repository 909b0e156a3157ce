// @ts-check
// Pure: what happened, in words. Events of any game become sentences through the catalogue.

import { cardsText, rankName } from "./cards.js";
import { has, list, shown, t } from "./messages.js";

/** @typedef {import("./types.d.ts").GameEvent} GameEvent */

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

/** What a wild card or a run stands for. @param {string} as */
export function asName(as) {
  return as.length === 1 ? rankName(as) : as.replaceAll("_", " ");
}

/** What was called. @param {string} call */
export function callName(call) {
  return has(`call.${call}`) ? t(`call.${call}`) : call;
}

/** What somebody has to give. @param {import("./types.d.ts").Owes} gift */
export function owing({ which, count, to }) {
  return t(`owes.${which}`, { count, to });
}

/** What came of a hand, in a sentence. @param {import("./types.d.ts").Table} table @param {boolean} over whether the match is */
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
 * @param {GameEvent | import("./types.d.ts").Play} play
 * @returns {string} empty if there is nothing to say
 */
export function standsFor(play) {
  if (typeof play.as !== "string" || typeof play.cards !== "string" || !SETS.has(String(play.kind))) return "";
  const as = play.as;
  return play.cards.split(" ").some((card) => card[0] !== as) ? asName(as) : "";
}

/** @typedef {(cards: string) => string} Namer how cards are told */

/** @param {string} name @param {unknown} value @param {Namer} cards @returns {string} */
function worded(name, value, cards) {
  if (value === null || value === undefined) return "";
  if (typeof value === "object" && !Array.isArray(value)) return "";
  if (name === "cards" || name === "card" || name === "taken" || name === "given")
    return cards(/** @type {string} */ (value));
  if (name === "rank" || name === "have" || name === "want" || name === "claim") return rankName(String(value));
  if (name === "ranks") return list([...String(value)].map(rankName));
  if (name === "title") return titleName(String(value));
  if (name === "kind") return kindName(String(value));
  if (name === "call") return callName(String(value));
  if (name === "as") return asName(String(value));
  if (Array.isArray(value))
    return list(value.map((each) => (Array.isArray(each) ? list(each.map(String)) : String(each))));
  return String(value);
}

/**
 * The sentence of an event, as told to `me`.
 * @param {GameEvent} event
 * @param {string | null} me
 * @param {Namer} [cards]
 * @returns {string} empty if there is nothing to say
 */
export function sentence(event, me, cards = cardsText) {
  /** @type {Record<string, string>} */
  const values = {};
  for (const [name, value] of Object.entries(event)) values[name] = worded(name, value, cards);
  if ("as" in event) values.as = standsFor(event);
  // Whose card it is goes without saying, and cards by name are for the table to show.
  if (typeof event.cards === "object" && !Array.isArray(event.cards)) values.cards = "";
  const count =
    typeof event.count === "number"
      ? event.count
      : typeof event.cards === "string"
        ? event.cards.split(" ").length
        : undefined;
  const all = count === undefined ? values : { ...values, count };
  const base = `event.${event.e}`;
  // The most particular wording that it was declared with; of what it has to say, the last is the most particular.
  const told = Object.keys(values)
    .filter((name) => values[name] !== "")
    .reverse();
  const wordings = [
    ...(event.by === me && me !== null ? [...told.map((name) => `you_${name}`), "you"] : []),
    ...(event.to === me && me !== null ? ["to_you"] : []),
    ...told,
  ];
  for (const wording of wordings) if (has(`${base}.${wording}`)) return t(`${base}.${wording}`, all);
  if (has(base)) return t(base, all);
  const what = event.e.replaceAll("_", " ");
  return event.by === undefined ? t("log.unknown", { what }) : t("log.unknown.by", { what, by: event.by });
}

/**
 * How loud an event is: for the log's look, and for sounds. What a rule has caused stands out.
 * @param {GameEvent} event
 * @param {Record<string, string>} tones of those that have one of their own
 */
export function toneOf(event, tones) {
  return tones[event.e] ?? (event.cause === undefined ? "plain" : "notable");
}
