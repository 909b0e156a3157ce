// @ts-check
// The places for bubbles over a page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { findFreePlace, isPlaceFree } from "../../../static/js/chat/bubble_placement.js";

const PAGE = { left: 0, top: 0, right: 400, bottom: 800 };
const SIZE = { width: 60, height: 60 };
const SEAT = { x: 200, y: 100 };
const MIDDLE = { x: 200, y: 400 };

test("what is free stays where it comes from", () => {
  assert.deepEqual(findFreePlace(SEAT, MIDDLE, SIZE, [], PAGE, 200), SEAT);
});

test("a name below a seat is passed on the way to the middle", () => {
  const name = { left: 170, top: 125, right: 230, bottom: 145 };
  const at = findFreePlace(SEAT, MIDDLE, SIZE, [name], PAGE, 200);
  assert.ok(at !== null && isPlaceFree(at, SIZE, [name], PAGE));
  assert.ok(Math.hypot(at.x - SEAT.x, at.y - SEAT.y) <= 84, "it is the nearest");
});

test("nothing stands beyond the page, or where all of it is taken", () => {
  assert.equal(isPlaceFree({ x: 20, y: 100 }, SIZE, [], PAGE), false);
  assert.equal(findFreePlace(SEAT, MIDDLE, SIZE, [PAGE], PAGE, 200), null);
});

test("what lies beside, above or below a place leaves it free", () => {
  const beside = [
    { left: 0, top: 0, right: 160, bottom: 800 },
    { left: 240, top: 0, right: 400, bottom: 800 },
    { left: 0, top: 0, right: 400, bottom: 360 },
    { left: 0, top: 440, right: 400, bottom: 800 },
  ];
  assert.ok(isPlaceFree(MIDDLE, SIZE, beside, PAGE));
});
