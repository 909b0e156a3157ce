// @ts-check
// The ring around a player whose time is running.

import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyPart } from "../document.js";

const { updateCountdowns } = await import("../../../static/js/ui/countdowns.js");

test("the ring shows how much of the time is over, and hurries at the end", () => {
  const part = emptyPart();
  part.innerHTML = `<svg data-deadline="${Date.now() + 5000}" data-total="20000"></svg>`;
  updateCountdowns(part, 0);
  const ring = part.querySelector("svg");
  assert.equal(ring?.style.getPropertyValue("--gone"), "75");
  assert.ok(ring?.classList.contains("hurry"));
});
