// @ts-check
// The catalogue: every text a person reads comes from messages/en.json, here as in the templates.

/** @type {Record<string, string>} */
let catalogue = {};

/**
 * Use these texts. The page loads them once; tests pass their own.
 * @param {Record<string, string>} texts
 */
export function use(texts) {
  catalogue = texts;
}

/** Fetch the catalogue. */
export async function load() {
  const answer = await fetch(new URL("../messages/en.json", import.meta.url));
  use(await answer.json());
}

/** @param {string} key */
export function has(key) {
  return key in catalogue || `${key}.other` in catalogue;
}

/**
 * The text of a key. With `count`, `key.one` or `key.other` where they are there.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const form = "count" in values ? (values.count === 1 || values.count === -1 ? ".one" : ".other") : "";
  const text = catalogue[key + form] ?? catalogue[key] ?? catalogue[`${key}.other`];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? shown(values[name]) : whole));
}

/** A number below zero has a minus sign, not a hyphen. @param {unknown} value */
export function shown(value) {
  return typeof value === "number" && value < 0 ? `−${-value}` : String(value);
}

/**
 * Names as a sentence has them: “Ana, Bob and Cat”.
 * @param {string[]} names
 */
export function list(names) {
  if (names.length < 2) return names[0] ?? "";
  return t("list.and", { some: names.slice(0, -1).join(", "), last: names[names.length - 1] });
}
