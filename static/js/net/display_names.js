// @ts-check
// Pure: what the people of a room are called. A match holds its players to the names that they came under: by those rules,
// log and record know them. Who is called otherwise by now is read so all over the page, and what the page asks of the
// room means them by the name that the match has.

/** @typedef {import("../types.d.ts").Person} Person */
/** @typedef {import("../types.d.ts").Room} Room */
/** @typedef {import("../types.d.ts").Update} Update */
/** What each is called, by the name that a match has, and where names stand. @typedef {{ now: ReadonlyMap<string, string>, named: Update["named"] }} NameMap */

/** Who is called what by now. @param {Pick<Update, "room" | "named">} update @returns {NameMap} */
export function buildNameMap({ room: { people, known }, named }) {
  const taken = new Set(people.map(({ name }) => name));
  // Who sits in somebody's chair in a variation plays as them.
  const others = known?.how === "variation" ? [] : people.filter(({ called }) => called !== null && !taken.has(called));
  return { now: new Map(others.map(({ name, called }) => [name, String(called)])), named };
}

/**
 * What a server tells, with everybody called as they are.
 * @template T
 * @param {T} message
 * @param {NameMap} nameMap
 * @returns {T}
 */
export function applyNames(message, nameMap) {
  return nameMap.now.size === 0 ? message : /** @type {T} */ (replaceNames(message, "", nameMap));
}

/** A room's picture, with everybody called as they are. @param {Update} update @param {NameMap} called @returns {Update} */
export function applyNamesToUpdate(update, called) {
  if (called.now.size === 0) return update;
  const all = applyNames(update, called);
  const people = update.room.people.map(({ name }, i) => {
    const person = /** @type {Person} */ (all.room.people[i]);
    return called.now.has(name) ? { ...person, known: name } : person;
  });
  return { ...all, room: { ...all.room, people } };
}

/**
 * What is asked of a room, with everybody called as its match knows them.
 * @template {Record<string, unknown> & { t: string }} T
 * @param {T} command
 * @param {NameMap} called
 * @returns {T}
 */
export function withMatchNames(command, called) {
  // Who comes in says what they want to be called.
  if (command.t === "join") return command;
  return applyNames(command, { ...called, now: new Map([...called.now].map(([name, now]) => [now, name])) });
}

/** @param {unknown} value @param {string} key under which it stands @param {NameMap} called @returns {unknown} */
function replaceNames(value, key, called) {
  const { now, named } = called;
  if (typeof value === "string") return named?.under.includes(key) ? (now.get(value) ?? value) : value;
  if (Array.isArray(value)) return value.map((each) => replaceNames(each, key, called));
  if (typeof value !== "object" || value === null) return value;
  const { of, list, values } = /** @type {Record<string, unknown>} */ (value);
  const several = Array.isArray(of) && typeof list === "string";
  const said = several || (typeof values === "object" && "key" in value);
  const byName = !said && named?.each.includes(key);
  const copy = Object.create(null);
  for (const [own, one] of Object.entries(value)) {
    if (byName) copy[now.get(own) ?? own] = typeof one === "string" ? one : replaceNames(one, "", called);
    // Several texts of a sentence stand where they stand together.
    else
      copy[own] = named?.without.includes(own) ? one : replaceNames(one, several && own === "of" ? key : own, called);
  }
  return copy;
}
