// @ts-check
// The lesson page: a first hand, played ahead by the engine and shown step by step on the usual table.
// It waits for the learner's moves. Other steps follow automatically or when a button is pressed.

import { parseJson } from "../lib/null_prototype.js";
import { button, byId, draw, h } from "../lib/virtual_dom.js";
import { drawKeepingFocus } from "../a11y/focus.js";
import { nextBeatWithNewFrame, sameAction } from "../model/lesson_steps.js";
import { createAnnouncer } from "../a11y/live_region.js";
import { loadMessages, t } from "../lib/messages.js";
import { mergeUpdate } from "../net/merge_update.js";
import { applyDisplayPreferences, showFelt } from "../lib/preferences.js";
import { actionBar } from "../actions/action_bar.js";
import { hand, ownSeat } from "../table/hand.js";
import { felt, estimateFeltSize } from "../table/felt.js";
import { icon } from "../ui/icons.js";
import { logView } from "../table/log.js";
import { loadDeferredAssets } from "../lib/deferred_assets.js";
import { createStore } from "../lib/store.js";
import { DeferredModule } from "../lib/deferred_module.js";
import { StagedRender } from "../animation/staged_render.js";
import { initialModel, applyUpdate, buildScene } from "../model/state.js";

/** @import { Desk, LessonView as Lesson, Model, Update } from "../types.d.ts" */

/** Pause after another player's move, in milliseconds. It is shorter when the learner has no cards left. */
const PACE = { playing: 1100, out: 450 };

const root = byId("learn");
const say = createAnnouncer(byId("live"));

applyDisplayPreferences();
const [lesson] = await Promise.all([fetchLesson(), loadMessages("table.")]);
const updates = buildUpdates(lesson);

const store = createStore({
  initial: { ...initialModel(), felt: estimateFeltSize() },
  draw: () => show(),
  // A lesson has no room: no sheet opens over its table, and nothing passes automatically.
  merge: (model, change) => ({ ...model, ...change, sheet: null, passing: null }),
});
const { set } = store;
/** Index of the current step; -1 before the first. */
let beatIndex = -1;
/** Text shown after a move that the step does not expect, or empty. */
let objection = "";
let waiting = 0;

/** @returns {Promise<Lesson>} */
async function fetchLesson() {
  const answer = await fetch(`/api/lessons/${root.dataset.lesson}`);
  return parseJson(await answer.text());
}

/** Return the complete update of each frame. @param {Lesson} lesson @returns {Update[]} */
function buildUpdates({ updates: told }) {
  /** @type {Update[]} */
  const whole = [];
  for (const each of told) whole.push(mergeUpdate(whole.at(-1) ?? null, each));
  return whole;
}

/** The stages in which the table is first drawn. */
const stages = new StagedRender(() => show());

/** Store the new size of the felt. @param {Model["felt"]} felt */
function resized(felt) {
  if (stages.whole) set({ felt });
  else store.reduce((model) => ({ ...model, felt }));
}

/** The module that loads right after the first drawing. */
const after = new DeferredModule(
  async () => {
    const [{ CardDragHandler }, { highlight }, { resultView }, { spokenEvents, withNewLogLines }] = await Promise.all([
      import("../input/card_drag.js"),
      import("../animation/highlight_ring.js"),
      import("../result/result.js"),
      import("../events/log_lines.js"),
      loadDeferredAssets(),
    ]);
    new CardDragHandler(root, () => {
      const { update } = store.get();
      return update === null || currentBeat()?.wants === undefined ? null : buildDesk(withoutActions(update));
    });
    return { highlight, resultView, spokenEvents, withNewLogLines };
  },
  () => set({}),
);

const currentBeat = () => lesson.beats[beatIndex];

/** Go to a step and announce the events up to it. @param {number} step */
function goToBeat(step) {
  const beatThere = lesson.beats[step];
  if (beatThere === undefined) return;
  window.clearTimeout(waiting);
  const before = currentBeat()?.frame ?? -1;
  for (let frame = before + 1; frame <= beatThere.frame; frame++) {
    const update = /** @type {Update} */ (updates[frame]);
    store.reduce((model) => applyUpdate(model, update, update.server_time));
    after.whenLoaded(({ spokenEvents, withNewLogLines }) => {
      store.reduce(withNewLogLines);
      if (frame > 0) say(spokenEvents(update));
    });
  }
  beatIndex = step;
  objection = "";
  set({ chosen: [] });
  after.whenLoaded(() => say(beatThere.says));
  const url = new URL(location.href);
  url.searchParams.set("step", String(beatIndex));
  history.replaceState(null, "", url);
  if (beatThere.says !== "") return;
  waiting = window.setTimeout(goToNextBeat, isOut() ? PACE.out : PACE.playing);
}

/** Tell whether the learner has finished the hand. */
function isOut() {
  const { table, you } = store.get().update ?? {};
  return table?.players[you?.name ?? ""]?.state === "out";
}

function goToNextBeat() {
  goToBeat(beatIndex + 1);
}

/** Accept the action that the step expects, or explain why another action does not fit. @param {import("../types.d.ts").Action} action */
async function playAction(action) {
  const { wants, why } = currentBeat() ?? {};
  if (wants === undefined) return false;
  if (sameAction(wants, action)) {
    goToBeat(nextBeatWithNewFrame(lesson.beats, beatIndex));
    return true;
  }
  objection = why ?? t("learn.not_now");
  say(objection);
  set({ chosen: [] });
  return false;
}

/** @param {Update} update @returns {Desk} */
function buildDesk(update) {
  const refused = { t: /** @type {const} */ ("answer"), id: null, ok: false };
  return {
    model: store.get(),
    update,
    catalogue: null,
    set,
    close: (sheet) => {
      if (store.get().sheet === sheet) set({ sheet: null, form: {} });
    },
    fill: (name, value) => set({ form: { ...store.get().form, [name]: value } }),
    // The lesson has no room, so commands to a room do nothing.
    ask: async () => false,
    sendCommand: async () => refused,
    playAction,
    showNotice: () => undefined,
    say,
    prospects: null,
    tale: null,
    toggleSound: async () => undefined,
    after: null,
    fairDeals: null,
    fetchCatalogueOnce: () => undefined,
  };
}

function lessonHeader() {
  return h(
    "header",
    { key: "bar", class: "bar" },
    h("a", { class: "tool", href: "/", "aria-label": t("learn.leave") }, icon("close")),
    h(
      "h1",
      { class: "what-game" },
      t("learn.title", { name: lesson.name }),
      h("progress", { value: beatIndex + 1, max: lesson.beats.length, "aria-label": t("learn.far") }),
    ),
    realTableButton("button small"),
  );
}

/** Draw a link to a real table. @param {string} looks */
function realTableButton(looks) {
  return h("button", { key: "for-real", class: looks, type: "submit", form: "for-real" }, t("learn.for_real"));
}

/** Draw the text of the step, in the place of the turn indicator. */
function coachLine() {
  const words = objection || currentBeat()?.says || store.get().latest.at(-1) || "";
  const kind = objection ? " objects" : currentBeat()?.says ? " speaks" : "";
  return h(
    "div",
    { key: "said", "data-zone": "status", "data-coach": kind.trim() || "tells", class: `said coach${kind}` },
    h("p", { "data-zone": "turn", class: "turn-line" }, words),
  );
}

/** Draw the controls: the cards if the learner is to move, otherwise a button to continue. @param {Desk} desk */
function stepControls(desk) {
  const now = currentBeat();
  if (now?.wants !== undefined) return actionBar(desk);
  const last = beatIndex === lesson.beats.length - 1;
  // Under a result only the buttons with this class can be seen and pressed.
  const underResult = desk.update.room.phase === "playing" ? "" : " onward";
  return h(
    "div",
    {
      key: "actions",
      "data-zone": "actions",
      class: `actions${underResult}`,
      role: "group",
      "aria-label": t("actions.label"),
    },
    last
      ? [
          h("a", { key: "rules", class: "button", href: `/rules/${lesson.game}` }, t("rules.read")),
          realTableButton("button main"),
        ]
      : button({ key: "on", class: "button main", "data-do": "onward", onclick: goToNextBeat }, t("learn.onward")),
  );
}

/** Return the update without possible actions if the step does not ask for a move. @param {Update} update @returns {Update} */
function withoutActions(update) {
  const asked = currentBeat()?.wants !== undefined;
  return { ...update, you: { ...update.you, ...(asked ? {} : { legal: [] }), off_turn: [], decree: false } };
}

function show() {
  const model = store.get();
  if (model.update === null) return;
  const update = withoutActions(model.update);
  const desk = buildDesk(update);
  desk.model = { ...model, update };
  const scene = { ...buildScene(update, model), bare: !stages.now.seats };
  showFelt(update.table?.felt);
  root.className = "room at-table";
  if (stages.whole) root.dataset.step = String(beatIndex);
  drawKeepingFocus(root, update, "", () =>
    draw(
      root,
      lessonHeader(),
      h(
        "main",
        { key: "main", id: "main", class: "board", tabindex: "-1" },
        felt(scene, (size) => resized(size), scene.playing ? null : after.module?.resultView(desk)),
        h(
          "section",
          {
            key: "mine",
            "data-zone": "own-side",
            class: `mine${update.table?.inverted ? " inverted" : ""}`,
            "aria-label": t("mine.label"),
          },
          coachLine(),
          ownSeat(desk),
          stages.now.hand ? hand(desk) : null,
          stages.now.hand ? stepControls(desk) : null,
        ),
      ),
      h(
        "aside",
        { key: "aside", "data-zone": "log-panel", class: "log-panel", "aria-label": t("tool.log") },
        h("h2", null, t("tool.log")),
        logView(update.table, model.log, update.you.name),
      ),
    ),
  );
  stages.onDrawn();
  if (stages.whole) after.loadAfterPaint();
  after.module?.highlight(root, objection === "" ? (currentBeat()?.points ?? "") : "");
}

const asked = Number(new URLSearchParams(location.search).get("step")) || 0;
goToBeat(Math.max(0, Math.min(lesson.beats.length - 1, asked)));
