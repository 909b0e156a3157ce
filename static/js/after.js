// @ts-check
// What a table has once its cards can be seen: what is drawn only then, and whoever goes along with it. No first look
// waits for it (scripts.py), and it is asked for as soon as there has been one.

import { Asides } from "./asides.js";
import { Caller } from "./calling.js";
import { Chance } from "./chance.js";
import { Dragging } from "./dragging.js";
import { onFirstGesture, sounding, toggle } from "./loudspeaker.js";
import { t } from "./messages.js";
import { momentsOf } from "./moments.js";
import { like, liked } from "./prefs.js";
import { goOnBeingPushed } from "./pushed.js";
import { seatRequest } from "./render_come_back.js";
import { reactions } from "./render_reactions.js";
import { onward, result } from "./render_result.js";
import { scene } from "./render_tale.js";
import { bystander, joining } from "./render_welcome.js";
import { Tale } from "./tale.js";
import { ended, happened, told } from "./telling.js";
import { vibrating } from "./vibration.js";
import { Wake } from "./wake.js";

/** @typedef {import("./types.d.ts").Desk} Desk */
/** @typedef {import("./types.d.ts").Model} Model */
/** @typedef {import("./types.d.ts").Update} Update */

/** What is drawn. */
export const drawn = { bystander, joining, onward, reactions, result, scene, seatRequest };

/**
 * Tell what the check of a hand has found.
 * @param {import("./types.d.ts").Dealing} found
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
 * Whoever goes along with a table from now on.
 * @param {HTMLElement} root where it is drawn
 * @param {{ model: () => Model, set: (change: Partial<Model>) => void, say: (text: string) => void, desk: () => Desk | null,
 *   ask: (command: import("./types.d.ts").Command) => Promise<import("./types.d.ts").Answer> }} table
 * @param {import("./gesture.js").Kept} gesture what a finger has done already
 */
export function company(root, { model, set, say, desk, ask }, gesture) {
  const asides = new Asides(model, set, say);
  const tale = new Tale(() => model().tale, (now) => set({ tale: now }), say);
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
      () => import("./fair.js"),
      { read: () => liked(`seed.${root.dataset.room}`, ""), write: (text) => like(`seed.${root.dataset.room}`, text) },
      (found, left) => checked(found, left, { set, say, desk }),
    ),
    caller: new Caller(root.dataset.room ?? ""),
    wake: new Wake(),
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
     * @param {(moments: import("./moments.js").Moment[]) => void} show lets it be seen
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
