// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  resolvePremove,
  isPremoveDue,
  canPremove,
  premoveKey,
  premoveDelay,
} from "../../../static/js/model/premove.js";
import { initialModel } from "../../../static/js/model/state.js";
import { room, table, update, you } from "../fixtures.js";

/** @import { Model } from "../../../static/js/types.d.ts" */

const TRICK = { plays: [{ by: "Bob", cards: "8c", kind: "single" }], passed: [], barred: [] };
const NINE = { do: "play", cards: "9d" };
const PASS = { do: "pass" };

/** A page on which the nine is chosen. @param {string} turn whose it is @param {import("../../../static/js/types.d.ts").Action[]} legal @param {Record<string, unknown>} [mine] @returns {Model} */
function page(turn, legal, mine = {}) {
  const seen = update(room(4), table(4, { trick: TRICK, to_act: [turn] }), you({ cards: "3c 9d", legal, ...mine }));
  return { ...initialModel(), link: "open", update: seen, chosen: ["9d"] };
}

/** @param {Model} model @returns {Model} */
function said(model) {
  return { ...model, ahead: premoveKey(model) };
}

test("what was meant is played when the turn comes, and not before", () => {
  const before = page("Bob", []);
  assert.ok(before.update && canPremove(before.update));
  assert.equal(isPremoveDue(said(before)), false);
  const now = page("Ana", [PASS, NINE]);
  assert.equal(isPremoveDue(now), false, "nobody has said so");
  assert.equal(isPremoveDue(said(now)), true);
  assert.deepEqual(resolvePremove(now), NINE);
  assert.equal(now.update && canPremove(now.update), false);
});

test("what was meant waits where others may be about to break in, however many can", () => {
  const now = page("Ana", [PASS, NINE]);
  assert.ok(now.update?.table);
  assert.equal(premoveDelay(now.update, 0.5), 0);
  now.update.table.may_interrupt = ["Cat"];
  const one = premoveDelay(now.update, 0.5);
  assert.ok(one > 1000);
  now.update.table.may_interrupt = ["Cat", "Dan"];
  assert.equal(premoveDelay(now.update, 0.5), one);
});

test("another choice, another hand or a line that is down take it back", () => {
  const now = said(page("Ana", [PASS, NINE]));
  assert.equal(isPremoveDue({ ...now, chosen: ["3c"] }), false);
  assert.equal(isPremoveDue({ ...now, chosen: [] }), false);
  assert.equal(isPremoveDue({ ...now, link: "lost" }), false);
  const next = page("Ana", [PASS, NINE]);
  if (next.update?.table) next.update.table.number = 4;
  assert.equal(isPremoveDue({ ...next, ahead: now.ahead }), false);
});

test("what can't be played any more is none, and what may mean several things is asked", () => {
  assert.equal(resolvePremove(page("Ana", [PASS])), null);
  assert.equal(resolvePremove(page("Ana", [PASS, { ...NINE, as: "9" }, { ...NINE, as: "T" }])), undefined);
  assert.equal(resolvePremove(page("Ana", [{ do: "give", cards: "9d" }])), undefined, "a gift is not what was meant");
  assert.deepEqual(resolvePremove(page("Ana", [PASS], { more: true })), NINE, "the server judges");
});
