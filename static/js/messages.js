// @ts-check
// The catalogue: every text a person reads comes from it, here as in the templates. The server joins one for each
// language; how many of something there are, and how lists and numbers are written, Intl knows.

import { parsed } from "./bare.js";

/** @typedef {import("./types.d.ts").Said} Said */
/** @typedef {import("./types.d.ts").Listed} Listed */

/** @type {Record<string, string>} */
let catalogue = {};
/** How much of it has been fetched: what tables say at once is not all. @type {"none" | "table" | "all"} */
let here = "none";
let plurals = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");
/** @type {Record<"and" | "or", Intl.ListFormat>} */
let lists = listsOf("en");

/** @param {string} language */
function listsOf(language) {
  return {
    and: new Intl.ListFormat(language, { type: "conjunction" }),
    or: new Intl.ListFormat(language, { type: "disjunction" }),
  };
}

/**
 * Use these texts. The page loads them once; tests pass their own.
 * @param {Record<string, string>} texts
 * @param {string} [language]
 */
export function use(texts, language = texts.locale ?? "en") {
  catalogue = texts;
  plurals = new Intl.PluralRules(language);
  numbers = new Intl.NumberFormat(language);
  lists = listsOf(language);
}

/**
 * Fetch the catalogue of the page's language.
 * @param {"" | "table." | "rest."} [kind] "table.": what is said at a table that one looks at; "rest.": what else is at tables
 */
export async function load(kind = "") {
  if (here === "all") return;
  const language = document.documentElement.lang || "en";
  const answer = await fetch(new URL(`../messages/${kind}${language}.json`, import.meta.url));
  const texts = await answer.json();
  use({ ...catalogue, ...texts }, texts.locale ?? catalogue.locale ?? language);
  here = kind === "table." ? "table" : "all";
}

/** @param {string} key */
export function has(key) {
  return key in catalogue || `${key}.other` in catalogue;
}

/**
 * The text of a key. With `count`, in the plural form that the language has for so many.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const form = typeof values.count === "number" ? `${key}.${plurals.select(values.count)}` : key;
  const text = catalogue[form] ?? catalogue[key] ?? catalogue[`${key}.other`];
  // What is not here yet comes in a moment, and all is drawn again.
  if (text === undefined) return here === "table" ? "" : key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? shown(values[name]) : whole));
}

/**
 * What fills a place: a number (below zero with a minus sign, not a hyphen), something said or listed, or a text as it is.
 * @param {unknown} value
 * @returns {string}
 */
export function shown(value) {
  if (typeof value === "number") return numbers.format(value).replace("-", "−");
  if (typeof value !== "object" || value === null) return String(value);
  if ("of" in value) {
    const { list: joint, of } = /** @type {Listed} */ (value);
    return joint === "space" ? of.map(shown).join(" ") : lists[joint].format(of.map(shown));
  }
  const { key, values } = /** @type {Said} */ (value);
  return t(key, values);
}

/**
 * Why the server refused, in the page's language where its sentence has a key.
 * @param {{ message?: string | null, key?: string | null, values?: Record<string, unknown> | null }} answer
 * @returns {string}
 */
export function refusal(answer) {
  if (answer.key && has(answer.key)) return t(answer.key, answer.values ?? {});
  return answer.message ?? t("error.unknown");
}

/**
 * What an answer says. A page instead of that is a proxy's, whose server is away.
 * @param {Response} answer
 * @returns {Promise<any>}
 */
export async function said(answer) {
  try {
    return parsed(await answer.text());
  } catch {
    return parsed('{"key": "error.offline"}');
  }
}

/**
 * Names as a sentence has them: “Ana, Bob and Cat”.
 * @param {string[]} names
 */
export function list(names) {
  return lists.and.format(names);
}
