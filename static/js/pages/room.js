// @ts-check
// The page of a room: joins socket, model and drawing. Everything that happens goes through `set`, which draws anew.

import { seenAndHeard } from "../a11y/spoken_cards.js";
import { answering } from "../net/command_context.js";
import { bare } from "../lib/null_prototype.js";
import { cardsNamed } from "../model/card_names.js";
import { button, byId, draw, h } from "../lib/virtual_dom.js";
import { whenDrawn } from "../lib/after_paint.js";
import { keepingFocus } from "../a11y/focus.js";
import { Gesture } from "../input/early_pointer.js";
import { onKey } from "../input/shortcuts.js";
import { addressOf } from "../net/early_socket.js";
import { canBeHeard, release, speaker } from "../a11y/live_region.js";
import { later } from "../lib/retry.js";
import { load, refusal, t } from "../lib/messages.js";
import { Newer } from "../net/new_version.js";
import { left, notice } from "../model/notice_timeout.js";
import { likedSort, orderGiven } from "../input/hand_order.js";
import { Part } from "../lib/lazy_module.js";
import { Passer, due, leftToOneself, still } from "../model/auto_pass.js";
import { comesTo, isTime, waits } from "../model/premove.js";
import { applyLooks, like, liked } from "../lib/preferences.js";
import { Prospects } from "../model/playable_list.js";
import { actions } from "../actions/action_bar.js";
import { hand, me } from "../table/hand.js";
import { ruleLink } from "../ui/rule_link.js";
import { sureWords } from "../actions/confirm_play.js";
import { bar } from "../table/top_bar.js";
import { felt, foreseen } from "../table/felt.js";
import { log } from "../table/log.js";
import { said } from "../table/status_line.js";
import { awaited, nextAwaited } from "../table/waiting.js";
import { reserving } from "../table/felt_height.js";
import { rest } from "../lib/deferred_assets.js";
import { Seen } from "../animation/animator.js";
import { Sight } from "../device/page_visibility.js";
import { RoomSocket } from "../net/room_socket.js";
import { Soon } from "../lib/deferred_module.js";
import { newQuestion } from "../a11y/announcements.js";
import { Stages } from "../animation/staged_render.js";
import { controlOf, initial, myTurn, receive, sameSize, sceneOf } from "../model/state.js";
import { inItsOwnTask } from "../lib/tasks.js";
import { tick } from "../ui/countdowns.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Command} Command */

const root = byId("room");
const say = speaker(byId("live"));
const urge = speaker(byId("alert"));

/** The room in which one has let the page pass for what one can't beat: that lasts until one ends it. */
const PASSES_IN = "passes_in";
/** @type {Model} */
let model = {
  ...initial(),
  felt: foreseen(),
  sort: likedSort(),
  passing: liked(PASSES_IN, "") === root.dataset.room ? { until: "beats", trick: null } : null,
};
/** @type {import("../types.d.ts").Catalogue | null} */
let catalogue = null;
let fetching = false;
let told = 0;
let drawing = false;

applyLooks();
await load("table.");

let code = root.dataset.code ?? "";

const socket = new RoomSocket(
  addressOf(root.dataset),
  onUpdate,
  (link) => {
    if (link === "open" && model.link !== "open") sight.opened();
    if (link === "open" && model.link === "lost") void newer.look().then(() => newer.see(model));
    // Who was away for a moment has not seen what happened: that the trick goes on is no news to pass by.
    if (model.link !== link)
      set({ link, ahead: null, passing: model.passing?.until === "trick" ? null : model.passing });
  },
  (notice) => {
    const stands = notice === null ? "" : refusal(notice);
    if (model.stands !== stands) set({ stands });
  },
  (aside) => after.use(({ asides }) => asides.take(aside)),
  (slow) => set({ slow }),
);
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

/** What was shown last. @type {Update | null} */
let last = null;

/** One's own side, as it was drawn last. @type {import("../lib/virtual_dom.js").VNode | null} */
let own = null;

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
  if (model.update?.room.phase === "playing") inPlay = felt;
  // What else has been measured for this frame is drawn with it.
  if (stages.whole) set({ felt }, inItsOwnTask);
  else model = { ...model, felt };
}

/** What comes right after the first look. */
const after = new Soon(
  async () => {
    const { company, drawn } = await whole(import("./room_deferred.js"));
    const desk = () => (model.update === null ? null : deskFor(model.update));
    return {
      ...company(root, { model: () => model, set, say, desk, ask: (command) => socket.ask(command) }, gesture.taken()),
      drawn,
    };
  },
  () => set({}),
  async () => {
    await newer.look();
    newer.see(model);
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
  tell(t("error.offline"), true);
}

const passer = new Passer((update, action) => ask(update, { t: "act", action }), Math.random, {
  set: (done, ms) => window.setTimeout(done, ms),
  clear: (id) => window.clearTimeout(id),
});

const prospects = new Prospects(
  () => model,
  (command) => socket.ask(command),
  (found) => set({ prospects: found }),
);

/** @param {Partial<Model>} change @param {(draw: () => void) => void} [soon] when it is drawn */
function set(change, soon = queueMicrotask) {
  if (change.felt !== undefined && sameSize(change.felt, model.felt)) return;
  if (change.passing !== undefined) like(PASSES_IN, change.passing?.until === "beats" ? (root.dataset.room ?? "") : "");
  // Other cards are another question: a refusal was about the earlier choice.
  const refused = change.chosen !== undefined && model.notice?.bad === true;
  model = {
    ...model,
    ...(change.chosen === undefined ? {} : { sure: null }),
    ...(refused ? { notice: null } : {}),
    ...change,
  };
  if (drawing) return;
  drawing = true;
  // Several changes in one go are one drawing.
  soon(() => {
    drawing = false;
    show();
  });
}

/** @param {Update} update */
function onUpdate(update) {
  const before = model.update;
  if (before === null) {
    model = { ...model, own: orderGiven(update) };
  }
  model = receive(model, update, Date.now());
  model = { ...model, passing: still(model.passing, update), sure: myTurn(update) ? model.sure : null };
  // A result takes more room than the cards after it: those who sit around are drawn at once as they will sit.
  if (before !== null && begins(before, update) && inPlay?.width === model.felt.width)
    model = { ...model, felt: inPlay };
  after.use(({ told, follow }) => {
    model = told(model);
    follow(before, update);
  });
  moveTo(update.room.code);
  announce(before, update);
  after.use(({ chance }) => void chance.see(update));
  // From then on everybody may ask for the next deal: the button is drawn when it is so.
  const open = (update.room.next_open_at ?? 0) - update.now;
  if (open > 0 && open < 120_000) window.setTimeout(() => set({}), open + 100);
  lookAgain(update);
  // Where that takes long a frame goes by first: between two there is time for the browser to find out where all of it lies.
  const much = before !== null && (hasTurned(before, update) || before.table?.inverted !== update.table?.inverted);
  set({}, much || seen.slow ? whenDrawn : inItsOwnTask);
}

/** The room may have another address: who is in it goes on, and loads the page again from there. @param {string} now */
function moveTo(now) {
  if (now === code) return;
  code = now;
  socket.url = addressOf(root.dataset, now);
  history.replaceState(history.state, "", `/r/${now}${location.search}${location.hash}`);
}

let looking = 0;

/** When all will have waited for somebody too long, nothing else need happen: look then. @param {Update} update */
function lookAgain(update) {
  window.clearTimeout(looking);
  const now = Date.now() + model.offset;
  const at = nextAwaited(update, now);
  if (at === null) return;
  looking = window.setTimeout(
    () => {
      const { patience } = update.room.clock;
      const late = awaited(update, at).find(({ botAt, since }) => botAt === null && since + patience * 1000 === at);
      if (late !== undefined) say(t("wait.long", { name: late.name, count: patience }));
      lookAgain(update);
      set({});
    },
    at - now + 20,
  );
}

let returning = false;

/** Whoever touches the page is there: the bot that plays their seat need not. */
function touched() {
  const { room, you } = model.update ?? {};
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

/** Whether a question was asked that could not be heard, since a sheet was open. */
let unheard = false;

const seen = new Seen();

/** What happened, and what one is asked: for ears, and for all else that goes by it. @param {Update | null} before @param {Update} update */
function announce(before, update) {
  const asked = leftToOneself(model.passing, update, newQuestion(before, update));
  if (asked !== "") {
    // A sheet that is still on its way keeps nobody from hearing.
    unheard = !canBeHeard();
    if (!unheard) urge(asked);
  }
  if (before === null) return;
  // What was drawn before they came has moved without being seen.
  const seenMoving = after.here !== null;
  after.use(({ announce }) => announce(before, update, asked, (moments) => seenMoving && seen.happened(root, moments)));
}

/** A sheet has closed: what was told meanwhile is said, and what is still asked. @param {Update} update */
function catchUp(update) {
  release();
  if (unheard) urge(newQuestion(null, update));
  unheard = false;
}

/** A key at the table, wherever there one is: one who is nowhere is there, too. @param {KeyboardEvent} event */
function onTableKey(event) {
  const { update, sheet: open } = model;
  const { target } = event;
  if (open !== null || update === null || !root.matches(".at-table") || !(target instanceof Node)) return;
  if (target === document.body || root.contains(target)) onKey(deskFor(update), event);
}

document.addEventListener("keydown", onTableKey);

/** @param {string} text @param {boolean} [bad] @param {import("../types.d.ts").Ruled | null} [rule] that refuses */
function tell(text, bad = false, rule = null) {
  const id = ++told;
  set({ notice: notice({ id, text, bad, rule }, model.update, Date.now()) });
  // A sheet says it itself.
  if (model.sheet === null) (bad ? urge : say)(text);
}

/** Take away what has been read and is over. */
function clearNotice() {
  const rest = left(model.notice, model.update, Date.now());
  // Who has reached for its link or button decides when it goes.
  const held = document.querySelector(".notice")?.contains(document.activeElement);
  if (rest !== model.notice && !held) set({ notice: rest });
}

/** @param {Update} update what the page showed @param {Command} command */
async function ask(update, command) {
  const answer = await request(update, command);
  if (answer.ok) return true;
  const { rule, rule_name: name } = answer;
  tell(refusal(answer), true, rule && name ? { id: rule, name } : null);
  return false;
}

/** Ask, and see to what follows when it is granted; what is refused is the asker's to show. @param {Update} update what the page showed @param {Command} command */
async function request(update, command) {
  if (command.t === "join" && typeof command.name === "string") like("name", command.name);
  const answer = await socket.ask(answering(update, command));
  if (!answer.ok) {
    // What is said of it is among the texts that come later.
    await rest().catch(() => undefined);
    return answer;
  }
  if (command.t !== "look" && model.notice?.bad) set({ notice: null });
  if (command.t === "look") set({ looked: { ...model.looked, [String(command.cards)]: answer.plays ?? [] } });
  else if (command.t === "join") set({ sheet: null });
  else if (command.t === "leave") location.assign("/");
  return answer;
}

/** @param {Update} update what the page showed @param {import("../types.d.ts").Action} action */
async function act(update, action) {
  const asks = liked("confirm", "off") === "on" && controlOf(update, action) === "cards";
  if (asks && model.sure !== action) {
    set({ sure: action });
    urge(sureWords(action, cardsNamed));
    return false;
  }
  model = { ...model, sure: null };
  const done = await ask(update, { t: "act", action });
  if (done) set({ chosen: [], basket: bare(), notice: null });
  return done;
}

/** What was meant to be played waits for others, who may be about to break in. */
let waiting = 0;

/** It is one's turn: what was meant to be played is played when it is fair. @param {Update} update */
function playAheadInTime(update) {
  const ms = waits(update, Math.random());
  if (ms === 0) playAhead(update);
  else if (waiting === 0)
    waiting = window.setTimeout(() => {
      waiting = 0;
      if (model.update === null || !isTime(model)) return;
      // Another request waits anew: others may break in there, too.
      if (model.update.you.request === update.you.request) playAhead(model.update);
      show();
    }, ms);
}

/** What was meant to be played is played, or one is told that it can't be, and the choice stays. @param {Update} update */
function playAhead(update) {
  const action = comesTo(model);
  // Who has meant it need not be asked.
  model = { ...model, ahead: null, sure: action ?? null };
  if (action) void act(update, action);
  else if (action === null) tell(t("ahead.not"), true);
}

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
    model,
    update,
    catalogue,
    set,
    close: (sheet) => {
      if (model.sheet === sheet) set({ sheet: null, form: {} });
    },
    fill: (name, value) => set({ form: { ...model.form, [name]: value } }),
    ask: (command) => ask(update, command),
    request: (command) => request(update, command),
    act: (action) => act(update, action),
    tell,
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

/** Over the title: the line is down, or there is no way back; or what everybody should read now. */
function banner() {
  const { link, update } = model;
  const stands = model.unfair || model.stands;
  const down = link === "lost" || (link === "connecting" && update !== null);
  const slow = model.slow && link === "open";
  return h(
    "div",
    {
      key: "link",
      "data-zone": "banner",
      class: `banner${down || slow || link === "gone" || stands !== "" ? " show" : ""}${down || slow ? " brief" : ""}`,
      role: "status",
    },
    link === "gone"
      ? h("p", null, t(`gone.${socket.reason || "closed"}`), " ", h("a", { href: "/" }, t("nav.home")))
      : down
        ? h("p", null, t("link.lost"))
        : stands !== ""
          ? h("p", null, stands)
          : slow
            ? h("p", null, t("link.slow"))
            : null,
  );
}

/** A word from the server. It has a place of its own, where it lies neither on cards nor on seats. */
function slip() {
  const { notice: word, sheet: open } = model;
  if (word === null || open !== null) return null;
  return h(
    "div",
    { key: `notice${word.id}`, "data-zone": "notice", "data-bad": word.bad, class: `notice${word.bad ? " bad" : ""}` },
    h(
      "div",
      null,
      h("p", null, seenAndHeard(word.text)),
      word.rule && model.update ? ruleLink(model.update.room, word.rule) : null,
    ),
    button({ class: "tool", "aria-label": t("sheet.close"), onclick: () => set({ notice: null }) }, "✕"),
  );
}

/** What is open over the table, once it is here. @param {Desk} desk */
function sheet(desk) {
  return desk.model.sheet === null ? null : (sheets.wanted()?.sheet(desk) ?? null);
}

function loading() {
  return h("p", { key: "loading", class: "loading" }, t("loading"));
}

/** @param {Desk} desk */
function drawLobby(desk) {
  const here = lobby.wanted();
  if (here === null || desk.after === null) return draw(root, banner(), loading());
  const { you } = desk.update;
  const newcomer = you.name === null || you.role === "watcher";
  draw(
    root,
    bar(desk),
    banner(),
    h(
      "main",
      { key: "lobby", id: "main", class: "lobby-main", tabindex: "-1" },
      newcomer && model.link !== "gone" ? desk.after.joining(desk) : null,
      here.waitingRoom(desk),
    ),
    slip(),
    newcomer ? null : here.lobbyBar(desk),
    desk.after.reactions(model),
    desk.after.seatRequest(desk),
    sheet(desk),
  );
}

/** One's own side of the table. @param {Desk} desk */
function ownSide(desk) {
  return h(
    "section",
    {
      key: "mine",
      "data-zone": "own-side",
      ref: reserving,
      class: `mine${desk.update.table?.inverted ? " inverted" : ""}`,
      "aria-label": t("mine.label"),
    },
    said(desk),
    slip(),
    me(desk),
    hand(desk, stages.now),
    actions(desk),
  );
}

/** @param {Desk} desk */
function drawTable(desk) {
  const { update } = desk;
  const scene = { ...sceneOf(update, model), bare: !stages.now.seats };
  if (own === null || stages.now.own) own = ownSide(desk);
  draw(
    root,
    bar(desk),
    banner(),
    h(
      "main",
      { key: "main", id: "main", class: "board", tabindex: "-1" },
      felt(
        scene,
        (size) => resized(size),
        scene.playing ? null : desk.after === null ? loading() : desk.after.result(desk),
        () => desk.set({ sheet: "signs" }),
        scene.playing ? null : desk.after?.scene(model, update, desk.tale),
      ),
      own,
    ),
    h(
      "aside",
      { key: "aside", "data-zone": "log-panel", class: "log-panel", "aria-label": t("tool.log") },
      h("h2", null, t("tool.log")),
      log(update.table, model.log),
    ),
    desk.after?.reactions(model),
    desk.after?.seatRequest(desk) ?? null,
    sheet(desk),
  );
}

function show() {
  const update = model.update;
  if (update !== null && isTime(model)) playAheadInTime(update);
  passer.see(model);
  newer.see(model);
  after.here?.caller.see(update, update !== null && myTurn(update) && due(model.passing, update) === null);
  if (update === null) {
    draw(root, banner(), model.link === "gone" ? null : loading());
    return;
  }
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
    keepingFocus(root, update, model.sheet ?? "", () => (inLobby ? drawLobby(desk) : drawTable(desk)));
  if (inLobby) {
    stages.over();
    own = null;
  } else stages.drawn();
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
  if (model.sheet === null) catchUp(update);
  tick(root, model.offset);
}

window.addEventListener("resize", () => seen.settle());
window.setInterval(() => {
  tick(root, model.offset);
  clearNotice();
}, 250);
show();
