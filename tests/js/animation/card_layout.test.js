// The positions of cards on a table when other cards come or go.

import assert from "node:assert/strict";
import test from "node:test";
import { matchCards, flipTransform } from "../../../static/js/animation/card_layout.js";

const box = (/** @type {number} */ x, width = 40) => ({ x, y: 0, width, height: 60 });
const lay = (/** @type {string} */ card, /** @type {number} */ x) => ({ card, x });

test("each card that stays is found once, however many of its kind there are", () => {
  const pairs = matchCards(
    [lay("4d", 0), lay("4d", 40), lay("9c", 80)],
    [lay("4d", 20), lay("9c", 60), lay("9c", 100)],
  );
  assert.deepEqual(
    pairs.map(([was, is]) => [was.card, was.x, is.x]),
    [
      ["4d", 0, 20],
      ["9c", 80, 60],
    ],
  );
});

test("what has moved is shown where it was, as large as it was", () => {
  assert.equal(flipTransform(box(100, 80), box(20, 40)), "translate(100px, 0px) scale(2)");
  assert.equal(flipTransform(box(20), box(20.4)), null);
});
