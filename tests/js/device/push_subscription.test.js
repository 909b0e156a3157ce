// @ts-check
// Which devices can get notifications with the page closed, hints for others, and the server's knowledge of visible
// pages.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pushSupport } from "../../../static/js/device/push_subscription.js";
import { VisibilityReporter } from "../../../static/js/device/page_visibility.js";

test("what keeps a browser from being called is said by what would help", () => {
  assert.equal(pushSupport({ secure: true, push: true, apple: true }), "ready");
  assert.equal(pushSupport({ secure: false, push: false, apple: true }), "insecure");
  assert.equal(pushSupport({ secure: true, push: false, apple: true }), "install");
  assert.equal(pushSupport({ secure: true, push: false, apple: false }), "cannot");
});

test("a line hears of each change once, and anew after it was down", () => {
  /** @type {boolean[]} */
  const told = [];
  let visible = true;
  const sight = new VisibilityReporter(
    (now) => told.push(now.visible),
    () => ({ visible, watches: false }),
  );
  /** @param {boolean} now */
  const turn = (now) => {
    visible = now;
    sight.reportIfChanged();
  };
  sight.onConnected();
  sight.reportIfChanged();
  assert.deepEqual(told, [], "in sight goes without saying");
  turn(false);
  sight.reportIfChanged();
  turn(true);
  assert.deepEqual(told, [false, true]);
  turn(false);
  sight.onConnected();
  assert.deepEqual(told, [false, true, false, false], "another line knows nothing of it");
  visible = true;
  sight.onConnected();
  assert.deepEqual(told.at(-1), true, "what was said before may come late");
});

test("a page that is opened out of sight, or only watches, says so", () => {
  for (const state of [
    { visible: false, watches: false },
    { visible: true, watches: true },
  ]) {
    /** @type {object[]} */
    const told = [];
    new VisibilityReporter(
      (now) => told.push(now),
      () => state,
    ).onConnected();
    assert.deepEqual(told, [state]);
  }
});
