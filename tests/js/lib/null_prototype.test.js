// @ts-check
// Pages work with any names of people, even `__proto__`.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { withoutPrototype, parseJson } from "../../../static/js/lib/null_prototype.js";
import { textOf } from "../../../static/js/lib/virtual_dom.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { actionBar } from "../../../static/js/actions/action_bar.js";
import { hand } from "../../../static/js/table/hand.js";
import { seatAvatar, seats } from "../../../static/js/table/seats.js";
import { initialModel, applyUpdate, buildScene } from "../../../static/js/model/state.js";
import { english } from "../english.js";
import { room, table, update, you } from "../fixtures.js";

before(() => setMessages(english()));

const ODD = ["constructor", "__proto__", "toString", "hasOwnProperty"];

/** A player in turn who owes gifts to these two people. @param {string[]} to */
function owing(to) {
  const people = ["Ana", ...to];
  const must_give = to.map((name) => ({ to: name, count: 1, which: /** @type {const} */ ("any") }));
  const players = Object.fromEntries(
    people.map((name) => [
      name,
      { cards: 3, title: null, place: null, total: 0, state: null, counter: null, table_card: null },
    ]),
  );
  const text = JSON.stringify(
    update(
      room(3, { people: people.flatMap((name) => room(1).people.map((person) => ({ ...person, name }))) }),
      table(3, { phase: "exchange", seats: people, players, to_act: ["Ana"], trick: null }),
      you({ cards: "3c 4c 5c", must_give, legal: [{ do: "give" }], more: true }),
    ),
  );
  return applyUpdate(initialModel(), parseJson(text), 0);
}

/** @param {any} model */
function desk(model) {
  const set = (/** @type {any} */ changes) => Object.assign(model, changes);
  return /** @type {any} */ ({ model, update: model.update, catalogue: null, set, act: () => undefined });
}

/** @param {any} node @param {string} card @returns {any} */
function find(node, card) {
  return node.props?.["data-card"] === card
    ? node
    : (node.children ?? []).map((/** @type {any} */ each) => find(each, card)).find(Boolean);
}

test("cards can be given to people of any name", () => {
  for (const one of ODD) {
    const here = desk(owing([one, "Bob"]));
    find(hand(here), "3c").props.onclick({ detail: 0 });
    find(hand(here), "4c").props.onclick({ detail: 0 });
    assert.deepEqual(Object.entries(here.model.basket), [
      [one, ["3c"]],
      ["Bob", ["4c"]],
    ]);
    assert.match(textOf(actionBar(here)), /3♣.*4♣/);
    find(hand(here), "3c").props.onclick({ detail: 0 });
    assert.deepEqual(here.model.basket[one], []);
    const later = applyUpdate(here.model, { ...here.update, seq: 99 }, 0);
    assert.deepEqual(later.basket.Bob, ["4c"]);
    assert.equal(later.basket.constructor === Object, false);
  }
});

test("what the server says of people is what is shown of them", () => {
  const model = owing(ODD);
  for (const name of ODD) {
    assert.equal(model.update?.room.deadlines[name], undefined);
    assert.equal(model.update?.table?.players[name]?.cards, 3);
    const scene = buildScene(/** @type {any} */ (model.update), model);
    assert.doesNotMatch(JSON.stringify(seatAvatar(scene, name)), /native|NaN/);
    // After a hand, nobody knows which of its players are still present.
    const replayed = textOf(seats({ ...scene, here: null })).replaceAll("\u00ad", "");
    assert.ok(replayed.includes(name));
    assert.doesNotMatch(replayed, /native|NaN|undefined|away/);
  }
});

test("bare objects have their own keys and no others", () => {
  assert.deepEqual(Object.keys(withoutPrototype(JSON.parse('{"__proto__": 1, "a": 2}'))), ["__proto__", "a"]);
  assert.equal("toString" in parseJson('{"a": [{"b": null}]}').a[0], false);
  assert.deepEqual(Reflect.get(parseJson('[1, "x", null, {"__proto__": {"y": 2}}]')[3], "__proto__").y, 2);
});
