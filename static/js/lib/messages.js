// @ts-check
// The catalogue: every text a person reads comes from it, here as in the templates. The server joins one for each
// language, with how lists are put together; how many of something there are, and how numbers are written, Intl knows.

import { parseJson } from "./null_prototype.js";
import { staticFile } from "./static_file.js";

/** @typedef {import("../types.d.ts").Said} Said */
/** @typedef {import("../types.d.ts").Listed} Listed */

/** @type {Record<string, string>} */
let catalogue = {};
/** How much of it has been fetched: what tables say at once is not all. @type {"none" | "table" | "all"} */
let loadedPart = "none";
let language = "en";
let pluralRules = new Intl.PluralRules(language);
/** @type {Intl.NumberFormat | null} */
let numberFormat = null;

/** Whole numbers from here on are written in groups, or otherwise as their language wishes. */
const GROUPING_FROM = 1000;
/**
 * A number as it is written. What Intl knows of numbers takes a slow phone 60 ms to open: counts do without, where their
 * digits are 0 to 9.
 * @param {number} value
 */
function formatNumber(value) {
  if (Number.isInteger(value) && Math.abs(value) < GROUPING_FROM && !hasMessage("digits")) return String(value);
  numberFormat ??= new Intl.NumberFormat(language);
  return numberFormat.format(value);
}

/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b]/;
const ISOLATE = "\u2068";
const END_OF_ISOLATE = "\u2069";

/**
 * A text, such as a name, that does not change the order of what stands around it: digits and brackets beside a Hebrew or
 * Arabic name would move. Unicode's isolates do for a text what `bdi` does for an element.
 * @param {string} text
 */
function isolateDirection(text) {
  const turns = RIGHT_TO_LEFT.test(text) !== RIGHT_TO_LEFT.test(catalogue["language"] ?? "");
  return turns && !text.startsWith(ISOLATE) ? `${ISOLATE}${text}${END_OF_ISOLATE}` : text;
}

/** Several texts as one, by the patterns that the language has for lists, from their end on. @param {string[]} texts @param {"and" | "or"} conjunction */
function joinList(texts, conjunction) {
  const put = (/** @type {string} */ place, /** @type {string} */ first, /** @type {string} */ second) =>
    (catalogue[`list.${conjunction}.${place}`] ?? "{0}, {1}").replace(/\{[01]\}/g, (which) =>
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
export function setMessages(texts, locale = texts.locale ?? "en") {
  catalogue = texts;
  if (locale === language) return;
  language = locale;
  pluralRules = new Intl.PluralRules(language);
  numberFormat = null;
}

/**
 * Fetch the catalogue of the page's language.
 * @param {"" | "table." | "rest."} [part] "table.": what is said at a table that one looks at; "rest.": what else is at tables
 */
export async function loadMessages(part = "") {
  if (loadedPart === "all") return;
  const asked = document.documentElement.lang || "en";
  const answer = await fetch(staticFile(`messages/${part}${asked}.json`));
  const texts = await answer.json();
  setMessages({ ...catalogue, ...texts }, texts.locale ?? catalogue.locale ?? asked);
  loadedPart = part === "table." ? "table" : "all";
}

/** @param {string} key */
export function hasMessage(key) {
  return key in catalogue || `${key}.other` in catalogue;
}

/**
 * The text of a key. With `count`, in the plural form that the language has for so many.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const form = typeof values.count === "number" ? `${key}.${pluralRules.select(values.count)}` : key;
  const text = catalogue[form] ?? catalogue[key] ?? catalogue[`${key}.other`];
  // What is not here yet comes in a moment, and all is drawn again.
  if (text === undefined) return loadedPart === "table" ? "" : key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? formatValue(values[name]) : whole));
}

/**
 * What fills a place: a number (below zero with a minus sign, not a hyphen), something said or listed, or a text as it is.
 * @param {unknown} value
 * @returns {string}
 */
export function formatValue(value) {
  if (typeof value === "number") return formatNumber(value).replace("-", "−");
  if (typeof value === "string") return isolateDirection(value);
  if (typeof value !== "object" || value === null) return String(value);
  if ("of" in value) {
    const { list: joint, of } = /** @type {Listed} */ (value);
    return joint === "space" ? of.map(formatValue).join(" ") : joinList(of.map(formatValue), joint);
  }
  const { key, values } = /** @type {Said} */ (value);
  return t(key, values);
}

/**
 * Why the server refused, in the page's language where its sentence has a key.
 * @param {{ message?: string | null, key?: string | null, values?: Record<string, unknown> | null }} answer
 * @returns {string}
 */
export function refusalText(answer) {
  if (answer.key && hasMessage(answer.key)) return t(answer.key, answer.values ?? {});
  return answer.message ?? t("error.unknown");
}

/**
 * What an answer says. A page instead of that is a proxy's, whose server is away.
 * @param {Response} answer
 * @returns {Promise<any>}
 */
export async function readResponse(answer) {
  try {
    return parseJson(await answer.text());
  } catch {
    return parseJson('{"key": "error.offline"}');
  }
}

/**
 * Names as a sentence has them: “Ana, Bob and Cat”.
 * @param {string[]} names
 */
export function formatNames(names) {
  return joinList(names.map(isolateDirection), "and");
}
