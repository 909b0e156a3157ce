// @ts-check
// The advice in a person's first hand after Play now.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import "../document.js";
import { FIXTURES } from "../fixtures.js";
import { english } from "../english.js";
import { coachLine, countCoachedTurn } from "../../../static/js/actions/coaching.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { setPreference } from "../../../static/js/lib/preferences.js";
import { textOf } from "../../../static/js/lib/virtual_dom.js";
import { applyUpdate, initialModel } from "../../../static/js/model/state.js";

/** @import { Desk, Update } from "../../../static/js/types.d.ts" */

before(() => setMessages(english()));

/** The state of a fixture as a turn of the first hand, or of another one. @param {string} name @param {number} request @param {number} [hand] */
function turn(name, request, hand = 1) {
  const state = /** @type {Update} */ (/** @type {unknown} */ (FIXTURES[/** @type {"turn_4"} */ (name)]));
  const table = /** @type {NonNullable<Update["table"]>} */ (state.table);
  return { ...state, table: { ...table, number: hand }, you: { ...state.you, request } };
}

/** Return the advice in a turn, or null. @param {Update} update @param {string[]} [chosen] slots */
function advice(update, chosen = []) {
  countCoachedTurn(update);
  const model = { ...applyUpdate(initialModel(), update, 0), chosen };
  const line = coachLine(/** @type {Desk} */ (/** @type {unknown} */ ({ model, update })));
  return line === null ? null : textOf(line);
}

test("three turns of the first hand are coached, then never again", () => {
  setPreference("coach", "3");
  assert.equal(advice(turn("turn_4", 1)), "Tap bright cards to beat 8♣ 8♦. Learn President");
  assert.equal(
    advice(turn("turn_4", 1), ["Tc", "Th"]),
    "Press Play, or tap the cards again to choose others. Learn President",
  );
  assert.equal(advice(turn("lead_sets", 2)), "You lead. Tap a bright card to play it. Learn President");
  const { you, ...rest } = turn("turn_4", 3);
  const passOnly = { ...rest, you: { ...you, legal: [{ do: "pass" }] } };
  assert.equal(advice(passOnly), "None of your cards beats 8♣ 8♦. Press Pass. Learn President");
  assert.equal(advice(turn("turn_4", 4)), null);
  assert.equal(advice(turn("turn_4", 5)), null);
});

test("coaching ends with the first hand", () => {
  setPreference("coach", "3");
  assert.equal(advice(turn("turn_4", 6, 2)), null);
  assert.equal(advice(turn("turn_4", 7)), null);
});

test("a person who has played before is not coached", () => {
  setPreference("coach", "");
  assert.equal(advice(turn("turn_4", 8)), null);
  assert.equal(advice(turn("turn_4", 9)), null);
});
