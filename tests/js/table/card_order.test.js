// @ts-check
// The order of cards on the table: before the first trick for all, later in the line of a player who leads.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { emptyPart } from "../document.js";
import { english } from "../english.js";
import { room, table, update, you } from "../fixtures.js";

const { draw, textOf } = await import("../../../static/js/lib/virtual_dom.js");
const { setMessages } = await import("../../../static/js/lib/messages.js");
const { cardOrderText } = await import("../../../static/js/model/card_names.js");
const { initialModel } = await import("../../../static/js/model/state.js");
const { statusLines } = await import("../../../static/js/table/status_line.js");
const { trick } = await import("../../../static/js/table/trick.js");

/** @import { Table } from "../../../static/js/types.d.ts" */

const ORDER = "Low to high: 3–10, J, Q, K, A, 2";
const LAST = [{ by: "Bob", cards: "8c", kind: "single" }];

before(() => setMessages(english()));

/** Return the text below the turn for a player who has won a trick with these events. @param {string[]} latest @param {Partial<Table>} [more] */
function said(latest, more = {}) {
  const shown = table(4, { phase: "play", last_trick: LAST, ...more });
  const state = update(room(4), shown, you({ cards: "3c", legal: [{ do: "play", cards: "3c" }] }));
  const desk = { model: { ...initialModel(), latest, update: state }, update: state };
  const part = emptyPart();
  draw(part, statusLines(/** @type {any} */ (desk)));
  return part.querySelector("[data-zone=latest]")?.textContent;
}

test("the order has the ranks, and the suits where they count", () => {
  assert.equal(cardOrderText({ ranks: "9TJ" }), "Low to high: 9, 10, J");
  assert.equal(cardOrderText({ ranks: "9TJ", suits: "dchs" }), "Low to high: 9, 10, J. Suits: ♦ ♣ ♥ ♠");
  assert.equal(cardOrderText({ ranks: "2AKQJT9876543" }), "Low to high: 2, A, K, Q, J, 10–3");
  assert.equal(cardOrderText({ ranks: "3789TJ" }), "Low to high: 3–10, J");
  assert.equal(cardOrderText({}), "");
});

test("jokers, high cards and equal cards have their place, and special cards lead to the rules", () => {
  assert.equal(cardOrderText({ ranks: "9TJ", order: ["9", "T", "Jd"] }), "Low to high: 9, 10, J♦");
  assert.equal(
    cardOrderText({ ranks: "9TJ", order: ["9", "2 3 X", "Xb", "Xr"] }),
    "Low to high: 9, 2=3=joker, black joker, red joker",
  );
  const part = emptyPart();
  for (const here of [null, room(4)]) {
    draw(part, trick(table(4, { last_trick: null, special: ["3s", "X"] }), "Ana", false, here));
    const link = part.querySelector("[data-zone=special-cards]");
    assert.equal(link?.textContent, "Special cards: 3♠, joker (rules)");
    assert.equal(link?.getAttribute("href"), `/rules/president${here ? `?room=${here.code}` : ""}`);
  }
});

test("the felt shows the order only before the first trick", () => {
  assert.equal(textOf(trick(table(4), "Ana", false)), ORDER);
  assert.doesNotMatch(textOf(trick(table(4, { last_trick: LAST }), "Ana", false)), /Low to high/);
});

test("a player who leads reads the order after the latest event, if both fit", () => {
  assert.equal(said(["You win the trick."]), `You win the trick. ${ORDER}`);
  assert.equal(said(["Revolution! Low cards now beat high cards."]), "Revolution! Low cards now beat high cards.");
  assert.equal(said(["You win the trick."], { last_trick: null }), "You win the trick.");
  assert.equal(said(["Bob leads."], { trick: { plays: LAST, passed: [], barred: [] } }), "Bob leads.");
});

test("two events share the line if they fit, and a Chinese character is as wide as two letters", () => {
  const after = { last_trick: null };
  assert.equal(said(["Bob passes.", "Cat wins the trick."], after), "Bob passes. Cat wins the trick.");
  assert.equal(said(["过。".repeat(20), "Cat拿下这一轮。"], after), "Cat拿下这一轮。");
  assert.equal(said(["Bob过。", "Cat拿下这一轮。"], after), "Bob过。 Cat拿下这一轮。");
  setMessages({ ...english(), "text.sentences": "{0}{1}" });
  assert.equal(said(["Bob过。", "Cat拿下这一轮。"], after), "Bob过。Cat拿下这一轮。");
  setMessages(english());
});
