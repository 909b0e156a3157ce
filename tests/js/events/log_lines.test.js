// @ts-check
// Lines of the log, which are written once the texts are loaded.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { setMessages } from "../../../static/js/lib/messages.js";
import { initialModel, applyUpdate } from "../../../static/js/model/state.js";
import { withNewLogLines } from "../../../static/js/events/log_lines.js";
import { english } from "../english.js";
import { room, table, update, you } from "../fixtures.js";

before(() => setMessages(english()));

/** @import { Model, Update } from "../../../static/js/types.d.ts" */

/** @param {number} seq @param {Partial<Update>} [more] */
function at(seq, more = {}) {
  return { ...update(room(4), table(4), you()), seq, ...more };
}

/** @param {Model} model @param {Update} update */
function hear(model, update) {
  return withNewLogLines(applyUpdate(model, update, 0));
}

test("a page that has just been opened is told the hand so far, and only once", () => {
  const hand_history = [{ e: "passed", by: "Bob" }];
  let model = hear(initialModel(), at(1, { hand_history }));
  model = hear(model, at(2, { hand_history }));
  assert.deepEqual(
    model.log.map((line) => line.text),
    ["Bob passes."],
  );
});

test("what happened becomes lines of the log, numbered on", () => {
  let model = hear(initialModel(), at(1, { events: [{ e: "passed", by: "Bob" }] }));
  model = hear(
    model,
    at(2, {
      events: [
        { e: "played", by: "Ana", cards: "7c 7d", kind: "pair", as: "7" },
        { e: "seed_received", by: "Bob" },
      ],
    }),
  );
  assert.deepEqual(
    model.log.map((line) => [line.id, line.text]),
    [
      [1, "Bob passes."],
      [2, "You play 7♣ 7♦."],
    ],
  );
  assert.deepEqual(model.latest, ["You play 7♣ 7♦."]);
});

test("what is great is read by itself and celebrated until something else happens, and not by who comes later", () => {
  const tones = { burned: "great" };
  const news = {
    event_prominence: /** @type {any} */ (tones),
    events: [
      { e: "passed", by: "Bob" },
      { e: "burned", by: "Bob" },
    ],
  };
  assert.equal(hear(initialModel(), at(1, news)).great, false);
  let model = hear(hear(initialModel(), at(1)), at(2, news));
  assert.deepEqual([model.great, model.latest], [true, ["Bob burns the trick."]]);
  model = hear(model, at(3, { events: [] }));
  assert.equal(model.great, true);
  model = hear(model, at(4, { events: [{ e: "passed", by: "Bob" }] }));
  assert.equal(model.great, false);
});

test("what one has called, or let a wild card be, is told of oneself as of others", () => {
  const run = { e: "played", cards: "7c 8c 9c", kind: "run", as: "789", call: "rank" };
  const wild = { e: "played", cards: "3c", kind: "single", as: "K" };
  const events = ["Ana", "Bob"].flatMap((by) => [
    { ...run, by },
    { ...wild, by },
  ]);
  const model = hear(initialModel(), at(1, { events }));
  assert.deepEqual(
    model.log.map((line) => line.text),
    [
      "You play 7♣ 8♣ 9♣ and call rank by rank.",
      "You play 3♣ as king.",
      "Bob plays 7♣ 8♣ 9♣ and calls rank by rank.",
      "Bob plays 3♣ as king.",
    ],
  );
});

test("what happens before there are words for it is told when there are, in order", () => {
  const hand_history = [{ e: "passed", by: "Bob" }];
  let model = applyUpdate(initialModel(), at(1, { hand_history }), 0);
  model = applyUpdate(model, at(2, { events: [{ e: "passed", by: "Cat" }] }), 0);
  assert.deepEqual([model.log, model.latest], [[], []]);
  model = withNewLogLines(model);
  assert.deepEqual(
    model.log.map((line) => [line.id, line.text]),
    [
      [1, "Bob passes."],
      [2, "Cat passes."],
    ],
  );
  assert.equal(withNewLogLines(model), model);
});

test("gifts of several others are one line, beside what one gave and got; two lines are told as they are", () => {
  const event_animations = /** @type {Update["event_animations"]} */ ({
    gave: { paths: [["by", "to"]] },
    gave_cards: { paths: [["by", "to"]] },
    swapped: {
      paths: [
        ["by", "to"],
        ["to", "by"],
      ],
    },
  });
  const gift = (/** @type {string} */ by, /** @type {string} */ to) => ({ e: "gave", by, to, count: 2 });
  const latest = (/** @type {Update["events"]} */ events) =>
    hear(initialModel(), at(1, { event_animations, events })).latest;
  const others = [gift("Dan", "Bob"), gift("Bob", "Dan"), gift("Cat", "Eve")];
  assert.deepEqual(latest(others), ["Cards go from Dan to Bob, from Bob to Dan and from Cat to Eve."]);
  const mine = [
    { e: "gave_cards", by: "Ana", to: "Cat", cards: "3c" },
    { e: "gave_cards", by: "Cat", to: "Ana", cards: "2s" },
  ];
  assert.deepEqual(latest([...mine, ...others.slice(0, 2)]), [
    "You give Cat 3♣. Cat gives you 2♠. Cards go from Dan to Bob and from Bob to Dan.",
  ]);
  assert.deepEqual(latest(others.slice(0, 2)), ["Dan gives Bob 2 cards.", "Bob gives Dan 2 cards."]);
  const swaps = ["Bob", "Cat", "Dan"].map((by) => ({ e: "swapped", by, to: "Eve" }));
  assert.equal(latest(swaps).length, 3, "who swaps has given nothing away");
});
