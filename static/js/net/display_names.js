// @ts-check
// Pure: translates between names in a match and displayed names. A match, its log and its record keep the names under which
// players joined, and the English names of bots. If a player was renamed since, the page shows the new name. Commands to
// the room use the name in the match.

import { botText } from "../lib/messages.js";

/** @import { Person, Update } from "../types.d.ts" */
/**
 * Current names by the name in the match (only if they differ), and the keys of messages that hold names.
 * @typedef {{ now: ReadonlyMap<string, string>, fields: Update["name_fields"] }} NameMap
 */

/** Build the map from names in the match to current names. @param {Pick<Update, "room" | "name_fields">} update @returns {NameMap} */
export function buildNameMap({ room: { people, known_cards }, name_fields }) {
  // In a variation, a player keeps the name of the seat.
  return { now: currentNames(known_cards?.how === "variation" ? [] : people), fields: name_fields };
}

/**
 * Return current names by the name in the match, of players whose name differs. A new name that another person has in
 * the match is not used.
 * @param {Pick<Person, "name" | "bot" | "chosen_name">[]} people @returns {Map<string, string>}
 */
export function currentNames(people) {
  const taken = new Set(people.map(({ name }) => name));
  const shown = people.map(
    ({ name, bot, chosen_name }) => /** @type {const} */ ([name, bot ? botText(name) : (chosen_name ?? name)]),
  );
  return new Map(shown.filter(([, now]) => !taken.has(now)));
}

/**
 * Replace the names in a server message with current names.
 * @template T
 * @param {T} message
 * @param {NameMap} nameMap
 * @returns {T}
 */
export function applyNames(message, nameMap) {
  return nameMap.now.size === 0 ? message : /** @type {T} */ (replaceNames(message, "", nameMap));
}

/**
 * Replace the names in an update with current names; keep the name in the match as `known` of each renamed person.
 * @param {Update} update @param {NameMap} called @returns {Update}
 */
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
 * Replace current names in a command with the names in the match.
 * @template {Record<string, unknown> & { t: string }} T
 * @param {T} command
 * @param {NameMap} called
 * @returns {T}
 */
export function withMatchNames(command, called) {
  // "join" contains the name that the person wants to have.
  if (command.t === "join") return command;
  return applyNames(command, { ...called, now: new Map([...called.now].map(([name, now]) => [now, name])) });
}

/**
 * Replace names in a value, at every level.
 * @param {unknown} value @param {string} key key of the value in its parent @param {NameMap} called @returns {unknown}
 */
function replaceNames(value, key, called) {
  const { now, fields } = called;
  if (typeof value === "string") return fields?.under.includes(key) ? (now.get(value) ?? value) : value;
  if (Array.isArray(value)) return value.map((each) => replaceNames(each, key, called));
  if (typeof value !== "object" || value === null) return value;
  const { of, list, values } = /** @type {Record<string, unknown>} */ (value);
  const several = Array.isArray(of) && typeof list === "string";
  const said = several || (typeof values === "object" && "key" in value);
  const byName = !said && fields?.each.includes(key);
  const copy = Object.create(null);
  for (const [own, one] of Object.entries(value)) {
    if (byName) copy[now.get(own) ?? own] = typeof one === "string" ? one : replaceNames(one, "", called);
    // The texts of a list in a sentence count as values of the list's own key.
    else
      copy[own] = fields?.without.includes(own) ? one : replaceNames(one, several && own === "of" ? key : own, called);
  }
  return copy;
}
