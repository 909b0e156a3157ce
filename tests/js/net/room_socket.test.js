// @ts-check
// A connection that is open but does not answer: the page shows it and opens another connection.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

/** A fake of the browser's connection. The test acts as the server. */
class FakeSocket extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 3;
  /** @type {FakeSocket[]} */
  static made = [];

  constructor() {
    super();
    this.readyState = FakeSocket.CONNECTING;
    /** @type {{ t: string, id: string }[]} */
    this.sent = [];
    FakeSocket.made.push(this);
  }

  /** @param {string} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }

  open() {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  /** @param {object} message */
  says(message) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }

  close() {
    this.readyState = FakeSocket.CLOSED;
  }
}

const page = Object.assign(new EventTarget(), { visibilityState: "visible", getElementById: () => null });
Object.assign(globalThis, {
  WebSocket: FakeSocket,
  document: page,
  window: globalThis,
  location: new URL("https://cards.example/r/QQQQQQ"),
});
Object.assign(globalThis, { addEventListener: () => {} });
mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"] });
const { RoomSocket } = await import("../../../static/js/net/room_socket.js");

/** A page with an open connection, and its reports of slowness. */
function opened() {
  FakeSocket.made = [];
  /** @type {boolean[]} */
  const slow = [];
  /** @type {(string | null | undefined)[]} */
  const notices = [];
  const room = new RoomSocket(
    "wss://cards.example/ws/QQQQQQ",
    () => {},
    () => {},
    (notice) => notices.push(notice?.message),
    () => {},
    (now) => slow.push(now),
  );
  const socket = /** @type {FakeSocket} */ (FakeSocket.made[0]);
  socket.open();
  return { room, slow, socket, notices };
}

test("a press that is not answered within two seconds is told, and so is its answer", async () => {
  const { room, slow, socket } = opened();
  const answer = room.sendCommand({ t: "act", action: { do: "pass" } });
  mock.timers.tick(1000);
  assert.deepEqual(slow, []);
  mock.timers.tick(1000);
  assert.deepEqual(slow, [true]);
  const [sent] = socket.sent;
  socket.says({ t: "answer", id: sent?.id, ok: true, seq: 1 });
  assert.equal((await answer).ok, true);
  assert.deepEqual(slow, [true, false]);
  room.close();
});

test("a dead connection is given up within six seconds, and the press is sent again", () => {
  const { room, socket } = opened();
  void room.sendCommand({ t: "act", action: { do: "pass" } });
  mock.timers.tick(6000);
  assert.equal(socket.readyState, FakeSocket.CLOSED);
  mock.timers.tick(1000);
  const next = /** @type {FakeSocket} */ (FakeSocket.made.at(-1));
  assert.notEqual(next, socket);
  next.open();
  assert.deepEqual(
    next.sent.map(({ id }) => id),
    [socket.sent[0]?.id],
  );
  room.close();
});

test("a connection that brings other messages is not given up while an answer is late", () => {
  const { room, socket } = opened();
  void room.sendCommand({ t: "act", action: { do: "pass" } });
  for (let second = 0; second < 8; second += 1) {
    mock.timers.tick(1000);
    socket.says({ t: "answer", id: "another", ok: true, seq: 1 });
  }
  assert.equal(socket.readyState, FakeSocket.OPEN);
  room.close();
});

test("notices that the server can't save, once a second, keep the connection without a ping", () => {
  const { room, socket } = opened();
  void room.sendCommand({ t: "act", action: { do: "pass" } });
  for (let second = 0; second < 30; second += 1) {
    mock.timers.tick(1000);
    socket.says({ t: "notice", message: "The server can’t save right now." });
  }
  assert.equal(socket.readyState, FakeSocket.OPEN);
  assert.deepEqual(
    socket.sent.map(({ t }) => t),
    ["act"],
  );
  room.close();
});

test("a command that the server can't save is sent again when it can, and is answered once", async () => {
  const { room, slow, socket } = opened();
  const answer = room.sendCommand({ t: "act", action: { do: "pass" } });
  const id = socket.sent[0]?.id;
  mock.timers.tick(2000);
  socket.says({ t: "notice", message: "The server can’t save right now." });
  socket.says({ t: "answer", id, ok: false, code: "unavailable" });
  const acts = () => socket.sent.filter(({ t }) => t === "act").map((command) => command.id);
  assert.deepEqual(acts(), [id]);
  socket.says({ t: "notice" });
  assert.deepEqual(acts(), [id, id]);
  assert.deepEqual(slow, [true, false], "it waits for a new answer");
  socket.says({ t: "notice" });
  assert.equal(acts().length, 2);
  socket.says({ t: "answer", id, ok: false, code: "unavailable" });
  assert.equal((await answer).ok, false, "without the notice the player is told");
  room.close();
});

test("the server's sentence in a goodbye stays while the page connects again, until the server answers", () => {
  const { notices, socket } = opened();
  const upgrade = { t: "goodbye", reason: "restart", retry_ms: 1000, message: "The server is being upgraded." };
  socket.says(upgrade);
  assert.deepEqual(notices, ["The server is being upgraded."]);
  mock.timers.tick(1000);
  FakeSocket.made[1]?.open();
  FakeSocket.made[1]?.says({ ...upgrade, message: "The server is being upgraded, less than a minute left." });
  mock.timers.tick(1000);
  assert.deepEqual(notices.slice(1), ["The server is being upgraded, less than a minute left."]);
  FakeSocket.made[2]?.open();
  FakeSocket.made[2]?.says({ t: "answer", id: null, ok: true });
  assert.equal(notices.at(-1) ?? null, null);
  FakeSocket.made[2]?.says({ t: "goodbye", reason: "restart", retry_ms: 1000 });
  assert.equal(notices.at(-1) ?? null, null);
});
