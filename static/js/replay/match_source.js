// @ts-check
// The source of a replayed match: the server, or a file that this browser has just checked.

import { parseJson } from "../lib/null_prototype.js";
import { applyNames, currentNames } from "../net/display_names.js";

const FILE = "pecking-order.file";

/**
 * `match` is the id of a match that can be played on, or null; `share` is the page that shares it, or null for a file.
 * `hand` fetches a hand, seen from a seat or with all cards open. Bots have their names in the page's language: `shown`
 * returns it, and `stored` the name that the server has.
 * @typedef {{ text: string, matches: { game: string, hands: number, players?: string[] }[] }} StoredFile
 * @typedef {{ match: string | null, share: string | null, game: string, hands: number, page: string,
 *   hand: (number: number, seat: string | null) => Promise<Response>,
 *   shown: (name: string) => string,
 *   stored: (name: string) => string,
 *   record: () => Promise<any> }} MatchSource
 */

/**
 * Store a file for the next pages in this tab.
 * @param {StoredFile} file
 * @returns {boolean} whether the file could be stored
 */
export function storeFile(file) {
  try {
    sessionStorage.setItem(FILE, JSON.stringify(file));
    return true;
  } catch {
    return false;
  }
}

/** @returns {StoredFile | null} */
function loadStoredFile() {
  try {
    return parseJson(sessionStorage.getItem(FILE) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Return the source of the match that a page shows, from the data attributes of its root.
 * @param {HTMLElement} root
 * @returns {MatchSource}
 */
export function matchSourceOf(root) {
  const { match = "", game = "", hands = "0", file, imported, names = "{}", nameFields } = root.dataset;
  if (file !== undefined) return sourceFromFile(Number(file), nameFields);
  const { shown, stored, translated } = displayNames(() => new Map(Object.entries(parseJson(names))), nameFields);
  return {
    match: imported === undefined ? match : null,
    share: `/matches/${match}/share`,
    game,
    hands: Number(hands),
    page: `/matches/${match}`,
    hand: async (number, seat) =>
      translated(await fetch(`/api/matches/${match}/hands/${number}${seatQuery("?", seat && stored(seat))}`)),
    shown,
    stored,
    record: () => fetch(`/matches/${match}/record.json`).then((got) => (got.ok ? got.json() : null)),
  };
}

/**
 * Return the names of players of a file by their names in it, if those differ. A file doesn't say which players are bots:
 * a player with the name of a bot counts as one.
 * @param {string[]} players
 */
export const namesInFile = (players) => currentNames(players.map((name) => ({ name, bot: name, chosen_name: null })));

/**
 * Return functions that translate names of bots.
 * @param {() => Map<string, string>} names in the page's language, by the stored name
 * @param {string} [fields] the keys of names in an answer, as JSON; in English there is nothing to translate
 */
function displayNames(names, fields) {
  return {
    shown: (/** @type {string} */ name) => names().get(name) ?? name,
    stored: (/** @type {string} */ shown) => [...names()].find(([, name]) => name === shown)?.[0] ?? shown,
    translated: async (/** @type {Response} */ answer) => {
      if (!answer.ok || fields === undefined || names().size === 0) return answer;
      const hand = applyNames(parseJson(await answer.text()), { now: names(), fields: parseJson(fields) });
      return new Response(JSON.stringify(hand));
    },
  };
}

/** @param {string} mark @param {string | null} seat */
const seatQuery = (mark, seat) => (seat === null ? "" : `${mark}seat=${encodeURIComponent(seat)}`);

/** @param {number} place @param {string} [nameFields] as JSON @returns {MatchSource} */
function sourceFromFile(place, nameFields) {
  const opened = loadStoredFile();
  const { game = "", hands = 0, players = [] } = opened?.matches[place] ?? {};
  const { shown, stored, translated } = displayNames(() => namesInFile(players), nameFields);
  const text = opened?.text ?? "";
  const headers = { "content-type": "application/json" };
  return {
    match: null,
    share: null,
    game,
    hands,
    page: "/history/import",
    hand: async (number, seat) => {
      const where = `match=${place}${seatQuery("&", seat && stored(seat))}`;
      return translated(await fetch(`/api/imports/hands/${number}?${where}`, { method: "POST", headers, body: text }));
    },
    shown,
    stored,
    record: async () => {
      const whole = parseJson(text);
      return whole.matches?.[place]?.record ?? whole;
    },
  };
}
