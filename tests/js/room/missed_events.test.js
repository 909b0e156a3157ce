// @ts-check
// A page that had no connection tells what changed meanwhile.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { setMessages } from "../../../static/js/lib/messages.js";
import { initialModel } from "../../../static/js/model/state.js";
import { tellMissed } from "../../../static/js/room/missed_events.js";
import { english } from "../english.js";
import { room, table, update, you } from "../fixtures.js";

before(() => setMessages(english()));

/** @import { Model, Update } from "../../../static/js/types.d.ts" */

/** @param {Partial<Update["room"]>} of @param {Partial<Update["table"]> | null} [on] @returns {Update} */
function at(of, on = null) {
  return update(room(4, of), on === null ? null : table(4, on), you({ host: false }));
}

/** Return what a page that showed `was` tells when it shows `now`. @param {Update} was @param {Update} now */
function told(was, now) {
  let model = initialModel();
  /** @type {string[]} */
  const said = [];
  const set = (/** @type {Partial<Model>} */ change) => {
    model = { ...model, ...change };
  };
  tellMissed({ model: () => model, set, say: (text) => said.push(text) }, was, now);
  const lines = model.log.map(({ text }) => text);
  assert.deepEqual(model.latest, lines);
  assert.equal(said.join(" "), lines.join(" "));
  return lines;
}

const PLAYING = /** @type {const} */ ({ phase: "playing", match_id: "m" });
const BOT_FOR_ANA = room(4).people.map((person) => (person.name === "Ana" ? { ...person, stand_in: "easy" } : person));
const LOBBY = at({ phase: "lobby", match_id: null });
const HAND_1 = at(PLAYING, { number: 1, to_act: ["Bob"] });

test("a phone that slept in the waiting room tells of rules, start, its bot and the turn", () => {
  const now = at({ ...PLAYING, options: { jokers: 2 }, people: BOT_FOR_ANA }, { number: 1, to_act: ["Bob"] });
  assert.deepEqual(told(LOBBY, now), [
    "The host has changed the rules.",
    "The match has started.",
    "A bot played for you.",
    "It is Bob’s turn.",
  ]);
  assert.deepEqual(told(LOBBY, at({ ...LOBBY.room, options: { jokers: 2 } })), ["The host has changed the rules."]);
});

test("a phone that slept during hands tells how many ended", () => {
  const later = at(PLAYING, { number: 3, to_act: ["Cat"] });
  assert.deepEqual(told(HAND_1, later), ["Hands ended: 2.", "It is Cat’s turn."]);
  assert.deepEqual(told(LOBBY, later), ["The match has started.", "Hands ended: 2.", "It is Cat’s turn."]);
});

test("nothing is told without a change", () => {
  assert.deepEqual(told(HAND_1, HAND_1), []);
});
