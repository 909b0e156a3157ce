// @ts-check
// The plays that the chosen cards make, and the next cards that fit.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addToSelection,
  addedSlots,
  applyCustomOrder,
  combinations,
  actionsWithCards,
  partitionIntoGroups,
  sortByGroups,
  moveSlots,
  combinableCards,
  buildSlots,
  keepHeldSlots,
  toggleCard,
} from "../../../static/js/model/card_selection.js";

/** @param {...string} cards */
const plays = (...cards) => cards.map((each) => ({ do: "play", cards: each }));

test("two equal cards are two slots", () => {
  assert.deepEqual(
    buildSlots(["7c", "7c", "7d"]).map((slot) => slot.id),
    ["7c", "7c.2", "7d"],
  );
});

test("cards make the actions that name just them, in whatever order", () => {
  const legal = [...plays("7c 7d", "7c"), { do: "play", cards: "7d 7c", call: "red" }];
  assert.deepEqual(actionsWithCards(legal, ["7d", "7c"]), [legal[0], legal[2]]);
  assert.deepEqual(actionsWithCards(legal, ["7d"]), []);
});

test("partners are the cards of plays that hold all the chosen ones", () => {
  assert.deepEqual([...combinableCards(plays("7c 7d", "9c 9d"), ["7c"])].sort(), ["7c", "7d"]);
  assert.deepEqual([...combinableCards(plays("7c 7d", "9c 9d"), [])].sort(), ["7c", "7d", "9c", "9d"]);
});

test("a choice that can only become one play becomes it", () => {
  assert.deepEqual(addToSelection(plays("7c 7d", "9c 9d"), [], "7c"), ["7c", "7d"]);
});

test("what all fitting plays share is chosen too, and no more", () => {
  const houses = plays("7c 7d 7h 9c 9d", "7c 7d 7h Tc Td");
  assert.deepEqual(addToSelection(houses, [], "7c").sort(), ["7c", "7d", "7h"]);
});

test("a card that is a play by itself stays alone", () => {
  assert.deepEqual(addToSelection(plays("7c", "7d", "7c 7d"), [], "7c"), ["7c"]);
  assert.deepEqual(addToSelection(plays("7c", "7d", "7c 7d"), ["7c"], "7d"), ["7c", "7d"]);
});

test("choosing another play's card moves the choice there", () => {
  assert.deepEqual(addToSelection(plays("7c 7d", "9c 9d"), ["7c", "7d"], "9c").sort(), ["9c", "9d"]);
  assert.deepEqual(addToSelection(plays("7c", "9c"), ["7c"], "9c"), ["9c"]);
});

test("a third of a rank takes the place of one of the pair", () => {
  const chosen = addToSelection(plays("7c 7d", "7c 7h", "7d 7h"), ["7c", "7d"], "7h");
  assert.equal(chosen.length, 2);
  assert.ok(chosen.includes("7h"));
});

test("a card that may not be played now is chosen alone, so that the server can say why not", () => {
  assert.deepEqual(addToSelection(plays("9c"), ["9c"], "3c"), ["3c"]);
});

test("out of turn anything may be put together", () => {
  assert.deepEqual(addToSelection([], ["3c"], "9d"), ["3c", "9d"]);
});

test("a tap takes back what was chosen", () => {
  const hand = buildSlots(["7c", "7d", "9c"]);
  assert.deepEqual(toggleCard(hand, plays("7c 7d"), ["7c", "7d"], "7d"), ["7c"]);
});

test("cards added with a tapped card are remembered until they are tapped or a card is removed", () => {
  assert.deepEqual(addedSlots([], [], ["Jh", "Js"], "Jh"), ["Js"]);
  assert.deepEqual(addedSlots(["7d"], ["7c", "7d"], ["7c", "7d", "9c", "9d"], "9c"), ["7d", "9d"]);
  assert.deepEqual(addedSlots(["7d"], ["7c", "7d"], ["9c", "9d"], "9c"), ["9d"], "7d is no longer chosen");
  assert.deepEqual(addedSlots(["Js"], ["Jh", "Js"], ["Js"], "Jh"), []);
});

test("a third jack takes the place of one of two, and no card is left to confirm", () => {
  const hand = buildSlots(["Jc", "Jh", "Js"]);
  const pairs = plays("Jc Jh", "Jc Js", "Jh Js");
  const pair = toggleCard(hand, pairs, ["Jh"], "Js");
  assert.deepEqual(pair, ["Jh", "Js"]);
  const other = toggleCard(hand, pairs, pair, "Jc");
  assert.deepEqual([other.length, other.includes("Jc")], [2, true]);
  assert.deepEqual(addedSlots(addedSlots([], ["Jh"], pair, "Js"), pair, other, "Jc"), []);
});

test("of two equal cards the tapped one is chosen", () => {
  const hand = buildSlots(["7c", "7c", "9d"]);
  assert.deepEqual(toggleCard(hand, plays("7c", "7c 7c"), [], "7c.2"), ["7c.2"]);
  assert.deepEqual(toggleCard(hand, plays("7c", "7c 7c"), ["7c.2"], "7c").sort(), ["7c", "7c.2"]);
});

test("where so many are owed, the latest so many stay chosen", () => {
  const hand = buildSlots(["3c", "4c", "5c"]);
  assert.deepEqual(toggleCard(hand, [], ["3c", "4c"], "5c", 2), ["4c", "5c"]);
});

test("cards that are gone are no longer chosen", () => {
  assert.deepEqual(keepHeldSlots(buildSlots(["3c", "5c"]), ["3c", "4c"]), ["3c"]);
});

test("cards put elsewhere stand side by side there, in their order, and those behind the last place at the end", () => {
  assert.deepEqual(moveSlots(["a", "b", "c", "d"], ["a"], 1), ["b", "a", "c", "d"]);
  assert.deepEqual(moveSlots(["a", "b", "c", "d"], ["a", "c"], 2), ["b", "d", "a", "c"]);
  assert.deepEqual(moveSlots(["a", "b", "c"], ["c"], -1), ["c", "a", "b"]);
  assert.deepEqual(moveSlots(["a", "b", "c"], ["a"], 9), ["b", "c", "a"]);
});

test("in one's own order stand those that have a place in it, and behind them what came later", () => {
  const hand = buildSlots(["3c", "7c", "7c", "9h"]);
  assert.deepEqual(
    applyCustomOrder(hand, ["7c.2", "Kd", "3c"]).map((slot) => slot.id),
    ["7c.2", "3c", "7c", "9h"],
  );
});

test("the combinations that cards are in are told smallest first, each once whatever its suits", () => {
  const legal = [...plays("7c 7d 7h", "7c", "7c 7d", "7d 7c", "7c 7h", "5s 6c 7c", "9c"), { do: "pass" }];
  assert.deepEqual(combinations(legal, ["7c"]), [["7c"], ["7c", "7d"], ["7c", "7d", "7h"], ["5s", "6c", "7c"]]);
  assert.deepEqual(combinations(legal, ["7c", "7h"]), [
    ["7c", "7h"],
    ["7c", "7d", "7h"],
  ]);
});

test("cards that make something together stand together, the largest last", () => {
  const hand = ["3d", "4c", "4s", "5c", "6c", "7c", "9h", "9s", "Kd"];
  const all = [["4c", "4s"], ["9h", "9s"], ["4c", "5c", "6c"], ["5c", "6c", "7c"], ["4c", "5c", "6c", "7c"], ["3d"]];
  const groups = partitionIntoGroups(all, hand);
  assert.deepEqual(groups, [
    ["4c", "5c", "6c", "7c"],
    ["9h", "9s"],
  ]);
  assert.equal(sortByGroups(hand, groups).join(" "), "3d 4s Kd 9h 9s 4c 5c 6c 7c");
  // After a play from it, a group no longer exists. Equal ranks always form a group.
  assert.equal(
    sortByGroups(
      hand.filter((card) => card !== "5c"),
      groups,
    ).join(" "),
    "3d 6c 7c Kd 4c 4s 9h 9s",
  );
  assert.equal(sortByGroups(hand, []).join(" "), "3d 5c 6c 7c Kd 4c 4s 9h 9s");
});

test("of equal cards from two packs each is in one combination", () => {
  assert.deepEqual(
    partitionIntoGroups(
      [
        ["7c", "7c"],
        ["7c", "7d"],
      ],
      ["7c", "7c", "7d"],
    ),
    [["7c", "7d"]],
  );
  assert.equal(sortByGroups(["7c", "7c", "7d", "9s"], [["7c", "7d"]]).join(" "), "7c 9s 7c 7d");
});
