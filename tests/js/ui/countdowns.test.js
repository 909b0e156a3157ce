// @ts-check
// The ring around a player whose time is running.

import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyPart } from "../document.js";
import { english } from "../english.js";

const { setMessages } = await import("../../../static/js/lib/messages.js");
const { updateCountdowns } = await import("../../../static/js/ui/countdowns.js");

setMessages(english());

test("the ring shows how much of the time is over, and hurries at the end", () => {
  const part = emptyPart();
  part.innerHTML = `<svg data-deadline="${Date.now() + 5000}" data-total="20000"></svg>`;
  updateCountdowns(part, 0);
  const ring = part.querySelector("svg");
  assert.equal(ring?.style.getPropertyValue("--gone"), "75");
  assert.ok(ring?.classList.contains("hurry"));
});

test("the own clock shows the turn and the reserve, which runs when the turn is over", () => {
  const part = emptyPart();
  const now = Date.now();
  const show = (/** @type {number} */ past) => {
    part.innerHTML = `<i data-countdown="${now + 50_000 - past}" data-reserve-from="${now + 20_000 - past}" data-key="me.reserve"></i>
      <b data-countdown="${now + 50_000 - past}" data-reserve-from="${now + 20_000 - past}" data-key="seat.reserve"></b>`;
    updateCountdowns(part, 0);
    return [...part.children].map((each) => each.textContent);
  };
  assert.deepEqual(show(0), ["20 s + 30 s", "+30 s"]);
  assert.deepEqual(show(25_500), ["0 s + 25 s", "+25 s"]);
  assert.deepEqual(show(60_000), ["0 s + 0 s", "+0 s"]);
});
