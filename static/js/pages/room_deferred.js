// @ts-check
// Parts of a table that load after the first drawing: deferred views, keys, sounds, animations and other
// helpers. The first drawing does not wait for this module (js_bundles.py).

import { coachLine, countCoachedTurn } from "../actions/coaching.js";
import { IncomingChat } from "../chat/incoming.js";
import { TurnNotifier } from "../device/turn_notification.js";
import { CardDragHandler } from "../input/card_drag.js";
import { watchLongPresses } from "../input/long_press.js";
import { handleKeyDown } from "../input/shortcuts.js";
import { enableOnFirstGesture, playFor, toggleMute } from "../sound/player.js";
import { loadMessages, t, joinSentences } from "../lib/messages.js";
import { buildMoments } from "../events/presentation.js";
import { DeferredModule } from "../lib/deferred_module.js";
import { setPreference, getPreference } from "../lib/preferences.js";
import { renewPush } from "../device/push_subscription.js";
import { rejoinRequestForHost } from "../lobby/rejoin_request.js";
import { bubbleLayer } from "../chat/bubbles.js";
import { nextStepControls, resultView } from "../result/result.js";
import { sceneView } from "../result/story_view.js";
import { spectatorPanel, joinCard } from "../lobby/join_form.js";
import { StoryPlayer } from "../result/story_player.js";
import { handEndText, lastCardText, spokenEvents, withNewLogLines } from "../events/log_lines.js";
import { vibrateFor } from "../device/vibration.js";
import { ScreenWakeLock } from "../device/wake_lock.js";
import { QuestionAnnouncer } from "../room/question_announcer.js";

/** @import { Desk, Model, Update } from "../types.d.ts" */

/** Views that are drawn once this module has loaded. */
export const deferredViews = {
  spectatorPanel,
  joinCard,
  nextStepControls,
  bubbleLayer,
  coachLine,
  resultView,
  sceneView,
  rejoinRequestForHost,
};

/**
 * Say once in this browser that the screen may go dark during a match. Only on phones and tablets, because
 * computer screens stay on for long, and only after a hand: during one, the notice would cover what a player is asked.
 * @param {Desk | null} desk
 */
function warnScreenMayDarken(desk) {
  if (
    desk?.update.room.phase !== "between_hands" ||
    getPreference("dark", "") !== "" ||
    !window.matchMedia("(pointer: coarse)").matches
  )
    return;
  setPreference("dark", "told");
  desk.showNotice(t("wake.refused"));
}

/**
 * Tell what changed before the first update of a new connection, which has no events for that time.
 * @param {{ model: () => Model, set: (change: Partial<Model>) => void, say: (text: string) => void }} page
 * @param {Update | null} before
 * @param {Update} update
 */
function tellMissed(page, before, update) {
  if (before !== null && update.hand_history)
    import("../room/missed_events.js").then(
      (module) => module.tellMissed(page, before, update),
      () => undefined,
    );
}

/**
 * Start the deferred parts of a table, and replay the recorded gesture.
 * @param {HTMLElement} root the element in which the table is drawn
 * @param {{ model: () => Model, set: (change: Partial<Model>) => void, say: (text: string) => void,
 *   urge: (text: string) => void, desk: () => Desk | null,
 *   sendOrShowError: (command: import("../types.d.ts").Command) => Promise<import("../types.d.ts").Answer> }} table
 * @param {import("../input/early_pointer.js").RecordedGesture} earlyGesture the gesture recorded before this module had loaded
 */
export function startDeferredParts(root, { model, set, say, urge, desk, sendOrShowError }, earlyGesture) {
  const questions = new QuestionAnnouncer(urge);
  const asides = new IncomingChat(model, set, say);
  const tale = new StoryPlayer(
    () => model().tale,
    (now) => set({ tale: now }),
    say,
  );
  const dragging = new CardDragHandler(root, desk);
  if (earlyGesture.down) dragging.handlePointerDown(earlyGesture.down);
  // Replay the movement twice: the first starts dragging, the second moves the card.
  for (const move of earlyGesture.move ? [earlyGesture.move, earlyGesture.move] : []) dragging.handlePointerMove(move);
  if (earlyGesture.up) dragging.handlePointerUp(earlyGesture.up);
  watchLongPresses(root, desk);
  enableOnFirstGesture(document, earlyGesture.up !== undefined);
  void renewPush(root.dataset.push ?? "");
  const fairDeals = new DeferredModule(
    async () => {
      const [{ startFairDeals }] = await Promise.all([import("../room/fair_deals.js"), loadMessages("fair.")]);
      return startFairDeals(root.dataset.room ?? "", { set, say, desk, sendOrShowError });
    },
    () => set({}),
  );
  fairDeals.loadAfterPaint();
  return {
    asides,
    tale,
    fairDeals,
    caller: new TurnNotifier(root.dataset.room ?? ""),
    wake: new ScreenWakeLock(),
    questions,
    handleKeyDown,
    toggleMute,
    withNewLogLines,
    /** Update the deferred parts for a new update. @param {Update | null} before @param {Update} update */
    follow(before, update) {
      tellMissed({ model, set, say }, before, update);
      countCoachedTurn(update);
      if (this.wake.refused) warnScreenMayDarken(desk());
      asides.onRoomChange(before, update);
      tale.onUpdate(before, update);
    },
    /**
     * Announce the question of an update, and its events by text, sound and vibration.
     * @param {Update | null} before null for the first update, whose events were seen earlier
     * @param {Update} update
     * @param {Model["passing"]} passing the automatic pass when the update came
     * @param {(moments: import("../events/presentation.js").Moment[]) => void} show animates the moments
     */
    announce(before, update, passing, show) {
      const asked = questions.announce(before, update, passing);
      if (before === null) return;
      const moments = buildMoments(update, update.you.name);
      show(moments);
      say(joinSentences([spokenEvents(update), lastCardText(before, update), handEndText(before, update)]));
      playFor(moments, asked);
      vibrateFor(moments, asked);
    },
  };
}
