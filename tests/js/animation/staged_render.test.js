// @ts-check
// The first drawing of a table: first the parts that need no cards, then the player's cards, then the seats.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { StagedRender } from "../../../static/js/animation/staged_render.js";

/** Functions that wait for the next frame, and for a pause. @type {{ frames: (() => void)[], whiles: (() => void)[] }} */
let waits;
/** The parts in each drawing. @type {string[]} */
let seen;

beforeEach(() => {
  [waits, seen] = [{ frames: [], whiles: [] }, []];
  const wait = (/** @type {(() => void)[]} */ kind) => (/** @type {() => void} */ done) => kind.push(done);
  Object.assign(globalThis, { requestAnimationFrame: wait(waits.frames), window: { setTimeout: wait(waits.whiles) } });
});

/** Run all waiting functions. A hidden page has no frames. @param {boolean} [hidden] */
function settled(hidden = false) {
  while (waits.whiles.length + (hidden ? 0 : waits.frames.length) > 0) {
    const due = [...(hidden ? [] : waits.frames.splice(0)), ...waits.whiles.splice(0)];
    for (const done of due) done();
  }
}

/** @param {StagedRender} stages */
function shown({ now: { hand, faces, seats } }) {
  return [hand ? (faces ? "cards" : "backs") : "", seats ? "seats" : ""].filter(Boolean).join(" and ");
}

function drawing() {
  /** @type {StagedRender} */
  const stages = new StagedRender(() => seen.push(shown(stages)));
  return stages;
}

/** A table that has just appeared. */
function standing() {
  const stages = drawing();
  stages.onDrawn();
  settled();
  seen.length = 0;
  return stages;
}

test("one's cards come before the seats, each in a drawing of its own, and then no more is drawn", () => {
  const stages = drawing();
  assert.deepEqual([shown(stages), stages.whole], ["", false]);
  stages.onDrawn();
  assert.deepEqual(seen, [], "what stands anyway can be seen first");
  settled();
  assert.deepEqual(seen, ["cards", "cards and seats"]);
  stages.onDrawn();
  settled();
  assert.deepEqual(seen, ["cards", "cards and seats"]);
});

test("the next table begins anew", () => {
  const stages = drawing();
  stages.onDrawn();
  settled();
  stages.reset();
  assert.deepEqual([shown(stages), stages.whole], ["", false]);
  stages.onDrawn();
  settled();
  assert.deepEqual(seen, ["cards", "cards and seats", "cards", "cards and seats"]);
});

test("what was about to be drawn of a table that is gone is not", () => {
  const stages = drawing();
  stages.onDrawn();
  stages.reset();
  settled();
  assert.deepEqual(seen, []);
  assert.equal(stages.now.hand, false);
});

test("a page that nobody looks at is drawn whole, too", () => {
  drawing().onDrawn();
  settled(true);
  assert.deepEqual(seen, ["cards", "cards and seats"]);
});

test("cards that are dealt come when all else stands, and show what they are a frame later", () => {
  const stages = standing();
  stages.startDeal();
  assert.deepEqual([shown(stages), stages.whole], ["seats", false]);
  settled();
  assert.deepEqual(seen, ["backs and seats", "cards and seats"]);
});

test("where all takes a turn one's own side is drawn a frame later", () => {
  const stages = standing();
  stages.startPhaseChange();
  assert.deepEqual([shown(stages), stages.now.own, stages.whole], ["cards and seats", false, false]);
  settled();
  assert.deepEqual(seen, ["cards and seats"]);
  assert.deepEqual([stages.now.own, stages.whole], [true, true]);
});

test("a hand begins with room for its cards, and one's own side is drawn at once", () => {
  const stages = standing();
  stages.startHand();
  assert.deepEqual([shown(stages), stages.now.own, stages.whole], ["seats", true, false]);
  settled();
  assert.deepEqual(seen, ["cards and seats"]);
});

test("a table that still appears is drawn on as it was", () => {
  const stages = drawing();
  stages.onDrawn();
  stages.startPhaseChange();
  stages.startHand();
  settled();
  assert.deepEqual(seen, ["cards", "cards and seats"]);
});

test("a deal that is over before it was drawn is not gone on with", () => {
  const stages = standing();
  stages.startDeal();
  stages.reset();
  stages.onDrawn();
  settled();
  assert.deepEqual(seen, ["cards", "cards and seats"]);
});
