// @ts-check
// Dry remarks on great moments, for the log and the television. They follow from public events only, and each
// page chooses the same variant, because the choice depends on the hand and the player.

import { hasMessage, t } from "../lib/messages.js";
import { getPreference } from "../lib/preferences.js";
import { cardMovesOf } from "../model/card_moves.js";

/** @import { GameEvent, Motion, Table } from "../types.d.ts" */
/**
 * What a page remembers of a hand: passes in a row by player, and the number of jokers played.
 * @typedef {{ hand: number, passes: Record<string, number>, jokers: number }} Memory
 */
/** @typedef {{ kind: string, name: string }} Remark */

/** This many passes in a row, and this many jokers, deserve a remark. */
const MANY_PASSES = 4;
const BOTH_JOKERS = 2;

/**
 * Return the memory after an event, and the remarks on it.
 * @param {Memory | undefined} before
 * @param {GameEvent} event
 * @param {number} hand
 * @param {Record<string, Motion>} animations
 * @returns {{ memory: Memory, remarks: Remark[] }}
 */
export function hearEvent(before, event, hand, animations) {
  const memory = before?.hand === hand ? before : { hand, passes: {}, jokers: 0 };
  const { passes, jokers } = memory;
  const name = typeof event.by === "string" ? event.by : "";
  const declared = animations[event.e]?.remark;
  if (declared === "passes") {
    const count = (passes[name] ?? 0) + 1;
    return {
      memory: { ...memory, passes: { ...passes, [name]: count } },
      remarks: count === MANY_PASSES ? [{ kind: declared, name }] : [],
    };
  }
  /** @type {Remark[]} */
  const remarks = declared === undefined ? [] : [{ kind: declared, name }];
  const played = cardMovesOf([event], animations)
    .flat()
    .filter(({ to }) => to.where === "table")
    .flatMap(({ cards }) => cards);
  if (played.length === 0) return { memory, remarks };
  const sum = jokers + played.filter((card) => card.startsWith("X")).length;
  if (jokers < BOTH_JOKERS && sum >= BOTH_JOKERS) remarks.push({ kind: "jokers", name });
  return { memory: { ...memory, passes: { ...passes, [name]: 0 }, jokers: sum }, remarks };
}

/**
 * Return remarks on players who have played all cards but one with these events.
 * @param {GameEvent[]} events @param {Table | null} table after them @param {Record<string, Motion>} animations
 * @returns {Remark[]}
 */
export function lastCardRemarks(events, table, animations) {
  const players = new Set(
    events.filter(({ e }) => animations[e]?.paths?.some(([, to]) => to === "table")).map(({ by }) => by ?? ""),
  );
  return [...players]
    .filter((name) => table?.middle === "trick" && table.players[name]?.cards === 1)
    .map((name) => ({ kind: "last_card", name }));
}

/** Return a number that depends only on a text. @param {string} text */
function hash(text) {
  return [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7);
}

/** Preference of the viewer: "on" or "off". */
export const VOICE_PREFERENCE = "voice";

/** Whether remarks are on; the default is on. */
export const isVoiceOn = () => getPreference(VOICE_PREFERENCE, "on") === "on";

/** Return the sentence of a remark, one of those that this language has; "" without any. @param {Remark} remark @param {number} hand */
export function remarkText({ kind, name }, hand) {
  let count = 0;
  while (hasMessage(`voice.${kind}.${count + 1}`)) count += 1;
  return count === 0 ? "" : t(`voice.${kind}.${1 + (hash(`${kind} ${hand} ${name}`) % count)}`, { name });
}
