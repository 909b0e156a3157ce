// @ts-check
// Reads frames in which names equal protocol words, as a page does, for `tests/rooms/views/test_name_fields.py`. Input:
// `names` from old to new, their fields (`named`), and `pairs` of frames and expected frames. Output: each place where
// the result differs from the expected one, once.

import { readFileSync } from "node:fs";

import { applyNames } from "../../static/js/net/display_names.js";

/** Parts without names: the list, the proof and the cards of a deal, and keys of lines. */
const APART = new Set(["closed", "previous", "dealt", "key"]);

/** @type {Map<string, string>} */
const found = new Map();

/** @param {any} is @param {any} wanted @param {string} where */
function compare(is, wanted, where) {
  if (typeof is !== "object" || typeof wanted !== "object" || is === null || wanted === null) {
    if (is !== wanted) found.set(where, `${where}: ${JSON.stringify(is)}, not ${JSON.stringify(wanted)}`);
    return;
  }
  for (const key of new Set([...Object.keys(is), ...Object.keys(wanted)]))
    if (!APART.has(key)) compare(is[key], wanted[key], Array.isArray(is) ? where : `${where}.${key}`);
}

const { names, named, pairs } = JSON.parse(readFileSync(0, "utf8"));
const called = { now: new Map(Object.entries(names)), named };
for (const [told, wanted] of pairs) compare(applyNames(told, called), wanted, "");
console.log([...found.values()].slice(0, 50).join("\n"));
