// @ts-check
// Faces: the same bird and colour everywhere, at most two marks, and a text at each seat that says everything.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { avatar, faceOf, wornAt } from "../../../static/js/ui/avatar.js";
import { birdHead, BIRDS } from "../../../static/js/ui/birds.js";
import { levelSign } from "../../../static/js/ui/level_signs.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { felt } from "../../../static/js/table/felt.js";
import { seats } from "../../../static/js/table/seats.js";
import { resultView } from "../../../static/js/result/result.js";
import { tvScreen } from "../../../static/js/pages/tv_view.js";
import { initialModel, buildScene } from "../../../static/js/model/state.js";
import { english } from "../english.js";
import { FIXTURES } from "../fixtures.js";

/** @import { VNode } from "../../../static/js/lib/virtual_dom.js" */

const WORN = /** @type {const} */ (["crown", "hat", "shell"]);

before(() => {
  setMessages(english());
  // A television shows the room's address.
  Object.assign(globalThis, { location: new URL("https://here.example/r/KQ7F3M/screen") });
});

/** Return all elements with an attribute, in order. @param {VNode[]} drawn @param {string} name @returns {VNode[]} */
function withAttribute(drawn, name) {
  return drawn.flatMap((node) => [
    ...(node.props[name] === undefined ? [] : [node]),
    ...withAttribute(node.children, name),
  ]);
}

/** Return what a screen reader reads. @param {VNode} node @returns {string} */
function spoken(node) {
  if (node.props["aria-hidden"] === "true") return "";
  return node.text + node.children.map((child) => `${spoken(child)} `).join("");
}

/** Return a copy of a state with a name. @param {string} name */
function fixture(name) {
  const found = FIXTURES[name];
  assert.ok(found !== undefined, name);
  return structuredClone(found);
}

test("every bird has a drawing of its own, and an unknown one is a sparrow", () => {
  /** @param {VNode} drawn */
  const shapes = (drawn) => drawn.children.map(({ props }) => String(props.d ?? props.cx));
  const drawn = [...[...BIRDS, "rooster", "hen"].map((bird) => birdHead(bird)), levelSign("chick"), levelSign("fox")];
  for (const each of drawn) assert.ok(shapes(each).length >= 3, String(each.props.class));
  assert.equal(new Set(drawn.map((each) => shapes(each).join())).size, drawn.length);
  assert.deepEqual(shapes(birdHead("dodo")), shapes(birdHead("sparrow")));
});

test("the first wears a crown, the second of more than three a hat, the last a shell", () => {
  /** @param {number} count */
  const worn = (count) => Array.from({ length: count }, (_, i) => wornAt(i + 1, count));
  assert.deepEqual(worn(5), ["crown", "hat", null, null, "shell"]);
  assert.deepEqual(worn(3), ["crown", null, "shell"]);
  assert.deepEqual(worn(2), ["crown", "shell"]);
  assert.equal(wornAt(null, 4), null);
});

test("a face has at most two marks, and every bird can wear everything", () => {
  for (const bird of BIRDS)
    for (const worn of WORN) {
      const face = avatar({ bird, hue: 1, worn, bot: true, away: true, upsideDown: true, size: "small" });
      assert.equal(face.props.class, "avatar small bot away upside-down");
      assert.deepEqual(
        face.children.map(({ props }) => Object.keys(props).find((name) => name.startsWith("data-"))),
        ["data-drawing", "data-worn", "data-moon"],
      );
    }
});

test("the room decides birds and colours; without a room, the order of the names does", () => {
  const faces = { birds: { Ana: "owl" }, hues: { Ana: 5 }, names: ["Bob", "Cat"] };
  assert.deepEqual(faceOf(faces, "Ana"), { bird: "owl", hue: 5 });
  assert.deepEqual(faceOf(faces, "Cat"), { bird: BIRDS[1], hue: 1 });
});

test("a face is the same at the table, in a replay, in results and on the television, whatever is played", () => {
  for (const name of ["turn_8_of_18", "chase_20", "result_8", "chase_over", "finished", "reasons_4"]) {
    const shown = fixture(name);
    shown.room.birds = Object.fromEntries(shown.room.people.map((person) => [person.name, "heron"]));
    const model = { ...initialModel(), update: shown };
    const scene = buildScene(shown, model);
    const desk = /** @type {import("../../../static/js/types.d.ts").Desk} */ (
      /** @type {unknown} */ ({ model, update: shown })
    );
    const nothing = () => undefined;
    const result = scene.playing ? null : /** @type {VNode} */ (resultView(desk));
    for (const [where, drawn] of Object.entries({
      table: [felt(scene, nothing, result, nothing)],
      replay: [felt({ ...scene, here: null }, nothing, null, nothing)],
      screen: [
        tvScreen(
          model,
          shown,
          { link: "https://here/j/x", hereOnly: false },
          { set: nothing, toggleSound: async () => undefined },
        ),
      ].flat(),
    })) {
      const faces = withAttribute(/** @type {VNode[]} */ (drawn.filter(Boolean)), "data-hue");
      assert.ok(faces.length >= shown.room.people.length - 1, `${name}, ${where}`);
      assert.deepEqual(
        new Set(withAttribute(faces, "data-drawing").map(({ props }) => props["data-drawing"])),
        new Set(["heron"]),
        `${name}, ${where}`,
      );
    }
  }
});

test("a seat's text says name, title, cards, dealer, what plays, and whose turn it is", () => {
  const shown = fixture("turn_4");
  assert.ok(shown.table !== null);
  shown.table.to_act = ["Cat"];
  shown.table.dealer = "Cat";
  const [, , dan] = shown.room.people.slice(1);
  assert.ok(dan !== undefined);
  Object.assign(dan, { present: false, stand_in: "easy" });
  const model = initialModel();
  const read = withAttribute([seats(buildScene(shown, model))], "data-seat").map((seat) =>
    spoken(seat).replace(/\s+/g, " ").trim(),
  );
  assert.deepEqual(read, [
    "Bob Vice-President 9 cards",
    "Cat Vice-Scum 2 cards, dealer, easy bot Their turn.",
    "Dan away 13 cards, bot plays",
  ]);
});
