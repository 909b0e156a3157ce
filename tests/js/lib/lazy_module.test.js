// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { LazyModule } from "../../../static/js/lib/lazy_module.js";

test("a part is fetched once, when it is wanted, and is there from then on", async () => {
  let asked = 0;
  /** @type {string[]} */
  const told = [];
  const part = new LazyModule(
    async () => `part ${++asked}`,
    () => told.push("come"),
    () => told.push("missed"),
  );
  assert.equal(asked, 0);
  assert.equal(part.getOrLoad(), null);
  assert.equal(part.getOrLoad(), null);
  await Promise.resolve();
  assert.equal(part.getOrLoad(), "part 1");
  assert.deepEqual([asked, told], [1, ["come"]]);
});

test("what can't be had is told, and fetched again by whoever wants it again", async () => {
  let asked = 0;
  /** @type {string[]} */
  const told = [];
  const fetching = async () => {
    if (++asked === 1) throw new Error("offline");
    return "part";
  };
  const part = new LazyModule(
    fetching,
    () => told.push("come"),
    () => told.push("missed"),
  );
  part.getOrLoad();
  await new Promise(setImmediate);
  assert.deepEqual(told, ["missed"]);
  part.getOrLoad();
  await new Promise(setImmediate);
  assert.equal(part.getOrLoad(), "part");
  assert.deepEqual([asked, told], [2, ["missed", "come"]]);
});
