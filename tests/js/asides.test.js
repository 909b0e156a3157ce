// @ts-check
// What people tell each other, as a page keeps it while they change their names.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Asides } from "../../static/js/asides.js";
import { initial } from "../../static/js/state.js";
import { room, table, update, you } from "./fixtures.js";

/** @typedef {import("../../static/js/types.d.ts").Update} Update */

/** The room with these people. @param {string[]} names @returns {Update} */
function here(...names) {
  const made = room(names.length);
  const people = made.people.map((person, i) => ({ ...person, name: String(names[i]) }));
  return update({ ...made, people }, table(3), you());
}

/** Who has said what, once the room is other than it was when it was said. @param {Update} before @param {Update} now */
function read(before, now) {
  const said = before.room.people.map(({ name }, id) => ({ id, by: name, at: 0, text: `I am ${name}`, quick: null }));
  /** @type {import("../../static/js/types.d.ts").Model} */
  let model = { ...initial(), update: now, chat: { lines: said, unread: 2 } };
  const asides = new Asides(() => model, (change) => (model = { ...model, ...change }), () => {});
  asides.follow(before, now);
  assert.equal(model.chat.unread, 2);
  return model.chat.lines.map(({ by, text }) => [by, text]);
}

test("what was said stands under the name that somebody has now, and says what it said", () => {
  const now = [["Ana", "I am Ana"], ["Zoë", "I am Bob"], ["Cat", "I am Cat"]];
  assert.deepEqual(read(here("Ana", "Bob", "Cat"), here("Ana", "Zoë", "Cat")), now);
});

test("where people come and go, nobody is taken for somebody else", () => {
  const said = [["Ana", "I am Ana"], ["Bob", "I am Bob"], ["Cat", "I am Cat"]];
  assert.deepEqual(read(here("Ana", "Bob", "Cat"), here("Bob", "Cat", "Dan")), said);
  assert.deepEqual(read(here("Ana", "Bob", "Cat"), here("Ana", "Cat")), said);
});
