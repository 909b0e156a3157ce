// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { latePlayers, nextWaitingChange, ownDelayNotice, waitingNotice } from "../../../static/js/table/waiting.js";
import { room, table, you } from "../fixtures.js";

/** @param {Partial<import("../../../static/js/types.d.ts").Room>} more @param {Record<string, number>} [helps] */
function waiting(more, helps = {}) {
  const update = {
    you: { let_bot_play_as: "host" },
    room: room(4, {
      let_bot_play_after: { host: helps, players: {} },
      clock: { turn: null, reserve: null, reserve_gain: 0, pause: null, away: 60, patience: 45 },
      ...more,
    }),
  };
  return /** @type {import("../../../static/js/types.d.ts").Update} */ (/** @type {unknown} */ (update));
}

test("nobody is pointed at before the time", () => {
  const update = waiting({ waiting_since: { Bob: 1000 } });
  assert.deepEqual(latePlayers(update, 45_999), []);
  assert.deepEqual(latePlayers(update, 46_000), [{ name: "Bob", since: 1000, botAt: null }]);
});

test("who is away is told of at once, and whoever keeps others longest comes first", () => {
  const update = waiting({
    waiting_since: { Cat: 3000, Bob: 1000, Dan: 2000 },
    bot_takes_over_at: { Cat: 61_000, Ana: 62_000 },
  });
  assert.deepEqual(
    latePlayers(update, 4000).map(({ name }) => name),
    ["Cat"],
  );
  assert.deepEqual(
    latePlayers(update, 100_000).map(({ name }) => name),
    ["Bob", "Dan", "Cat"],
  );
});

test("players who have acted are not told that others wait for them", () => {
  const late = waiting({ phase: "playing", waiting_since: { Ana: 1000, Bob: 2000 } });
  const desk = (/** @type {string[]} */ acting) => {
    const shown = { ...late, table: table(4, { to_act: acting }), you: you({ name: "Ana" }) };
    return /** @type {any} */ ({ update: shown, model: { offset: 0 } });
  };
  const named = (/** @type {string[]} */ acting) => waitingNotice(desk(acting)).map(({ props }) => props["data-name"]);
  assert.deepEqual(named(["Bob"])[0], "Bob");
  assert.deepEqual(named(["Ana"]), []);
  assert.equal(ownDelayNotice(desk(["Bob"])), null);
  assert.notEqual(ownDelayNotice(desk(["Ana"])), null);
});

test("the picture is drawn anew when the next has been waited for too long, and then no more", () => {
  const update = waiting({ waiting_since: { Cat: 3000, Bob: 1000 } });
  assert.equal(nextWaitingChange(update, 0), 46_000);
  assert.equal(nextWaitingChange(update, 46_000), 48_000);
  assert.equal(nextWaitingChange(update, 48_000), null);
});

test("the picture is drawn anew when one may do something about it", () => {
  const update = waiting({ waiting_since: { Bob: 1000 } }, { Bob: 90_000 });
  assert.equal(nextWaitingChange(update, 46_000), 91_000);
  assert.equal(nextWaitingChange(update, 91_000), null);
});
