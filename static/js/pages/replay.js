// @ts-check
// The replay page: shows a finished hand move by move, from recorded frames instead of a socket.
// The server decides which cards are hidden: none, or the cards that one seat could not see.

import { parseJson } from "../lib/null_prototype.js";
import { byId, draw, h } from "../lib/virtual_dom.js";
import { createAnnouncer } from "../a11y/live_region.js";
import { enableOnFirstGesture, playFor } from "../sound/player.js";
import { loadMessages, t } from "../lib/messages.js";
import { buildMoments } from "../events/presentation.js";
import { applyDisplayPreferences, showFelt } from "../lib/preferences.js";
import { Animator } from "../animation/animator.js";
import { board } from "../replay/board.js";
import { BotReview } from "../replay/bot_review.js";
import { createCommands } from "../replay/commands.js";
import { stepByKey } from "../replay/controls.js";
import { matchSourceOf } from "../replay/match_source.js";
import { Player } from "../replay/player.js";
import { createReplayStore } from "../replay/replay_state.js";
import { addressOf } from "../replay/step_words.js";
import { WatchParty } from "../replay/watch_party.js";

/** @import { Frame } from "../types.d.ts" */

const root = byId("replay");
const say = createAnnouncer(byId("live"));
const matchSource = matchSourceOf(root);
const asked = new URLSearchParams(location.search);

const store = createReplayStore(Number(root.dataset.number), asked.get("seat"), () => show());
const player = new Player(store, matchSource, say);
const commands = createCommands(store, matchSource, say);
const seen = new Animator();
/** The frame that was drawn last. @type {Frame | undefined} */
let drawn;

if (root.dataset.match !== undefined)
  player.party = new WatchParty(
    root.dataset.match,
    {
      currentPlace: () => player.here(),
      goToStep: (place) => player.goAlong(place),
      stopPlayback: () => player.stop(),
      cancelLoading: () => player.stay(),
      show: () => store.set({}),
      say,
      moveUrl: (meeting) => addressOf(store.get(), meeting).href,
    },
    root,
  );

/** A bot's suggestions for the player's own turns; null if this browser's player was not in this match. */
const review =
  root.dataset.match === undefined || root.dataset.mine === undefined
    ? null
    : new BotReview(root.dataset.match, parseJson(root.dataset.mine), () => store.set({}), say);

function show() {
  const state = store.get();
  const { at, hand, number } = state;
  const frame = hand.frames[at];
  if (frame === undefined) {
    draw(root, h("p", { class: "loading" }, t("error.no_match"), " ", h("a", { href: "/history" }, t("nav.history"))));
    return;
  }
  showFelt(frame.table?.felt);
  root.className = "room replay at-table";
  // Animate a single step forward, but not a jump.
  if (drawn !== undefined && drawn === hand.frames[at - 1]) {
    const keyMoments = buildMoments({ ...hand, events: frame.events }, null);
    seen.prepareMoments(root, keyMoments);
    playFor(keyMoments, "");
  } else if (drawn !== frame) seen.stopAll();
  drawn = frame;
  const desk = { state, source: matchSource, player, commands };
  seen.drawAndAnimate(root, { you: { name: null, cards: "" }, table: frame.table, room: hand }, () =>
    draw(root, ...board(desk, frame, review, (size) => store.set({ size }))),
  );
  root.dataset.step = String(at);
  root.dataset.steps = String(hand.frames.length);
  root.dataset.number = String(number);
}

document.addEventListener("keydown", (event) => stepByKey(event, player));

applyDisplayPreferences();
enableOnFirstGesture(document);
await loadMessages();
// Older links use `step`.
const step = asked.get("move") ?? asked.get("step");
const { number, seat } = store.get();
await player.look(number, step === null ? null : Number(step) || 0, seat === null ? null : matchSource.shown(seat));
const meeting = asked.get("follow");
if (meeting !== null) player.party?.joinParty(meeting);
