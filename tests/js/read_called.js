// @ts-check
// What a page reads of frames in which people have names that are words of ours: `tests/rooms/views/test_name_fields.py` asks.
// In: `names` by those that are told, where they stand (`name_fields`), and `pairs` of what is told and wanted; out: where a page reads otherwise than wanted, each place once.

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

const { names, name_fields, pairs } = JSON.parse(readFileSync(0, "utf8"));
const called = { now: new Map(Object.entries(names)), fields: name_fields };
for (const [told, wanted] of pairs) compare(applyNames(told, called), wanted, "");
console.log([...found.values()].slice(0, 50).join("\n"));
