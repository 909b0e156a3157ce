// @ts-check
// Pointer events before the script for them is loaded.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { EarlyPointerRecorder } from "../../../static/js/input/early_pointer.js";

/** @type {any} */
let root;

beforeEach(() => {
  root = new EventTarget();
  /** @type {any} */ (globalThis).document = new EventTarget();
});

/** @param {EventTarget} where @param {string} kind */
function happens(where, kind) {
  const event = new Event(kind);
  where.dispatchEvent(event);
  return event;
}

test("of a gesture are kept its beginning, how far it went, and its end", () => {
  const gesture = new EarlyPointerRecorder(root);
  const down = happens(root, "pointerdown");
  happens(document, "pointermove");
  const move = happens(document, "pointermove");
  const up = happens(document, "pointerup");
  happens(document, "pointermove");
  happens(document, "pointerup");
  assert.deepEqual(gesture.stopRecording(), { down, move, up });
});

test("a new one takes the place of the last, and one that was broken off is none", () => {
  const gesture = new EarlyPointerRecorder(root);
  happens(root, "pointerdown");
  happens(document, "pointermove");
  happens(document, "pointerup");
  const down = happens(root, "pointerdown");
  assert.deepEqual(gesture.stopRecording(), { down });
  const other = new EarlyPointerRecorder(root);
  happens(root, "pointerdown");
  happens(document, "pointercancel");
  assert.deepEqual(other.stopRecording(), {});
});

test("it begins nowhere but at the table, and once it is taken others see to what comes", () => {
  const gesture = new EarlyPointerRecorder(root);
  happens(document, "pointerdown");
  assert.equal(gesture.stopRecording().down, undefined);
  happens(root, "pointerdown");
  happens(document, "pointerup");
  assert.deepEqual(gesture.stopRecording(), {});
});
