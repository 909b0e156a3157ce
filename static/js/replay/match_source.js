// @ts-check
// Where a replayed match comes from: one that is kept, or one of a file that this browser has just looked into.

import { parsed } from "../lib/null_prototype.js";

const FILE = "pecking-order.file";

/**
 * A source's `match` is the id of a match that was played here: only from such one can be played on.
 * @typedef {{ text: string, matches: { game: string, hands: number }[] }} Opened
 * @typedef {{ match: string | null, game: string, hands: number, page: string,
 *   hand: (number: number, query: string) => Promise<Response>,
 *   record: () => Promise<any> }} Source
 */

/**
 * Keep a file at hand for the pages that this tab goes to.
 * @param {Opened} file
 * @returns {boolean} whether there is room for it
 */
export function putAside(file) {
  try {
    sessionStorage.setItem(FILE, JSON.stringify(file));
    return true;
  } catch {
    return false;
  }
}

/** @returns {Opened | null} */
function atHand() {
  try {
    return parsed(sessionStorage.getItem(FILE) ?? "null");
  } catch {
    return null;
  }
}

/**
 * The match that a page shows, by what stands on its element.
 * @param {HTMLElement} root
 * @returns {Source}
 */
export function source(root) {
  const { match = "", game = "", hands = "0", file, imported } = root.dataset;
  if (file !== undefined) return ofFile(Number(file));
  return {
    match: imported === undefined ? match : null,
    game,
    hands: Number(hands),
    page: `/matches/${match}`,
    hand: (number, query) => fetch(`/api/matches/${match}/hands/${number}${query}`),
    record: () => fetch(`/matches/${match}/record.json`).then((got) => (got.ok ? got.json() : null)),
  };
}

/** @param {number} place @returns {Source} */
function ofFile(place) {
  const opened = atHand();
  const { game = "", hands = 0 } = opened?.matches[place] ?? {};
  const text = opened?.text ?? "";
  const headers = { "content-type": "application/json" };
  return {
    match: null,
    game,
    hands,
    page: "/history/import",
    hand: (number, query) => {
      const where = `match=${place}${query.replace("?", "&")}`;
      return fetch(`/api/imports/hands/${number}?${where}`, { method: "POST", headers, body: text });
    },
    record: async () => {
      const whole = parsed(text);
      return whole.matches?.[place]?.record ?? whole;
    },
  };
}
