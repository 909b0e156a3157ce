// @ts-check
// The message catalogue: all texts that people read, as in the templates. The server builds a catalogue for each
// language, with patterns for lists. Plural forms and number formats come from Intl.

import { parseJson } from "./null_prototype.js";
import { staticFile } from "./static_file.js";

/** @import { Listed, Said } from "../types.d.ts" */

/** @type {Record<string, string>} */
let catalogue = {};
/** The part of the catalogue that is loaded; "table" has only the texts that a table shows at first. @type {"none" | "table" | "all"} */
let loadedPart = "none";
let language = "en";
let pluralRules = new Intl.PluralRules(language);
/** @type {Intl.NumberFormat | null} */
let numberFormat = null;

/** A number below a thousand, as JavaScript writes it: others need grouping or rounding by the language's rules. */
const SIMPLE_NUMBER = /^-?\d{1,3}(\.\d{1,3})?$/;
/**
 * Format a number. Simple ones avoid Intl.NumberFormat, which takes 100 ms to load on a slow phone, unless the language
 * has its own digits.
 * @param {number} value
 */
function formatNumber(value) {
  const text = String(value);
  if (SIMPLE_NUMBER.test(text) && !hasMessage("digits")) return text.replace(".", t("decimal"));
  numberFormat ??= new Intl.NumberFormat(language);
  return numberFormat.format(value);
}

/** Letters of scripts written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b]/;
const ISOLATE = "\u2068";
const END_OF_ISOLATE = "\u2069";

/**
 * Wrap a text in Unicode isolates if its direction differs from the page's. Otherwise digits and brackets beside a Hebrew
 * or Arabic name would move. Isolates do for text what `bdi` does for elements.
 * @param {string} text
 */
function isolateDirection(text) {
  const turns = RIGHT_TO_LEFT.test(text) !== RIGHT_TO_LEFT.test(catalogue["language"] ?? "");
  return turns && !text.startsWith(ISOLATE) ? `${ISOLATE}${text}${END_OF_ISOLATE}` : text;
}

/** Put two texts into a pattern with the placeholders `{0}` and `{1}`. @param {string} pattern @param {string} first @param {string} second */
const fillPattern = (pattern, first, second) =>
  pattern.replace(/\{[01]\}/g, (which) => (which === "{0}" ? first : second));

/**
 * Join texts into a list, by the language's list patterns, starting from the end.
 * @param {string[]} texts @param {"and" | "or" | "unit"} conjunction "unit": without a conjunction
 */
function joinList(texts, conjunction) {
  const put = (/** @type {string} */ place, /** @type {string} */ first, /** @type {string} */ second) =>
    fillPattern(catalogue[`list.${conjunction}.${place}`] ?? "{0}, {1}", first, second);
  const [one = "", two = "", ...more] = texts;
  if (more.length === 0) return texts.length === 2 ? put("2", one, two) : one;
  const last = more.pop() ?? "";
  const end = put("end", more.pop() ?? two, last);
  const middle = texts.length === 3 ? end : [two, ...more].reduceRight((said, text) => put("middle", text, said), end);
  return put("start", one, middle);
}

/**
 * Replace the catalogue. `loadMessages` calls this; tests pass their own texts.
 * @param {Record<string, string>} texts by key
 * @param {string} [locale] the language of the texts
 */
export function setMessages(texts, locale = texts.locale ?? "en") {
  catalogue = texts;
  if (locale === language) return;
  language = locale;
  pluralRules = new Intl.PluralRules(language);
  numberFormat = null;
}

/**
 * Fetch the catalogue of the page's language, or a part of it, and add it to the loaded texts.
 * @param {"" | "table." | "rest." | "fair."} [part] "table.": texts that a table shows at first; "fair.": those about fair
 *   deals; "rest.": all other texts of tables
 */
export async function loadMessages(part = "") {
  if (loadedPart === "all" && part !== "fair.") return;
  const asked = document.documentElement.lang || "en";
  const answer = await fetch(staticFile(`messages/${part}${asked}.json`));
  const texts = await answer.json();
  setMessages({ ...catalogue, ...texts }, texts.locale ?? catalogue.locale ?? asked);
  if (part !== "fair.") loadedPart = part === "table." ? "table" : "all";
}

/** Return whether the catalogue has this key, with or without plural forms. @param {string} key */
export function hasMessage(key) {
  return key in catalogue || `${key}.other` in catalogue;
}

/**
 * Return the text of a key with its placeholders filled. With `count`, use the language's plural form for that number.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const form = typeof values.count === "number" ? `${key}.${pluralRules.select(values.count)}` : key;
  const text = catalogue[form] ?? catalogue[key] ?? catalogue[`${key}.other`];
  // While only the table's texts are loaded, the rest follows soon, and the page is then drawn again.
  if (text === undefined) return loadedPart === "table" ? "" : key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? formatValue(values[name]) : whole));
}

/** Return the name or decree of a bot in the page's language; rooms have it in English. @param {string} text */
export function botText(text) {
  return text.replace(/^.+?(?=( \d+)?$)/, (name) => catalogue[`said.${name}`] ?? name);
}

/**
 * Format the value of a placeholder: a number (with a minus sign, not a hyphen), a text, a list, or a nested message.
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
 * Return the server's reason for a refusal, translated if the catalogue has its key.
 * @param {{ message?: string | null, key?: string | null, values?: Record<string, unknown> | null }} answer
 * @returns {string}
 */
export function refusalText(answer) {
  if (answer.key && hasMessage(answer.key)) return t(answer.key, answer.values ?? {});
  return answer.message ?? t("error.unknown");
}

/**
 * Parse the JSON of a response. If it is not JSON, it is a proxy's error page: return the "offline" error instead.
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
 * Join names for a sentence: “Ana, Bob and Cat”.
 * @param {string[]} names
 */
export function formatNames(names) {
  return joinList(names.map(isolateDirection), "and");
}

/**
 * Join texts into a list without a conjunction: “Ana, 3 points”. Empty texts are left out.
 * @param {string[]} texts
 */
export function formatList(texts) {
  return joinList(texts.filter(Boolean), "unit");
}

/**
 * Join texts by the pattern of a key, which has the placeholders `{0}` and `{1}`. Empty texts are left out.
 * @param {string} key @param {string} pattern the pattern without a catalogue @param {string[]} texts
 */
function joinByPattern(key, pattern, texts) {
  const parts = texts.filter(Boolean);
  return parts.length === 0 ? "" : parts.reduce((said, text) => fillPattern(catalogue[key] ?? pattern, said, text));
}

/** Join whole sentences as the language does: with a space, or without one. @param {string[]} texts */
export function joinSentences(texts) {
  return joinByPattern("text.sentences", "{0} {1}", texts);
}

/** Join parts that have commas themselves: “Ana: 7, 8; Bob: 9”. @param {string[]} texts */
export function formatSeries(texts) {
  return joinByPattern("text.series", "{0}; {1}", texts);
}

/** Put a label before a text: “Ana: 7”. Without one of them, return the other. @param {string} label @param {string} text */
export function labelled(label, text) {
  return joinByPattern("text.label", "{0}: {1}", [label, text]);
}
