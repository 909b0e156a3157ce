// @ts-check
// The page of a television: it watches a room as anybody may, never as the person whose browser it is, and draws what
// it sees. It asks the room for nothing, and keeps the screen awake.

import { Asides } from "../chat/incoming.js";
import { byId, draw, h } from "../lib/virtual_dom.js";
import { addressOf } from "../net/early_socket.js";
import { speaker } from "../a11y/live_region.js";
import { onFirstGesture, soundAtOnce, sounding, toggle } from "../sound/player.js";
import { load, refusal, t } from "../lib/messages.js";
import { momentsOf } from "../events/presentation.js";
import { Newer } from "../net/new_version.js";
import { applyLooks } from "../lib/preferences.js";
import { reactions } from "../chat/bubbles.js";
import { screen } from "./tv_view.js";
import { Seen } from "../animation/animator.js";
import { rest } from "../lib/deferred_assets.js";
import { createStore } from "../lib/store.js";
import { RoomSocket } from "../net/room_socket.js";
import { initial, receive, sameSize } from "../model/state.js";
import { Tale } from "../result/story_player.js";
import { happened, told } from "../events/log_lines.js";
import { tick } from "../ui/countdowns.js";
import { Wake } from "../device/wake_lock.js";

const root = byId("screen");
const say = speaker(byId("live"));
const store = createStore({
  initial: initial(),
  draw: () => show(),
  merge: (model, change) =>
    change.felt !== undefined && sameSize(change.felt, model.felt) ? model : { ...model, ...change },
});
const { set } = store;
let code = root.dataset.code ?? "";

applyLooks();
await load("table.");
await rest();

function socketUrl() {
  return `${addressOf(root.dataset, code)}&watch=1`;
}

const socket = new RoomSocket(
  socketUrl(),
  (update) => {
    const before = store.get().update;
    store.reduce((model) => told(receive(model, update, Date.now())));
    asides.follow(before, update);
    if (update.room.code !== code) {
      code = update.room.code;
      socket.url = socketUrl();
      history.replaceState(history.state, "", `/r/${code}/screen`);
    }
    if (before !== null) {
      const moments = momentsOf(update, null);
      seen.happened(root, moments);
      say(happened(update));
      sounding(moments, "");
    }
    tale.see(before, update);
    set({});
  },
  (link) => {
    const before = store.get().link;
    if (link === "open" && before === "lost") void newer.look().then(() => newer.see(store.get()));
    if (before !== link) set({ link });
  },
  (notice) => set({ stands: notice === null ? "" : refusal(notice) }),
  (aside) => asides.take(aside),
);
const seen = new Seen();
const asides = new Asides(store.get, set, say);

const tale = new Tale(
  () => store.get().tale,
  (now) => set({ tale: now }),
  say,
);

// Nobody stands before a television to load its page again.
const newer = new Newer();

async function toggleSound() {
  toggle();
  set({});
}

/** What is wrong with the line, or with the server. */
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

/** The invitation as it is now: the room may have another since the page was made. @param {string} invite */
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
  root.dataset.seq = String(update.seq);
  root.dataset.phase = update.table?.phase ?? update.room.phase;
  document.title = t("tab.room", { game: t(`game.${update.room.game}`) });
  const way = { link: link(update.room.invite), hereOnly: root.dataset.hereOnly !== undefined };
  seen.drawn(root, null, update.table?.seats ?? [], () =>
    draw(root, banner(), screen(model, update, way, { set, toggleSound }), reactions(model)),
  );
  tick(root, model.offset);
  newer.see(model);
}

new Wake().want(true);
onFirstGesture(document);
soundAtOnce();
// A television has no keys to speak of: whoever has some fills the screen with any of them.
for (const kind of ["click", "keydown"])
  root.addEventListener(kind, () => void document.documentElement.requestFullscreen?.().catch(() => undefined));
window.setInterval(() => tick(root, store.get().offset), 250);
show();
