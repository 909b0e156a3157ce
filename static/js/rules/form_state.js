// @ts-check
// The state of the rules form: chosen values, changes to the preset, and the server's check. rules/form.js draws it.
// The code names no option; the server detects contradictions and explains them.

import { parseJson } from "../lib/null_prototype.js";
import { rankText } from "../model/card_names.js";
import { CLOSED_FORM, fetchSavedRules } from "./saved_rules_api.js";
import { refusalText, t, formatList } from "../lib/messages.js";

/**
 * @import { Catalogue, GameInfo, KeptRules, Switch } from "../types.d.ts"
 * @import { SaveFormState as Keeping } from "./saved_rules_api.js"
 */
/**
 * @typedef {object} RulesForm
 * @property {string} game
 * @property {string} preset
 * @property {Record<string, unknown>} changes
 * @property {string} mine the id of the saved house rules it started from, or ""
 * @property {Keeping} keeping
 * @property {string} search
 * @property {boolean} allPresets whether the choice shows all presets
 * @property {string} problem
 * @property {readonly string[]} special rules that no question asks about, as the server says them
 */

/** @param {unknown} a @param {unknown} b */
export function isSameValue(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Return all options' values: defaults, then preset, then changes. @param {GameInfo} game @param {RulesForm} form */
export function resolveOptions(game, form) {
  const preset = game.presets.find((each) => each.key === form.preset);
  /** @type {Record<string, unknown>} */
  const values = {};
  for (const section of game.sections) for (const each of section.switches) values[each.key] = each.default;
  return { ...values, ...(preset?.changes ?? {}), ...form.changes };
}

/** Return the options that differ from the preset. @param {GameInfo} game @param {RulesForm} form @returns {Record<string, unknown>} */
export function changedOptions(game, form) {
  const base = resolveOptions(game, { ...form, changes: {} });
  return Object.fromEntries(Object.entries(form.changes).filter(([key, value]) => !isSameValue(value, base[key])));
}

/** Return the options as the API expects them. @param {GameInfo} game @param {RulesForm} form */
export function optionsToSend(game, form) {
  return { preset: form.preset, ...changedOptions(game, form) };
}

/** Return the presets that share an entry with this preset, itself included. @param {GameInfo} game @param {string} key */
export function presetVariants({ presets }, key) {
  const entry = presets.find((each) => each.key === key)?.variant_of || key;
  return presets.filter((each) => each.key === entry || each.variant_of === entry);
}

/** The number of presets to start with; the others follow on request. */
const FIRST_PRESETS = 4;

/**
 * Return the presets that have an entry in the choice: the first ones with the form's own among them, or all on request.
 * @param {GameInfo} game @param {RulesForm} form
 */
export function presetEntries(game, { preset, allPresets }) {
  const entries = game.presets.filter((each) => !each.variant_of);
  const own = presetVariants(game, preset);
  // A single preset more needs no more space than the button for it.
  const all = allPresets || entries.length <= FIRST_PRESETS + 1;
  const first = entries.slice(0, FIRST_PRESETS);
  const chosen = entries.find((each) => own.includes(each));
  // The form's own preset replaces the last one, so that the entries still fit one row.
  if (chosen !== undefined && !first.includes(chosen)) first.splice(-1, 1, chosen);
  const shown = all ? entries : first;
  return { shown, hidden: entries.filter((each) => !shown.includes(each)) };
}

/** Create a form with a game's first preset. @param {GameInfo} game @returns {RulesForm} */
export function newForm(game) {
  return {
    game: game.key,
    preset: game.presets[0]?.key ?? "",
    changes: {},
    mine: "",
    keeping: CLOSED_FORM,
    search: "",
    allPresets: false,
    problem: "",
    special: [],
  };
}

/** Create a form from the person's saved house rules. @param {GameInfo} game @param {KeptRules} kept @returns {RulesForm} */
export function formFromSavedRules(game, { id, preset, changes }) {
  return { ...newForm(game), preset, changes: { ...changes }, mine: id };
}

/** Tell whether the form equals the saved house rules. @param {GameInfo} game @param {RulesForm} form @param {KeptRules} kept */
export function isSameAsSaved(game, form, kept) {
  return (
    isSameValue(sortedEntries(optionsToSend(game, form)), sortedEntries({ preset: kept.preset, ...kept.changes })) &&
    game.key === kept.game
  );
}

/** @param {Record<string, unknown>} record */
const sortedEntries = (record) => Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));

/** Return the text for the value of an option. @param {Switch} declared @param {unknown} value @returns {string} */
export function valueLabel(declared, value) {
  const domain = declared.domain;
  if ("values" in domain) {
    const known = domain.values.find((each) => isSameValue(each.value, value));
    if (known) return known.label;
  }
  if (domain.type === "several" && Array.isArray(value))
    return formatList(domain.values.filter((each) => value.includes(each.value)).map((each) => each.label)) || "–";
  if (value === null || value === undefined) return domain.type === "number" ? (domain.none_label ?? "–") : "–";
  if (domain.type === "ranks") return value === "" ? t("form.no_ranks") : [...String(value)].map(rankText).join(" ");
  if (domain.type === "steps" && Array.isArray(value))
    return value.length === 0
      ? t("form.no_steps")
      : formatList(value.map(([from, times]) => t("form.step", { from, times })));
  return Array.isArray(value) ? formatList(value.map(String)) : String(value);
}

/** Lower the case and remove accents, so that a search for “daifugo” finds “Daifugō”. @param {string} text */
const withoutAccents = (text) =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "");

/** Tell whether the texts together contain every word of the search. @param {string} search @param {string[]} texts */
function containsAllWords(search, texts) {
  const text = withoutAccents(texts.join(" "));
  return withoutAccents(search)
    .trim()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Tell whether an option's texts contain every word of the search. @param {Switch} declared @param {string} search */
export function matchesSearch(declared, search) {
  const { id, key, name, also, sentence, example, domain } = declared;
  const labels = "values" in domain ? domain.values.map((each) => each.label) : [];
  return containsAllWords(search, [id, key, name, also, sentence, example, ...labels]);
}

/** Tell whether an option's name, key or aliases alone contain every word of the search. @param {Switch} declared @param {string} search */
function isNamedSo({ id, key, name, also }, search) {
  return containsAllWords(search, [id, key, name, also]);
}

/**
 * Find the options that match the search, by section. Options that are named so come first, and so do their sections.
 * @param {GameInfo} game
 * @param {string} search
 * @returns {{ section: GameInfo["sections"][number], shown: Switch[] }[]} the sections with a match
 */
export function findOptions({ sections }, search) {
  /** @param {Switch} [each] */
  const rank = (each) => (each && isNamedSo(each, search) ? 0 : 1);
  return sections
    .map((section) => ({
      section,
      shown: section.switches
        .filter((each) => matchesSearch(each, search))
        .sort((one, other) => rank(one) - rank(other)),
    }))
    .filter(({ shown }) => shown.length > 0)
    .sort((one, other) => rank(one.shown[0]) - rank(other.shown[0]));
}

/** Find presets of all games by their names and aliases; of presets that share an entry, only the first. @param {Catalogue} catalogue @param {string} search @returns {{ game: GameInfo, preset: GameInfo["presets"][number] }[]} */
export function findPresetsByName({ games }, search) {
  if (search.trim() === "") return [];
  return games.flatMap((game) =>
    game.presets
      .filter(({ name, also }, i) => containsAllWords(search, [name, also, ...(i === 0 ? [game.name, game.also] : [])]))
      .filter(({ variant_of }, _, found) => !found.some(({ key }) => key === variant_of))
      .map((preset) => ({ game, preset })),
  );
}

/**
 * Create a form from the data of a link, and recognise saved house rules. An unknown game or preset is replaced with
 * the first; the server has already reported it. Without a game the form begins with the game that was played last.
 * @param {Catalogue} catalogue
 * @param {Record<string, string | undefined>} linkData game, preset, changes as JSON, and the game played last
 * @returns {RulesForm | null} null if the catalogue has no games
 */
export function formFromLink({ games, kept = [] }, linkData) {
  const game = games.find(({ key }) => key === (linkData.game || linkData.last)) ?? games[0];
  if (game === undefined) return null;
  const form = newForm(game);
  const preset = game.presets.find((each) => each.key === linkData.preset)?.key ?? form.preset;
  const begins = { ...form, preset, changes: parseJson(linkData.changes || "{}") };
  const asks = linkData.game !== "" || linkData.changes !== "{}";
  return { ...begins, mine: (asks && kept.find((each) => isSameAsSaved(game, begins, each))?.id) || "" };
}

/** @typedef {Pick<RulesForm, "problem" | "special"> & { link: string }} RulesCheck The problem with the rules, or their special rules and a link. */
/** @type {{ text: string, result: Promise<RulesCheck> } | null} */
let lastCheck = null;

/**
 * Ask the server to check the rules. Consecutive checks of the same rules share one request.
 * @param {GameInfo} game
 * @param {RulesForm} form
 * @returns {Promise<RulesCheck>}
 */
export function checkRules(game, form) {
  const text = JSON.stringify({ game: game.key, options: optionsToSend(game, form) });
  if (lastCheck?.text === text) return lastCheck.result;
  const result = fetch("/api/options", { method: "POST", headers: { "content-type": "application/json" }, body: text })
    .then((answer) => answer.json())
    .then((answer) => ({
      problem: answer.ok === false || (answer.message && !answer.options) ? refusalText(answer) : "",
      special: answer.special ?? [],
      link: answer.link ? new URL(answer.link, location.href).href : "",
    }))
    .catch(() => ({ problem: "", special: [], link: "" }));
  lastCheck = { text, result };
  return result;
}

/** Fetch all games with their declarations, and the person's saved house rules. @returns {Promise<Catalogue>} */
export async function fetchCatalogue() {
  const [answer, kept] = await Promise.all([fetch("/api/games"), fetchSavedRules()]);
  return { ...(await answer.json()), kept };
}
