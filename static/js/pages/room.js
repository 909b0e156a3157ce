// @ts-check
// The page of a room: joins connection, store and view. Everything that happens goes through the store, which draws.

import { byId } from "../lib/virtual_dom.js";
import { whenDrawn } from "../lib/after_paint.js";
import { keepingFocus } from "../a11y/focus.js";
import { Gesture } from "../input/early_pointer.js";
import { onKey } from "../input/shortcuts.js";
import { addressOf } from "../net/early_socket.js";
import { speaker } from "../a11y/live_region.js";
import { later } from "../lib/retry.js";
import { load, refusal, t } from "../lib/messages.js";
import { Newer } from "../net/new_version.js";
import { orderGiven } from "../input/hand_order.js";
import { Part } from "../lib/lazy_module.js";
import { Passer, due, still } from "../model/auto_pass.js";
import { applyLooks } from "../lib/preferences.js";
import { Prospects } from "../model/playable_list.js";
import { rest } from "../lib/deferred_assets.js";
import { Seen } from "../animation/animator.js";
import { Sight } from "../device/page_visibility.js";
import { RoomSocket } from "../net/room_socket.js";
import { Soon } from "../lib/deferred_module.js";
import { Stages } from "../animation/staged_render.js";
import { myTurn, receive } from "../model/state.js";
import { inItsOwnTask } from "../lib/tasks.js";
import { createCommands } from "../room/commands.js";
import { createModelStore } from "../room/model_store.js";
import { PremovePlayer } from "../room/premove_player.js";
import { QuestionAnnouncer } from "../room/question_announcer.js";
import { RoomView } from "../room/room_view.js";
import { Timers } from "../room/timers.js";
import { tick } from "../ui/countdowns.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Update} Update */

const root = byId("room");
const say = speaker(byId("live"));
const urge = speaker(byId("alert"));

const store = createModelStore(root.dataset.room ?? "", () => show());
const { set } = store;
/** @type {import("../types.d.ts").Catalogue | null} */
let catalogue = null;
let fetching = false;

applyLooks();
await load("table.");

let code = root.dataset.code ?? "";

const socket = new RoomSocket(
  addressOf(root.dataset),
  onUpdate,
  (link) => {
    const { link: before, passing } = store.get();
    if (link === "open" && before !== "open") sight.opened();
    if (link === "open" && before === "lost") void newer.look().then(() => newer.see(store.get()));
    // Who was away for a moment has not seen what happened: that the trick goes on is no news to pass by.
    if (before !== link) set({ link, ahead: null, passing: passing?.until === "trick" ? null : passing });
  },
  (notice) => {
    const stands = notice === null ? "" : refusal(notice);
    if (store.get().stands !== stands) set({ stands });
  },
  (aside) => after.use(({ asides }) => asides.take(aside)),
  (slow) => set({ slow }),
);
const commands = createCommands(store, (command) => socket.ask(command), { say, urge });
const questions = new QuestionAnnouncer(urge);
const premoves = new PremovePlayer(store, commands, () => show());
const timers = new Timers(store, root, say);

const sight = new Sight(
  (visible) => void socket.ask({ t: "sight", visible }),
  () => document.visibilityState === "visible",
);
document.addEventListener("visibilitychange", () => sight.look());

const newer = new Newer();
const lobby = new Part(
  () => whole(import("../lobby/waiting_room.js")),
  () => set({}),
  missed,
);
const sheets = new Part(
  () => whole(import("../menu/menu.js")),
  () => set({}),
  missed,
);

/** What a finger does on cards before anybody is here who sees to it. */
const gesture = new Gesture(root);

/** As a table that appears is drawn, or that is drawn anew. */
const stages = new Stages(() => show());

const view = new RoomView(root, {
  reason: () => socket.reason,
  lobby: () => lobby.wanted(),
  sheets: () => sheets.wanted(),
  stages,
  resized,
});

/** What was shown last. @type {Update | null} */
let last = null;

/** Whether so much is another than before that hardly anything is drawn as it was. @param {Update} before @param {Update} now */
function hasTurned(before, now) {
  const state = (/** @type {Update} */ { room, table }) => [room.phase, table?.number, table?.phase].join();
  return state(before) !== state(now);
}

/** Whether a hand begins; of a match that is played again it may have the number of the one before. @param {Update} before @param {Update} now */
function begins(before, now) {
  return (
    now.room.phase === "playing" && (before.room.phase !== "playing" || before.table?.number !== now.table?.number)
  );
}

/** How large the felt was when it was measured last while cards were played. @type {Model["felt"] | null} */
let inPlay = null;

/** The felt is so large now. @param {Model["felt"]} felt */
function resized(felt) {
  if (store.get().update?.room.phase === "playing") inPlay = felt;
  // What else has been measured for this frame is drawn with it.
  if (stages.whole) set({ felt }, inItsOwnTask);
  else store.reduce((model) => ({ ...model, felt }));
}

/** What comes right after the first look. */
const after = new Soon(
  async () => {
    const { company, drawn } = await whole(import("./room_deferred.js"));
    const desk = () => {
      const { update } = store.get();
      return update === null ? null : deskFor(update);
    };
    return {
      ...company(root, { model: store.get, set, say, desk, ask: (command) => socket.ask(command) }, gesture.taken()),
      drawn,
    };
  },
  () => set({}),
  async () => {
    await newer.look();
    newer.see(store.get());
    await later();
  },
);

/** A part of the page, with the texts and styles that are its own. @template T @param {Promise<T>} part */
async function whole(part) {
  return (await Promise.all([part, rest()]))[0];
}

/** Part of this page can't be had: the server is away, or has another page by now. Loading again helps with both. */
function missed() {
  newer.known = true;
  set({ sheet: null });
  commands.tell(t("error.offline"), true);
}

const passer = new Passer((update, action) => commands.ask(update, { t: "act", action }), Math.random, {
  set: (done, ms) => window.setTimeout(done, ms),
  clear: (id) => window.clearTimeout(id),
});

const prospects = new Prospects(
  store.get,
  (command) => socket.ask(command),
  (found) => set({ prospects: found }),
);

/** @param {Update} update */
function onUpdate(update) {
  const before = store.get().update;
  store.reduce((model) => received(model, update));
  after.use(({ told, follow }) => {
    store.reduce(told);
    follow(before, update);
  });
  moveTo(update.room.code);
  announce(before, update);
  after.use(({ chance }) => void chance.see(update));
  timers.awaitNextDeal(update);
  timers.awaitPlayers(update);
  // Where that takes long a frame goes by first: between two there is time for the browser to find out where all of it lies.
  const much = before !== null && (hasTurned(before, update) || before.table?.inverted !== update.table?.inverted);
  set({}, much || seen.slow ? whenDrawn : inItsOwnTask);
}

/** The model after an update, with what this page chose itself. @param {Model} model @param {Update} update @returns {Model} */
function received(model, update) {
  const before = model.update;
  const known = receive(before === null ? { ...model, own: orderGiven(update) } : model, update, Date.now());
  const next = { ...known, passing: still(known.passing, update), sure: myTurn(update) ? known.sure : null };
  // A result takes more room than the cards after it: those who sit around are drawn at once as they will sit.
  const asInPlay = before !== null && begins(before, update) && inPlay?.width === next.felt.width;
  return asInPlay ? { ...next, felt: inPlay ?? next.felt } : next;
}

/** The room may have another address: who is in it goes on, and loads the page again from there. @param {string} now */
function moveTo(now) {
  if (now === code) return;
  code = now;
  socket.url = addressOf(root.dataset, now);
  history.replaceState(history.state, "", `/r/${now}${location.search}${location.hash}`);
}

let returning = false;

/** Whoever touches the page is there: the bot that plays their seat need not. */
function touched() {
  const { room, you } = store.get().update ?? {};
  const mine = room?.people.find((person) => person.name === you?.name);
  if (returning || !mine?.playing_for || mine.going !== null) return;
  returning = true;
  void socket.ask({ t: "back" }).finally(() => {
    returning = false;
  });
}

for (const kind of ["pointerdown", "keydown"]) {
  root.addEventListener(kind, touched);
  // What one reaches for may be a sheet.
  document.addEventListener(kind, () => sheets.wanted(), { once: true, capture: true });
}

const seen = new Seen();

/** What happened, and what one is asked: for ears, and for all else that goes by it. @param {Update | null} before @param {Update} update */
function announce(before, update) {
  const asked = questions.announce(before, update, store.get().passing);
  if (before === null) return;
  // What was drawn before they came has moved without being seen.
  const seenMoving = after.here !== null;
  after.use(({ announce }) => announce(before, update, asked, (moments) => seenMoving && seen.happened(root, moments)));
}

/** A key at the table, wherever there one is: one who is nowhere is there, too. @param {KeyboardEvent} event */
function onTableKey(event) {
  const { update, sheet: open } = store.get();
  const { target } = event;
  if (open !== null || update === null || !root.matches(".at-table") || !(target instanceof Node)) return;
  if (target === document.body || root.contains(target)) onKey(deskFor(update), event);
}

document.addEventListener("keydown", onTableKey);

function declarations() {
  if (catalogue !== null || fetching) return;
  fetching = true;
  import("../rules/form_state.js")
    .then(({ fetchCatalogue }) => fetchCatalogue())
    .then((got) => {
      catalogue = got;
      set({});
    })
    .catch(() => undefined)
    .finally(() => {
      fetching = false;
    });
}

/** @param {Update} update @returns {Desk} */
function deskFor(update) {
  return {
    model: store.get(),
    update,
    catalogue,
    set,
    close: (sheet) => {
      if (store.get().sheet === sheet) set({ sheet: null, form: {} });
    },
    fill: (name, value) => set({ form: { ...store.get().form, [name]: value } }),
    ask: (command) => commands.ask(update, command),
    request: (command) => commands.request(update, command),
    act: (action) => commands.act(update, action),
    tell: commands.tell,
    prospects,
    tale: after.here?.tale ?? null,
    say: urge,
    toggleSound: () =>
      new Promise((done) =>
        after.use(({ toggle }) => {
          toggle();
          set({});
          done();
        }),
      ),
    after: after.here?.drawn ?? null,
    chance: after.here?.chance ?? null,
    declarations,
  };
}

function show() {
  const { update } = store.get();
  premoves.see();
  passer.see(store.get());
  newer.see(store.get());
  after.here?.caller.see(update, update !== null && myTurn(update) && due(store.get().passing, update) === null);
  if (update === null) return view.drawStart(store.get());
  // A phone on the table would go dark while others think.
  after.here?.wake.want(update.room.phase === "playing" || update.room.phase === "pause");
  const desk = deskFor(update);
  const { room, table } = update;
  const inLobby = room.phase === "lobby" || table === null;
  root.className = `room ${inLobby ? "in-lobby" : "at-table"}`;
  root.dataset.phase = table?.phase ?? room.phase;
  document.title = myTurn(update)
    ? t("tab.turn", { game: t(`game.${room.game}`) })
    : t("tab.room", { game: t(`game.${room.game}`) });
  const drawing = () =>
    keepingFocus(root, update, desk.model.sheet ?? "", () => (inLobby ? view.drawLobby(desk) : view.drawTable(desk)));
  if (inLobby) stages.over();
  else stages.drawn();
  if (seen.deals()) stages.dealt();
  else if (last !== null && begins(last, update)) stages.begins();
  else if (last !== null && hasTurned(last, update)) stages.turned();
  last = update;
  // Nothing moves before all of it is there. Until then the number is that of what was there before.
  const whole = inLobby || stages.whole;
  root.toggleAttribute("data-part", !whole);
  if (whole) {
    root.dataset.seq = String(update.seq);
    root.dataset.request = String(update.you.request ?? "");
    seen.drawn(root, update.you.name, table?.seats ?? [], drawing);
    after.fetchSoon();
  } else {
    drawing();
    // All of this is new: it is laid out before the frame in which it is painted.
    inItsOwnTask(() => root.getBoundingClientRect());
  }
  if (store.get().sheet === null) questions.catchUp(update);
  tick(root, store.get().offset);
}

window.addEventListener("resize", () => seen.settle());
timers.start();
show();
