// @ts-check
// The data of the form: values, differences and labels, from declarations alone.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import {
  formFromLink,
  findOptions,
  findPresetsByName,
  changedOptions,
  newForm,
  formFromSavedRules,
  matchesSearch,
  optionsToSend,
  presetEntries,
  presetVariants,
  resolveOptions,
  isSameAsSaved,
  valueLabel,
} from "../../../static/js/rules/form_state.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { game, option, preset } from "./declarations.js";

before(() => setMessages({ "form.no_ranks": "none", "form.no_steps": "never", "form.step": "from {from} × {times}" }));

/** @import { RulesForm } from "../../../static/js/rules/form_state.js" */

const GAME = game(
  [
    option("jokers", 0),
    option("wild", "", { type: "ranks", most: 2, of: "3456789TJQKA2" }),
    option("doubling", [[10, 2]], { type: "steps", most: 10 }),
    option("target", 11, { type: "number", low: 1, high: 100, none_label: "no end" }),
  ],
  [preset("plain", {}), preset("jolly", { jokers: 2 }, "Zhēng Shàngyóu")],
);

test("a form starts from the first preset, with nothing changed", () => {
  const form = newForm(GAME);
  assert.deepEqual(resolveOptions(GAME, form), { jokers: 0, wild: "", doubling: [[10, 2]], target: 11 });
  assert.deepEqual(optionsToSend(GAME, form), { preset: "plain" });
});

test("only what differs from the preset is a difference", () => {
  const form = { ...newForm(GAME), preset: "jolly", changes: { jokers: 2, wild: "23", doubling: [[10, 2]] } };
  assert.deepEqual(changedOptions(GAME, form), { wild: "23" });
  assert.equal(resolveOptions(GAME, form).jokers, 2);
});

test("values are shown as their switch calls them", () => {
  const [, wild, doubling, target] = GAME.sections[0]?.switches ?? [];
  assert.ok(wild && doubling && target);
  assert.equal(valueLabel(wild, ""), "none");
  assert.equal(valueLabel(wild, "T2"), "10 2");
  assert.equal(
    valueLabel(doubling, [
      [10, 2],
      [13, 3],
    ]),
    "from 10 × 2, from 13 × 3",
  );
  assert.equal(valueLabel(target, null), "no end");
});

test("a search looks into all that a switch says, its values too", () => {
  const four = option("four", "no", { type: "choice", values: [{ value: "yes", label: "Turns the ranks" }] });
  assert.ok(matchesSearch(four, ""));
  assert.ok(matchesSearch(four, "TURNS four"));
  assert.ok(!matchesSearch(four, "turns jokers"));
});

test("options that are named as the search come first, and so do their sections", () => {
  const choice = (/** @type {string} */ key, more = {}) => ({
    ...option(key, false, { type: "choice", values: [] }),
    ...more,
  });
  const section = (/** @type {string} */ key, /** @type {ReturnType<typeof choice>[]} */ switches) => ({
    key,
    name: key,
    rules: [],
    switches,
  });
  const sections = [
    section("powers", [choice("threes", { sentence: "Also in a revolution." }), choice("twos")]),
    section("beating", [choice("bombs", { example: "A revolution." }), choice("four", { name: "Revolution" })]),
    section("runs", [choice("long", { also: "sequence revolution" })]),
  ];
  const found = (/** @type {string} */ search) =>
    findOptions({ ...GAME, sections }, search).map((each) => [each.section.key, ...each.shown.map(({ key }) => key)]);
  assert.deepEqual(found("revolution"), [
    ["beating", "four", "bombs"],
    ["runs", "long"],
    ["powers", "threes"],
  ]);
  assert.deepEqual(found(""), [
    ["powers", "threes", "twos"],
    ["beating", "bombs", "four"],
    ["runs", "long"],
  ]);
});

test("a form without a link begins with the game that was played last", () => {
  const other = { ...GAME, key: "other", name: "Other" };
  const begins = (/** @type {Record<string, string>} */ data) =>
    formFromLink({ games: [GAME, other], bots: [], signs: {} }, { preset: "", changes: "{}", ...data })?.game;
  assert.equal(begins({ game: "", last: "other" }), "other");
  assert.equal(begins({ game: "game", last: "other" }), "game");
  assert.equal(begins({ game: "", last: "" }), "game");
  assert.equal(begins({ game: "", last: "gone" }), "game");
});

test("ways to play are found by all their names, and by the game’s the first, with accents or without", () => {
  const catalogue = { games: [GAME], bots: [], signs: {} };
  const found = (/** @type {string} */ search) => findPresetsByName(catalogue, search).map(({ preset }) => preset.key);
  assert.deepEqual(found("大富豪"), ["plain"]);
  assert.deepEqual(found("daihin"), ["plain"]);
  assert.deepEqual(found("zheng shangyou"), ["jolly"]);
  assert.deepEqual(found("Shàngyóu"), ["jolly"]);
  assert.deepEqual(found("bridge"), []);
  assert.deepEqual(found(" "), []);
});

test("presets that share an entry are found once, and each is in the choice of the other", () => {
  const [plain, jolly] = GAME.presets;
  assert.ok(plain && jolly);
  const today = { ...jolly, id: "T-9", key: "today", variant: "Today", variant_of: "jolly" };
  const game = { ...GAME, presets: [plain, jolly, today] };
  const found = findPresetsByName({ games: [game], bots: [], signs: {} }, jolly.name);
  assert.deepEqual(
    found.map(({ preset }) => preset.key),
    ["jolly"],
  );
  const keys = (/** @type {string} */ key) => presetVariants(game, key).map((each) => each.key);
  assert.deepEqual(keys("today"), ["jolly", "today"]);
  assert.deepEqual(keys("jolly"), ["jolly", "today"]);
  assert.deepEqual(keys("plain"), ["plain"]);
});

test("the first presets have entries, the form's own among them, and all on request", () => {
  const [plain] = GAME.presets;
  assert.ok(plain);
  const many = (/** @type {number} */ count) => ({
    ...GAME,
    presets: Array.from({ length: count }, (_, i) => ({ ...plain, key: `p${i}` })),
  });
  const keys = (/** @type {number} */ count, /** @type {Partial<RulesForm>} */ form) => {
    const { shown, hidden } = presetEntries(many(count), { ...newForm(GAME), ...form });
    assert.equal(shown.length + hidden.length, count);
    return shown.map((each) => each.key).join(" ");
  };
  assert.equal(keys(5, {}), "p0 p1 p2 p3 p4");
  assert.equal(keys(6, {}), "p0 p1 p2 p3");
  assert.equal(keys(7, { preset: "p5" }), "p0 p1 p2 p5");
  assert.equal(keys(7, { preset: "p3" }), "p0 p1 p2 p3");
  assert.equal(keys(6, { allPresets: true }), "p0 p1 p2 p3 p4 p5");
});

/** @param {string} id @param {Partial<import("../../../static/js/types.d.ts").KeptRules>} [otherwise] @returns {import("../../../static/js/types.d.ts").KeptRules} */
const kept = (id, otherwise = {}) => ({
  id,
  game: "game",
  name: id,
  preset: "jolly",
  preset_name: "Jolly",
  changes: { wild: "23", target: 7 },
  lines: [],
  picture: "",
  mark: "",
  mark_text: "",
  problems: [],
  link: "/new",
  saved_at: 0,
  ...otherwise,
});

test("a form begins with house rules, knows when they are changed, and when they are as before", () => {
  const mine = kept("tuesday");
  const form = formFromSavedRules(GAME, mine);
  assert.deepEqual(optionsToSend(GAME, form), { preset: "jolly", wild: "23", target: 7 });
  assert.ok(isSameAsSaved(GAME, form, mine));
  assert.ok(!isSameAsSaved(GAME, { ...form, changes: { ...form.changes, jokers: 1 } }, mine));
  assert.ok(isSameAsSaved(GAME, { ...form, changes: { target: 7, jokers: 2, wild: "23" } }, mine));
  assert.ok(!isSameAsSaved(GAME, { ...form, preset: "plain" }, mine));
});

test("a link to one's own house rules begins with them; who asks for nothing begins with what everybody has", () => {
  const catalogue = {
    games: [GAME],
    bots: [],
    signs: {},
    kept: [kept("friday", { changes: {} }), kept("tuesday"), kept("as it is", { preset: "plain", changes: {} })],
  };
  const asked = { game: "game", preset: "jolly", changes: '{"target":7,"wild":"23"}' };
  assert.equal(formFromLink(catalogue, asked)?.mine, "tuesday");
  assert.equal(formFromLink(catalogue, { ...asked, changes: "{}" })?.mine, "friday");
  assert.equal(formFromLink(catalogue, { ...asked, changes: '{"target":8}' })?.mine, "");
  assert.equal(formFromLink(catalogue, { game: "", preset: "", changes: "{}" })?.mine, "");
});
