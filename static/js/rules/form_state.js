// @ts-check
// A form for a game's rules as values: what is chosen, what it changes, and what the server says of it. It is drawn by
// rules/form.js. It names no switch; what contradicts what is the server's to say, in its own sentence.

import { parseJson } from "../lib/null_prototype.js";
import { rankText } from "../model/card_names.js";
import { CLOSED_FORM, fetchSavedRules } from "./saved_rules_api.js";
import { refusalText, t } from "../lib/messages.js";

/** @typedef {import("../types.d.ts").GameInfo} GameInfo */
/** @typedef {import("../types.d.ts").Switch} Switch */
/** @typedef {import("../types.d.ts").Catalogue} Catalogue */
/** @typedef {import("../types.d.ts").KeptRules} KeptRules */
/** @typedef {import("./saved_rules_api.js").SaveFormState} Keeping */
/** @typedef {{ game: string, preset: string, changes: Record<string, unknown>, mine: string, keeping: Keeping, search: string, problem: string }} RulesForm `mine`: the id of the house rules that it began with, or nothing. */

/** @param {unknown} a @param {unknown} b */
export function isSameValue(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Every switch with its value: defaults, preset, then what was changed. @param {GameInfo} game @param {RulesForm} form */
export function resolveOptions(game, form) {
  const preset = game.presets.find((each) => each.key === form.preset);
  /** @type {Record<string, unknown>} */
  const values = {};
  for (const section of game.sections) for (const each of section.switches) values[each.key] = each.default;
  return { ...values, ...(preset?.changes ?? {}), ...form.changes };
}

/** What the form changes from its preset. @param {GameInfo} game @param {RulesForm} form @returns {Record<string, unknown>} */
export function changedOptions(game, form) {
  const base = resolveOptions(game, { ...form, changes: {} });
  return Object.fromEntries(Object.entries(form.changes).filter(([key, value]) => !isSameValue(value, base[key])));
}

/** The options as the server takes them. @param {GameInfo} game @param {RulesForm} form */
export function optionsToSend(game, form) {
  return { preset: form.preset, ...changedOptions(game, form) };
}

/** A form that starts from a game's first preset. @param {GameInfo} game @returns {RulesForm} */
export function newForm(game) {
  return {
    game: game.key,
    preset: game.presets[0]?.key ?? "",
    changes: {},
    mine: "",
    keeping: CLOSED_FORM,
    search: "",
    problem: "",
  };
}

/** A form that starts from house rules that one keeps. @param {GameInfo} game @param {KeptRules} kept @returns {RulesForm} */
export function formFromSavedRules(game, { id, preset, changes }) {
  return { ...newForm(game), preset, changes: { ...changes }, mine: id };
}

/** Whether the form has house rules as they are kept. @param {GameInfo} game @param {RulesForm} form @param {KeptRules} kept */
export function isSameAsSaved(game, form, kept) {
  return (
    isSameValue(sortedEntries(optionsToSend(game, form)), sortedEntries({ preset: kept.preset, ...kept.changes })) &&
    game.key === kept.game
  );
}

/** @param {Record<string, unknown>} record */
const sortedEntries = (record) => Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));

/** A value as its switch calls it. @param {Switch} declared @param {unknown} value @returns {string} */
export function valueLabel(declared, value) {
  const domain = declared.domain;
  if ("values" in domain) {
    const known = domain.values.find((each) => isSameValue(each.value, value));
    if (known) return known.label;
  }
  if (domain.type === "several" && Array.isArray(value))
    return (
      domain.values
        .filter((each) => value.includes(each.value))
        .map((each) => each.label)
        .join(", ") || "–"
    );
  if (value === null || value === undefined) return domain.type === "number" ? (domain.none_label ?? "–") : "–";
  if (domain.type === "ranks") return value === "" ? t("form.no_ranks") : [...String(value)].map(rankText).join(" ");
  if (domain.type === "steps" && Array.isArray(value))
    return value.length === 0
      ? t("form.no_steps")
      : value.map(([from, times]) => t("form.step", { from, times })).join(", ");
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** Letters as people type them who have no accents: Daifugo is Daifugō. @param {string} text */
const withoutAccents = (text) =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "");

/** Whether all the words stand somewhere in these texts. @param {string} search @param {string[]} texts */
function containsAllWords(search, texts) {
  const text = withoutAccents(texts.join(" "));
  return withoutAccents(search)
    .trim()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Whether all the words stand somewhere in what a switch says. @param {Switch} declared @param {string} search */
export function matchesSearch(declared, search) {
  const { id, key, name, also, sentence, example, domain } = declared;
  const labels = "values" in domain ? domain.values.map((each) => each.label) : [];
  return containsAllWords(search, [id, key, name, also, sentence, example, ...labels]);
}

/** Ways to play any game that are called so, here or elsewhere. @param {Catalogue} catalogue @param {string} search @returns {{ game: GameInfo, preset: GameInfo["presets"][number] }[]} */
export function findPresetsByName({ games }, search) {
  if (search.trim() === "") return [];
  return games.flatMap((game) =>
    game.presets
      .filter(({ name, also }, i) => containsAllWords(search, [name, also, ...(i === 0 ? [game.name, game.also] : [])]))
      .map((preset) => ({ game, preset })),
  );
}

/**
 * A form that starts as a link asks for it. What it names and there is not was told before.
 * @param {Catalogue} catalogue
 * @param {Record<string, string | undefined>} linkData game, preset, and changes as JSON
 * @returns {RulesForm | null} null: there is no game
 */
export function formFromLink({ games, kept = [] }, linkData) {
  const game = games.find((each) => each.key === linkData.game) ?? games[0];
  if (game === undefined) return null;
  const form = newForm(game);
  const preset = game.presets.find((each) => each.key === linkData.preset)?.key ?? form.preset;
  const begins = { ...form, preset, changes: parseJson(linkData.changes || "{}") };
  const asks = linkData.game !== "" || linkData.changes !== "{}";
  return { ...begins, mine: (asks && kept.find((each) => isSameAsSaved(game, begins, each))?.id) || "" };
}

/** @typedef {{ problem: string, link: string }} RulesCheck What is wrong with rules, or the link to them. */
/** @type {{ text: string, result: Promise<RulesCheck> } | null} */
let lastCheck = null;

/**
 * Ask the server about these rules.
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
      link: answer.link ? new URL(answer.link, location.href).href : "",
    }))
    .catch(() => ({ problem: "", link: "" }));
  lastCheck = { text, result };
  return result;
}

/**
 * What is wrong with these rules.
 * @param {GameInfo} game
 * @param {RulesForm} form
 * @returns {Promise<string>} a sentence, or nothing
 */
export async function findRulesProblem(game, form) {
  return (await checkRules(game, form)).problem;
}

/** All games with their declarations, and the house rules that one keeps. @returns {Promise<Catalogue>} */
export async function fetchCatalogue() {
  const [answer, kept] = await Promise.all([fetch("/api/games"), fetchSavedRules()]);
  return { ...(await answer.json()), kept };
}
