// @ts-check
// Pure: how long a word to the person stays. What is well said goes when it has been read; a refusal stays until
// something else happens, but long enough to be read in any case.

/** @typedef {import("../types.d.ts").Notice} Notice */
/** @typedef {import("../types.d.ts").Update} Update */

const SHORTEST = 3500;
const PER_CHARACTER = 70;
/** Where there is a rule to be followed to. */
const WITH_RULE = 12000;

/**
 * What a refusal is about, as one text: when it changes, something else has happened.
 * @param {Update | null} update
 */
export function situationKey(update) {
  if (update === null) return "";
  const { room, table } = update;
  return JSON.stringify([room.phase, room.why_not, table?.number, table?.phase, table?.to_act]);
}

/**
 * @param {{ id: number, text: string, bad: boolean, rule: Notice["rule"] }} said
 * @param {Update | null} update the moment in which it is said
 * @param {number} now milliseconds
 * @returns {Notice}
 */
export function createNotice({ id, text, bad, rule }, update, now) {
  const read = now + Math.max(rule === null ? SHORTEST : WITH_RULE, text.length * PER_CHARACTER);
  return { id, text, bad, rule, read, about: bad ? situationKey(update) : null };
}

/**
 * What is left of a notice.
 * @param {Notice | null} said
 * @param {Update | null} update as things are now
 * @param {number} now
 * @returns {Notice | null}
 */
export function activeNotice(said, update, now) {
  if (said === null) return null;
  const over = said.about === null || said.about !== situationKey(update);
  return over && now >= said.read ? null : said;
}
