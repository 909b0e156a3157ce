// @ts-check
// A store draws once for each batch of changes, and never without a change.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { createStore } from "../../../static/js/lib/store.js";

/** The state at each drawing. @type {{ cards: number, name: string }[]} */
let drawn;
/** The scheduled drawings that have not run yet. @type {(() => void)[]} */
let pending;

beforeEach(() => {
  [drawn, pending] = [[], []];
});

/** @param {Partial<Parameters<typeof createStore<{ cards: number, name: string }>>[0]>} [options] */
function store(options) {
  const made = createStore({
    initial: { cards: 13, name: "Ana" },
    draw: () => drawn.push(made.get()),
    schedule: (draw) => pending.push(draw),
    ...options,
  });
  return made;
}

function runPending() {
  for (const draw of pending.splice(0)) draw();
}

test("several changes in one batch are drawn once, with all of them", () => {
  const { set } = store();
  set({ cards: 12 });
  set({ name: "Bob" });
  set({});
  assert.deepEqual(drawn, []);
  assert.equal(pending.length, 1);
  runPending();
  assert.deepEqual(drawn, [{ cards: 12, name: "Bob" }]);
});

test("a change after a drawing is drawn in the next batch", () => {
  const { set } = store();
  set({ cards: 12 });
  runPending();
  set({ cards: 11 });
  runPending();
  assert.deepEqual(
    drawn.map(({ cards }) => cards),
    [12, 11],
  );
});

test("a change made by the drawing itself is drawn, in a batch after it", () => {
  const made = store({
    draw: () => {
      drawn.push(made.get());
      if (made.get().cards > 0) made.set({ cards: 0 });
    },
  });
  made.set({ cards: 1 });
  runPending();
  assert.equal(drawn.length, 1);
  runPending();
  assert.deepEqual(
    drawn.map(({ cards }) => cards),
    [1, 0],
  );
});

test("by default a batch is drawn in a microtask", async () => {
  const { set } = store({ schedule: undefined });
  set({ cards: 12 });
  set({ cards: 11 });
  assert.deepEqual(drawn, []);
  await Promise.resolve();
  assert.deepEqual(drawn, [{ cards: 11, name: "Ana" }]);
});

test("the first change of a batch decides when it is drawn", () => {
  const { set } = store();
  /** @type {(() => void)[]} */
  const frames = [];
  set({ cards: 12 }, (draw) => frames.push(draw));
  set({ cards: 11 });
  assert.equal(pending.length, 0);
  for (const draw of frames) draw();
  assert.deepEqual(drawn, [{ cards: 11, name: "Ana" }]);
});

test("reduce replaces the state and draws nothing", () => {
  const { get, reduce, set } = store();
  reduce((state) => ({ ...state, cards: 5 }));
  assert.equal(get().cards, 5);
  assert.equal(pending.length, 0);
  set({});
  runPending();
  assert.deepEqual(drawn, [{ cards: 5, name: "Ana" }]);
});

test("a merge that returns the state it was given draws nothing", () => {
  const { get, set } = store({
    merge: (state, change) => (change.cards === state.cards ? state : { ...state, ...change }),
  });
  const before = get();
  set({ cards: 13 });
  assert.equal(get(), before);
  assert.equal(pending.length, 0);
  set({ cards: 12 });
  assert.equal(pending.length, 1);
});
