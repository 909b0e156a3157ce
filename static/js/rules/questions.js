// @ts-check
// The questions about a game's rules that groups play differently: the answers in force, and the nearest preset.
// The server declares questions, answers and the options that each answer sets.

import { formatNames, formatSeries, labelled, t } from "../lib/messages.js";
import { changedOptions, isSameValue, resolveOptions, valueLabel } from "./form_state.js";

/**
 * @import { GameInfo } from "../types.d.ts"
 * @import { RulesForm } from "./form_state.js"
 */
/** @typedef {GameInfo["questions"][number]} Question */
/** @typedef {Question["answers"][number]} Answer */

/** The most options that the line about the nearest preset names. */
const MAX_NAMED = 3;

/** Find the answer whose options all have its values. @param {Question} question @param {Record<string, unknown>} values */
export function answerInForce({ answers }, values) {
  return answers.find(({ sets }) => Object.entries(sets).every(([key, value]) => isSameValue(values[key], value)));
}

/** List all options of a game. @param {GameInfo} game */
const allOptions = ({ sections }) => sections.flatMap((section) => section.switches);

/** Say the values of a question's options that no answer has, or all of them if answers are mixed. @param {GameInfo} game @param {Question} question @param {Record<string, unknown>} values */
export function ownAnswer(game, { answers }, values) {
  const options = allOptions(game).filter(({ key }) => answers.some(({ sets }) => key in sets));
  const unusual = options.filter(({ key }) => !answers.some(({ sets }) => isSameValue(sets[key], values[key])));
  return formatSeries(
    (unusual.length > 0 ? unusual : options).map((each) => labelled(each.name, valueLabel(each, values[each.key]))),
  );
}

/**
 * Find the preset with the fewest options that differ, and these options. Of equally near ones, it is the form's own.
 * @param {GameInfo} game @param {RulesForm} form
 */
export function nearestPreset(game, form) {
  const values = resolveOptions(game, form);
  const own = game.presets.filter(({ key }) => key === form.preset);
  const [nearest] = [...own, ...game.presets]
    .map((preset) => {
      const base = resolveOptions(game, { ...form, preset: preset.key, changes: {} });
      return { preset, differing: allOptions(game).filter(({ key }) => !isSameValue(values[key], base[key])) };
    })
    .sort((one, other) => one.differing.length - other.differing.length);
  return nearest;
}

/**
 * Return the form with an answer. The other options keep their values. The form then starts from the nearest preset, so
 * that few options are listed as changed; saved house rules keep their preset.
 * @param {GameInfo} game @param {RulesForm} form @param {Answer} answer @returns {RulesForm}
 */
export function withAnswer(game, form, { sets }) {
  const answered = { ...form, changes: { ...form.changes, ...sets } };
  const nearest = form.mine === "" ? nearestPreset(game, answered) : undefined;
  if (nearest === undefined || nearest.preset.key === form.preset) return answered;
  const values = resolveOptions(game, answered);
  const changes = Object.fromEntries(nearest.differing.map(({ key }) => [key, values[key]]));
  return { ...answered, preset: nearest.preset.key, changes };
}

/** Tell whether a question's options have the values of the form's preset. @param {GameInfo} game @param {Question} question @param {RulesForm} form */
export function isAsInPreset(game, { answers }, form) {
  const changed = changedOptions(game, form);
  return !answers.some(({ sets }) => Object.keys(sets).some((key) => key in changed));
}

/** Name the nearest preset, and what differs. @param {GameInfo} game @param {RulesForm} form */
export function nearestPresetText(game, form) {
  const nearest = nearestPreset(game, form);
  if (nearest === undefined) return "";
  const { name } = nearest.preset;
  const count = nearest.differing.length;
  if (count === 0) return t("form.preset_is", { preset: name });
  if (count > MAX_NAMED) return t("form.preset_nearest", { preset: name, count });
  return t("form.preset_nearly", { preset: name, options: formatNames(nearest.differing.map((each) => each.name)) });
}
