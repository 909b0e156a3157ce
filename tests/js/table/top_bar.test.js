// @ts-check
// The button for the log folds the log beside the table, or opens it in a sheet on a narrower page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { getPreference } from "../../../static/js/lib/preferences.js";
import { logButton } from "../../../static/js/table/top_bar.js";

/** Press the button on a page of this width, and return its state before and the changes that it makes. @param {number} innerWidth @param {number} [text] scale of the text */
function press(innerWidth, text = 1) {
  /** @type {object[]} */
  const changes = [];
  const root = { dataset: { log: "" } };
  Object.assign(globalThis, { window: { innerWidth }, document: { documentElement: root } });
  const set = (/** @type {object} */ change) => changes.push(change);
  const desk = /** @type {import("../../../static/js/types.d.ts").Desk} */ (
    /** @type {unknown} */ ({ model: { felt: { text }, sheet: null }, set })
  );
  const { props } = logButton(desk);
  /** @type {() => void} */ (props.onclick)();
  return { expanded: props["aria-expanded"], changes, log: root.dataset.log };
}

test("a wide page folds and unfolds the log and remembers it; others open a sheet", () => {
  assert.deepEqual(press(1440), { expanded: true, changes: [{}], log: "folded" });
  assert.equal(getPreference("log", "shown"), "folded");
  assert.deepEqual(press(1440), { expanded: false, changes: [{}], log: "shown" });
  const sheet = { expanded: false, changes: [{ sheet: "log" }], log: "" };
  assert.deepEqual(press(390), sheet);
  assert.deepEqual(press(1440, 2), sheet);
});
