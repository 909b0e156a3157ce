// @ts-check
// Coming back to a match that went on without the player: the visitor asks, and the host sees what they would get.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { rejoinControls, rejoinRequestForHost } from "../../../static/js/lobby/rejoin_request.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { initialModel } from "../../../static/js/model/state.js";
import { english } from "../english.js";
import { FIXTURES } from "../fixtures.js";

/**
 * @import { VNode } from "../../../static/js/lib/virtual_dom.js"
 * @import { Desk } from "../../../static/js/types.d.ts"
 */

before(() => setMessages(english()));

/** @typedef {{text: string[], asked: unknown[], press: (ask: string) => void}} Drawn the texts, and the commands sent */

/**
 * Draw a part of the page in a match that Bob has left.
 * @param {(desk: Desk) => VNode | null} draw
 * @param {{points?: number, seat_requested?: boolean}} left
 * @param {Record<string, unknown>} you
 * @param {number} free seats
 * @returns {Drawn}
 */
function drawn(draw, left, you, free = 1) {
  const base = FIXTURES.welcome;
  assert.ok(base !== undefined);
  /** @type {unknown[]} */
  const asked = [];
  const part = draw(
    /** @type {Desk} */ (
      /** @type {unknown} */ ({
        model: { ...initialModel(), form: { name_taken: "Bobby" } },
        update: {
          ...base,
          room: {
            ...base.room,
            left_players: [{ name: "Bobby", points: 0, seat_requested: false, ...left }],
            seat_plan: { free, bots: [], joining: [] },
          },
          you: { ...base.you, ...you },
        },
        ask: (/** @type {unknown} */ command) => asked.push(command),
      })
    ),
  );
  /** @param {VNode} node @returns {VNode[]} */
  const all = (node) => [node, ...node.children.flatMap(all)];
  const nodes = part === null ? [] : all(part);
  return {
    text: nodes.map(({ text }) => text ?? "").filter(Boolean),
    asked,
    press: (ask) =>
      /** @type {(() => void) | undefined} */ (nodes.find(({ props }) => props["data-ask"] === ask)?.props.onclick)?.(),
  };
}

test("a player who left types their name on another device and can ask", () => {
  const page = drawn(rejoinControls, {}, {});
  assert.ok(page.text.includes("Bobby left this match. Are you Bobby on another device?"), page.text.join("|"));
  page.press("ask_for_seat");
  assert.deepEqual(page.asked, [{ t: "ask_for_seat", name: "Bobby" }]);
  const waiting = drawn(rejoinControls, { seat_requested: true }, { requested_seat: "Bobby" });
  assert.match(waiting.text.join(" "), /You asked \w+ to let you back in as Bobby\./);
});

test("the host reads which seat, points and history a player who left would get", () => {
  const host = { host: true };
  assert.deepEqual(drawn(rejoinRequestForHost, {}, host).text, []);
  const free = drawn(rejoinRequestForHost, { points: 3, seat_requested: true }, host);
  assert.ok(free.text.includes("This browser gets: a free seat, 3 points, the history."), free.text.join("|"));
  free.press("let_in");
  assert.deepEqual(free.asked, [{ t: "answer_seat_request", name: "Bobby", yes: true }]);
  const full = drawn(rejoinRequestForHost, { seat_requested: true }, host, 0);
  assert.ok(full.text.includes("This browser gets: the next free seat, the history."));
});
