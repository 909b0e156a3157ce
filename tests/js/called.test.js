// @ts-check
// What people are called by now, though their match knows them by another name.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { bare } from "../../static/js/bare.js";
import { meant, names, read, readUpdate } from "../../static/js/called.js";
import { use } from "../../static/js/messages.js";
import { sentence } from "../../static/js/sentences.js";
import { turnWords } from "../../static/js/state.js";
import { retold } from "../../static/js/tale.js";
import { english } from "./english.js";
import { room, table, update, you } from "./fixtures.js";

before(() => use(english()));

/** A room in which these are called otherwise by now. @param {Record<string, string>} called @param {object} [more] */
function calling(called, more = {}) {
  const made = room(3, more);
  return { ...made, people: made.people.map((person) => ({ ...person, called: called[person.name] ?? null })) };
}

/** What a page reads of a room. @param {ReturnType<typeof calling>} here @param {object} [told] */
function seen(here, told = {}) {
  return readUpdate({ ...update(here, table(3, { to_act: ["Ana"] }), you()), ...told }, names(here));
}

test("where nobody has another name, what is told is the very same", () => {
  const told = update(calling({}), table(3), you());
  assert.equal(readUpdate(told, names(told.room)), told);
  const command = { t: "hand_over", name: "Ana" };
  assert.equal(meant(command, names(told.room)), command);
});

test("a friend reads the new name at the seat, among the people and in what is said", () => {
  const { room: here, table: there, ...rest } = seen(calling({ Ana: "Zoë" }), { you: you({ name: "Bob" }) });
  assert.ok(there);
  assert.deepEqual(there.seats, ["Zoë", "Bob", "Cat"]);
  assert.ok("Zoë" in there.players && !("Ana" in there.players));
  assert.equal(here.host, "Zoë");
  assert.deepEqual(here.people.map(({ name, known }) => [name, known]), [["Zoë", "Ana"], ["Bob", undefined], ["Cat", undefined]]);
  assert.equal(turnWords({ ...rest, room: here, table: there }), "Zoë is to play.");
});

test("that somebody is called otherwise is told with both names", () => {
  const called = names(calling({ Ana: "Zoë" }));
  const event = read({ e: "named", by: "Ana", before: "Ana", now: "Zoë" }, called);
  assert.equal(sentence(event, "Bob"), "Ana is called Zoë now.");
});

test("what is asked of the room means people by the name that the match has, and nothing else is touched", () => {
  const called = names(calling({ Ana: "pass" }));
  const act = (/** @type {object} */ action) => meant({ t: "act", action: bare(/** @type {any} */ (action)) }, called);
  assert.equal(JSON.stringify(act({ do: "pass" })), '{"t":"act","action":{"do":"pass"}}');
  assert.deepEqual(act({ do: "give", to: "pass", cards: "3c" }).action, { do: "give", to: "Ana", cards: "3c" });
  assert.equal(JSON.stringify(act({ do: "give", to: { pass: "3c" } }).action), '{"do":"give","to":{"Ana":"3c"}}');
  assert.equal(meant({ t: "remove", name: "pass" }, called).name, "Ana");
  assert.equal(meant({ t: "write", text: "pass" }, called).text, "pass");
  assert.equal(meant({ t: "join", name: "pass" }, called).name, "pass");
});

test("names that could be words of the wire stay, as do those of chairs in a variation, and nobody is read as somebody else", () => {
  for (const name of ["president", "K", "QKA", "Kc Qd", "J7"]) {
    const here = { ...room(1), people: [{ ...room(1).people[0], name, called: "Zoë" }] };
    assert.equal(names(/** @type {any} */ (here)).size, 0, name);
  }
  for (const name of ["Brave Magpie", "Zoé", "Łukasz", "花子"]) {
    const here = { ...room(1), people: [{ ...room(1).people[0], name, called: "Eva" }] };
    assert.equal(names(/** @type {any} */ (here)).get(name), "Eva", name);
  }
  assert.equal(names(calling({ Ana: "Zoë" }, { known: { how: "variation" } })).size, 0);
  assert.equal(names(calling({ Ana: "Bob" })).size, 0);
});

test("a title and what people wrote are no names", () => {
  const called = names(calling({ Ana: "Zoë" }));
  assert.equal(read({ by: "Ana", text: "Ana", title: "Ana" }, called).text, "Ana");
  assert.equal(read({ by: "Ana", text: "Ana", title: "Ana" }, called).title, "Ana");
});

test("the story of the match tells of people as they are called", () => {
  const { room: here } = seen(calling({ Ana: "Zoë" }));
  const scene = { kind: /** @type {const} */ ("won"), heading: "Ana wins", text: "Ana was king of Cat.", names: ["Ana"], cards: null, hand: 1, href: "/" };
  const told = retold(scene, here);
  assert.deepEqual([told.heading, told.text, told.names], ["Zoë wins", "Zoë was king of Cat.", ["Zoë"]]);
});
