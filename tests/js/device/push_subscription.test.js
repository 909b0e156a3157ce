// @ts-check
// Who can be called with the page closed, what would help the others, and what the server is told of who looks.

import assert from "node:assert/strict";
import { test } from "node:test";

import { possible } from "../../../static/js/device/push_subscription.js";
import { Sight } from "../../../static/js/device/page_visibility.js";

test("what keeps a browser from being called is said by what would help", () => {
  assert.equal(possible({ secure: true, push: true, apple: true }), "ready");
  assert.equal(possible({ secure: false, push: false, apple: true }), "insecure");
  assert.equal(possible({ secure: true, push: false, apple: true }), "install");
  assert.equal(possible({ secure: true, push: false, apple: false }), "cannot");
});

test("a line hears of each change once, and anew after it was down", () => {
  /** @type {boolean[]} */
  const told = [];
  let visible = true;
  const sight = new Sight(
    (now) => told.push(now),
    () => visible,
  );
  /** @param {boolean} now */
  const turn = (now) => {
    visible = now;
    sight.look();
  };
  sight.opened();
  sight.look();
  assert.deepEqual(told, [], "in sight goes without saying");
  turn(false);
  sight.look();
  turn(true);
  assert.deepEqual(told, [false, true]);
  turn(false);
  sight.opened();
  assert.deepEqual(told, [false, true, false, false], "another line knows nothing of it");
  visible = true;
  sight.opened();
  assert.deepEqual(told.at(-1), true, "what was said before may come late");
});

test("a page that is opened out of sight says so", () => {
  /** @type {boolean[]} */
  const told = [];
  new Sight(
    (now) => told.push(now),
    () => false,
  ).opened();
  assert.deepEqual(told, [false]);
});
