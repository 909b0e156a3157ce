// @ts-check
// What a table has once its cards can be seen: what is drawn only then, and whoever goes along with it. No first look
// waits for it (js_bundles.py), and it is asked for as soon as there has been one.

import { Asides } from "../chat/incoming.js";
import { Caller } from "../device/turn_notification.js";
import { Chance } from "../net/seed_commitment.js";
import { Dragging } from "../input/card_drag.js";
import { onFirstGesture, sounding, toggle } from "../sound/player.js";
import { t } from "../lib/messages.js";
import { momentsOf } from "../events/presentation.js";
import { like, liked } from "../lib/preferences.js";
import { goOnBeingPushed } from "../device/push_subscription.js";
import { seatRequest } from "../lobby/rejoin_request.js";
import { reactions } from "../chat/bubbles.js";
import { onward, result } from "../result/result.js";
import { scene } from "../result/story_view.js";
import { bystander, joining } from "../lobby/join_form.js";
import { Tale } from "../result/story_player.js";
import { ended, happened, told } from "../events/log_lines.js";
import { vibrating } from "../device/vibration.js";
import { Wake } from "../device/wake_lock.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Update} Update */

/** What is drawn. */
export const drawn = { bystander, joining, onward, reactions, result, scene, seatRequest };

/**
 * Tell what the check of a hand has found.
 * @param {import("../types.d.ts").Dealing} found
 * @param {number} left how often this browser's seed was left out in this match
 * @param {{ set: (change: Partial<Model>) => void, say: (text: string) => void, desk: () => Desk | null }} table
 */
function checked(found, left, { set, say, desk }) {
  const unfair = found.verdict === "fair" ? "" : t(`fair.found.${found.verdict}`);
  set({ unfair });
  if (unfair !== "") say(unfair);
  else if (found.left) desk()?.tell(t("fair.left", { count: left }), true);
}

/**
 * Say once in this browser that the screen may go dark during a match. Only on phones and tablets: the screens of
 * computers stay on for long.
 * @param {Desk | null} desk
 */
function mayGoDark(desk) {
  if (desk === null || liked("dark", "") !== "" || !window.matchMedia("(pointer: coarse)").matches) return;
  like("dark", "told");
  desk.tell(t("wake.refused"));
}

/**
 * Whoever goes along with a table from now on.
 * @param {HTMLElement} root where it is drawn
 * @param {{ model: () => Model, set: (change: Partial<Model>) => void, say: (text: string) => void, desk: () => Desk | null,
 *   ask: (command: import("../types.d.ts").Command) => Promise<import("../types.d.ts").Answer> }} table
 * @param {import("../input/early_pointer.js").Kept} gesture what a finger has done already
 */
export function company(root, { model, set, say, desk, ask }, gesture) {
  const asides = new Asides(model, set, say);
  const tale = new Tale(
    () => model().tale,
    (now) => set({ tale: now }),
    say,
  );
  const dragging = new Dragging(root, desk);
  if (gesture.down) dragging.down(gesture.down);
  // The first movement says what is meant, and the next where to.
  for (const move of gesture.move ? [gesture.move, gesture.move] : []) dragging.move(move);
  if (gesture.up) dragging.up(gesture.up);
  onFirstGesture(document, gesture.up !== undefined);
  void goOnBeingPushed(root.dataset.push ?? "");
  return {
    asides,
    tale,
    chance: new Chance(
      ask,
      (again, wait) => window.setTimeout(again, wait),
      () => import("../replay/fairness_check.js"),
      { read: () => liked(`seed.${root.dataset.room}`, ""), write: (text) => like(`seed.${root.dataset.room}`, text) },
      (found, left) => checked(found, left, { set, say, desk }),
    ),
    caller: new Caller(root.dataset.room ?? ""),
    wake: new Wake(() => mayGoDark(desk())),
    toggle,
    told,
    /** The room is so now. @param {Update | null} before @param {Update} update */
    follow(before, update) {
      asides.follow(before, update);
      tale.see(before, update);
    },
    /**
     * Something has happened: it is said, heard and felt.
     * @param {Update} before
     * @param {Update} update
     * @param {string} asked what one is asked now, if anything
     * @param {(moments: import("../events/presentation.js").Moment[]) => void} show lets it be seen
     */
    announce(before, update, asked, show) {
      const moments = momentsOf(update, update.you.name);
      show(moments);
      say([happened(update), ended(before, update)].filter(Boolean).join(" "));
      sounding(moments, asked);
      vibrating(moments, asked);
    },
  };
}
