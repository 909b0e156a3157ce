// @ts-check
// The questions above the form: answers in force, what an answer sets, the nearest preset, and the line about them.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { newForm, optionsToSend, resolveOptions } from "../../../static/js/rules/form_state.js";
import {
  answerInForce,
  isAsInPreset,
  nearestPreset,
  nearestPresetText,
  ownAnswer,
  withAnswer,
} from "../../../static/js/rules/questions.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { english } from "../english.js";
import { game, option, preset } from "./declarations.js";

before(() => setMessages(english()));

/** @param {string} key @param {Record<string, unknown>} sets */
const answer = (key, sets) => ({ key, text: `It is ${key}.`, sets, picture: "", mark: "" });

const NONE = answer("none", { jokers: 0 });
const WILD = answer("wild", { jokers: 2, role: 1 });
const JOKERS = { key: "jokers", sentence: "Jokers?", answers: [NONE, WILD] };
const LEAD = { key: "lead", sentence: "Lead?", answers: [answer("first", { lead: 0 }), answer("last", { lead: 1 })] };

const GAME = {
  ...game(
    ["jokers", "role", "lead", "eights", "end"].map((key) => option(key, 0)),
    [preset("plain", {}), preset("tycoon", { jokers: 2, role: 1, lead: 1, eights: 1 })],
  ),
  questions: [JOKERS, LEAD],
};

test("an answer is in force if all its options have its values, else the rule is the room's own", () => {
  const plain = resolveOptions(GAME, newForm(GAME));
  assert.equal(answerInForce(JOKERS, plain), NONE);
  assert.equal(answerInForce(JOKERS, { ...plain, jokers: 2, role: 1 }), WILD);
  assert.equal(answerInForce(JOKERS, { ...plain, jokers: 1, role: 1 }), undefined);
  assert.equal(ownAnswer(GAME, JOKERS, { ...plain, jokers: 1, role: 1 }), "jokers: 1", "what no answer has");
  const mixed = { ...LEAD, answers: [answer("one", { lead: 0, end: 1 }), answer("other", { lead: 1, end: 0 })] };
  assert.equal(ownAnswer(GAME, mixed, plain), "lead: 0; end: 0", "all, if each is in some answer");
});

test("an answer sets its options and keeps all others", () => {
  const form = { ...newForm(GAME), changes: { end: 7 } };
  assert.deepEqual(optionsToSend(GAME, withAnswer(GAME, form, WILD)), { preset: "plain", end: 7, jokers: 2, role: 1 });
});

test("a form with answers starts from the nearest preset; saved house rules keep theirs", () => {
  const form = { ...newForm(GAME), changes: { jokers: 2, role: 1 } };
  const last = answer("last", { lead: 1 });
  assert.deepEqual(optionsToSend(GAME, withAnswer(GAME, form, last)), { preset: "tycoon", eights: 0 });
  assert.equal(withAnswer(GAME, { ...form, mine: "id" }, last).preset, "plain");
  assert.equal(nearestPreset(GAME, form)?.preset.key, "plain", "equally near");
  assert.equal(
    nearestPreset(GAME, { ...newForm(GAME), preset: "tycoon", changes: { jokers: 0, role: 0 } })?.preset.key,
    "tycoon",
  );
});

test("the line names the nearest preset and what differs", () => {
  const form = { ...newForm(GAME), preset: "tycoon" };
  const own = { ...form, changes: { jokers: 1 } };
  assert.deepEqual([isAsInPreset(GAME, JOKERS, own), isAsInPreset(GAME, LEAD, own)], [false, true]);
  /** @param {Record<string, unknown>} changes */
  const text = (changes) => nearestPresetText(GAME, { ...form, changes });
  assert.equal(text({}), "These are the rules of Tycoon.");
  assert.equal(text({ eights: 0 }), "Nearly Tycoon, except for eights.");
  assert.equal(text({ eights: 0, end: 1 }), "Nearly Tycoon, except for eights and end.");
  const far = { ...GAME, presets: GAME.presets.slice(1) };
  const changes = { jokers: 1, role: 0, lead: 0, eights: 0 };
  assert.equal(nearestPresetText(far, { ...form, changes }), "The nearest variant is Tycoon. 4 options differ.");
});
