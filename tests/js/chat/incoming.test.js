// @ts-check
// Chat messages on a page whose people change their names.

import assert from "node:assert/strict";
import { test } from "node:test";

import { IncomingChat } from "../../../static/js/chat/incoming.js";
import { initialModel } from "../../../static/js/model/state.js";
import { room, table, update, you } from "../fixtures.js";

/** @import { Update } from "../../../static/js/types.d.ts" */

// Bubbles at seats disappear after a while, which these tests don't wait for.
Object.assign(globalThis, { window: { setTimeout: () => 0 }, document: { hidden: true } });

/** A room with these people. @param {string[]} names @returns {Update} */
function here(...names) {
  const made = room(names.length);
  const people = made.people.map((person, i) => ({ ...person, name: String(names[i]) }));
  return update({ ...made, people }, table(3), you());
}

/** The senders of messages after the room has changed. @param {Update} before @param {Update} now */
function read(before, now) {
  const said = before.room.people.map(({ name }, id) => ({ id, by: name, at: 0, text: `I am ${name}`, quick: null }));
  /** @type {import("../../../static/js/types.d.ts").Model} */
  let model = { ...initialModel(), update: now, chat: { lines: said, unread: ["0 I am Ana"] } };
  const asides = new IncomingChat(
    () => model,
    (change) => (model = { ...model, ...change }),
    () => {},
  );
  asides.onRoomChange(before, now);
  assert.deepEqual(model.chat.unread, ["0 I am Ana"]);
  return model.chat.lines.map(({ by, text }) => [by, text]);
}

test("what was said stands under the name that somebody has now, and says what it said", () => {
  const now = [
    ["Ana", "I am Ana"],
    ["Zoë", "I am Bob"],
    ["Cat", "I am Cat"],
  ];
  assert.deepEqual(read(here("Ana", "Bob", "Cat"), here("Ana", "Zoë", "Cat")), now);
});

test("where people come and go, nobody is taken for somebody else", () => {
  const said = [
    ["Ana", "I am Ana"],
    ["Bob", "I am Bob"],
    ["Cat", "I am Cat"],
  ];
  assert.deepEqual(read(here("Ana", "Bob", "Cat"), here("Bob", "Cat", "Dan")), said);
  assert.deepEqual(read(here("Ana", "Bob", "Cat"), here("Ana", "Cat")), said);
});

/** A page of Ana's in a room of three. Returns a function for chat frames, and the unread messages. */
function page() {
  /** @type {import("../../../static/js/types.d.ts").Model} */
  let model = { ...initialModel(), update: here("Ana", "Bob", "Cat") };
  const asides = new IncomingChat(
    () => model,
    (change) => (model = { ...model, ...change }),
    () => {},
  );
  /** @param {boolean} replaces_all @param {[string, string][]} lines */
  const read = (replaces_all, ...lines) => {
    asides.receiveChat({
      t: "chat",
      replaces_all,
      lines: lines.map(([by, text], id) => ({ id, by, at: 0, text, quick: null })),
    });
    return [model.chat.lines.map(({ text }) => text), model.chat.unread.length];
  };
  return { read, opens: () => (model = { ...model, sheet: "talk", chat: { ...model.chat, unread: [] } }) };
}

test("lines that were sent while the connection was lost are unread, and earlier marks stay", () => {
  const { read } = page();
  assert.deepEqual(read(true, ["Bob", "old"]), [["old"], 0], "what was there before this page is no news");
  assert.deepEqual(read(false, ["Bob", "seen"]), [["old", "seen"], 1]);
  assert.deepEqual(read(true, ["Bob", "old"], ["Bob", "seen"], ["Cat", "missed"], ["Ana", "mine"])[1], 2);
  assert.deepEqual(read(true, ["Bob", "old"], ["Bob", "seen"], ["Cat", "missed"], ["Ana", "mine"])[1], 2);
});

test("lines that the server has deleted disappear, with their marks", () => {
  const { read } = page();
  read(true);
  assert.deepEqual(read(false, ["Bob", "hello"]), [["hello"], 1]);
  assert.deepEqual(read(true), [[], 0]);
});

test("lines that come while the chat is open are read", () => {
  const { read, opens } = page();
  read(true);
  opens();
  assert.deepEqual(read(true, ["Bob", "hello"])[1], 0);
});
