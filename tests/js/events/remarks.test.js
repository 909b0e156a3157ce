// @ts-check
// Dry remarks: which moments deserve one, and that all pages choose the same words.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { hearEvent, lastCardRemarks, remarkText } from "../../../static/js/events/remarks.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { english } from "../english.js";

const KINDS = ["fall", "last_card", "passes", "jokers", "undone"];
const FEWEST = 4;
const LONGEST = 60;
/** Names on tables are seldom longer. */
const NAME = "Ana";

before(() => setMessages(english()));

const ANIMATIONS = /** @type {any} */ ({
  played: { paths: [["by", "table"]] },
  passed: { remark: "passes" },
  toppled: { celebration: "fall", remark: "fall" },
  counter_revolution: { remark: "undone" },
});

/** Return the remarks on these events, one after another. @param {any[]} events */
function remarks(events) {
  let memory = { hand: 1, passes: {}, jokers: 0 };
  return events.flatMap((event) => {
    const heard = hearEvent(memory, event, event.hand ?? 1, ANIMATIONS);
    memory = heard.memory;
    return heard.remarks.map(({ kind, name }) => `${kind} ${name}`);
  });
}

const pass = (/** @type {string} */ by, hand = 1) => ({ e: "passed", by, hand });
const play = (/** @type {string} */ by, /** @type {string} */ cards) => ({ e: "played", by, cards });

test("four passes in a row by one player deserve a remark, in one hand", () => {
  assert.deepEqual(remarks([pass("Ana"), pass("Bob"), pass("Ana"), pass("Ana"), pass("Ana"), pass("Ana")]), [
    "passes Ana",
  ]);
  assert.deepEqual(remarks([pass("Ana"), pass("Ana"), pass("Ana"), play("Ana", "3c"), pass("Ana")]), []);
  assert.deepEqual(remarks([pass("Ana"), pass("Ana"), pass("Ana"), pass("Ana", 2)]), []);
});

test("both jokers deserve one remark, together or one after another", () => {
  assert.deepEqual(remarks([play("Ana", "Xr Xb")]), ["jokers Ana"]);
  assert.deepEqual(remarks([play("Ana", "Xr"), play("Bob", "3c"), play("Bob", "Xb 4c"), play("Cat", "Xb")]), [
    "jokers Bob",
  ]);
});

test("a fall from first place and a failed revolution deserve one", () => {
  assert.deepEqual(
    remarks([
      { e: "toppled", by: "Ana" },
      { e: "counter_revolution", by: "Bob" },
    ]),
    ["fall Ana", "undone Bob"],
  );
});

test("a play that leaves one card deserves one", () => {
  const table = /** @type {any} */ ({
    middle: "trick",
    players: { Ana: { cards: 1 }, Bob: { cards: 1 }, Cat: { cards: 2 } },
  });
  const found = lastCardRemarks([play("Ana", "3c"), play("Cat", "4c"), pass("Bob")], table, ANIMATIONS);
  assert.deepEqual(found, [{ kind: "last_card", name: "Ana" }]);
});

/** All sentences of a kind, which are numbered from 1. @param {string} kind */
function variants(kind) {
  return Object.entries(english()).flatMap(([key, text]) => (key.startsWith(`voice.${kind}.`) ? [text] : []));
}

test("each kind has several sentences, which differ, fit a line and end as sentences do", () => {
  for (const kind of KINDS) {
    const all = variants(kind);
    assert.ok(all.length >= FEWEST, kind);
    assert.equal(new Set(all).size, all.length);
    for (const each of all) assert.match(each.replaceAll("{name}", NAME), new RegExp(`^[A-Z].{1,${LONGEST - 2}}\\.$`));
  }
});

test("all pages choose the same variant, also in a language with fewer", () => {
  const remark = { kind: "fall", name: NAME };
  assert.equal(remarkText(remark, 3), remarkText({ ...remark }, 3));
  const hands = Array.from({ length: 40 }, (_, hand) => remarkText(remark, hand));
  assert.equal(new Set(hands).size, variants("fall").length);
  setMessages({ "voice.fall.1": "{name} faellt." });
  assert.deepEqual(new Set(hands.map((_, hand) => remarkText(remark, hand))), new Set(["Ana faellt."]));
  assert.equal(remarkText({ kind: "jokers", name: NAME }, 1), "");
  setMessages(english());
});
