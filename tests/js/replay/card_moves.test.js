// @ts-check
// The cards of a hand as a page saw them: cards before gifts, and cards that can't have come to a player.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cardsBefore, dealtPile, impossibleCard, movesOf, withHistory } from "../../../static/js/replay/card_moves.js";

/** @type {Record<string, import("../../../static/js/types.d.ts").Motion>} */
const ANIMATIONS = {
  shuffled: { paths: [["deck", "all"]] },
  laid: { paths: [["by", "table"]] },
  handed: { paths: [["by", "to"]] },
  changed: {
    paths: [
      ["by", "to"],
      ["to", "by"],
    ],
  },
  fetched: { paths: [["deck", "by"]] },
  opened: { takes_piles: true },
};
const DEALT = { cards: { Ana: "3c 4c", Bob: "5c 6c", Cat: "7c 8c" }, stock: "9c" };

/** @param {Record<string, any>[]} events */
const moves = (...events) => movesOf(events, ANIMATIONS);
/** @param {string} by @param {string} cards */
const lays = (by, cards) => ({ e: "laid", by, cards });

test("a card must come from the player's pile, or by a gift, a swap or the stock before it is played", () => {
  assert.equal(impossibleCard(DEALT, moves(lays("Ana", "3c 4c"), lays("Bob", "5c"))), null);
  assert.deepEqual(impossibleCard(DEALT, moves(lays("Ana", "5c"))), { name: "Ana", card: "5c" });
  const gift = { e: "handed", by: "Bob", to: "Ana" };
  assert.equal(impossibleCard(DEALT, moves(gift, lays("Ana", "5c"))), null);
  assert.equal(impossibleCard(DEALT, moves({ ...gift, cards: "5c" }, lays("Ana", "5c"))), null);
  assert.deepEqual(impossibleCard(DEALT, moves({ ...gift, cards: "6c" }, lays("Ana", "5c")))?.card, "5c");
  assert.deepEqual(impossibleCard(DEALT, moves(lays("Ana", "5c"), gift))?.card, "5c");
  assert.equal(impossibleCard(DEALT, moves({ e: "changed", by: "Ana", to: "Bob" }, lays("Bob", "3c"))), null);
  assert.equal(impossibleCard(DEALT, moves({ e: "fetched", by: "Cat" }, lays("Cat", "9c"))), null);
  assert.deepEqual(impossibleCard(DEALT, moves(lays("Cat", "9c")))?.card, "9c");
  assert.equal(impossibleCard(DEALT, moves(lays("Ana", "3c"), lays("Ana", "3c"))), null, "a play may be undone");
});

test("a player who showed a card takes the seat that was dealt it", () => {
  const shown = moves({ e: "opened", cards: { Ana: "5c", Bob: "3c", Cat: "7c" } });
  assert.equal(dealtPile(DEALT, shown, "Ana"), "5c 6c");
  assert.equal(dealtPile(DEALT, [], "Ana"), "3c 4c");
  assert.equal(dealtPile(DEALT, [], "Eve"), null);
  assert.equal(impossibleCard(DEALT, [...shown, ...moves(lays("Ana", "6c"))]), null);
  assert.equal(cardsBefore("5c 6c", shown, "Ana"), "5c 6c");
  assert.deepEqual(moves({ e: "compared", cards: { Ana: "5c" } }), [], "cards shown for another reason move no pile");
});

test("own cards before moves are known if all moved cards are known", () => {
  const given = { e: "handed", by: "Ana", to: "Bob", count: 1 };
  const got = { e: "handed", by: "Bob", to: "Ana", cards: "5c" };
  const detailed = { ...given, cards: "3c" };
  assert.equal(cardsBefore("4c 5c", moves({ e: "shuffled" }, given, detailed, got), "Ana"), "4c 3c");
  assert.equal(cardsBefore("4c 5c", moves(given, got), "Ana"), null);
  assert.equal(cardsBefore("4c", moves(got), "Ana"), null, "a card that is not there can't have come");
  assert.equal(cardsBefore("4c", moves(lays("Ana", "3c"), lays("Bob", "6c")), "Ana"), "4c 3c");
});

test("the record tells a page that came later how its cards came", () => {
  const frames = [
    { events: [{ e: "shuffled" }], cards: { Ana: "3c 4c" } },
    { events: [{ e: "changed", by: "Ana", to: "Bob" }], cards: { Ana: "4c 5c" } },
  ];
  const seen = { name: "Ana", held: "5c 4c", cards: null, moves: [], whole: false };
  const history = { corrected: false, frames, event_animations: ANIMATIONS };
  const { cards, whole } = withHistory(seen, history, DEALT);
  assert.deepEqual([cards, whole], ["3c 4c", true]);
  assert.equal(withHistory({ ...seen, held: "7c 4c" }, history, DEALT).cards, "7c 4c", "it is compared, and differs");
  assert.equal(withHistory({ ...seen, held: "4c 6c" }, history, DEALT).cards, null, "no step has these cards");
  assert.equal(withHistory(seen, { ...history, corrected: true }, DEALT).cards, null);
});
