// @ts-check
// Pure: what the people of a room are called. A match holds its players to the names that they came under: by those rules,
// log and record know them. Who is called otherwise by now is read so all over the page, and what the page asks of the
// room means them by the name that the match has.

/** @typedef {import("./types.d.ts").Person} Person */
/** @typedef {import("./types.d.ts").Room} Room */
/** @typedef {import("./types.d.ts").Update} Update */
/** @typedef {ReadonlyMap<string, string>} Names what each is called, by the name that a match has */

/** Names that can't be taken for a rank, cards, a code, or any word of the wire: of others a page goes on reading the old one. */
const NO_WORD_OF_OURS = /^\p{Lu}\p{Ll}{2}|^[^\p{ASCII}]{2}/u;
/** Under these there are titles, what people wrote, and names that are no longer theirs. */
const AS_IT_IS = new Set(["title", "text", "before"]);
/** Under these a page says whom it means. */
const MEANT = new Set(["name", "to", "first"]);

/** Who is called what by now. @param {Room} room @returns {Names} */
export function names({ people, known }) {
  // Who sits in somebody's chair in a variation plays as them.
  if (known?.how === "variation") return new Map();
  const taken = new Set(people.map(({ name }) => name));
  const others = people.filter(({ name, called }) => called !== null && !taken.has(called) && NO_WORD_OF_OURS.test(name));
  return new Map(others.map(({ name, called }) => [name, String(called)]));
}

/**
 * What a server tells, with everybody called as they are.
 * @template T
 * @param {T} told
 * @param {Names} called
 * @returns {T}
 */
export function read(told, called) {
  return called.size === 0 ? told : renamed(told, called);
}

/** A room's picture, with everybody called as they are. @param {Update} update @param {Names} called @returns {Update} */
export function readUpdate(update, called) {
  if (called.size === 0) return update;
  const all = read(update, called);
  const people = update.room.people.map(({ name }, i) => {
    const person = /** @type {Person} */ (all.room.people[i]);
    return called.has(name) ? { ...person, known: name } : person;
  });
  return { ...all, room: { ...all.room, people } };
}

/**
 * What is asked of a room, with everybody called as its match knows them.
 * @template {Record<string, unknown> & { t: string }} T
 * @param {T} command
 * @param {Names} called
 * @returns {T}
 */
export function meant(command, called) {
  // Who comes in says what they want to be called.
  if (called.size === 0 || command.t === "join") return command;
  const known = new Map([...called].map(([name, now]) => [now, name]));
  const anew = (/** @type {object} */ part) =>
    Object.fromEntries(Object.entries(part).map(([key, each]) => [key, MEANT.has(key) ? renamed(each, known) : each]));
  const { action } = command;
  return /** @type {T} */ (anew(action ? { ...command, action: anew(action) } : command));
}

/** @template T @param {T} value @param {Names} called @returns {T} */
function renamed(value, called) {
  /** @param {unknown} each @returns {unknown} */
  const anew = (each) => {
    if (typeof each === "string") return called.get(each) ?? each;
    if (Array.isArray(each)) return each.map(anew);
    if (typeof each !== "object" || each === null) return each;
    const copy = Object.create(null);
    for (const [key, one] of Object.entries(each))
      copy[called.get(key) ?? key] = AS_IT_IS.has(key) && typeof one === "string" ? one : anew(one);
    return copy;
  };
  return /** @type {T} */ (anew(value));
}
