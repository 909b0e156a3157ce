// @ts-check
// The source of a replayed match: the server, or a file that this browser has just checked.

import { botText } from "../lib/messages.js";
import { parseJson } from "../lib/null_prototype.js";
import { applyNames } from "../net/display_names.js";

const FILE = "pecking-order.file";

/**
 * `match` is the id of a match that can be played on, or null; `share` is the page that shares it, or null for a file.
 * `hand` fetches a hand, seen from a seat or with all cards open. Bots have their names in the page's language: `shown`
 * returns it, and `stored` the name that the server has.
 * @typedef {{ text: string, matches: { game: string, hands: number }[] }} StoredFile
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
  const { match = "", game = "", hands = "0", file, imported, bots = "[]", nameFields } = root.dataset;
  if (file !== undefined) return sourceFromFile(Number(file));
  return {
    match: imported === undefined ? match : null,
    share: `/matches/${match}/share`,
    game,
    hands: Number(hands),
    page: `/matches/${match}`,
    hand: async (number, seat) => {
      const names = botNames(bots);
      const answer = await fetch(`/api/matches/${match}/hands/${number}${seatQuery("?", storedName(bots, seat))}`);
      if (!answer.ok || nameFields === undefined || names.size === 0) return answer;
      const hand = applyNames(parseJson(await answer.text()), { now: names, fields: parseJson(nameFields) });
      return new Response(JSON.stringify(hand));
    },
    shown: (name) => botNames(bots).get(name) ?? name,
    stored: (name) => storedName(bots, name) ?? name,
    record: () => fetch(`/matches/${match}/record.json`).then((got) => (got.ok ? got.json() : null)),
  };
}

/** Return the names of bots in the page's language by their stored names. @param {string} bots as JSON @returns {Map<string, string>} */
const botNames = (bots) => new Map(parseJson(bots).map((/** @type {string} */ name) => [name, botText(name)]));

/** @param {string} bots as JSON @param {string | null} shown */
const storedName = (bots, shown) => [...botNames(bots)].find(([, name]) => name === shown)?.[0] ?? shown;

/** @param {string} mark @param {string | null} seat */
const seatQuery = (mark, seat) => (seat === null ? "" : `${mark}seat=${encodeURIComponent(seat)}`);

/** @param {number} place @returns {MatchSource} */
function sourceFromFile(place) {
  const opened = loadStoredFile();
  const { game = "", hands = 0 } = opened?.matches[place] ?? {};
  const text = opened?.text ?? "";
  const headers = { "content-type": "application/json" };
  return {
    match: null,
    share: null,
    game,
    hands,
    page: "/history/import",
    hand: (number, seat) => {
      const where = `match=${place}${seatQuery("&", seat)}`;
      return fetch(`/api/imports/hands/${number}?${where}`, { method: "POST", headers, body: text });
    },
    shown: (name) => name,
    stored: (name) => name,
    record: async () => {
      const whole = parseJson(text);
      return whole.matches?.[place]?.record ?? whole;
    },
  };
}
