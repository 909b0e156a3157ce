// @ts-check
// One connection to a room that mends itself: it backs off with jitter, sends commands again under the same id until
// they are answered, and notices a line that has gone silent. Whoever is behind it reads of people, and speaks of them, by
// what they are called now. It knows no game.

import { parsed } from "../lib/null_prototype.js";
import { meant, names, read, readUpdate } from "./display_names.js";
import { lineTo } from "./early_socket.js";
import { reloadOnce } from "./new_version.js";
import { merged } from "./merge_update.js";

/** @typedef {import("../types.d.ts").FromServer} FromServer */
/** @typedef {import("../types.d.ts").Answer} Answer */
/** @typedef {import("../types.d.ts").Link} Link */
/** @typedef {import("../../../build/protocol.d.ts").Notice} Notice */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Aside} Aside */

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const PING_EVERY = 20000;
const SILENCE = 10000;
/** How often the connection is looked at, ms. */
const LOOK_EVERY = 500;
/** After this time without an answer to a command the page says so; with LOOK_EVERY that is within two seconds. */
const SLOW_AFTER = 1500;
/** After this time without any message, while a command waits for its answer, the connection counts as dead. */
const DEAD_AFTER = 5000;

/** Ids are unique for this page: the server answers each once, so they may be sent again. */
const prefix = Math.random().toString(36).slice(2, 10) + Date.now().toString(36);

export class RoomSocket {
  /**
   * @param {string} url
   * @param {(update: Update) => void} onUpdate gets the whole picture
   * @param {(link: Link) => void} onLink
   * @param {(notice: Notice | null) => void} onNotice gets what everybody should read now; null when that is over
   * @param {(aside: Aside) => void} onAside gets what people tell each other beside the game
   * @param {(slow: boolean) => void} onSlow gets whether a command has waited for its answer for too long
   */
  constructor(url, onUpdate, onLink, onNotice, onAside, onSlow = () => {}) {
    this.url = url;
    this.onUpdate = onUpdate;
    this.onLink = onLink;
    this.onNotice = onNotice;
    this.onAside = onAside;
    this.onSlow = onSlow;
    this.slow = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** What this connection was shown. @type {Update | null} */
    this.picture = null;
    /** @type {import("./display_names.js").Names} */
    this.called = { now: new Map(), named: undefined };
    /** Commands without an answer, the oldest first; `at` is when each was sent. @type {Map<string, { text: string, at: number, done: (answer: Answer) => void }>} */
    this.unanswered = new Map();
    this.count = 0;
    this.failures = 0;
    this.closed = false;
    /** Why the server said goodbye for good. */
    this.reason = "";
    this.retry = 0;
    this.heard = 0;
    this.pinged = 0;
    window.addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.hurry();
    });
    // A page kept in the browser's back/forward cache wakes with a dead socket.
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) this.hurry();
    });
    window.addEventListener("offline", () => this.drop());
    window.setInterval(() => this.beat(), LOOK_EVERY);
    this.connect();
  }

  connect() {
    if (this.closed) return;
    window.clearTimeout(this.retry);
    this.onLink(this.failures === 0 ? "connecting" : "lost");
    const { socket, told } = lineTo(this.url);
    this.socket = socket;
    this.picture = null;
    this.onNotice(null);
    this.heard = Date.now();
    socket.addEventListener("open", () => {
      if (socket !== this.socket) return;
      this.pinged = Date.now();
      for (const waiting of this.unanswered.values()) {
        waiting.at = Date.now();
        socket.send(waiting.text);
      }
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.socket) this.receive(String(event.data));
    });
    socket.addEventListener("close", () => {
      if (socket === this.socket) this.lost();
    });
    // Whoever made this is told when they are ready.
    queueMicrotask(() => this.catchUp(socket, told));
  }

  /** Take what a line was told before we had it. @param {WebSocket} socket @param {string[]} told */
  catchUp(socket, told) {
    for (const text of told) if (socket === this.socket) this.receive(text);
    if (socket === this.socket && socket.readyState === WebSocket.CLOSED) this.lost();
  }

  /** @param {string} text */
  receive(text) {
    this.heard = Date.now();
    const said = parsed(text);
    if (said.t === "update") this.see(said);
    else this.hear(read(said, this.called));
  }

  /** @param {import("../types.d.ts").Told} told */
  see(told) {
    this.failures = 0;
    this.onLink("open");
    this.picture = merged(this.picture, told);
    this.called = names(this.picture);
    this.onUpdate(readUpdate(this.picture, this.called));
  }

  /** @param {Exclude<FromServer, { t: "update" }>} message */
  hear(message) {
    if (message.t === "answer") {
      // Without an id it answers something that could not be read.
      const id = message.id ?? "";
      this.unanswered.get(id)?.done(message);
      this.unanswered.delete(id);
      this.lookForSlowAnswers();
    } else if (message.t === "notice") {
      this.onNotice(message.message ? message : null);
    } else if (message.t === "reaction" || message.t === "chat") {
      this.onAside(message);
    } else if (message.t === "goodbye") {
      // Without a time to come back there is nothing to come back to.
      if (typeof message.retry_ms === "number") this.again(message.retry_ms);
      else if (message.reason === "old_page" && reloadOnce(message.version)) this.close();
      else this.end(message.reason);
    }
  }

  /** @param {string} reason */
  end(reason) {
    this.reason = reason;
    this.close();
    this.onLink("gone");
  }

  lost() {
    this.socket = null;
    if (this.closed) return;
    this.failures += 1;
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(this.failures, 10));
    this.again(longest / 2 + (Math.random() * longest) / 2);
  }

  /** @param {number} wait */
  again(wait) {
    if (this.closed) return;
    this.onLink("lost");
    window.clearTimeout(this.retry);
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.failures = Math.max(this.failures, 1);
    this.retry = window.setTimeout(() => this.connect(), wait);
  }

  /** The line is known to be dead: don't wait for the browser to notice. */
  drop() {
    if (this.socket !== null) this.again(FIRST_WAIT);
  }

  /** Something makes it likely that the server can be reached again. */
  hurry() {
    if (this.closed) return;
    if (this.socket === null) this.connect();
    else if (this.socket.readyState === WebSocket.OPEN) this.ping();
  }

  beat() {
    const socket = this.socket;
    if (socket === null || document.visibilityState === "hidden") return;
    const now = Date.now();
    const waits = this.lookForSlowAnswers();
    if (socket.readyState === WebSocket.CONNECTING) {
      if (now - this.heard > SILENCE) this.drop();
    } else if (waits > DEAD_AFTER && now - this.heard > DEAD_AFTER) {
      this.drop();
    } else if (this.slow && this.pinged <= this.heard) {
      this.ping();
    } else if (this.pinged > this.heard && now - this.pinged > SILENCE) {
      this.drop();
    } else if (now - Math.max(this.pinged, this.heard) > PING_EVERY) {
      this.ping();
    }
  }

  /** Tell whether a command has waited for too long. Returns for how long the oldest has waited, ms. */
  lookForSlowAnswers() {
    const [oldest] = this.unanswered.values();
    const waits = oldest === undefined ? 0 : Date.now() - oldest.at;
    const slow = waits >= SLOW_AFTER;
    if (slow !== this.slow) {
      this.slow = slow;
      this.onSlow(slow);
    }
    return waits;
  }

  ping() {
    this.pinged = Date.now();
    this.socket?.send(JSON.stringify({ t: "ping", id: `${prefix}p${++this.count}` }));
  }

  /**
   * Ask the server something; sent again after every reconnect until it answers.
   * @param {Record<string, unknown> & { t: string }} command
   * @returns {Promise<Answer>}
   */
  ask(command) {
    const id = `${prefix}-${++this.count}`;
    const text = JSON.stringify({ ...meant(command, this.called), id });
    return new Promise((done) => {
      this.unanswered.set(id, { text, at: Date.now(), done });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    });
  }

  close() {
    this.closed = true;
    window.clearTimeout(this.retry);
    this.socket?.close();
  }
}
