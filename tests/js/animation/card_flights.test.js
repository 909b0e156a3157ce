// @ts-check
// Cards that fly together or one after another, and the newest events that are still shown.

import assert from "node:assert/strict";
import { test } from "node:test";

import { groupIntoBatches } from "../../../static/js/animation/card_flights.js";

/**
 * @import { Moment } from "../../../static/js/events/presentation.js"
 * @import { CardLocation as Place } from "../../../static/js/model/card_moves.js"
 */

/** @param {string | null} name @returns {Place} */
const at = (name) => ({ where: name === null ? "table" : "by", name });

/** @param {string} e @param {string | null} from @param {string | null} to @param {string} card @returns {Moment} */
function moment(e, from, to, card) {
  const journeys = [{ from: at(from), to: at(to), cards: [card], count: 1 }];
  return { event: /** @type {any} */ ({ e }), text: "", tone: "", journeys, celebrated: null };
}

/** The cards in each group of flights. @param {Moment[]} moments */
const cards = (moments) => groupIntoBatches(moments).map((some) => some.flatMap((journey) => journey.cards).join(" "));

test("plays go one after another, and what is dealt or given goes at once", () => {
  assert.deepEqual(cards([moment("played", "Ana", null, "3c"), moment("played", "Bob", null, "4c")]), ["3c", "4c"]);
  assert.deepEqual(cards([moment("dealt", null, "Ana", "3c"), moment("dealt", null, "Bob", "4c")]), ["3c 4c"]);
  assert.deepEqual(cards([moment("gave", "Ana", "Bob", "3c"), moment("got", "Bob", "Ana", "4c")]), ["3c 4c"]);
});

test("who comes back after much has happened is shown the last five lots of it", () => {
  const many = [..."3456789"].map((rank) => moment("played", "Ana", null, `${rank}c`));
  assert.deepEqual(cards(many), ["5c", "6c", "7c", "8c", "9c"]);
});

test("what moves nothing is no lot", () => {
  assert.deepEqual(groupIntoBatches([{ ...moment("passed", "Ana", null, "3c"), journeys: [] }]), []);
});
