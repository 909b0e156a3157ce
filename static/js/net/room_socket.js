// @ts-check
// A connection to a room that reconnects by itself, with backoff and jitter. It sends commands again under the same id
// until they are answered, and detects a silent connection. Its users see and send current names (display_names.js).
// It contains no rules of games.

import { parseJson } from "../lib/null_prototype.js";
import { withMatchNames, buildNameMap, applyNames, applyNamesToUpdate } from "./display_names.js";
import { takeSocket } from "./early_socket.js";
import { reloadOnce } from "./new_version.js";
import { mergeUpdate } from "./merge_update.js";

/**
 * @import { Answer, Aside, FromServer, Link, Update } from "../types.d.ts"
 * @import { Notice } from "../../../build/protocol.d.ts"
 * @typedef {Pick<Notice, "message" | "key" | "values">} NoticeText
 */

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const PING_EVERY = 20000;
const SILENCE = 10000;
/** Time between checks of the connection, ms. */
const CHECK_EVERY = 500;
/** After this time, in ms, without an answer to a command the page says so; with CHECK_EVERY that is within two seconds. */
const SLOW_AFTER = 1500;
/** After this time without any message, while a command waits for its answer, the connection counts as dead. */
const DEAD_AFTER = 5000;

/** Makes command ids unique to this page. The server acts only once for each id, so commands can safely be sent again. */
const idPrefix = Math.random().toString(36).slice(2, 10) + Date.now().toString(36);

export class RoomSocket {
  /**
   * @param {string} url
   * @param {(update: Update) => void} onUpdate gets the full merged state
   * @param {(link: Link) => void} onLink gets the state of the connection
   * @param {(notice: NoticeText | null) => void} onNotice gets the server's notice to everybody; null when it ends. While
   *   the connection is lost, it is what the server does meanwhile, if that is known
   * @param {(aside: Aside) => void} onAside gets chat messages and reactions
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
    /** The state received over this connection. @type {Update | null} */
    this.picture = null;
    /** Whether this connection has brought a message other than a goodbye. */
    this.isGreeted = false;
    /** @type {import("./display_names.js").NameMap} */
    this.called = { now: new Map(), fields: undefined };
    /**
     * Unanswered commands by id, oldest first; `at` is the time of sending.
     * @type {Map<string, { text: string, at: number, done: (answer: Answer) => void }>}
     */
    this.unanswered = new Map();
    /** Whether the server has told that it can't save. */
    this.isSavingBroken = false;
    /** Ids of unanswered commands that the server could not save. It gets them again as soon as it can. @type {Set<string>} */
    this.unsaved = new Set();
    this.count = 0;
    this.failures = 0;
    this.closed = false;
    /** The server's reason for closing the connection for good. */
    this.reason = "";
    this.retry = 0;
    this.heard = 0;
    this.pinged = 0;
    window.addEventListener("online", () => this.reconnectOrPing());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.reconnectOrPing();
    });
    // A page kept in the browser's back/forward cache wakes with a dead socket.
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) this.reconnectOrPing();
    });
    window.addEventListener("offline", () => this.dropConnection());
    window.setInterval(() => this.checkConnection(), CHECK_EVERY);
    this.connect();
  }

  connect() {
    if (this.closed) return;
    window.clearTimeout(this.retry);
    this.onLink(this.failures === 0 ? "connecting" : "lost");
    const { socket, told } = takeSocket(this.url);
    this.socket = socket;
    this.picture = null;
    this.isGreeted = false;
    this.isSavingBroken = false;
    this.heard = Date.now();
    socket.addEventListener("open", () => {
      if (socket !== this.socket) return;
      this.pinged = Date.now();
      this.sendAgain(this.unanswered.keys());
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.socket) this.handleText(String(event.data));
    });
    socket.addEventListener("close", () => {
      if (socket === this.socket) this.handleConnectionLost();
    });
    // Deliver early messages only after the code that created this socket has finished its setup.
    queueMicrotask(() => this.handleEarlyMessages(socket, told));
  }

  /**
   * Handle messages received before this object took over the socket, and a socket that closed meanwhile.
   * @param {WebSocket} socket @param {string[]} told
   */
  handleEarlyMessages(socket, told) {
    for (const text of told) if (socket === this.socket) this.handleText(text);
    if (socket === this.socket && socket.readyState === WebSocket.CLOSED) this.handleConnectionLost();
  }

  /** @param {string} text */
  handleText(text) {
    this.heard = Date.now();
    const said = parseJson(text);
    if (!this.isGreeted && said.t !== "goodbye") {
      this.isGreeted = true;
      this.onNotice(null);
    }
    if (said.t === "update") this.handleUpdate(said);
    else this.handleMessage(applyNames(said, this.called));
  }

  /** @param {import("../types.d.ts").Told} told */
  handleUpdate(told) {
    this.failures = 0;
    this.onLink("open");
    this.picture = mergeUpdate(this.picture, told);
    this.called = buildNameMap(this.picture);
    this.onUpdate(applyNamesToUpdate(this.picture, this.called));
  }

  /** @param {Exclude<FromServer, { t: "update" }>} message */
  handleMessage(message) {
    if (message.t === "answer") {
      // An answer without an id is for a command that the server could not read.
      const id = message.id ?? "";
      if (message.code === "unavailable" && this.isSavingBroken) {
        this.unsaved.add(id);
        return;
      }
      this.unanswered.get(id)?.done(message);
      this.unanswered.delete(id);
      this.checkSlowAnswers();
    } else if (message.t === "notice") {
      this.isSavingBroken = Boolean(message.message);
      if (!this.isSavingBroken) this.sendAgain(this.unsaved);
      this.onNotice(message.message ? message : null);
    } else if (message.t === "reaction" || message.t === "chat") {
      this.onAside(message);
    } else if (message.t === "goodbye") {
      // Without `retry_ms` the server wants no reconnection.
      if (typeof message.retry_ms === "number") this.reconnectAfter(message.retry_ms, message.message ? message : null);
      else if (message.reason === "old_page" && reloadOnce(message.version)) this.close();
      else this.closeWithReason(message.reason);
    }
  }

  /** @param {string} reason */
  closeWithReason(reason) {
    this.reason = reason;
    this.close();
    this.onLink("gone");
  }

  handleConnectionLost() {
    this.socket = null;
    if (this.closed) return;
    this.failures += 1;
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(this.failures, 10));
    this.reconnectAfter(longest / 2 + (Math.random() * longest) / 2);
  }

  /** @param {number} wait @param {NoticeText | null} [meanwhile] what the server does meanwhile */
  reconnectAfter(wait, meanwhile = null) {
    if (this.closed) return;
    this.onLink("lost");
    this.onNotice(meanwhile);
    window.clearTimeout(this.retry);
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.failures = Math.max(this.failures, 1);
    this.retry = window.setTimeout(() => this.connect(), wait);
  }

  /** Drop a dead connection and reconnect, without waiting for the browser to notice. */
  dropConnection() {
    if (this.socket !== null) this.reconnectAfter(FIRST_WAIT);
  }

  /** Reconnect or test the connection now, because the server can probably be reached again. */
  reconnectOrPing() {
    if (this.closed) return;
    if (this.socket === null) this.connect();
    else if (this.socket.readyState === WebSocket.OPEN) this.ping();
  }

  checkConnection() {
    const socket = this.socket;
    if (socket === null || document.visibilityState === "hidden") return;
    const now = Date.now();
    const waits = this.checkSlowAnswers();
    if (socket.readyState === WebSocket.CONNECTING) {
      if (now - this.heard > SILENCE) this.dropConnection();
    } else if (waits > DEAD_AFTER && now - this.heard > DEAD_AFTER) {
      this.dropConnection();
    } else if (this.slow && this.pinged <= this.heard && now - this.heard > SLOW_AFTER) {
      this.ping();
    } else if (this.pinged > this.heard && now - this.pinged > SILENCE) {
      this.dropConnection();
    } else if (now - Math.max(this.pinged, this.heard) > PING_EVERY) {
      this.ping();
    }
  }

  /** Call `onSlow` if answers became slow or are on time again. Return the age of the oldest unanswered command, ms. */
  checkSlowAnswers() {
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
    this.socket?.send(JSON.stringify({ t: "ping", id: `${idPrefix}p${++this.count}` }));
  }

  /**
   * Send a command and wait for its answer. It is sent again after every reconnect until the server answers.
   * @param {Record<string, unknown> & { t: string }} command
   * @returns {Promise<Answer>}
   */
  sendCommand(command) {
    const id = `${idPrefix}-${++this.count}`;
    const text = JSON.stringify({ ...withMatchNames(command, this.called), id });
    return new Promise((done) => {
      this.unanswered.set(id, { text, at: Date.now(), done });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    });
  }

  /** Send unanswered commands again, under their ids. @param {Iterable<string>} ids */
  sendAgain(ids) {
    for (const id of ids) {
      const waiting = this.unanswered.get(id);
      if (waiting === undefined) continue;
      waiting.at = Date.now();
      this.socket?.send(waiting.text);
    }
    this.unsaved.clear();
    this.checkSlowAnswers();
  }

  close() {
    this.closed = true;
    window.clearTimeout(this.retry);
    this.socket?.close();
  }
}
