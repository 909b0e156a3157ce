// The order of players in a result.

import assert from "node:assert/strict";
import test from "node:test";
import { buildRows, seatsWillFollow } from "../../../static/js/result/result.js";

const table = { seats: ["Ana", "Bob", "Cat", "Dan"], tally: null, winners: ["Bob", "Dan"] };
const last = { standing: ["Ana", "Bob", "Cat", "Dan"], totals: { Ana: 3, Bob: 5, Cat: 2, Dan: 5 } };
const seen = (/** @type {ReturnType<typeof buildRows>} */ rows) =>
  rows.map(({ name, stands, place }) => [name, stands, place]);

test("a match that is won by points is told by points, and who has as many shares a place", () => {
  assert.deepEqual(seen(buildRows(table, last, true)), [
    ["Bob", 1, 2],
    ["Dan", 1, 4],
    ["Ana", 3, 1],
    ["Cat", 4, 3],
  ]);
});

test("a hand, and a match that is won by something else, by who was out first", () => {
  const byPlace = [
    ["Ana", 1, 1],
    ["Bob", 2, 2],
    ["Cat", 3, 3],
    ["Dan", 4, 4],
  ];
  assert.deepEqual(seen(buildRows(table, last, false)), byPlace);
  assert.deepEqual(seen(buildRows({ ...table, winners: ["Ana"] }, last, true)), byPlace);
});

test("a game with lives lists the losers of a hand last, and the winner first once it is decided", () => {
  /** @type {import("../../../static/js/types.d.ts").Tally} */
  const tally = { name: "Dimes", icon: "coin", each: {}, most: 4, lost: ["Cat"], result_text: "", points: false };
  const lives = { ...table, tally, winners: ["Ana"] };
  assert.deepEqual(
    seen(buildRows(lives, { standing: ["Dan"], totals: {} }, false)).map(([name]) => name),
    ["Ana", "Bob", "Dan", "Cat"],
  );
  assert.deepEqual(
    seen(buildRows(lives, { standing: ["Ana", "Bob", "Dan", "Cat"], totals: {} }, true)).map(([name]) => name),
    ["Ana", "Bob", "Dan", "Cat"],
  );
});

test("seats change only if a player gets another neighbour", () => {
  const follow = (/** @type {string} */ next) =>
    seatsWillFollow(
      table.seats,
      next.split(" "),
      next.split(" ").map((name) => ({ name })),
    );
  assert.ok(follow("Bob Ana Cat Dan"));
  assert.ok(follow("Eve Ana Bob Cat"), "a player joins");
  assert.ok(!follow("Ana Bob Cat Dan"));
  assert.ok(!follow("Cat Dan Ana Bob"), "the same circle");
  assert.ok(
    !seatsWillFollow(table.seats, ["Bob", "Ana", "Cat", "Dan"], [{ name: "Dan" }]),
    "not the order of the list",
  );
});
