// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { canReload, reloadOnce } from "../../../static/js/net/new_version.js";
import { initialModel } from "../../../static/js/model/state.js";
import { room, table, update, you } from "../fixtures.js";

/** @import { Model } from "../../../static/js/types.d.ts" */

const TRICK = { plays: [{ by: "Bob", cards: "8c", kind: "single" }], passed: [], barred: [] };

/** Another player's turn between tricks. @param {Partial<Model>} [more] @param {Record<string, unknown>} [shown] */
function between(more = {}, shown = {}) {
  const told = update(room(4), table(4, { to_act: ["Bob"], trick: { ...TRICK, plays: [] }, ...shown }), you());
  return /** @type {Model} */ ({ ...initialModel(), link: "open", update: told, ...more });
}

test("a newer page is loaded between tricks, and in the waiting room", () => {
  assert.equal(canReload(between(), false), true);
  assert.equal(canReload(between({}, { trick: TRICK }), false), false, "a trick lies on the table");
  const lobby = update(room(4, { phase: "lobby" }), null, you());
  assert.equal(canReload(between({ update: lobby }), false), true);
});

test("nothing is taken out of anybody's hands", () => {
  assert.equal(canReload(between({}, { to_act: ["Ana"] }), false), false, "one's own turn");
  assert.equal(canReload(between({ chosen: ["3c"] }), false), false, "cards are chosen");
  assert.equal(canReload(between({ sheet: "menu" }), false), false, "a sheet is open");
  assert.equal(canReload(between({ waiting: { act: "1" } }), false), false, "something is unanswered");
  assert.equal(canReload(between({ link: "lost" }), false), false, "nobody would answer");
  assert.equal(canReload(between(), true), false, "somebody is typing");
});

/** A mock of the storage of one tab. */
function storage() {
  const kept = new Map();
  return {
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value),
  };
}

test("an old page reloads once for each version of the server", () => {
  const tab = storage();
  let loads = 0;
  const reload = () => {
    loads += 1;
  };
  assert.equal(reloadOnce("b", tab, reload), true);
  assert.equal(reloadOnce("b", tab, reload), false, "the same server again");
  assert.equal(reloadOnce("c", tab, reload), true, "another server");
  assert.equal(reloadOnce("b", tab, reload), false, "two servers take turns");
  assert.equal(loads, 2);
});

test("an old page does not reload where nothing would end a loop", () => {
  const blocked = () => {
    throw new Error("storage is blocked");
  };
  const never = () => assert.fail("the page reloads");
  assert.equal(reloadOnce("b", { getItem: blocked, setItem: blocked }, never), false);
  assert.equal(reloadOnce(undefined, storage(), never), false);
});
