// @ts-check
// The scene of an exchange: who stands where with which cards, as far as a page knows them, and who gets sympathy.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { giftsOf, groupGifts, sceneFor } from "../../../static/js/animation/scenes.js";
import { buildMoments } from "../../../static/js/events/presentation.js";
import { sympathyText } from "../../../static/js/events/sympathy.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { english } from "../english.js";

before(() => setMessages(english()));

const PATHS = /** @type {any} */ ({ paths: [["by", "to"]], celebration: "exchange" });
const ANIMATIONS = { gave: PATHS, gave_cards: PATHS };

/** @param {any[]} events @param {string | null} [me] */
function moments(events, me = null) {
  return buildMoments({ events, event_prominence: {}, event_animations: ANIMATIONS }, me);
}

/** @param {string} by @param {string} to @param {number} count */
const gave = (by, to, count) => ({ e: "gave", by, to, count });
/** @param {string} by @param {string} to @param {string} cards */
const saw = (by, to, cards) => ({ e: "gave_cards", by, to, cards });

const ORDER = ["Ana", "Bob", "Cat", "Dan", "Eve", "Finn", "Gus", "Hal"];
const placeOf = (/** @type {string} */ name) => ORDER.indexOf(name) + 1;
const PLAYERS = Object.fromEntries(ORDER.map((name) => [name, { place: placeOf(name) }]));
const TABLE = /** @type {any} */ ({ seats: ORDER, players: PLAYERS, ranks: "3456789TJQKA2" });

test("each gift is shown once, with its cards for those who see them", () => {
  const events = [gave("Dan", "Ana", 2), gave("Ana", "Dan", 2)];
  assert.deepEqual(
    giftsOf(moments(events)).map(({ cards, count }) => [cards.length, count]),
    [
      [0, 2],
      [0, 2],
    ],
  );
  const seen = giftsOf(moments([...events, saw("Dan", "Ana", "Xr 2s"), saw("Ana", "Dan", "3c 4d")], "Dan"));
  assert.deepEqual(
    seen.map(({ from, cards }) => [from, cards.join(" ")]),
    [
      ["Dan", "Xr 2s"],
      ["Ana", "3c 4d"],
    ],
  );
});

test("the lower player of each pair stands on the left, and the pair of the first player comes first", () => {
  const gifts = giftsOf(
    moments([gave("Cat", "Bob", 1), gave("Bob", "Cat", 1), gave("Dan", "Ana", 2), gave("Ana", "Dan", 1)]),
  );
  assert.deepEqual(
    groupGifts(gifts, placeOf).map(({ left, right, gifts: each }) => [left, right, each.map(({ count }) => count)]),
    [
      ["Dan", "Ana", [2, 1]],
      ["Cat", "Bob", [1, 1]],
    ],
  );
  // Taxes: one player may receive from all others, and gives nothing back.
  const taxes = giftsOf(moments(ORDER.slice(1).map((name) => gave(name, "Ana", 1))));
  assert.deepEqual(
    groupGifts(taxes, placeOf).map(({ left, right }) => [left, right]),
    ORDER.slice(1).map((name) => [name, "Ana"]),
  );
});

test("sympathy is only for pages that know the card", () => {
  const hidden = [gave("Dan", "Ana", 1), gave("Ana", "Dan", 1)];
  const known = [...hidden, saw("Dan", "Ana", "Xr")];
  const page = (/** @type {string | null} */ name, cards = "3c") => ({ you: { name, cards }, table: TABLE });
  assert.match(sympathyText(moments(known, "Dan"), page("Dan")), /^You part with a joker\./);
  assert.match(sympathyText(moments(known, "Ana"), page("Ana")), /^Dan parts with a joker\./);
  assert.equal(sympathyText(moments(hidden), page(null)), "");
  assert.equal(sympathyText(moments(hidden, "Bob"), page("Bob")), "");
  const two = [gave("Dan", "Ana", 1), saw("Dan", "Ana", "2s")];
  assert.match(sympathyText(moments(two, "Dan"), page("Dan")), /your last two/);
  assert.equal(sympathyText(moments(two, "Dan"), page("Dan", "3c 2h")), "", "another is left");
  assert.equal(sympathyText(moments(two, "Ana"), page("Ana")), "", "the taker can't know that it is the last");
});

test("a page with less knowledge draws the same scene with backs", () => {
  const page = (/** @type {string | null} */ name) => ({ you: { name, cards: "" }, table: TABLE, room: {} });
  const hidden = [gave("Dan", "Ana", 2), gave("Ana", "Dan", 2)];
  const shown = (/** @type {any[]} */ events, /** @type {string | null} */ me) =>
    JSON.stringify(sceneFor(moments(events, me), page(me), false)?.drawn);
  assert.equal(shown(hidden, null), shown(hidden, "Bob"));
  assert.doesNotMatch(shown(hidden, null), /data-rank/);
  assert.match(shown([...hidden, saw("Dan", "Ana", "2s 2h")], "Dan"), /data-rank/);
});
