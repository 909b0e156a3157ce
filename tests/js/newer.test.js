// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { mayReload } from "../../static/js/newer.js";
import { initial } from "../../static/js/state.js";
import { room, table, update, you } from "./fixtures.js";

/** @typedef {import("../../static/js/types.d.ts").Model} Model */

const TRICK = { plays: [{ by: "Bob", cards: "8c", kind: "single" }], passed: [], barred: [] };

/** Somebody else's turn, between tricks. @param {Partial<Model>} [more] @param {Record<string, unknown>} [shown] */
function between(more = {}, shown = {}) {
  const told = update(room(4), table(4, { to_act: ["Bob"], trick: { ...TRICK, plays: [] }, ...shown }), you());
  return /** @type {Model} */ ({ ...initial(), link: "open", update: told, ...more });
}

test("a newer page is loaded between tricks, and in the waiting room", () => {
  assert.equal(mayReload(between(), false), true);
  assert.equal(mayReload(between({}, { trick: TRICK }), false), false, "a trick lies on the table");
  const lobby = update(room(4, { phase: "lobby" }), null, you());
  assert.equal(mayReload(between({ update: lobby }), false), true);
});

test("nothing is taken out of anybody's hands", () => {
  assert.equal(mayReload(between({}, { to_act: ["Ana"] }), false), false, "one's own turn");
  assert.equal(mayReload(between({ chosen: ["3c"] }), false), false, "cards are chosen");
  assert.equal(mayReload(between({ sheet: "menu" }), false), false, "a sheet is open");
  assert.equal(mayReload(between({ waiting: { act: "1" } }), false), false, "something is unanswered");
  assert.equal(mayReload(between({ link: "lost" }), false), false, "nobody would answer");
  assert.equal(mayReload(between(), true), false, "somebody is typing");
});
