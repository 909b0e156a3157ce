// @ts-check
// The birds of players: a chosen bird stays at every place, and the bird of the place stands beside it.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { avatarBirds, birdHead, BIRDS } from "../../../static/js/ui/bird_avatars.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { felt } from "../../../static/js/table/felt.js";
import { resultView } from "../../../static/js/result/result.js";
import { tvScreen } from "../../../static/js/pages/tv_view.js";
import { initialModel, buildScene } from "../../../static/js/model/state.js";
import { english } from "../english.js";
import { FIXTURES } from "../fixtures.js";

/** @typedef {import("../../../static/js/lib/virtual_dom.js").VNode} VNode */

before(() => {
  setMessages(english());
  // A television shows the room's address.
  Object.assign(globalThis, { location: new URL("https://here.example/r/KQ7F3M/screen") });
});

/** The classes of all birds in a drawing. @param {VNode[]} drawn @returns {string[]} */
function birds(drawn) {
  return drawn.flatMap(({ props, children }) => {
    const own = String(props.class ?? "").trim();
    return [...(/^(bird|rank-bird)\b/.test(own) ? [own] : []), ...birds(children)];
  });
}

test("every bird has a drawing of its own, and an unknown one is a sparrow", () => {
  /** @param {string} bird */
  const shapes = (bird) => birdHead(bird).children.map(({ props }) => String(props.d ?? props.cx));
  const birds = [...BIRDS, "rooster", "hen", "duck", "chick", "egg"];
  for (const bird of birds) assert.ok(shapes(bird).length >= 3, bird);
  assert.equal(new Set(birds.map((bird) => shapes(bird).join())).size, birds.length);
  assert.deepEqual(shapes("dodo"), shapes("sparrow"));
});

test("a chosen bird stays, and the bird of the place stands beside it", () => {
  const people = [
    { name: "Ana", bird: "heron" },
    { name: "Bob", bird: null },
  ];
  for (const [name, place, drawn] of /** @type {[string, number | null, string[]][]} */ ([
    ["Ana", 1, ["bird heron", "rank-bird", "bird rooster"]],
    ["Ana", 4, ["bird heron", "rank-bird", "bird egg"]],
    ["Ana", null, ["bird heron"]],
    ["Bob", 1, ["bird rooster"]],
    ["Bob", null, ["bird sparrow"]],
    ["Cat", 3, ["bird chick"]],
  ]))
    assert.deepEqual(birds(avatarBirds(people, name, place, 4)), drawn, `${name}, ${place}`);
});

test("so it is on the table, in a replay, in results and on the television, whatever is played", () => {
  for (const name of ["turn_8_of_18", "chase_20", "result_8", "chase_over", "finished", "reasons_4"]) {
    const shown = structuredClone(FIXTURES[name]);
    assert.ok(shown !== undefined, name);
    for (const person of shown.room.people) person.bird = "heron";
    const model = { ...initialModel(), update: shown };
    const scene = buildScene(shown, model);
    const desk = /** @type {import("../../../static/js/types.d.ts").Desk} */ (
      /** @type {unknown} */ ({ model, update: shown })
    );
    for (const [where, drawn] of Object.entries({
      table: [
        felt(
          scene,
          () => undefined,
          scene.playing ? null : /** @type {VNode} */ (resultView(desk)),
          () => undefined,
        ),
      ],
      replay: [
        felt(
          { ...scene, here: null },
          () => undefined,
          null,
          () => undefined,
        ),
      ],
      screen: [
        tvScreen(
          model,
          shown,
          { link: "https://here/j/x", hereOnly: false },
          { set: () => undefined, toggleSound: async () => undefined },
        ),
      ].flat(),
    })) {
      const found = birds(/** @type {VNode[]} */ (drawn.filter(Boolean)));
      assert.ok(
        found.filter((bird) => bird === "bird heron").length >= shown.room.people.length - 1,
        `${name}, ${where}: ${found}`,
      );
    }
  }
});
