// @ts-check
// Points are shown only if there are some: "0 points" under every name says nothing.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { textOf } from "../../../static/js/lib/virtual_dom.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { hand, ownSeat } from "../../../static/js/table/hand.js";
import { tvScreen } from "../../../static/js/pages/tv_view.js";
import { initialModel } from "../../../static/js/model/state.js";
import { scoreText } from "../../../static/js/events/labels.js";
import { english } from "../english.js";
import { FIXTURES, room, table, update, you } from "../fixtures.js";

// The television shows the address at which players join.
Object.assign(globalThis, { location: new URL("https://here/r/KQ7F3M/screen") });

before(() => setMessages(english()));

/** @import { Table, Update } from "../../../static/js/types.d.ts" */

/** A table at which players have these points. @param {number[]} totals @param {Partial<Table>} [more] */
function pointed(totals, more = {}) {
  const made = table(4, more);
  for (const [i, name] of made.seats.entries()) Object.assign(made.players[name] ?? {}, { total: totals[i] });
  return made;
}

/** The texts beside the own name on a phone, and on the television. @param {Update} shown @param {object} [more] of the model */
function drawn(shown, more) {
  const model = { ...initialModel(), update: shown, ...more };
  const desk = /** @type {any} */ ({ model, update: shown, prospects: null, set: () => undefined });
  const wall = { link: "https://here/j/x", hereOnly: false };
  return {
    phone: textOf(/** @type {any} */ (ownSeat(desk))),
    screen: [tvScreen(model, shown, wall, { set: () => undefined, toggleSound: async () => undefined })]
      .flat()
      .map((each) => textOf(/** @type {any} */ (each)))
      .join(" "),
  };
}

test("a television says by which great event a hand was won", () => {
  const shown = /** @type {Update} */ (FIXTURES.great_end);
  const news = { great: true, latest: ["Six pairs! Dan wins at once."] };
  assert.match(drawn(shown, news).screen, /Six pairs! Dan wins at once\./);
});

test("points are told if a player has some", () => {
  assert.equal(scoreText(pointed([0, 2, 0, 1]), "Ana"), "0 points");
  assert.equal(scoreText(pointed([0, -1, 0, 1]), "Bob"), "−1 point");
  const shown = drawn(update(room(4), pointed([0, 2, 0, 1]), you()));
  assert.match(shown.phone, /0 points/);
  assert.match(shown.screen, /2 points/);
});

test("nothing is told of points if nobody has any, or if the game counts something else", () => {
  assert.equal(scoreText(pointed([0, 0, 0, 0]), "Ana"), "");
  const tally = /** @type {Table["tally"]} */ ({ points: false });
  assert.equal(scoreText(pointed([0, 2, 0, 1], { tally }), "Ana"), "");
  const shown = drawn(update(room(4), pointed([0, 0, 0, 0]), you()));
  assert.match(shown.phone, /Ana.*President/);
  assert.doesNotMatch(shown.phone, /point/);
  assert.match(shown.screen, /Bob.*Vice-President/);
  assert.doesNotMatch(shown.screen, /point/);
});

test("what a game counts instead is told", () => {
  const { table: chase } = /** @type {Update} */ (FIXTURES.chase_over);
  assert.ok(chase !== null);
  assert.equal(scoreText(chase, "Cat"), "3 dimes");
});

test("a card that can’t be played is marked, until it is chosen", () => {
  const shown = /** @type {Update} */ (structuredClone(FIXTURES.turn_8_of_18));
  const model = { ...initialModel(), update: shown };
  /** @param {string[]} chosen @returns {import("../../../static/js/lib/virtual_dom.js").VNode[]} */
  const cards = (chosen) => {
    Object.assign(model, { chosen });
    const desk = /** @type {any} */ ({ model, update: shown, prospects: null, set: () => undefined });
    /** @param {any} node @returns {any[]} */
    const within = (node) => [...(node.props["data-slot"] ? [node] : []), ...node.children.flatMap(within)];
    return within(/** @type {any} */ (hand(desk)));
  };
  const blocked = cards([]).find(({ props }) => props["data-fits"] === "no");
  assert.ok(blocked);
  assert.match(String(blocked.props.class), /\bdim\b/);
  assert.ok(cards([]).some(({ props }) => props["data-fits"] === "yes"));
  const slot = String(blocked.props["data-slot"]);
  const chosen = cards([slot]).find(({ props }) => props["data-slot"] === slot);
  assert.equal(chosen?.props["data-fits"], undefined);
  assert.doesNotMatch(String(chosen?.props.class), /\bdim\b/);
});
