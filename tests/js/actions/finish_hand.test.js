// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { finishHandButton } from "../../../static/js/actions/finish_hand.js";
import { room, table, update, you } from "../fixtures.js";

/** @import { Desk } from "../../../static/js/types.d.ts" */

/** The text of the button, and the command of a press. @param {Partial<import("../../../static/js/types.d.ts").Room>} here @param {string | null} name */
function offered(here, name) {
  /** @type {unknown[]} */
  const asked = [];
  const ask = (/** @type {unknown} */ command) => asked.push(command);
  const seen = update(room(4, here), table(4), you({ name }));
  const drawn = finishHandButton(/** @type {Desk} */ (/** @type {unknown} */ ({ update: seen, ask })));
  /** @type {(() => void) | undefined} */ (drawn?.props.onclick)?.();
  return asked;
}

test("who is out lets the bots finish, where they hurry already and not yet at once", () => {
  assert.deepEqual(offered({ bots_speed: "faster" }, "Ana"), [{ t: "finish_hand" }]);
  assert.deepEqual(offered({ bots_speed: "at_once" }, "Ana"), []);
  assert.deepEqual(offered({ bots_speed: null }, "Ana"), []);
  assert.deepEqual(offered({ bots_speed: "faster" }, null), [], "who watches");
});
