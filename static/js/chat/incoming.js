// @ts-check
// Incoming chat lines and reactions. Each shows at its sender's seat for a moment.

import { playSound } from "../sound/player.js";
import { t } from "../lib/messages.js";
import { isMuted, setMuted } from "./muted_people.js";
import { hasSticker } from "./stickers.js";

/** @import { Aside, ChatLine, Model, Update } from "../types.d.ts" */

/** Time that a reaction stays visible, in ms. Must equal its animation in css/table/chat_bubbles.css. */
const REACTION_MS = 2800;
/** Screen readers announce at most one reaction of a person in this time, in ms. */
const ANNOUNCE_EVERY = 6000;
/** Reading time for each character of a chat line, in ms. */
const PER_CHARACTER = 70;
/** The number of chat lines that the server keeps. */
const MAX_LINES = 30;
/** The key of the sheet that shows all chat lines. */
const CHAT_SHEET = "talk";
/** The most bubbles shown at once; more would hide the table. */
const MAX_BUBBLES = 12;

/**
 * Return a key that identifies a line, even after a server restart. The line's id is not enough: ids then restart.
 * @param {ChatLine} line
 */
function lineKey({ at, text, quick }) {
  return `${at} ${quick ?? text}`;
}

/** Return the text of a chat line; quick messages are translated. @param {import("../types.d.ts").ChatLine} line */
export function lineText({ text, quick }) {
  return text ?? t(`chat.quick.${quick}`);
}

/**
 * Find renamed people: their position in the list is unchanged, but the name is new. Maps old names to new names.
 * @param {import("../types.d.ts").Person[]} was
 * @param {import("../types.d.ts").Person[]} is
 */
function findRenames(was, is) {
  const [before, now] = [new Set(was.map(({ name }) => name)), new Set(is.map(({ name }) => name))];
  const both = is.map(({ name }, i) => /** @type {const} */ ([was[i]?.name ?? "", name]));
  return new Map(was.length === is.length ? both.filter(([old, name]) => !now.has(old) && !before.has(name)) : []);
}

/** Receives chat lines and reactions, shows them as bubbles, and has them announced and played as sounds. */
export class IncomingChat {
  /**
   * @param {() => Model} model
   * @param {(change: Partial<Model>) => void} set
   * @param {(text: string) => void} say announces a text to screen readers, after other announcements
   */
  constructor(model, set, say) {
    this.model = model;
    this.set = set;
    this.say = say;
    this.count = 0;
    /** Whether the chat history from before this page was opened has been received. */
    this.hasHistory = false;
    /** The time of each person's last announced reaction, in ms. @type {Map<string, number>} */
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
   * A new line is unread if the chat sheet is closed, even if the page had no connection when it was sent. The first
   * frame of a page counts as read. Lines that are sent now also show as a bubble.
   * @param {import("../../../build/protocol.d.ts").Chat} told
   */
  receiveChat({ lines, replaces_all }) {
    const { chat, sheet } = this.model();
    const now = replaces_all ? lines : [...chat.lines, ...lines].slice(-MAX_LINES);
    const known = new Set(chat.lines.map(lineKey));
    /** @param {ChatLine} line */
    const isUnread = (line) => {
      if (sheet === CHAT_SHEET || line.by === this.ownName() || !this.isVisibleSender(line.by)) return false;
      return chat.unread.includes(lineKey(line)) || (this.hasHistory && !known.has(lineKey(line)));
    };
    this.set({ chat: { lines: now, unread: now.filter(isUnread).map(lineKey) } });
    this.hasHistory = true;
    for (const line of replaces_all ? [] : lines.filter(({ by }) => this.isVisibleSender(by))) {
      const words = lineText(line);
      this.showBubble({ by: line.by, reaction: null, words }, Math.max(REACTION_MS, words.length * PER_CHARACTER));
      // The open sheet is a live region, which announces its new lines itself.
      if (sheet !== CHAT_SHEET && line.by !== this.ownName()) this.say(t("chat.heard", { by: line.by, words }));
      playSound("chat");
    }
  }

  /** @param {Omit<Model["reactions"][number], "id">} shown @param {number} ms */
  showBubble(shown, ms) {
    const id = `${shown.by}${++this.count}`;
    // A new chat line replaces the last chat bubble of the same person.
    const others = this.model().reactions.filter(
      ({ by, words }) => shown.words === "" || words === "" || by !== shown.by,
    );
    this.set({ reactions: [...others, { id, ...shown }].slice(-MAX_BUBBLES) });
    window.setTimeout(() => this.set({ reactions: this.model().reactions.filter((each) => each.id !== id) }), ms);
  }

  ownName() {
    return this.model().update?.you.name ?? null;
  }

  /** Tell whether the sender is not muted in this room. @param {string} by */
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
   * After a rename, show earlier messages under the new name. Keep muted people muted under a new name and after the
   * room's code changes. Remove all lines if the host turned the chat off.
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

  /** @param {Map<string, string>} now new names by old names */
  renameSenders(now) {
    const { chat, reactions } = this.model();
    /** @template {{ by: string }} T @param {T[]} said */
    const anew = (said) => said.map((each) => ({ ...each, by: now.get(each.by) ?? each.by }));
    this.set({ chat: { ...chat, lines: anew(chat.lines) }, reactions: anew(reactions) });
  }
}
