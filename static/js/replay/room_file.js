// @ts-check
// Pure functions: split the text of a room's file into matches, so that each can be checked separately.
// The matches are copied as text, so numbers keep their exact form.

const ROOM = "climbing-room/1";

/**
 * @typedef {{ text: string, first: number, count: number }} FilePart
 * A complete file with some of the room's matches, beginning with number `first` (counted from 1).
 */

/**
 * Find the closing quote of the JSON string that starts at this index.
 * @param {string} text @param {number} at
 * @returns {number} index of the quote, or -1
 */
function findStringEnd(text, at) {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}

/**
 * Extract the texts of the matches in a room's file.
 * @param {string} text
 * @returns {string[] | null} null if the file can't be split. The server then checks it whole and explains the error.
 */
export function extractMatches(text) {
  /** @type {string[]} */
  const found = [];
  let [depth, key, begun, from, to] = [0, "", 0, -1, -1];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    const listed = depth === 2 && from !== -1 && to === -1;
    if (char === '"') {
      const end = findStringEnd(text, at);
      if (end === -1 || listed) return null;
      if (depth === 1) key = text.slice(at + 1, end);
      at = end;
    } else if (char === "{" || char === "[") {
      depth += 1;
      if (depth === 2 && char === "[" && key === "matches") {
        if (from !== -1) return null;
        from = at;
      }
      if (listed) begun = at;
    } else if (char === "}" || char === "]") {
      depth -= 1;
      if (listed) to = at + 1;
      else if (depth === 2 && from !== -1 && to === -1) found.push(text.slice(begun, at + 1));
    } else if (listed && !/[\s,]/.test(char)) {
      return null;
    }
  }
  return to !== -1 && isRoomFile(`${text.slice(0, from)}[]${text.slice(to)}`) ? found : null;
}

/** @param {string} text */
function isRoomFile(text) {
  try {
    return JSON.parse(text).format === ROOM;
  } catch {
    return false;
  }
}

/**
 * Join the matches into files of at most `longest` characters of matches. A longer match gets a file for itself.
 * @param {string[]} matches @param {number} longest
 * @returns {FilePart[]}
 */
export function splitIntoFiles(matches, longest) {
  /** @type {string[][]} */
  const groups = [];
  let length = Infinity;
  for (const match of matches) {
    if (length + match.length > longest) {
      groups.push([]);
      length = 0;
    }
    groups.at(-1)?.push(match);
    length += match.length;
  }
  let first = 1;
  return groups.map((group) => {
    const piece = { text: `{"format":"${ROOM}","matches":[${group.join(",")}]}`, first, count: group.length };
    first += group.length;
    return piece;
  });
}
