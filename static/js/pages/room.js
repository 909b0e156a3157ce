// @ts-check
// The page of a room: joins connection, store and view. All changes go through the store, which draws.

import { byId } from "../lib/virtual_dom.js";
import { afterPaint } from "../lib/after_paint.js";
import { drawKeepingFocus } from "../a11y/focus.js";
import { EarlyPointerRecorder } from "../input/early_pointer.js";
import { roomSocketUrl } from "../net/early_socket.js";
import { createAnnouncer } from "../a11y/live_region.js";
import { waitBeforeRetry } from "../lib/retry.js";
import { loadMessages, refusalText, t } from "../lib/messages.js";
import { VersionWatcher } from "../net/new_version.js";
import { loadHandOrder } from "../input/hand_order.js";
import { LazyModule } from "../lib/lazy_module.js";
import { currentAutoPass } from "../model/auto_pass.js";
import { applyDisplayPreferences, showFelt } from "../lib/preferences.js";
import { PlayableList } from "../model/playable_list.js";
import { loadDeferredAssets } from "../lib/deferred_assets.js";
import { Animator } from "../animation/animator.js";
import { VisibilityReporter } from "../device/page_visibility.js";
import { RoomSocket } from "../net/room_socket.js";
import { DeferredModule } from "../lib/deferred_module.js";
import { StagedRender } from "../animation/staged_render.js";
import { isMyTurn, applyUpdate } from "../model/state.js";
import { runInOwnTask } from "../lib/tasks.js";
import { createCommands } from "../room/commands.js";
import { createModelStore } from "../room/model_store.js";
import { createEffects } from "../room/effects.js";
import { RoomView } from "../room/room_view.js";

/** @import { Desk, Model, Update } from "../types.d.ts" */

const root = byId("room");
const say = createAnnouncer(byId("live"));
const urge = createAnnouncer(byId("alert"));

const store = createModelStore(root.dataset.room ?? "", show);
const { set } = store;

applyDisplayPreferences();
await loadMessages("table.");

const socket = new RoomSocket(
  roomSocketUrl(root.dataset),
  onUpdate,
  (link) => {
    const { link: before, passing } = store.get();
    if (link === "open" && before !== "open") visibilityReporter.onConnected();
    if (link === "open" && before === "lost") void versionWatcher.checkVersion();
    // After a lost connection, end "pass until the end of the trick": the player has not seen the plays meanwhile.
    if (before !== link) set({ link, ahead: null, passing: passing?.until === "trick" ? null : passing });
  },
  (notice) => {
    const stands = notice === null ? "" : refusalText(notice);
    if (store.get().stands !== stands) set({ stands });
  },
  (aside) => after.whenLoaded(({ asides }) => asides.receive(aside)),
  (slow) => set({ slow }),
);
const commands = createCommands(store, (command) => socket.sendCommand(command), { say, urge });

const visibilityReporter = new VisibilityReporter(
  (state) => void socket.sendCommand({ t: "page_visibility", ...state }),
  () => ({ visible: document.visibilityState === "visible", watches: store.get().watching }),
);
document.addEventListener("visibilitychange", () => visibilityReporter.reportIfChanged());

const versionWatcher = new VersionWatcher(store.get);
const lobby = new LazyModule(
  () => withDeferredAssets(import("../lobby/waiting_room.js")),
  () => set({}),
  onLoadFailure,
);
const sheets = new LazyModule(
  () => withDeferredAssets(import("../menu/menu.js")),
  () => set({}),
  onLoadFailure,
);

const catalogue = new LazyModule(
  () => import("../rules/form_state.js").then(({ fetchCatalogue }) => fetchCatalogue()),
  () => set({}),
  () => undefined,
);

/** Records touches on cards until the code that handles them has loaded. */
const earlyPointer = new EarlyPointerRecorder(root);

/** The stages in which a new or much changed table is drawn. */
const stages = new StagedRender(show);

const view = new RoomView(root, {
  socket,
  lobby,
  sheets,
  stages,
  onFeltResize,
});

/** The update that was drawn last. @type {Update | null} */
let last = null;

/** Tell whether hand or phase has changed, so that most of the page is drawn again. @param {Update} before @param {Update} now */
function hasPhaseChanged(before, now) {
  const state = (/** @type {Update} */ { room, table }) => [room.phase, table?.number, table?.phase].join();
  return state(before) !== state(now);
}

/** Tell whether a hand starts. Check the phase, too: a rematch may repeat the hand's number. @param {Update} before @param {Update} now */
function isHandStart(before, now) {
  return (
    now.room.phase === "playing" && (before.room.phase !== "playing" || before.table?.number !== now.table?.number)
  );
}

/** The last size of the felt measured during play. @type {Model["felt"] | null} */
let inPlay = null;

/** Store the new size of the felt and draw. @param {Model["felt"]} felt */
function onFeltResize(felt) {
  if (store.get().update?.room.phase === "playing") inPlay = felt;
  // Draw in a separate task, together with other measurements of this frame.
  if (stages.whole) set({ felt }, runInOwnTask);
  else store.reduce((model) => ({ ...model, felt }));
}

/** The module that loads right after the first drawing. */
const after = new DeferredModule(
  async () => {
    const { startDeferredParts } = await withDeferredAssets(import("./room_deferred.js"));
    const desk = ({ update } = store.get()) => update && buildDesk(update);
    return startDeferredParts(
      root,
      { model: store.get, set, say, urge, desk, sendOrShowError: (command) => socket.sendCommand(command) },
      earlyPointer.stopRecording(),
    );
  },
  () => set({}),
  async () => {
    await versionWatcher.checkVersion();
    await waitBeforeRetry();
  },
);

/** Wait for a part of the page and for the deferred texts and styles. @template T @param {Promise<T>} part */
async function withDeferredAssets(part) {
  return (await Promise.all([part, loadDeferredAssets()]))[0];
}

/** Report that a part of the page can't be loaded: the server is away or has a new version. Reload when it is safe. */
function onLoadFailure() {
  versionWatcher.known = true;
  set({ sheet: null });
  commands.tell(t("error.offline"), true);
}

const runEffects = createEffects(store, commands, versionWatcher, visibilityReporter, after);

const prospects = new PlayableList(
  store.get,
  (command) => socket.sendCommand(command),
  (found) => set({ prospects: found }),
);

/** @param {Update} update */
function onUpdate(update) {
  const before = store.get().update;
  store.reduce((model) => received(model, update));
  const { passing } = store.get();
  // Don't animate events that were drawn before the module had loaded.
  const seenMoving = after.module !== null;
  /** @type {((draw: () => void) => void) | null} */
  let landing = null;
  after.whenLoaded((module) => {
    store.reduce(module.withNewLogLines);
    module.follow(before, update, passing, (moments, ended) => {
      if (seenMoving) landing = seen.prepareMoments(root, moments, ended);
    });
  });
  const { code } = update.room;
  if (code !== root.dataset.code) {
    // From now on the socket and the address bar use the new code.
    root.dataset.code = code;
    socket.url = roomSocketUrl(root.dataset);
    history.replaceState(history.state, "", `/r/${code}${location.search}${location.hash}`);
  }
  // If drawing will take long, wait for a frame first, so that the browser has time for layout.
  const much = before && (hasPhaseChanged(before, update) || before.table?.inverted !== update.table?.inverted);
  set({}, landing ?? (much || seen.slow ? afterPaint : runInOwnTask));
}

/**
 * Return the model after an update, keeping choices made on this page while they are valid.
 * @param {Model} model
 * @param {Update} update
 * @returns {Model}
 */
function received(model, update) {
  const before = model.update;
  const known = applyUpdate(before === null ? { ...model, own: loadHandOrder(update) } : model, update, Date.now());
  const next = {
    ...known,
    passing: currentAutoPass(known.passing, update),
    sure: isMyTurn(update) ? known.sure : null,
  };
  // A result leaves the felt smaller than the cards do. Use the size measured in play, so that seats don't move later.
  const asInPlay = before !== null && isHandStart(before, update) && inPlay?.width === next.felt.width;
  return asInPlay && inPlay ? { ...next, felt: inPlay } : next;
}

let returning = false;

/** Take your seat back from the bot when you touch the page or press a key. */
function returnFromBot() {
  const { room, you } = store.get().update ?? {};
  const mine = room?.people.find((person) => person.name === you?.name);
  if (returning || !mine?.stand_in || mine.leaving_as !== null) return;
  returning = true;
  void socket.sendCommand({ t: "resume_seat" }).finally(() => {
    returning = false;
  });
}

for (const kind of ["pointerdown", "keydown"]) {
  root.addEventListener(kind, returnFromBot);
  // The first touch or key may be about to open a sheet, so load sheets now.
  document.addEventListener(kind, () => sheets.getOrLoad(), { once: true, capture: true });
}

const seen = new Animator();

// Handle a key at the table, once shortcuts have loaded. Keys also count when no element has the focus.
document.addEventListener("keydown", (event) => {
  const { update, sheet: open } = store.get();
  const { target } = event;
  if (open !== null || update === null || !root.matches(".at-table") || !(target instanceof Node)) return;
  if (target !== document.body && !root.contains(target)) return;
  after.whenLoaded(({ handleKeyDown }) => handleKeyDown(buildDesk(store.get().update ?? update), event));
});

/** @param {Update} update @returns {Desk} */
function buildDesk(update) {
  return {
    model: store.get(),
    update,
    catalogue: catalogue.here,
    set,
    close: (sheet) => {
      if (store.get().sheet === sheet) set({ sheet: null, form: {} });
    },
    fill: (name, value) => set({ form: { ...store.get().form, [name]: value } }),
    ask: (command) => commands.ask(update, command),
    sendCommand: (command) => commands.request(update, command),
    playAction: (action) => commands.act(update, action),
    showNotice: commands.tell,
    prospects,
    tale: after.module?.tale ?? null,
    say: urge,
    toggleSound: () =>
      new Promise((done) =>
        after.whenLoaded(({ toggleMute }) => {
          toggleMute();
          set({});
          done();
        }),
      ),
    after: after.module?.deferredViews ?? null,
    fairDeals: after.module?.fairDeals.module ?? null,
    fetchCatalogueOnce: () => catalogue.getOrLoad(),
  };
}

function show() {
  runEffects();
  const { update } = store.get();
  if (update === null) return view.drawStart(store.get());
  const desk = buildDesk(update);
  const { room, table } = update;
  const inLobby = room.phase === "lobby" || table === null;
  showFelt(table?.felt ?? room.felt);
  root.className = `room ${inLobby ? "in-lobby" : "at-table"}`;
  root.dataset.phase = table?.phase ?? room.phase;
  const drawing = () =>
    drawKeepingFocus(root, update, desk.model.sheet ?? "", () =>
      inLobby ? view.drawLobby(desk) : view.drawTable(desk),
    );
  if (inLobby) stages.reset();
  else stages.onDrawn();
  if (seen.takeDealFlag()) stages.startDeal();
  else if (last && isHandStart(last, update)) stages.startHand();
  else if (last && hasPhaseChanged(last, update)) stages.startPhaseChange();
  last = update;
  // Animate only when all stages are drawn. Until then `data-seq` keeps the number of the previous drawing.
  const whole = inLobby || stages.whole;
  root.toggleAttribute("data-part", !whole);
  if (whole) {
    root.dataset.seq = String(update.seq);
    root.dataset.request = String(update.you.request ?? "");
    seen.drawAndAnimate(root, update, drawing);
    after.loadAfterPaint();
  } else {
    seen.endFlights();
    drawing();
    // Force layout of the new elements in a separate task, before the frame that paints them.
    runInOwnTask(() => {
      root.getBoundingClientRect();
      seen.moveSeats(root, table?.seats ?? []);
    });
  }
  after.module?.timers.updateCountdowns();
}

window.addEventListener("resize", () => seen.stopAll());
show();
