// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { withContext } from "../../../static/js/net/command_context.js";

/** @import { Update } from "../../../static/js/types.d.ts" */

const shown = /** @type {Update} */ (
  /** @type {unknown} */ ({
    room: { fair: { commitment: "c0ffee" }, vote: { id: "q1" }, may_undo: { by: "Ana", request: 12 } },
    you: { request: 7 },
  })
);

test("an action answers the request that the page showed", () => {
  const action = { do: "pass" };
  assert.deepEqual(withContext(shown, { t: "act", action }), { t: "act", action, request: 7 });
  const unasked = /** @type {Update} */ ({ ...shown, you: { ...shown.you, request: null } });
  assert.deepEqual(withContext(unasked, { t: "act", action }), { t: "act", action });
});

test("who asks for a deal names it, and a vote its question", () => {
  assert.deepEqual(withContext(shown, { t: "start" }), { t: "start", commitment: "c0ffee" });
  assert.deepEqual(withContext(shown, { t: "deal_next" }), { t: "deal_next", commitment: "c0ffee" });
  assert.deepEqual(withContext(shown, { t: "vote", yes: true }), { t: "vote", yes: true, vote_id: "q1" });
});

test("who takes something back names what", () => {
  const takeBack = withContext(shown, { t: "propose", subject: "undo" });
  assert.deepEqual(takeBack, { t: "propose", subject: "undo", commitment: "c0ffee", request: 12 });
  const rest = withContext(shown, { t: "propose", subject: "pause" });
  assert.deepEqual(rest, { t: "propose", subject: "pause", commitment: "c0ffee" });
});

test("what answers nothing stays as it is", () => {
  assert.deepEqual(withContext(shown, { t: "leave" }), { t: "leave" });
});
