// @ts-check
// Texts about a watch party, and the times when they are announced.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";

import { setMessages } from "../../../static/js/lib/messages.js";
import { partyStatusText, isWorthAnnouncing } from "../../../static/js/replay/watch_party_view.js";
import { WatchPartySocket } from "../../../static/js/replay/watch_party_socket.js";
import { english } from "../english.js";

setMessages(english());

/** @type {import("../../../static/js/replay/watch_party_socket.js").PartyState} */
const bob = { leader: "Ana", hand: 2, move: 16, seat: null, offered: false, followers: 1, you: "follower" };
/** @type {import("../../../static/js/replay/watch_party_socket.js").PartyState} */
const ana = { ...bob, you: "leader" };

test("who follows hears who leads, where, and by whose eyes", () => {
  assert.equal(partyStatusText(bob, false), "Ana leads: hand 3, step 17.");
  assert.equal(partyStatusText({ ...bob, seat: "Cat" }, false), "Ana leads: hand 3, step 17, seen by Cat.");
  assert.equal(partyStatusText(bob, true), "You are watching alone. Ana is at hand 3, step 17.");
  assert.equal(
    partyStatusText({ ...bob, you: "may_lead" }, false),
    "Ana leads: hand 3, step 17. Ana offers you the lead.",
  );
});

test("who leads hears how many follow, and that the lead is offered", () => {
  assert.equal(partyStatusText({ ...ana, followers: 0 }, false), "You lead. Nobody is following you yet.");
  assert.equal(partyStatusText({ ...ana, followers: 3 }, false), "You lead. 3 people are following you.");
  assert.equal(partyStatusText({ ...ana, offered: true }, false), "You lead until someone else takes the lead.");
});

test("moves are told as they happen, so only what they don't tell is said besides", () => {
  assert.ok(isWorthAnnouncing(null, bob));
  assert.ok(!isWorthAnnouncing(bob, { ...bob, move: 17, followers: 2 }));
  assert.ok(isWorthAnnouncing(bob, { ...bob, hand: 3 }));
  assert.ok(isWorthAnnouncing(bob, { ...bob, seat: "Cat" }));
  assert.ok(isWorthAnnouncing(bob, { ...bob, leader: "Cat" }));
  assert.ok(isWorthAnnouncing(bob, { ...bob, you: "may_lead" }));
  assert.ok(!isWorthAnnouncing(ana, { ...ana, hand: 3, seat: "Cat" }));
  assert.ok(isWorthAnnouncing(ana, { ...ana, followers: 2 }));
  assert.ok(isWorthAnnouncing(ana, { ...ana, offered: true }));
});

test("a page whose line broke asks why, hangs up, and opens another line", { timeout: 30_000 }, async (t) => {
  const server = createServer((_, answer) => answer.writeHead(200).write("data: {}\n\n"));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  /** A connection that the server has refused. Node has no EventSource. */
  class Refused {
    static CLOSED = 2;
    readyState = Refused.CLOSED;
    url = `http://127.0.0.1:${port}/`;
    onerror = () => undefined;
    addEventListener() {}
  }
  Object.assign(globalThis, { EventSource: Refused });
  const together = new WatchPartySocket(
    "match",
    () => undefined,
    () => undefined,
  );
  together.connect("token");
  const first = together.line;
  const asked = once(server, "request");
  /** @type {any} */ (first).onerror();
  const [, answer] = await asked;
  await once(answer, "close");
  assert.notEqual(together.line, first);
});
