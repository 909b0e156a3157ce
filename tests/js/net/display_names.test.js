// @ts-check
// The present names of people whom their match knows by another name.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { withoutPrototype } from "../../../static/js/lib/null_prototype.js";
import {
  withMatchNames,
  buildNameMap as called,
  applyNames,
  applyNamesToUpdate,
} from "../../../static/js/net/display_names.js";
import { botText, setMessages } from "../../../static/js/lib/messages.js";
import { eventSentence } from "../../../static/js/events/sentences.js";
import { turnText } from "../../../static/js/model/state.js";
import { withCurrentNames } from "../../../static/js/result/story_player.js";
import { english } from "../english.js";
import { room, table, update, you } from "../fixtures.js";

before(() => setMessages(english()));

/** The fields of names in these messages, as declared by the server (rooms/views/name_fields.py). */
const name_fields = {
  under: ["by", "host", "name", "names", "seats", "to", "to_act"],
  each: ["players", "to"],
  without: ["actions", "event_animations", "name_fields", "options", "event_prominence"],
};

/** The present names of people in this room. @param {any} here */
const names = (here) => called({ room: here, name_fields });

/** A room in which these people have new names. @param {Record<string, string>} called @param {object} [more] */
function calling(called, more = {}) {
  const made = room(3, more);
  return { ...made, people: made.people.map((person) => ({ ...person, chosen_name: called[person.name] ?? null })) };
}

/** A room with a person of this name, who is now called Zoë. @param {string} name */
function withOne(name) {
  const made = room(3);
  return {
    ...made,
    people: made.people.map((person, i) => (i === 0 ? { ...person, name, chosen_name: "Zoë" } : person)),
  };
}

/** The room as a page reads it. @param {ReturnType<typeof calling>} here @param {object} [told] */
function seen(here, told = {}) {
  return applyNamesToUpdate({ ...update(here, table(3, { to_act: ["Ana"] }), you()), ...told }, names(here));
}

test("where nobody has another name, what is told is the very same", () => {
  const told = update(calling({}), table(3), you());
  assert.equal(applyNamesToUpdate(told, names(told.room)), told);
  const command = { t: "transfer_host", name: "Ana" };
  assert.equal(withMatchNames(command, names(told.room)), command);
});

test("a friend reads the new name at the seat, among the people and in what is said", () => {
  const { room: here, table: there, ...rest } = seen(calling({ Ana: "Zoë" }), { you: you({ name: "Bob" }) });
  assert.ok(there);
  assert.deepEqual(there.seats, ["Zoë", "Bob", "Cat"]);
  assert.ok("Zoë" in there.players && !("Ana" in there.players));
  assert.equal(here.host, "Zoë");
  assert.deepEqual(
    here.people.map(({ name, known }) => [name, known]),
    [
      ["Zoë", "Ana"],
      ["Bob", undefined],
      ["Cat", undefined],
    ],
  );
  assert.equal(turnText({ ...rest, room: here, table: there }), "It is Zoë’s turn.");
});

test("that somebody is called otherwise is told with both names", () => {
  const now = names(calling({ Ana: "Zoë" }));
  const event = applyNames({ e: "chosen_name_changed", by: "Ana", before: "Ana", now: "Zoë" }, now);
  assert.equal(eventSentence(event, "Bob"), "Ana is now called Zoë.");
});

test("what is asked of the room means people by the name that the match has, and nothing else is touched", () => {
  const now = names(calling({ Ana: "pass" }));
  const act = (/** @type {object} */ action) =>
    withMatchNames({ t: "act", action: withoutPrototype(/** @type {any} */ (action)) }, now);
  assert.equal(JSON.stringify(act({ do: "pass" })), '{"t":"act","action":{"do":"pass"}}');
  assert.equal(
    JSON.stringify(act({ do: "give", to: "pass", cards: "3c" })),
    '{"t":"act","action":{"do":"give","to":"Ana","cards":"3c"}}',
  );
  assert.equal(JSON.stringify(act({ do: "give", to: { pass: "3c" } }).action), '{"do":"give","to":{"Ana":"3c"}}');
  assert.equal(withMatchNames({ t: "remove", name: "pass" }, now).name, "Ana");
  assert.equal(withMatchNames({ t: "send_chat", text: "pass" }, now).text, "pass");
  assert.equal(withMatchNames({ t: "join", name: "pass" }, now).name, "pass");
});

test("whatever somebody is called is read anew where it is a name, and nowhere else", () => {
  for (const name of ["ana", "K", "seats", "7c", "president", "Brave Magpie", "花子"]) {
    const player = /** @type {any} */ (table(3).players["Ana"]);
    const there = table(3, { seats: [name, "Bob", "Cat"], to_act: [name], players: { [name]: player, Bob: player } });
    const told = update(
      { ...withOne(name), host: name },
      /** @type {any} */ (there),
      you({ cards: "7c Kd", legal: [{ do: name, cards: "7c" }] }),
    );
    const { room: here, table: seen, you: mine } = applyNamesToUpdate(told, names(/** @type {any} */ (told.room)));
    assert.ok(seen);
    assert.deepEqual(
      [here.host, here.game, seen.seats, seen.to_act],
      ["Zoë", "president", ["Zoë", "Bob", "Cat"], ["Zoë"]],
      name,
    );
    assert.deepEqual([Object.keys(seen.players), seen.ranks], [["Zoë", "Bob"], there.ranks], name);
    assert.deepEqual([mine.cards, mine.legal?.[0]?.do, mine.legal?.[0]?.cards], ["7c Kd", name, "7c"], name);
  }
});

test("who sits in somebody's chair in a variation plays as them, and nobody is read as somebody else", () => {
  assert.equal(names(calling({ Ana: "Zoë" }, { known_cards: { how: "variation" } })).now.size, 0);
  assert.equal(names(calling({ Ana: "Bob" })).now.size, 0);
});

test("a title and what people wrote are no names", () => {
  const now = names(calling({ Ana: "Zoë" }));
  assert.equal(applyNames({ by: "Ana", text: "Ana", title: "Ana" }, now).text, "Ana");
  assert.equal(applyNames({ by: "Ana", text: "Ana", title: "Ana" }, now).title, "Ana");
});

test("the story of the match tells of people as they are called", () => {
  const { room: here } = seen(calling({ Ana: "Zoë" }));
  const scene = {
    kind: /** @type {const} */ ("won"),
    heading: "Ana wins",
    text: "Ana was king of Cat.",
    names: ["Ana"],
    cards: null,
    hand: 1,
    href: "/",
  };
  const told = withCurrentNames(scene, here);
  assert.deepEqual([told.heading, told.text, told.names], ["Zoë wins", "Zoë was king of Cat.", ["Zoë"]]);
  const { room: other } = applyNamesToUpdate(
    update(withOne("J.R. O'N. (an)"), table(3), you()),
    names(withOne("J.R. O'N. (an)")),
  );
  const about = {
    ...scene,
    text: "Jar, J.R. O'N. (an) and Bertrand: J.R. O'N. (an)’s cards.",
    names: ["J.R. O'N. (an)"],
  };
  assert.equal(withCurrentNames(about, other).text, "Jar, Zoë and Bertrand: Zoë’s cards.");
});

test("bots have their names in the page's language, and commands the English names", () => {
  setMessages({ ...english(), "said.Bob": "Robert", "said.Cat": "Ana" });
  const made = room(3);
  const bots = made.people.map((person, i) => ({ ...person, bot: i > 0 ? "easy" : null }));
  const called = names({ ...made, people: bots });
  // A person has the name Ana.
  assert.deepEqual([...called.now], [["Bob", "Robert"]]);
  assert.equal(withMatchNames({ t: "remove", name: "Robert" }, called).name, "Bob");
  setMessages({ ...english(), "said.Bob": "Robert" });
  assert.equal(botText("Bob 2"), "Robert 2");
  assert.equal(botText("Bobby 2"), "Bobby 2");
  setMessages(english());
});
