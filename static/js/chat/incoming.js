// @ts-check
// What comes beside the game: what people show each other. It stands at their seats for a moment, and is gone.

import { playSound } from "../sound/player.js";
import { t } from "../lib/messages.js";
import { isMuted, setMuted } from "./muted_people.js";
import { hasSticker } from "./stickers.js";

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Aside} Aside */
/** @typedef {import("../types.d.ts").ChatLine} ChatLine */

/** How long a picture can be seen, as its animation takes (css/table/chat_bubbles.css), ms. */
const REACTION_MS = 2800;
/** For ears, one line of each person's in so long is enough, ms. */
const ANNOUNCE_EVERY = 6000;
/** So long is a word read, ms for each of its characters. */
const PER_CHARACTER = 70;
/** Lines that the server keeps. */
const MAX_LINES = 30;
/** The sheet in which all of it stands. */
const CHAT_SHEET = "talk";
/** More at once would hide the table. */
const MAX_BUBBLES = 12;

/**
 * What tells a line from others, also after a restart of the server, which counts its lines anew.
 * @param {ChatLine} line
 */
function lineKey({ at, text, quick }) {
  return `${at} ${quick ?? text}`;
}

/** A line as it is read here. @param {import("../types.d.ts").ChatLine} line */
export function lineText({ text, quick }) {
  return text ?? t(`chat.quick.${quick}`);
}

/**
 * What some are called now who were called otherwise a moment ago: they have the same place in the list.
 * @param {import("../types.d.ts").Person[]} was
 * @param {import("../types.d.ts").Person[]} is
 */
function findRenames(was, is) {
  const [before, now] = [new Set(was.map(({ name }) => name)), new Set(is.map(({ name }) => name))];
  const both = is.map(({ name }, i) => /** @type {const} */ ([was[i]?.name ?? "", name]));
  return new Map(was.length === is.length ? both.filter(([old, name]) => !now.has(old) && !before.has(name)) : []);
}

/** What is told beside the game, as this page gets it. */
export class IncomingChat {
  /**
   * @param {() => Model} model
   * @param {(change: Partial<Model>) => void} set
   * @param {(text: string) => void} say for ears, when nothing else is being said
   */
  constructor(model, set, say) {
    this.model = model;
    this.set = set;
    this.say = say;
    this.count = 0;
    /** Whether the lines that were there when this page came have been received. */
    this.hasHistory = false;
    /** When somebody was last heard. @type {Map<string, number>} */
    this.heard = new Map();
  }

  /** @param {Aside} aside */
  receive(aside) {
    if (aside.t === "chat") return this.receiveChat(aside);
    const { by, reaction } = aside;
    if (!hasSticker(reaction) || !this.isVisibleSender(by)) return;
    this.showBubble({ by, reaction, words: "" }, REACTION_MS);
    playSound(`reaction.${reaction}`);
    this.announceReaction(by, t(`reaction.${reaction}.heard`, { by }));
  }

  /**
   * Take chat lines from the server.
   *
   * A line is unread if the sheet is closed and it was not there before: also if it was sent while this page had no
   * connection. What the first frame of a page brings counts as read. Lines that others send now also stand at a seat.
   * @param {import("../../../build/protocol.d.ts").Chat} told
   */
  receiveChat({ lines, whole }) {
    const { chat, sheet } = this.model();
    const now = whole ? lines : [...chat.lines, ...lines].slice(-MAX_LINES);
    const known = new Set(chat.lines.map(lineKey));
    /** @param {ChatLine} line */
    const isUnread = (line) => {
      if (sheet === CHAT_SHEET || line.by === this.ownName() || !this.isVisibleSender(line.by)) return false;
      return chat.unread.includes(lineKey(line)) || (this.hasHistory && !known.has(lineKey(line)));
    };
    this.set({ chat: { lines: now, unread: now.filter(isUnread).map(lineKey) } });
    this.hasHistory = true;
    for (const line of whole ? [] : lines.filter(({ by }) => this.isVisibleSender(by))) {
      const words = lineText(line);
      this.showBubble({ by: line.by, reaction: null, words }, Math.max(REACTION_MS, words.length * PER_CHARACTER));
      // In the sheet it is read where it stands.
      if (sheet !== CHAT_SHEET && line.by !== this.ownName()) this.say(t("chat.heard", { by: line.by, words }));
      playSound("chat");
    }
  }

  /** @param {Omit<Model["reactions"][number], "id">} shown @param {number} ms */
  showBubble(shown, ms) {
    const id = `${shown.by}${++this.count}`;
    // One says one thing at a time.
    const others = this.model().reactions.filter(
      ({ by, words }) => shown.words === "" || words === "" || by !== shown.by,
    );
    this.set({ reactions: [...others, { id, ...shown }].slice(-MAX_BUBBLES) });
    window.setTimeout(() => this.set({ reactions: this.model().reactions.filter((each) => each.id !== id) }), ms);
  }

  ownName() {
    return this.model().update?.you.name ?? null;
  }

  /** Whether one wants to see what somebody shows. @param {string} by */
  isVisibleSender(by) {
    const { update } = this.model();
    return update !== null && !isMuted(update.room.code, by);
  }

  /** @param {string} by @param {string} text */
  announceReaction(by, text) {
    if (by === this.ownName()) return;
    const now = Date.now();
    if (now - (this.heard.get(by) ?? 0) < ANNOUNCE_EVERY) return;
    this.heard.set(by, now);
    this.say(text);
  }

  /**
   * What somebody has said is read under the name that they have now, and who is muted stays so under another name and at
   * another address of the room.
   * @param {Update | null} before
   * @param {Update} update
   */
  onRoomChange(before, update) {
    if (!update.room.chat && this.model().chat.lines.length > 0) this.set({ chat: { lines: [], unread: [] } });
    if (before === null) return;
    const [was, is] = [before.room, update.room];
    const now = findRenames(was.people, is.people);
    if (now.size > 0) this.renameSenders(now);
    for (const { name } of was.people) {
      const called = now.get(name) ?? name;
      if ((was.code === is.code && called === name) || !isMuted(was.code, name)) continue;
      setMuted(was.code, name, false);
      setMuted(is.code, called, true);
    }
  }

  /** @param {Map<string, string>} now what some are called, by what they were called */
  renameSenders(now) {
    const { chat, reactions } = this.model();
    /** @template {{ by: string }} T @param {T[]} said */
    const anew = (said) => said.map((each) => ({ ...each, by: now.get(each.by) ?? each.by }));
    this.set({ chat: { ...chat, lines: anew(chat.lines) }, reactions: anew(reactions) });
  }
}
