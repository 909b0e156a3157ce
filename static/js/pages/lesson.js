// @ts-check
// A first hand that teaches. The engine has played it ahead; here it is shown step by step on the table that everybody
// plays at. Where it is the learner's move, that move is waited for; everything else goes on by itself, or by a press.

import { parseJson } from "../lib/null_prototype.js";
import { button, byId, draw, h } from "../lib/virtual_dom.js";
import { drawKeepingFocus } from "../a11y/focus.js";
import { nextBeatWithNewFrame, sameAction } from "./lesson_steps.js";
import { createAnnouncer } from "../a11y/live_region.js";
import { loadMessages, t } from "../lib/messages.js";
import { mergeUpdate } from "../net/merge_update.js";
import { applyDisplayPreferences } from "../lib/preferences.js";
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

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").LessonShown} Lesson */

/** Milliseconds that a move of somebody else's can be looked at; when one is out oneself, there is less to see. */
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
/** Which step it is. */
let beatIndex = -1;
/** What is said to who tried something else. */
let objection = "";
let waiting = 0;

/** @returns {Promise<Lesson>} */
async function fetchLesson() {
  const answer = await fetch(`/api/lessons/${root.dataset.lesson}`);
  return parseJson(await answer.text());
}

/** The whole picture after each update. @param {Lesson} lesson @returns {Update[]} */
function buildUpdates({ updates: told }) {
  /** @type {Update[]} */
  const whole = [];
  for (const each of told) whole.push(mergeUpdate(whole.at(-1) ?? null, each));
  return whole;
}

/** As the table is drawn when it appears. */
const stages = new StagedRender(() => show());

/** The felt is so large now. @param {Model["felt"]} felt */
function resized(felt) {
  if (stages.whole) set({ felt });
  else store.reduce((model) => ({ ...model, felt }));
}

/** What comes right after the first look. */
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

/** Go to a step; what has happened on the way is told. @param {number} step */
function goToBeat(step) {
  const beatThere = lesson.beats[step];
  if (beatThere === undefined) return;
  window.clearTimeout(waiting);
  const before = currentBeat()?.frame ?? -1;
  for (let frame = before + 1; frame <= beatThere.frame; frame++) {
    const update = /** @type {Update} */ (updates[frame]);
    store.reduce((model) => applyUpdate(model, update, update.now));
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

/** Whether one's own part in the hand is over. */
function isOut() {
  const { table, you } = store.get().update ?? {};
  return table?.players[you?.name ?? ""]?.state === "out";
}

function goToNextBeat() {
  goToBeat(beatIndex + 1);
}

/** Take the action that is waited for; another is answered with why not now. @param {import("../types.d.ts").Action} action */
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
    // Nothing but the cards is to be had here: there is no room behind this table.
    ask: async () => false,
    sendCommand: async () => refused,
    playAction,
    showNotice: () => undefined,
    say,
    prospects: null,
    tale: null,
    toggleSound: async () => undefined,
    after: null,
    chance: null,
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

/** The way to a real table. @param {string} looks */
function realTableButton(looks) {
  return h("button", { key: "for-real", class: looks, type: "submit", form: "for-real" }, t("learn.for_real"));
}

/** What is said now, where at a table it stands whose turn it is. */
function coachLine() {
  const words = objection || currentBeat()?.says || store.get().latest.at(-1) || "";
  const kind = objection ? " objects" : currentBeat()?.says ? " speaks" : "";
  return h(
    "div",
    { key: "said", "data-zone": "status", "data-coach": kind.trim() || "tells", class: `said coach${kind}` },
    h("p", { "data-zone": "turn", class: "turn-line" }, words),
  );
}

/** What is to be done: the cards, if it is one's own move; else to go on. @param {Desk} desk */
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

/** The table as it is, without anything to do where nothing is asked. @param {Update} update @returns {Update} */
function withoutActions(update) {
  const asked = currentBeat()?.wants !== undefined;
  return { ...update, you: { ...update.you, ...(asked ? {} : { legal: [] }), may: [], decree: false } };
}

function show() {
  const model = store.get();
  if (model.update === null) return;
  const update = withoutActions(model.update);
  const desk = buildDesk(update);
  desk.model = { ...model, update };
  const scene = { ...buildScene(update, model), bare: !stages.now.seats };
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
        logView(update.table, model.log),
      ),
    ),
  );
  stages.onDrawn();
  if (stages.whole) after.loadAfterPaint();
  after.module?.highlight(root, objection === "" ? (currentBeat()?.points ?? "") : "");
}

const asked = Number(new URLSearchParams(location.search).get("step")) || 0;
goToBeat(Math.max(0, Math.min(lesson.beats.length - 1, asked)));
