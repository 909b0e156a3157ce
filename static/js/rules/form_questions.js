// @ts-check
// The questions of the rules form: "How do you play it?", with a picture for each answer, and the nearest variant.

import { h } from "../lib/virtual_dom.js";
import { joinSentences, t } from "../lib/messages.js";
import { radioCard } from "./form_fields.js";
import { resolveOptions } from "./form_state.js";
import { presetPicture } from "./preset_picture.js";
import { answerInForce, isAsInPreset, nearestPresetText, ownAnswer, withAnswer } from "./questions.js";

/**
 * @import { GameInfo } from "../types.d.ts"
 * @import { Question } from "./questions.js"
 * @import { RulesForm } from "./form_state.js"
 */
/** @typedef {(form: RulesForm) => void} Change */

/** Draw the questions, and name the nearest variant and its special rules. @param {GameInfo} game @param {RulesForm} form @param {Change} change */
export function questionsSection(game, form, change) {
  if (game.questions.length === 0) return null;
  return h(
    "section",
    {
      key: `questions-${game.key}`,
      "data-zone": "questions",
      class: "questions",
      "aria-labelledby": "questions-title",
    },
    h("h2", { id: "questions-title" }, t("form.questions")),
    game.questions.map((each) => questionField(game, each, form, change)),
    h(
      "p",
      { key: "said", "data-zone": "rules-said", class: "rules-said", "aria-live": "polite" },
      h("b", null, nearestPresetText(game, form)),
      // The chosen answers stand above. These are the special rules that no question asks about.
      " ",
      form.special.length > 0 ? t("form.questions.also", { rules: joinSentences([...form.special]) }) : null,
    ),
  );
}

/** Draw a question. A further choice is in force if no answer is. @param {GameInfo} game @param {Question} question @param {RulesForm} form @param {Change} change */
function questionField(game, question, form, change) {
  const values = resolveOptions(game, form);
  const chosen = answerInForce(question, values);
  const name = `question-${question.key}`;
  const preset = isAsInPreset(game, question, form) ? game.presets.find(({ key }) => key === form.preset) : undefined;
  return h(
    "fieldset",
    { key: question.key, class: "plain", "data-question": question.key },
    h("legend", null, question.sentence),
    h(
      "div",
      { class: "answer-cards", "data-count": question.answers.length },
      question.answers.map((each) =>
        radioCard(
          name,
          each,
          each === chosen,
          () => change(withAnswer(game, form, each)),
          presetPicture(each),
          h("span", { class: "answer" }, each.text),
        ),
      ),
      chosen
        ? null
        : radioCard(
            name,
            { key: "own" },
            true,
            () => {},
            h(
              "span",
              { class: "answer" },
              preset ? t("form.questions.as_in", { preset: preset.name }) : t("form.questions.own"),
            ),
            h("span", { class: "answer" }, ownAnswer(game, question, values)),
          ),
    ),
  );
}
