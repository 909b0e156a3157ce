// @ts-check
// Updates merged into the whole view.

import assert from "node:assert/strict";
import { test } from "node:test";

import { parseJson } from "../../../static/js/lib/null_prototype.js";
import { mergeUpdate } from "../../../static/js/net/merge_update.js";
import { room, table, update, you } from "../fixtures.js";

/** @import { Told } from "../../../static/js/types.d.ts" */

const FIRST = update(room(3), table(3), you({ cards: "3c 7c" }));

/** An update as it arrives. @param {Partial<Told>} more @returns {Told} */
function told(more) {
  return parseJson(JSON.stringify({ t: "update", seq: 58, server_time: FIRST.server_time + 1, events: [], ...more }));
}

/** The view after these updates. @param {...Partial<Told>} more */
function after(...more) {
  return more.map(told).reduce((before, each) => mergeUpdate(before, each), mergeUpdate(null, FIRST));
}

/** Check that both objects are equal, apart from their prototypes. @param {unknown} one @param {unknown} other */
function same(one, other) {
  assert.deepEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

test("the first update of a connection is the picture", () => {
  same(mergeUpdate(null, FIRST), FIRST);
});

test("what has not changed is as it was", () => {
  same(after({}), { ...FIRST, seq: 58, server_time: FIRST.server_time + 1 });
});

test("what has changed takes the place of what was there, level by level", () => {
  const bob = { ...FIRST.table?.players["Bob"], cards: 5 };
  const picture = after(
    { changed: { room: { waiting_since: { Bob: 7 } }, table: { to_act: ["Bob"] }, you: { cards: "3c" } } },
    { changed: { room: { waiting_since: {} }, table: { players: /** @type {any} */ ({ Bob: bob }) } } },
  );
  same(picture.room, room(3));
  same(picture.table, { ...table(3), to_act: ["Bob"], players: { ...FIRST.table?.players, Bob: bob } });
  same(picture.you, you({ cards: "3c" }));
});

test("what is told whole takes the place of all of it", () => {
  same(after({ table: null, you: you({ name: null }) }).table, null);
  const { trick: _, ...put } = table(3);
  const picture = after({ changed: { table: { number: 9 } } }, { table: /** @type {any} */ (put) });
  same(picture.table, put);
  assert.equal(after({ table: null }, {}).table, null);
});

test("what happened is told once, and what actions are lasts", () => {
  const picture = after({ events: [{ e: "passed", by: "Bob" }] }, {});
  same(picture.events, []);
  same([picture.actions, picture.event_prominence], [FIRST.actions, FIRST.event_prominence]);
  assert.equal(
    mergeUpdate(mergeUpdate(null, { ...FIRST, hand_history: [{ e: "passed" }] }), told({})).hand_history,
    undefined,
  );
});

test("the picture before stays what it was", () => {
  const before = mergeUpdate(null, FIRST);
  const kept = JSON.stringify(before);
  mergeUpdate(
    before,
    told({ changed: { room: { spectators: 4 }, table: { number: 9, players: {} }, you: { cards: "" } } }),
  );
  assert.equal(JSON.stringify(before), kept);
});

test("names of people are names, whatever they are", () => {
  const players = /** @type {any} */ ({ constructor: FIRST.table?.players["Ana"] });
  const picture = after({ changed: { table: { players } } });
  assert.equal(picture.table?.players["toString"], undefined);
  same(picture.table?.players["constructor"], FIRST.table?.players["Ana"]);
});
