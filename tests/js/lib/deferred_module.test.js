// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { DeferredModule } from "../../../static/js/lib/deferred_module.js";

test("what is wanted before it is here is done when it is, in order, and from then on at once", async () => {
  /** @type {string[]} */
  const done = [];
  const soon = new DeferredModule(
    async () => "part",
    () => void done.push("come"),
  );
  soon.whenLoaded((here) => done.push(`${here} 1`));
  soon.whenLoaded((here) => done.push(`${here} 2`));
  assert.equal(done.length, 0);
  await soon.loadWithRetries();
  soon.whenLoaded((here) => done.push(`${here} 3`));
  assert.deepEqual(done, ["part 1", "part 2", "come", "part 3"]);
});

test("who can't get it waits, and tries again; nothing that was wanted is lost", async () => {
  let asked = 0;
  /** @type {string[]} */
  const done = [];
  /** @returns {Promise<string>} */
  const fetching = async () => {
    if (++asked < 3) throw new Error("offline");
    return "part";
  };
  const soon = new DeferredModule(
    fetching,
    () => void done.push("come"),
    async () => void done.push("waited"),
  );
  soon.whenLoaded((here) => done.push(here));
  await soon.loadWithRetries();
  assert.deepEqual(done, ["waited", "waited", "part", "come"]);
});
