// @ts-check
// Changes to a room's page that depend on time alone, without an update.

import { t } from "../lib/messages.js";
import { activeNotice } from "../model/notice_timeout.js";
import { ReserveAlarm } from "./reserve_alarm.js";
import { latePlayers, nextWaitingChange } from "../table/waiting.js";
import { updateCountdowns } from "../ui/countdowns.js";

/** @import { Model, Update } from "../types.d.ts" */

/** Set a timer only if all players may ask for the next deal within this time, in milliseconds. */
const SOON = 120_000;

export class Timers {
  #looking = 0;

  /**
   * Start to keep countdowns and notices up to date.
   * @param {HTMLElement} root where the page is drawn
   * @param {{ model: () => Model, set: (change: Partial<Model>) => void, say: (text: string) => void, urge: (text: string) => void }} table
   */
  constructor(root, { model, set, say, urge }) {
    this.root = root;
    this.model = model;
    this.set = set;
    this.say = say;
    this.reserve = new ReserveAlarm(model, urge);
    window.setInterval(() => {
      this.updateCountdowns();
      this.#clearNotice();
    }, 250);
  }

  /** Set all countdowns to the current time. */
  updateCountdowns() {
    updateCountdowns(this.root, this.model().offset);
  }

  /** Draw again when all players may ask for the next deal, so that their button appears. @param {Update} update */
  onUpdate(update) {
    const open = (update.room.anyone_may_deal_at ?? 0) - update.server_time;
    if (open > 0 && open < SOON) window.setTimeout(() => this.set({}), open + 100);
    this.#awaitPlayers(update);
    this.reserve.onUpdate(update);
  }

  /** Draw again and announce it when the room has waited too long for a player. The server sends no update then. @param {Update} update */
  #awaitPlayers(update) {
    window.clearTimeout(this.#looking);
    const now = Date.now() + this.model().offset;
    const at = nextWaitingChange(update, now);
    if (at === null) return;
    this.#looking = window.setTimeout(
      () => {
        const { patience } = update.room.clock;
        const late = latePlayers(update, at).find(
          ({ botAt, name, since }) => botAt === null && name !== update.you.name && since + patience * 1000 === at,
        );
        if (late !== undefined) this.say(t("wait.long", { name: late.name, count: patience }));
        this.#awaitPlayers(update);
        this.set({});
      },
      at - now + 20,
    );
  }

  /** Remove a notice when its time is over. */
  #clearNotice() {
    const { notice, update } = this.model();
    const rest = activeNotice(notice, update, Date.now());
    // Keep the notice while its link or button has the focus.
    const held = document.querySelector(".notice")?.contains(document.activeElement);
    if (rest !== notice && !held) this.set({ notice: rest });
  }
}
