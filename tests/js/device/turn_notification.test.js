// @ts-check
// Notifications for a hidden page. An older request to remove notifications must not remove a newer one.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** @import { Update } from "../../../static/js/types.d.ts" */

/** The visible notifications. @type {string[]} */
const shown = [];
/** If set, the list of notifications waits for this. @type {Promise<void> | null} */
let busy = null;
let visibilityState = "visible";
/** @type {(() => void)[]} */
const heard = [];

const registration = {
  /** @param {string} title */
  showNotification: async (title) => void shown.push(title),
  getNotifications: async () => {
    await busy;
    return shown.map((title) => ({ close: () => shown.splice(shown.indexOf(title), 1) }));
  },
};
/** @param {Record<string, unknown>} globals */
const pretend = (globals) => {
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { configurable: true, value });
};
pretend({
  Notification: { permission: "granted" },
  navigator: { serviceWorker: { getRegistration: async () => registration } },
  localStorage: { getItem: () => "on", setItem: () => undefined },
  location: { pathname: "/r/CODE42" },
  document: {
    get visibilityState() {
      return visibilityState;
    },
    addEventListener: (/** @type {string} */ _, /** @type {() => void} */ does) => void heard.push(does),
  },
});
pretend({ window: globalThis });
const { TurnNotifier } = await import("../../../static/js/device/turn_notification.js");

const update = /** @type {Update} */ (/** @type {unknown} */ ({ room: { game: "president" } }));
const soon = () => new Promise((done) => setTimeout(done, 5));

/** Show or hide the page. @param {string} state */
function look(state) {
  visibilityState = state;
  for (const does of heard) does();
}

beforeEach(() => {
  shown.length = heard.length = 0;
  busy = null;
  visibilityState = "visible";
});

test("who is elsewhere is called, and no more when they are back", async () => {
  const caller = new TurnNotifier("r1");
  caller.onUpdate(update, true);
  await soon();
  assert.equal(shown.length, 0);
  look("hidden");
  await soon();
  assert.equal(shown.length, 1);
  look("visible");
  await soon();
  assert.equal(shown.length, 0);
});

test("what a page looks through as it is opened does not end a call that comes meanwhile", async () => {
  /** @type {() => void} */
  let go = () => undefined;
  busy = new Promise((done) => (go = done));
  const caller = new TurnNotifier("r1");
  look("hidden");
  caller.onUpdate(update, true);
  await soon();
  assert.equal(shown.length, 1);
  go();
  await soon();
  assert.equal(shown.length, 1);
  caller.onUpdate(update, false);
  await soon();
  assert.equal(shown.length, 0);
});
