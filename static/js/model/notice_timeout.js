// @ts-check
// Pure: decides when a notice disappears. A confirmation disappears after its reading time. A refusal also stays until
// the situation changes.

/** @import { Notice, Update } from "../types.d.ts" */

const SHORTEST = 3500;
const PER_CHARACTER = 70;
/** Shortest time, in ms, for a notice that links to a rule. */
const WITH_RULE = 12000;

/**
 * Return a key for the situation at the table. A refusal is out of date when the key changes.
 * @param {Update | null} update
 */
function situationKey(update) {
  if (update === null) return "";
  const { room, table } = update;
  return JSON.stringify([room.phase, room.start_blocked_text, table?.number, table?.phase, table?.to_act]);
}

/**
 * Create a notice with the time until which it must stay readable.
 * @param {{ id: number, text: string, bad: boolean, rule: Notice["rule"] }} said
 * @param {Update | null} update the current update
 * @param {number} now milliseconds
 * @returns {Notice}
 */
export function createNotice({ id, text, bad, rule }, update, now) {
  const read = now + Math.max(rule === null ? SHORTEST : WITH_RULE, text.length * PER_CHARACTER);
  return { id, text, bad, rule, read, about: bad ? situationKey(update) : null };
}

/**
 * Return the notice, or null if its time is over.
 * @param {Notice | null} said
 * @param {Update | null} update the current update
 * @param {number} now milliseconds
 * @returns {Notice | null}
 */
export function activeNotice(said, update, now) {
  if (said === null) return null;
  const over = said.about === null || said.about !== situationKey(update);
  return over && now >= said.read ? null : said;
}
