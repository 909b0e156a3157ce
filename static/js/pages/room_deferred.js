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
import { buildMoments, hasHandEnded } from "../events/presentation.js";
import { sympathyText } from "../events/sympathy.js";
import { DeferredModule } from "../lib/deferred_module.js";
import { setPreference, getPreference } from "../lib/preferences.js";
import { renewPush } from "../device/push_subscription.js";
import { rejoinRequestForHost } from "../lobby/rejoin_request.js";
import { seatOffer } from "../lobby/seat_offer.js";
import { bubbleLayer } from "../chat/bubbles.js";
import { nextStepControls, resultView } from "../result/result.js";
import { exchangeView } from "../result/exchange_view.js";
import { matchEndView } from "../result/match_end_view.js";
import { sceneView } from "../result/story_view.js";
import { spectatorPanel, joinCard } from "../lobby/join_form.js";
import { StoryPlayer } from "../result/story_player.js";
import { handEndText, lastCardText, spokenEvents, withNewLogLines } from "../events/log_lines.js";
import { vibrateFor } from "../device/vibration.js";
import { ScreenWakeLock } from "../device/wake_lock.js";
import { dueAutoPass } from "../model/auto_pass.js";
import { isMatchRunning, isMyTurn } from "../model/state.js";
import { QuestionAnnouncer } from "../room/question_announcer.js";
import { Timers } from "../room/timers.js";

/** @import { Answer, Command, Desk, Model, Update } from "../types.d.ts" */
/**
 * What the page gives to these parts.
 * @typedef {{ model: () => Model, set: (change: Partial<Model>) => void, say: (text: string) => void,
 *   urge: (text: string) => void, desk: () => Desk | null,
 *   sendOrShowError: (command: Command) => Promise<Answer> }} Table
 */

/**
 * Draw what takes the place of the trick: an exchange, a result, or the end of a match; else null.
 * @param {Desk} desk
 * @param {boolean} whole whether to draw the small print, too, which can wait for the next frame
 */
function middleView(desk, whole) {
  const { room, table } = desk.update;
  if (room.phase === "playing" || table?.last === null) return exchangeView(desk.update);
  return room.phase === "finished" ? matchEndView(desk, whole) : resultView(desk);
}

/** Views that are drawn once this module has loaded. */
export const deferredViews = {
  spectatorPanel,
  joinCard,
  nextStepControls,
  bubbleLayer,
  coachLine,
  middleView,
  sceneView,
  seatRequest: (/** @type {Desk} */ desk) => rejoinRequestForHost(desk) ?? seatOffer(desk),
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

/** @param {CardDragHandler} dragging @param {import("../input/early_pointer.js").RecordedGesture} gesture */
function replayGesture(dragging, { down, move, up }) {
  if (down) dragging.handlePointerDown(down);
  // Replay the movement twice: the first starts dragging, the second moves the card.
  for (const each of move ? [move, move] : []) dragging.handlePointerMove(each);
  if (up) dragging.handlePointerUp(up);
}

/** Load and start the checks of fair deals, with their texts. @param {HTMLElement} root @param {Table} table */
async function loadFairDeals(root, table) {
  const [{ startFairDeals }] = await Promise.all([import("../room/fair_deals.js"), loadMessages("fair.")]);
  return startFairDeals(root.dataset.room ?? "", table);
}

/**
 * Tell what changed before the first update of a new connection, which has no events for that time.
 * @param {Table} table
 * @param {Update | null} before
 * @param {Update} update
 */
function tellMissed(table, before, update) {
  if (before !== null && update.hand_history)
    import("../room/missed_events.js").then(
      (module) => module.tellMissed(table, before, update),
      () => undefined,
    );
}

/**
 * Tell what an update brings, with sounds and vibration.
 * @param {Table["say"]} say
 * @param {Update} before
 * @param {Update} update
 * @param {ReturnType<typeof buildMoments>} moments
 * @param {string} asked what the player is asked now, or ""
 */
function present(say, before, update, moments, asked) {
  say(
    joinSentences([
      spokenEvents(update),
      sympathyText(moments, update),
      lastCardText(before, update),
      handEndText(before, update),
    ]),
  );
  playFor(moments, asked);
  vibrateFor(moments, asked);
}

/**
 * Start the deferred parts of a table, and replay the recorded gesture.
 * @param {HTMLElement} root the element in which the table is drawn
 * @param {Table} table
 * @param {import("../input/early_pointer.js").RecordedGesture} gesture recorded before this module had loaded
 */
export function startDeferredParts(root, table, gesture) {
  const { model, set, say, urge, desk } = table;
  const questions = new QuestionAnnouncer(urge);
  const timers = new Timers(root, table);
  const caller = new TurnNotifier(root.dataset.room ?? "");
  const wake = new ScreenWakeLock();
  const asides = new IncomingChat(model, set, say);
  const tale = new StoryPlayer(
    () => model().tale,
    (now) => set({ tale: now }),
    say,
  );
  replayGesture(new CardDragHandler(root, desk), gesture);
  watchLongPresses(root, desk);
  enableOnFirstGesture(document, gesture.up !== undefined);
  void renewPush(root.dataset.push ?? "");
  const fairDeals = new DeferredModule(
    () => loadFairDeals(root, table),
    () => set({}),
  );
  fairDeals.loadAfterPaint();
  return {
    asides,
    tale,
    timers,
    fairDeals,
    handleKeyDown,
    toggleMute,
    withNewLogLines,
    deferredViews,
    /** Run the effects of a change that can wait until this module has loaded. @param {Model} now */
    onChange({ update, passing, sheet }) {
      caller.onUpdate(update, update !== null && isMyTurn(update) && dueAutoPass(passing, update) === null);
      if (update === null) return;
      // Keep the screen on while other players think.
      wake.setWanted(isMatchRunning(update));
      if (sheet === null) questions.catchUp(update);
    },
    /**
     * Follow a new update, and announce it. Nothing is announced of the first (`before` is null), which was seen earlier.
     * @param {Update | null} before @param {Update} update @param {Model["passing"]} passing when the update came
     * @param {(moments: import("../events/presentation.js").Moment[], ended: Update | undefined) => void} show animates the moments
     */
    follow(before, update, passing, show) {
      tellMissed(table, before, update);
      countCoachedTurn(update);
      if (wake.refused) warnScreenMayDarken(desk());
      asides.onRoomChange(before, update);
      tale.onUpdate(update);
      timers.onUpdate(update);
      const asked = questions.announce(before, update, passing);
      if (before !== null) {
        const moments = buildMoments(update, update.you.name);
        show(moments, hasHandEnded(before, update) ? update : undefined);
        present(say, before, update, moments, asked);
      }
      fairDeals.whenLoaded((deals) => void deals.onUpdate(update));
    },
  };
}
