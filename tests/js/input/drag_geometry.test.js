// @ts-check
// The meaning of a finger's movement on a card.

import assert from "node:assert/strict";
import { test } from "node:test";

import { slotRange, dragIntent, insertionIndex, isFlick } from "../../../static/js/input/drag_geometry.js";

const FROM = { x: 100, y: 100 };

test("along the hand is a run, up carries, and so does any way from a card that is lifted", () => {
  assert.equal(dragIntent(FROM, { x: 105, y: 96 }, true), null);
  assert.equal(dragIntent(FROM, { x: 130, y: 95 }, false), "run");
  assert.equal(dragIntent(FROM, { x: 110, y: 130 }, false), "run");
  assert.equal(dragIntent(FROM, { x: 110, y: 60 }, false), "carry");
  assert.equal(dragIntent(FROM, { x: 130, y: 100 }, true), "carry");
});

test("a flick is quick, goes up and has a shortest way", () => {
  assert.equal(isFlick(FROM, { x: 110, y: 60 }, 120), true);
  assert.equal(isFlick(FROM, { x: 110, y: 60 }, 400), false);
  assert.equal(isFlick(FROM, { x: 110, y: 80 }, 120), false);
  assert.equal(isFlick(FROM, { x: 160, y: 60 }, 120), false);
  assert.equal(isFlick(FROM, { x: 100, y: 150 }, 120), false);
});

test("a run goes from card to card, either way", () => {
  const hand = ["a", "b", "c", "d"];
  assert.deepEqual(slotRange(hand, "b", "d"), ["b", "c", "d"]);
  assert.deepEqual(slotRange(hand, "c", "a"), ["a", "b", "c"]);
  assert.deepEqual(slotRange(hand, "c", "gone"), []);
});

test("cards are put where they are held: before, behind, and in the right row", () => {
  const row = (/** @type {number} */ top) => [0, 50, 100].map((left) => ({ left, top, width: 60, height: 80 }));
  assert.equal(insertionIndex(row(0), { x: -5, y: 20 }), 0);
  assert.equal(insertionIndex(row(0), { x: 62, y: 20 }), 1);
  assert.equal(insertionIndex(row(0), { x: 400, y: 20 }), 3);
  const rows = [...row(0), ...row(48)];
  assert.equal(insertionIndex(rows, { x: 400, y: 20 }), 3);
  assert.equal(insertionIndex(rows, { x: 10, y: 60 }), 3);
  assert.equal(insertionIndex(rows, { x: 62, y: 120 }), 4);
  assert.equal(insertionIndex(rows, { x: 10, y: -30 }), 0);
  assert.equal(insertionIndex(rows, { x: 400, y: 90 }), 6);
});
