// @ts-check
// Gestures that play or pass: a flick and a double click on a chosen card, and a long press on Pass.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { emptyPart } from "../document.js";
import { FIXTURES } from "../fixtures.js";
import { CardDragHandler } from "../../../static/js/input/card_drag.js";
import { handleCardPress, passTurn } from "../../../static/js/input/card_input.js";
import { watchLongPresses } from "../../../static/js/input/long_press.js";
import { setPreference } from "../../../static/js/lib/preferences.js";
import { applyUpdate } from "../../../static/js/model/state.js";
import { trickKey } from "../../../static/js/model/auto_pass.js";
import { createCommands } from "../../../static/js/room/commands.js";
import { createModelStore } from "../../../static/js/room/model_store.js";

/** @import { Command, Desk, Update } from "../../../static/js/types.d.ts" */

Object.assign(globalThis, { getComputedStyle: window.getComputedStyle });

beforeEach(() => setPreference("confirm", "off"));

/** The slots of the only pair that beats the trick. */
const PAIR = ["Tc", "Th"];

/** A table at the player's turn, with the commands that it sends. */
function tableAtTurn() {
  const update = /** @type {Update} */ (/** @type {unknown} */ (FIXTURES.turn_4));
  const store = createModelStore("room", () => undefined);
  store.reduce((model) => applyUpdate(model, update, 0));
  /** @type {Command[]} */
  const sent = [];
  const send = async (/** @type {Command} */ command) => {
    sent.push(command);
    return { t: /** @type {const} */ ("answer"), id: null, ok: true };
  };
  const commands = createCommands(store, send, { say: () => undefined, urge: () => undefined });
  const desk = () =>
    /** @type {Desk} */ (
      /** @type {unknown} */ ({
        model: store.get(),
        update,
        set: store.set,
        ask: () => undefined,
        playAction: (/** @type {import("../../../static/js/types.d.ts").Action} */ action) =>
          commands.act(update, action),
      })
    );
  const play = update.you.legal?.find((action) => action.do === "play");
  return { update, store, sent, desk, play };
}

/** Send a pointer event. @param {Element} target @param {string} kind @param {number} y @param {number} timeStamp */
function point(target, kind, y, timeStamp) {
  const event = new window.Event(kind, { bubbles: true });
  const fields = { isPrimary: true, button: 0, pointerId: 1, clientX: 100, clientY: y };
  Object.defineProperty(event, "timeStamp", { value: timeStamp });
  target.dispatchEvent(Object.assign(event, fields));
}

/** Choose the pair and flick it up within this time. @param {ReturnType<typeof tableAtTurn>} at @param {number} time */
function flick({ store, desk }, time) {
  document.elementFromPoint = () => null;
  const root = emptyPart();
  root.innerHTML = `<div class="hand"><span class="card" data-slot="Tc"></span></div>`;
  const card = /** @type {Element} */ (root.querySelector(".card"));
  new CardDragHandler(root, desk);
  store.set({ chosen: PAIR });
  point(card, "pointerdown", 300, 0);
  for (const y of [270, 250]) point(card, "pointermove", y, time / 2);
  point(card, "pointerup", 250, time);
}

test("a flick plays a chosen card, a slow drag to the same place does not", () => {
  const at = tableAtTurn();
  flick(at, 600);
  assert.deepEqual(at.sent, []);
  flick(at, 120);
  assert.deepEqual(
    at.sent.map(({ t, action }) => [t, action]),
    [["act", at.play]],
  );
});

test("flicks and double clicks play nothing where the button would first ask", () => {
  setPreference("confirm", "on");
  const at = tableAtTurn();
  for (let time = 0; time < 2; time += 1) {
    flick(at, 120);
    assert.deepEqual(at.store.get().sure, at.play);
  }
  at.store.set({ chosen: PAIR, sure: null });
  for (const timeStamp of [1000, 1100, 1200, 1300]) {
    const press = /** @type {MouseEvent} */ (/** @type {unknown} */ ({ detail: 1, timeStamp }));
    handleCardPress(at.desk(), "Tc", press);
  }
  assert.deepEqual(at.store.get().sure, at.play);
  assert.deepEqual(at.sent, []);
});

test("a second press before the answer sends nothing, so that it is not refused as too late", async () => {
  const at = tableAtTurn();
  assert.ok(at.play);
  const { playAction } = at.desk();
  assert.deepEqual(await Promise.all([playAction(at.play), playAction(at.play)]), [true, false]);
  assert.equal(at.sent.length, 1);
});

test("the first tap chooses a card at once", () => {
  const at = tableAtTurn();
  handleCardPress(at.desk(), "Tc", /** @type {MouseEvent} */ (/** @type {unknown} */ ({ detail: 1, timeStamp: 0 })));
  assert.deepEqual(at.store.get().chosen, ["Tc", "Th"], "with the other card of the pair");
});

/** Press the cards of these slots one after another, too slowly for a double tap. @param {ReturnType<typeof tableAtTurn>} at @param {string[]} ids @param {number} detail */
function pressSlowly(at, ids, detail = 1) {
  for (const [index, id] of ids.entries())
    handleCardPress(
      at.desk(),
      id,
      /** @type {MouseEvent} */ (/** @type {unknown} */ ({ detail, timeStamp: 1000 * index })),
    );
  return at.store.get().chosen;
}

test("a card that was chosen with the tapped card stays at its first tap and goes at its second", () => {
  assert.deepEqual(pressSlowly(tableAtTurn(), ["Tc", "Th"]), PAIR);
  assert.deepEqual(pressSlowly(tableAtTurn(), ["Tc", "Th", "Th"]), ["Tc"]);
});

test("after the tapped card is removed, one tap removes the card that was chosen with it", () => {
  assert.deepEqual(pressSlowly(tableAtTurn(), ["Tc", "Tc", "Th"]), []);
});

test("a key press removes a card that was chosen with another: screen readers say that it is pressed", () => {
  assert.deepEqual(pressSlowly(tableAtTurn(), ["Tc", "Th"], 0), ["Tc"]);
});

test("a long press on Pass passes until the trick ends, a short one does not", async (context) => {
  const at = tableAtTurn();
  const root = emptyPart();
  root.innerHTML = '<div class="actions"><button class="pass"></button></div>';
  const pass = /** @type {Element} */ (root.querySelector("button"));
  /** @type {(() => void)[]} */
  const due = [];
  context.mock.method(window, "setTimeout", (/** @type {() => void} */ callback) => due.push(callback));
  const cleared = context.mock.method(window, "clearTimeout", () => undefined);
  watchLongPresses(root, at.desk);
  point(pass, "pointerdown", 0, 0);
  point(pass, "pointerup", 0, 100);
  assert.deepEqual(cleared.mock.calls.at(-1)?.arguments, [1]);
  point(pass, "pointerdown", 0, 0);
  due.at(-1)?.();
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(
    at.sent.map((command) => command.t === "act" && command.action),
    [{ do: "pass" }],
  );
  assert.deepEqual(at.store.get().passing, { until: "trick", trick: trickKey(at.update) });
});

test("a pass holds for the trick if the player has set that, unless they pass only this time", async () => {
  setPreference("pass_for", "trick");
  const [once, whole] = [tableAtTurn(), tableAtTurn()];
  passTurn(once.desk(), false);
  passTurn(whole.desk());
  await new Promise((done) => setImmediate(done));
  setPreference("pass_for", "turn");
  assert.deepEqual(once.sent.length, whole.sent.length);
  assert.equal(once.store.get().passing, null);
  assert.deepEqual(whole.store.get().passing, { until: "trick", trick: trickKey(whole.update) });
});
