// @ts-check
// The television page: watches a room as an anonymous spectator, even if the browser is signed in.
// It sends no commands to the room, and keeps the screen awake.

import { IncomingChat } from "../chat/incoming.js";
import { byId, draw, h } from "../lib/virtual_dom.js";
import { roomSocketUrl } from "../net/early_socket.js";
import { createAnnouncer } from "../a11y/live_region.js";
import { enableOnFirstGesture, tryAutoplay, playFor, toggleMute } from "../sound/player.js";
import { loadMessages, refusalText, t } from "../lib/messages.js";
import { buildMoments, hasHandEnded } from "../events/presentation.js";
import { VersionWatcher } from "../net/new_version.js";
import { applyDisplayPreferences, showFelt } from "../lib/preferences.js";
import { bubbleLayer } from "../chat/bubbles.js";
import { tvScreen } from "./tv_view.js";
import { Animator } from "../animation/animator.js";
import { loadDeferredAssets } from "../lib/deferred_assets.js";
import { createStore } from "../lib/store.js";
import { RoomSocket } from "../net/room_socket.js";
import { initialModel, applyUpdate, sameSize } from "../model/state.js";
import { StoryPlayer } from "../result/story_player.js";
import { spokenEvents, withNewLogLines } from "../events/log_lines.js";
import { updateCountdowns } from "../ui/countdowns.js";
import { ScreenWakeLock } from "../device/wake_lock.js";

const root = byId("screen");
const say = createAnnouncer(byId("live"));
const store = createStore({
  initial: initialModel(),
  draw: () => show(),
  merge: (model, change) =>
    change.felt !== undefined && sameSize(change.felt, model.felt) ? model : { ...model, ...change },
});
const { set } = store;

applyDisplayPreferences();
await loadMessages("table.");
await loadDeferredAssets();

/** Return the URL of the room's socket, with the key of a member's link if this page was opened by one. */
function socketUrl() {
  const key = new URLSearchParams(location.search).get("key");
  return `${roomSocketUrl(root.dataset)}&watch=1${key === null ? "" : `&key=${encodeURIComponent(key)}`}`;
}

const socket = new RoomSocket(
  socketUrl(),
  (update) => {
    const before = store.get().update;
    store.reduce((model) => withNewLogLines(applyUpdate(model, update, Date.now())));
    asides.onRoomChange(before, update);
    const { code } = update.room;
    if (code !== root.dataset.code) {
      root.dataset.code = code;
      socket.url = socketUrl();
      history.replaceState(history.state, "", `/r/${code}/screen${location.search}`);
    }
    /** @type {((draw: () => void) => void) | null} */
    let landing = null;
    if (before !== null) {
      const moments = buildMoments(update, null);
      landing = seen.prepareMoments(root, moments, hasHandEnded(before, update) ? update : undefined);
      say(spokenEvents(update));
      playFor(moments, "");
    }
    tale.onUpdate(update);
    set({}, landing ?? queueMicrotask);
  },
  (link) => {
    const before = store.get().link;
    if (link === "open" && before === "lost") void newer.checkVersion();
    if (before !== link) set({ link });
  },
  (notice) => set({ stands: notice === null ? "" : refusalText(notice) }),
  (aside) => asides.receive(aside),
);
const seen = new Animator();
const asides = new IncomingChat(store.get, set, say);

const tale = new StoryPlayer(
  () => store.get().tale,
  (now) => set({ tale: now }),
  say,
);

// A new version reloads the page by itself, because nobody sits at a television's controls.
const newer = new VersionWatcher(store.get);

async function toggleSound() {
  toggleMute();
  set({});
}

/** Draw a banner about problems with the connection or the server. */
function banner() {
  const { link, update, stands } = store.get();
  const down = link === "lost" || (link === "connecting" && update !== null);
  const text = link === "gone" ? t(`gone.${socket.reason || "closed"}`) : down ? t("link.lost") : stands;
  return h(
    "div",
    { key: "link", "data-zone": "banner", class: `banner${text === "" ? "" : " show"}`, role: "status" },
    text === "" ? null : h("p", null, text),
  );
}

/** Return the current invitation link. The room's code may have changed since the page was loaded. @param {string} invite */
function link(invite) {
  return new URL(`/j/${invite}`, root.dataset.link || location.href).href;
}

function show() {
  const model = store.get();
  const { update } = model;
  if (update === null) {
    draw(root, banner(), model.link === "gone" ? null : h("p", { key: "loading", class: "loading" }, t("loading")));
    return;
  }
  showFelt(update.table?.felt ?? update.room.felt);
  root.dataset.seq = String(update.seq);
  root.dataset.phase = update.table?.phase ?? update.room.phase;
  document.title = t("tab.room", { game: t(`game.${update.room.game}`) });
  const way = {
    link: link(update.room.invite),
    hereOnly: root.dataset.hereOnly !== undefined,
    languages: JSON.parse(root.dataset.languages ?? "[]"),
  };
  seen.drawAndAnimate(root, update, () =>
    draw(root, banner(), tvScreen(model, update, way, { set, toggleSound }), bubbleLayer(model)),
  );
  updateCountdowns(root, model.offset);
  newer.reloadIfSafe();
}

new ScreenWakeLock().setWanted(true);
enableOnFirstGesture(document);
tryAutoplay();
// Any click or key switches to full screen. A television has hardly any keys.
for (const kind of ["click", "keydown"])
  root.addEventListener(kind, () => void document.documentElement.requestFullscreen?.().catch(() => undefined));
window.setInterval(() => updateCountdowns(root, store.get().offset), 250);
show();
