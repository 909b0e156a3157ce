// @ts-check
// A card under a finger: before a long press the page may scroll, after it the card is carried and the page stays.

import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyPart } from "../document.js";
import { CardDragHandler } from "../../../static/js/input/card_drag.js";

/** A hand of one card, and a handler for it. */
function handWithOneCard() {
  const root = emptyPart();
  root.innerHTML = '<div class="hand"><span class="card" data-slot="7c"></span></div>';
  const update = { table: { number: 1 }, you: { cards: "7c" } };
  const model = { chosen: /** @type {string[]} */ ([]), drag: null, update };
  const desk = /** @type {import("../../../static/js/types.d.ts").Desk} */ (
    /** @type {unknown} */ ({
      model,
      update,
      set: (/** @type {object} */ change) => Object.assign(model, change),
    })
  );
  const card = /** @type {HTMLElement} */ (root.querySelector(".card"));
  return { card, handler: new CardDragHandler(root, () => desk) };
}

/** Press the card with a finger. @param {HTMLElement} card */
function press(card) {
  const fields = { isPrimary: true, button: 0, pointerId: 1, clientX: 10, clientY: 10 };
  card.dispatchEvent(Object.assign(new window.Event("pointerdown", { bubbles: true }), fields));
}

/** Move a finger on the card. Returns whether the page is kept from scrolling. @param {HTMLElement} card @param {boolean} [cancelable] */
function moveKeepsPage(card, cancelable = true) {
  const event = new window.Event("touchmove", { bubbles: true, cancelable });
  card.dispatchEvent(event);
  return event.defaultPrevented;
}

test("a finger may scroll the page until it has held the card for a while", () => {
  const { card, handler } = handWithOneCard();
  assert.equal(moveKeepsPage(card), false);
  press(card);
  assert.equal(moveKeepsPage(card), false);
  handler.startCarrying();
  assert.equal(moveKeepsPage(card), true);
  assert.equal(moveKeepsPage(card, false), false, "a scroll that has begun can’t be stopped");
  handler.cancelDrag();
  assert.equal(moveKeepsPage(card), false);
});

test("on a busy machine a movement that was made in time decides, though the timer ran before it", (context) => {
  const { card, handler } = handWithOneCard();
  /** @type {(() => void)[]} */
  const later = [];
  const keep = (/** @type {() => void} */ does) => later.push(does);
  context.mock.method(window, "setTimeout", keep);
  Object.assign(globalThis, { requestAnimationFrame: keep });
  Object.assign(document, { elementFromPoint: () => null });
  press(card);
  later.shift()?.();
  const moved = { pointerId: 1, clientX: 60, clientY: 12 };
  document.dispatchEvent(Object.assign(new window.Event("pointermove"), moved));
  later.shift()?.();
  assert.equal(handler.drag?.how, "run");
});
