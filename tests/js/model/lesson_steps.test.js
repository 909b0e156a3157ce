// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { nextBeatWithNewFrame, sameAction } from "../../../static/js/model/lesson_steps.js";

test("a move is the same in whatever order its cards are chosen", () => {
  assert.ok(sameAction({ do: "play", cards: "9d 9s" }, { cards: "9s 9d", do: "play", as: null }));
  assert.ok(!sameAction({ do: "play", cards: "9d 9s" }, { do: "play", cards: "9d" }));
  assert.ok(!sameAction({ do: "keep" }, { do: "swap" }));
});

test("the next step is the first of the next picture, and the last step stays", () => {
  const beats = [0, 0, 0, 1, 2, 2].map((frame) => ({ frame, says: "", points: "" }));
  assert.equal(nextBeatWithNewFrame(beats, 1), 3);
  assert.equal(nextBeatWithNewFrame(beats, 3), 4);
  assert.equal(nextBeatWithNewFrame(beats, 5), 5);
});
