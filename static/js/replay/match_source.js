// @ts-check
// The source of a replayed match: the server, or a file that this browser has just checked.

import { parseJson } from "../lib/null_prototype.js";

const FILE = "pecking-order.file";

/**
 * `match` is the id of a match that can be played on, or null; `share` is the page that shares it, or null for a file.
 * @typedef {{ text: string, matches: { game: string, hands: number }[] }} StoredFile
 * @typedef {{ match: string | null, share: string | null, game: string, hands: number, page: string,
 *   hand: (number: number, query: string) => Promise<Response>,
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
  const { match = "", game = "", hands = "0", file, imported } = root.dataset;
  if (file !== undefined) return sourceFromFile(Number(file));
  return {
    match: imported === undefined ? match : null,
    share: `/matches/${match}/share`,
    game,
    hands: Number(hands),
    page: `/matches/${match}`,
    hand: (number, query) => fetch(`/api/matches/${match}/hands/${number}${query}`),
    record: () => fetch(`/matches/${match}/record.json`).then((got) => (got.ok ? got.json() : null)),
  };
}

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
    hand: (number, query) => {
      const where = `match=${place}${query.replace("?", "&")}`;
      return fetch(`/api/imports/hands/${number}?${where}`, { method: "POST", headers, body: text });
    },
    record: async () => {
      const whole = parseJson(text);
      return whole.matches?.[place]?.record ?? whole;
    },
  };
}
