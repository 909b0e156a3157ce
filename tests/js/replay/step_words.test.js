// @ts-check
// The texts of a step in a replay, the step at which it begins, its moments, and the pauses of automatic playback.

import assert from "node:assert/strict";
import { test } from "node:test";

import { setMessages } from "../../../static/js/lib/messages.js";
import { firstPlay, line, linesSoFar, moments, pauseAfter, words } from "../../../static/js/replay/step_words.js";
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

/** @param {object[]} frames */
const handOf = (...frames) =>
  /** @type {import("../../../static/js/replay/replay_state.js").Hand} */ (
    /** @type {unknown} */ ({
      event_prominence: { dealt: "quiet", passed: "quiet", played: "move", bomb: "great" },
      event_animations: { trick_over: { paths: [["table", "by"]] }, played: { paths: [["by", "table"]] } },
      frames,
    })
  );

test("a replay begins at the first play, or after the deal in a game without plays", () => {
  const [dealt, swapped, played] = [frameOf({ e: "dealt" }), frameOf({ e: "swapped" }), frameOf({ e: "played" })];
  assert.equal(firstPlay(handOf(dealt, swapped, played, played)), 2);
  assert.equal(firstPlay(handOf(dealt, swapped, swapped)), 1);
});

test("the moments are the highlights of the server, and what the table celebrates", () => {
  const [plain, highlight] = [frameOf({ e: "played" }), { ...frameOf({ e: "played" }), highlight: true }];
  assert.deepEqual(moments({ hand: handOf(plain, highlight, frameOf({ e: "played" }, { e: "bomb" })) }), [
    { step: 1, great: false },
    { step: 2, great: true },
  ]);
});

test("automatic playback hurries over a pass, and takes a breath after a trick and a great event", () => {
  const steps = [["passed"], ["played"], ["passed", "trick_over"], ["played", "bomb"]].map((kinds) =>
    frameOf(...kinds.map((e) => ({ e }))),
  );
  const hand = handOf(...steps);
  assert.deepEqual(
    steps.map((_, at) => pauseAfter(hand, at)),
    [0.6, 1, 1.5, 2],
  );
});

test("automatic playback shows a long thought, shorter than it was", () => {
  const passed = frameOf({ e: "passed" });
  const [short, long, longest] = [5, 20, 600].map((seconds) => pauseAfter(handOf(passed, { ...passed, seconds }), 0));
  assert.deepEqual([short, long, longest], [0.6, 2, 2.5]);
});
