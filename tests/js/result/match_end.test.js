// @ts-check
// Who has won a match, and the sentence why.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { setMessages } from "../../../static/js/lib/messages.js";
import { matchOutcome } from "../../../static/js/result/match_end.js";
import { english } from "../english.js";

before(() => setMessages(english()));

const SEATS = ["Ana", "Bob", "Cat"];

/**
 * @param {Record<string, number>} totals @param {string[]} winners
 * @param {{ standing?: any[], titles?: Record<string, string>, tally?: any, ledger?: Record<string, number> }} [more]
 */
function outcome(totals, winners, { standing = SEATS, titles = {}, tally = null, ledger = {} } = {}) {
  const last = /** @type {any} */ ({ standing, totals, titles, ledger });
  return matchOutcome(/** @type {any} */ ({ seats: SEATS, tally, winners }), last);
}

test("the player with the most points wins, and the sentence names the next", () => {
  const found = outcome({ Ana: 9, Bob: 12, Cat: 3 }, ["Bob"]);
  assert.deepEqual(found, { winners: ["Bob"], why: "Bob has 12 points. Next is Ana with 9." });
});

test("players with equal points share first place", () => {
  const found = outcome({ Ana: 12, Bob: 12, Cat: 3 }, ["Ana", "Bob"]);
  assert.deepEqual(found, { winners: ["Ana", "Bob"], why: "Ana and Bob have 12 points each." });
});

test("after a stop the last hand decides, also with equal or fewer points", () => {
  assert.deepEqual(outcome({ Ana: 5, Bob: 5, Cat: 1 }, []), {
    winners: ["Ana"],
    why: "Ana and Bob have 5 points each. Ana was first in the last hand.",
  });
  const president = outcome({ Ana: 5, Bob: 8, Cat: 1 }, [], { titles: { Ana: "president" } });
  assert.match(president.why, /^The last hand made Ana /);
});

test("without points the last hand decides", () => {
  const none = { Ana: 0, Bob: 0, Cat: 0 };
  assert.deepEqual(outcome(none, SEATS), { winners: ["Ana"], why: "Ana was first in the last hand." });
  const lives = { points: false, lost: [], each: {} };
  assert.deepEqual(outcome(none, [], { standing: ["Cat", "Bob", "Ana"], tally: lives }).winners, ["Cat"]);
});
