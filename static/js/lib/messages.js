// @ts-check
// The catalogue: every text a person reads comes from it, here as in the templates. The server joins one for each
// language, with how lists are put together; how many of something there are, and how numbers are written, Intl knows.

import { parsed } from "./null_prototype.js";
import { staticFile } from "./static_file.js";

/** @typedef {import("../types.d.ts").Said} Said */
/** @typedef {import("../types.d.ts").Listed} Listed */

/** @type {Record<string, string>} */
let catalogue = {};
/** How much of it has been fetched: what tables say at once is not all. @type {"none" | "table" | "all"} */
let here = "none";
let language = "en";
let plurals = new Intl.PluralRules(language);
/** @type {Intl.NumberFormat | null} */
let numbers = null;

/** Whole numbers from here on are written in groups, or otherwise as their language wishes. */
const GROUPED = 1000;
/**
 * A number as it is written. What Intl knows of numbers takes a slow phone 60 ms to open: counts do without, where their
 * digits are 0 to 9.
 * @param {number} value
 */
function written(value) {
  if (Number.isInteger(value) && Math.abs(value) < GROUPED && !has("digits")) return String(value);
  numbers ??= new Intl.NumberFormat(language);
  return numbers.format(value);
}

/** Letters of scripts that are written from right to left. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b]/;
const ISOLATE = "\u2068";
const END_OF_ISOLATE = "\u2069";

/**
 * A text, such as a name, that does not change the order of what stands around it: digits and brackets beside a Hebrew or
 * Arabic name would move. Unicode's isolates do for a text what `bdi` does for an element.
 * @param {string} text
 */
function isolated(text) {
  const turns = FROM_THE_RIGHT.test(text) !== FROM_THE_RIGHT.test(catalogue["language"] ?? "");
  return turns && !text.startsWith(ISOLATE) ? `${ISOLATE}${text}${END_OF_ISOLATE}` : text;
}

/** Several texts as one, by the patterns that the language has for lists, from their end on. @param {string[]} texts @param {"and" | "or"} joint */
function joined(texts, joint) {
  const put = (/** @type {string} */ place, /** @type {string} */ first, /** @type {string} */ second) =>
    (catalogue[`list.${joint}.${place}`] ?? "{0}, {1}").replace(/\{[01]\}/g, (which) =>
      which === "{0}" ? first : second,
    );
  const [one = "", two = "", ...more] = texts;
  if (more.length === 0) return texts.length === 2 ? put("2", one, two) : one;
  const last = more.pop() ?? "";
  const end = put("end", more.pop() ?? two, last);
  const middle = texts.length === 3 ? end : [two, ...more].reduceRight((said, text) => put("middle", text, said), end);
  return put("start", one, middle);
}

/**
 * Use these texts. The page loads them once; tests pass their own.
 * @param {Record<string, string>} texts
 * @param {string} [locale] the language they are in
 */
export function use(texts, locale = texts.locale ?? "en") {
  catalogue = texts;
  if (locale === language) return;
  language = locale;
  plurals = new Intl.PluralRules(language);
  numbers = null;
}

/**
 * Fetch the catalogue of the page's language.
 * @param {"" | "table." | "rest."} [kind] "table.": what is said at a table that one looks at; "rest.": what else is at tables
 */
export async function load(kind = "") {
  if (here === "all") return;
  const asked = document.documentElement.lang || "en";
  const answer = await fetch(staticFile(`messages/${kind}${asked}.json`));
  const texts = await answer.json();
  use({ ...catalogue, ...texts }, texts.locale ?? catalogue.locale ?? asked);
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
  if (typeof value === "number") return written(value).replace("-", "−");
  if (typeof value === "string") return isolated(value);
  if (typeof value !== "object" || value === null) return String(value);
  if ("of" in value) {
    const { list: joint, of } = /** @type {Listed} */ (value);
    return joint === "space" ? of.map(shown).join(" ") : joined(of.map(shown), joint);
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
  return joined(names.map(isolated), "and");
}
