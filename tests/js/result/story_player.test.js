// @ts-check
// The story of a finished match: loaded once, read aloud, shown scene by scene, and never in the way.

import assert from "node:assert/strict";
import { test } from "node:test";

import { StoryPlayer, sceneDuration } from "../../../static/js/result/story_player.js";

/** @import { MatchScene } from "../../../static/js/types.d.ts" */

/** @param {MatchScene["kind"]} kind @param {string} text @returns {MatchScene} */
function scene(kind, text) {
  return { kind, heading: `The ${kind}`, text, names: [], cards: null, hand: 1, href: "/matches/m/replay?hand=0" };
}

const WON = scene("won", "Ana wins.");
const ROSE = scene("rose", "Bob rises.");
const FELL = scene("fell", "Cat falls.");
const SCENES = [WON, ROSE, FELL];

/** The room of an update. @param {string} phase @param {string | null} match */
function room(phase, match = "m") {
  return /** @type {any} */ ({ room: { phase, match_id: match, people: [] } });
}

/** A viewer of the table, with a clock that only the test moves. @param {{ moves?: boolean, ask?: (match: string) => Promise<any> }} [has] */
function looker({ moves = true, ask = async () => SCENES } = {}) {
  /** @type {any} */
  const seen = { tale: null, said: [], asked: 0, clock: 0, timers: new Map(), count: 0 };
  const tale = new StoryPlayer(
    () => seen.tale,
    (told) => (seen.tale = told),
    (text) => seen.said.push(text),
    {
      ask: (match) => {
        seen.asked += 1;
        return ask(match);
      },
      moves: () => moves,
      set: (done, ms) => {
        seen.count += 1;
        seen.timers.set(seen.count, { done, at: seen.clock + ms });
        return seen.count;
      },
      clear: (id) => seen.timers.delete(id),
    },
  );
  /** Let time pass. @param {number} ms */
  const wait = async (ms) => {
    const until = seen.clock + ms;
    await new Promise((done) => setImmediate(done));
    for (;;) {
      const due = [...seen.timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)[0];
      if (due === undefined) break;
      seen.timers.delete(due[0]);
      seen.clock = due[1].at;
      due[1].done();
      await new Promise((done) => setImmediate(done));
    }
    seen.clock = until;
  };
  return { tale, seen, wait };
}

test("a story is read aloud and listed, and shown one scene after another when somebody asks for it", async () => {
  const { tale, seen, wait } = looker();
  tale.onUpdate(room("finished"));
  await wait(0);
  assert.deepEqual(seen.said, ["The won: Ana wins.", "The rose: Bob rises.", "The fell: Cat falls."]);
  await wait(60_000);
  assert.equal(seen.tale.at, null, "nothing comes over the end of the match");
  tale.startShow();
  assert.equal(seen.tale.at, 0);
  await wait(sceneDuration(WON));
  assert.equal(seen.tale.at, 1);
  await wait(sceneDuration(ROSE) + sceneDuration(FELL));
  assert.equal(seen.tale.at, null);
  assert.deepEqual(seen.tale.scenes, SCENES, "it can still be read");
  // Other events in the room don't load the story again.
  tale.onUpdate(room("finished"));
  await wait(60_000);
  assert.deepEqual([seen.asked, seen.tale.at], [1, null]);
});

test("a press goes on, and another ends it; it can be seen again", async () => {
  const { tale, seen, wait } = looker();
  tale.onUpdate(room("finished"));
  await wait(0);
  tale.startShow();
  tale.nextScene();
  assert.equal(seen.tale.at, 1);
  await wait(sceneDuration(ROSE) - 1);
  assert.equal(seen.tale.at, 1, "it is seen as long as any other");
  tale.endShow();
  await wait(60_000);
  assert.equal(seen.tale.at, null);
  tale.startShow();
  assert.equal(seen.tale.at, 0);
});

test("the next match ends it at once", async () => {
  const { tale, seen, wait } = looker();
  tale.onUpdate(room("finished"));
  await wait(0);
  tale.startShow();
  tale.onUpdate(room("lobby", null));
  assert.equal(seen.tale, null);
  await wait(60_000);
  assert.equal(seen.tale, null);
});

test("a story that comes when nobody waits for it any more is not shown", async () => {
  /** @type {(scenes: any) => void} */
  let come = () => undefined;
  const { tale, seen, wait } = looker({ ask: () => new Promise((done) => (come = done)) });
  tale.onUpdate(room("finished"));
  tale.onUpdate(room("playing", "other"));
  come(SCENES);
  await wait(60_000);
  assert.equal(seen.tale, null);
});

test("with reduced motion each scene stays until a press", async () => {
  const { tale, seen, wait } = looker({ moves: false });
  tale.onUpdate(room("finished"));
  await wait(0);
  tale.startShow();
  await wait(60_000);
  assert.equal(seen.tale.at, 0);
});

test("a server that is busy is asked again, a few times, and a match without a story has none", async () => {
  let tries = 0;
  const busy = looker({
    ask: async () => {
      tries += 1;
      if (tries < 3) throw new Error("503");
      return SCENES;
    },
  });
  busy.tale.onUpdate(room("finished"));
  await busy.wait(60_000);
  assert.deepEqual([tries, busy.seen.tale.scenes.length], [3, 3]);
  const down = looker({ ask: () => Promise.reject(new Error("503")) });
  down.tale.onUpdate(room("finished"));
  await down.wait(600_000);
  assert.deepEqual([down.seen.tale, down.seen.asked], [null, 4]);
  const none = looker({ ask: async () => [] });
  none.tale.onUpdate(room("finished"));
  await none.wait(60_000);
  assert.equal(none.seen.tale, null);
});
