// @ts-check
// The time that notices stay.

import assert from "node:assert/strict";
import { test } from "node:test";

import { activeNotice, createNotice } from "../../../static/js/model/notice_timeout.js";
import { room, table, update, you } from "../fixtures.js";

const here = update(room(4), table(4), you({}));
/** @type {import("../../../static/js/types.d.ts").Update} */
const later = { ...here, seq: here.seq + 1, room: { ...here.room, phase: "between_hands" } };

test("what is well said goes when it has been read", () => {
  const said = createNotice({ id: 1, text: "Link copied.", bad: false, rule: null }, here, 1000);
  assert.equal(activeNotice(said, here, 4499), said);
  assert.equal(activeNotice(said, here, 4500), null);
});

test("a refusal stays until something else happens, and long enough to be read", () => {
  const said = createNotice({ id: 1, text: "No.", bad: true, rule: null }, here, 0);
  assert.equal(activeNotice(said, here, 999_999), said);
  assert.equal(activeNotice(said, { ...here, seq: here.seq + 1 }, 999_999), said);
  assert.equal(activeNotice(said, later, 3499), said);
  assert.equal(activeNotice(said, later, 3500), null);
});

test("nothing said stays nothing", () => assert.equal(activeNotice(null, here, 0), null));
