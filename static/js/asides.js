// @ts-check
// What comes beside the game: what people show each other. It stands at their seats for a moment, and is gone.

import { t } from "./messages.js";
import { isMuted, mute } from "./muted.js";
import { isDrawn } from "./reactions.js";
import { sound } from "./sounds.js";

/** @typedef {import("./types.d.ts").Model} Model */
/** @typedef {import("./types.d.ts").Update} Update */
/** @typedef {import("./types.d.ts").Aside} Aside */

/** How long a picture can be seen, as its animation takes (css/table/reactions.css), ms. */
const SEEN = 2800;
/** For ears, one line of each person's in so long is enough, ms. */
const HEARD_EVERY = 6000;
/** More at once would hide the table. */
const MOST = 12;

/** What is told beside the game, as this page gets it. */
export class Asides {
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
    /** When somebody was last heard. @type {Map<string, number>} */
    this.heard = new Map();
  }

  /** @param {Aside} aside */
  take({ by, reaction }) {
    const { update } = this.model();
    if (update === null || !isDrawn(reaction) || isMuted(update.room.code, by)) return;
    const id = ++this.count;
    this.set({ reactions: [...this.model().reactions, { id, by, reaction }].slice(-MOST) });
    window.setTimeout(() => this.set({ reactions: this.model().reactions.filter((each) => each.id !== id) }), SEEN);
    sound(`reaction.${reaction}`);
    if (by !== update.you.name) this.hear(by, t(`reaction.${reaction}.heard`, { by }));
  }

  /** @param {string} by @param {string} text */
  hear(by, text) {
    const now = Date.now();
    if (now - (this.heard.get(by) ?? 0) < HEARD_EVERY) return;
    this.heard.set(by, now);
    this.say(text);
  }

  /**
   * Who is muted stays so under another name, which has the same place in the list, and at another address of the room.
   * @param {Update | null} before
   * @param {Update} update
   */
  follow(before, update) {
    if (before === null || before.room.people.length !== update.room.people.length) return;
    const [was, is] = [before.room, update.room];
    for (const [i, { name }] of was.people.entries()) {
      const now = is.people[i]?.name ?? name;
      if ((was.code === is.code && now === name) || !isMuted(was.code, name)) continue;
      mute(was.code, name, false);
      mute(is.code, now, true);
    }
  }
}
