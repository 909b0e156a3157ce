// @ts-check
// The texts of a step in a replay: a line for each event, or all in a single line.

import assert from "node:assert/strict";
import { test } from "node:test";

import { setMessages } from "../../../static/js/lib/messages.js";
import { line, linesSoFar, words } from "../../../static/js/replay/step_words.js";
import { english } from "../english.js";

setMessages(english());

/** @param {object[]} events */
const frameOf = (...events) =>
  /** @type {import("../../../static/js/types.d.ts").Frame} */ (/** @type {unknown} */ ({ events }));

const passes = frameOf({ e: "passed", by: "Ana" }, { e: "passed", by: "Bob" });
const silent = frameOf({ e: "seed_promised" });
const state = /** @type {import("../../../static/js/replay/replay_state.js").Replay} */ (
  /** @type {unknown} */ ({
    hand: { event_prominence: { passed: "quiet" }, frames: [passes, silent, passes] },
    number: 2,
    at: 1,
    seat: null,
  })
);

test("a step has a line for each event that has words", () => {
  assert.deepEqual(words(state, passes), [
    { text: "Ana passes.", kind: "quiet", hand: 3 },
    { text: "Bob passes.", kind: "quiet", hand: 3 },
  ]);
  assert.deepEqual(words(state, silent), []);
});

test("a step in one line has the sentences of all its events", () => {
  assert.equal(line(state, passes), "Ana passes. Bob passes.");
});

test("the log of a hand ends at the current step, and numbers its lines from one", () => {
  assert.deepEqual(
    linesSoFar(state).map(({ id, text }) => [id, text]),
    [
      [1, "Ana passes."],
      [2, "Bob passes."],
    ],
  );
});
