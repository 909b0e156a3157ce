// @ts-check
// Pure: sentences for the events of any game, from the message catalogue.

import { cardsText, rankName } from "../model/card_names.js";
import { botText, hasMessage, formatNames, t } from "../lib/messages.js";
import { callName, kindName, standsForText, titleName } from "./labels.js";

/** @import { GameEvent } from "../types.d.ts" */

/** @typedef {(cards: string) => string} Namer turns card codes into text */

/** @param {string} name @param {unknown} value @param {Namer} cards @returns {string} */
function formatField(name, value, cards) {
  if (value === null || value === undefined) return "";
  if (typeof value === "object" && !Array.isArray(value)) return "";
  if (name === "cards" || name === "card" || name === "taken" || name === "given")
    return cards(/** @type {string} */ (value));
  if (name === "rank" || name === "have" || name === "want" || name === "claim") return rankName(String(value));
  if (name === "ranks") return formatNames([...String(value)].map(rankName));
  if (name === "text") return botText(String(value));
  if (name === "title" || name === "before" || name === "after") return titleName(String(value));
  if (name === "kind") return kindName(String(value));
  if (name === "call") return callName(String(value));
  if (Array.isArray(value))
    return formatNames(value.map((each) => (Array.isArray(each) ? formatNames(each.map(String)) : String(each))));
  return String(value);
}

/**
 * Return the sentence of an event for the reader `me`.
 * @param {GameEvent} event
 * @param {string | null} me
 * @param {Namer} [cards]
 * @returns {string} empty if there is nothing to say
 */
export function eventSentence(event, me, cards = cardsText) {
  /** @type {Record<string, string>} */
  const values = {};
  for (const [name, value] of Object.entries(event)) values[name] = formatField(name, value, cards);
  if ("as" in event) values.as = standsForText(event);
  // It is expected that the winner of a trick leads.
  if (event.leads === event.by) values.leads = "";
  // Cards listed by player are shown on the table only.
  if (typeof event.cards === "object" && !Array.isArray(event.cards)) values.cards = "";
  const count =
    typeof event.count === "number"
      ? event.count
      : typeof event.cards === "string"
        ? event.cards.split(" ").length
        : undefined;
  const all = count === undefined ? values : { ...values, count };
  const base = `event.${event.e}`;
  // Choose the most specific wording in the catalogue. Later fields of an event are more specific.
  const told = Object.keys(values)
    .filter((name) => values[name] !== "")
    .reverse();
  const wordings = [
    ...(event.by === me && me !== null ? [...told.map((name) => `you_${name}`), "you"] : []),
    ...(me === null
      ? []
      : Object.keys(event)
          .filter((name) => event[name] === me)
          .map((name) => `${name}_you`)),
    ...told,
  ];
  for (const wording of wordings) if (hasMessage(`${base}.${wording}`)) return t(`${base}.${wording}`, all);
  if (hasMessage(base)) return t(base, all);
  const what = event.e.replaceAll("_", " ");
  return event.by === undefined ? t("log.unknown", { what }) : t("log.unknown.by", { what, by: event.by });
}

/**
 * Return the tone of an event, for its look in the log and its sound. By default, events caused by a rule are notable.
 * @param {GameEvent} event
 * @param {Record<string, string>} prominence by event type, where the game declares a tone
 */
export function eventTone(event, prominence) {
  return prominence[event.e] ?? (event.cause === undefined ? "plain" : "notable");
}
