// @ts-check
// A finished hand, move by move: the same table, fed by recorded frames instead of a socket. Nothing is hidden here, or
// what one seat did not know then: that is the server's to say.

import { audible } from "../sound/mute_setting.js";
import { parsed } from "../lib/null_prototype.js";
import { row } from "../ui/card_faces.js";
import { arranged, cardsNamed, cardsText } from "../model/card_names.js";
import { button, byId, draw, h } from "../lib/virtual_dom.js";
import { kindOf, verdict } from "../replay/fairness_check.js";
import { Flock } from "../replay/watch_party.js";
import { Hindsight } from "../replay/bot_review.js";
import { later, passes } from "../lib/retry.js";
import { speaker } from "../a11y/live_region.js";
import { onFirstGesture, sounding, toggle } from "../sound/player.js";
import { list, load, refusal, said, t } from "../lib/messages.js";
import { momentsOf } from "../events/presentation.js";
import { applyLooks } from "../lib/preferences.js";
import { felt } from "../table/felt.js";
import { icon } from "../ui/icons.js";
import { log } from "../table/log.js";
import { Seen } from "../animation/animator.js";
import { split } from "../model/card_selection.js";
import { sentence, toneOf } from "../events/sentences.js";
import { copyText } from "../lib/share.js";
import { initial, sameSize } from "../model/state.js";
import { source } from "../replay/match_source.js";

/** @typedef {import("../types.d.ts").Frame} Frame */
/** @typedef {import("../types.d.ts").Scene} Scene */
/** @typedef {{ frames: Frame[], tones: Record<string, string>, motions: Record<string, import("../types.d.ts").Motion>, players: string[],
 *   looks?: Record<string, Pick<import("../ui/bird_avatars.js").Looks, "bird" | "colour">>,
 *   hues?: Record<string, number> }} Hand `looks` and `hues`: not of a file, which knows nobody */

/** How long a step stays, by itself. */
const SPEEDS = { slow: 2800, usual: 1400, fast: 600 };

const root = byId("replay");
const say = speaker(byId("live"));
const told = source(root);
const { game, hands } = told;
const asked = new URLSearchParams(location.search);

let number = Number(root.dataset.number);
/** Whose view it is; null: everybody's cards lie open. */
let seat = asked.get("seat");
/** @type {Hand} */
let hand = { frames: [], tones: {}, motions: {}, players: [] };
/** Grows with whatever hand or view is asked for: only the last answer counts. */
let wanted = 0;
let at = 0;
let playing = 0;
/** @type {keyof typeof SPEEDS} */
let speed = "usual";
/** What came of checking the deal. */
let checked = "";

/** Whose promised seeds the deal lacks. @type {string[]} */
let leftOut = [];

/** Whether the link to this move was copied just now. */
let copied = false;
/** Why a room could not be opened. */
let problem = "";
let size = initial().felt;
const seen = new Seen();
/** What was drawn last. @type {Frame | undefined} */
let drawn;
/** Those with whom one looks; null: a file at hand is nobody else's. */
const flock =
  root.dataset.match === undefined
    ? null
    : new Flock(
        root.dataset.match,
        { here, go: goAlong, stop, stay, show, say, address: (meeting) => address(meeting).href },
        root,
      );

/** What a bot would have done at one's own turns; null: one played none. */
const hindsight =
  root.dataset.match === undefined || root.dataset.mine === undefined
    ? null
    : new Hindsight(root.dataset.match, parsed(root.dataset.mine), show, say);

/** What happened in a step, in words. @param {Frame} frame @param {import("../events/sentences.js").Namer} [cards] */
function words(frame, cards) {
  return frame.events
    .map((event) => ({ text: sentence(event, seat, cards), kind: toneOf(event, hand.tones), hand: number + 1 }))
    .filter((line) => line.text !== "");
}

/** The same in one line. @param {Frame} frame @param {import("../events/sentences.js").Namer} [cards] */
function line(frame, cards) {
  return words(frame, cards)
    .map((each) => each.text)
    .join(" ");
}

/** The frame as it lay on the table. @param {Frame} frame @returns {Scene} */
function sceneOf(frame) {
  const { table, panels } = frame;
  const great = words(frame).some((line) => line.kind === "great");
  const looks = Object.entries(hand.looks ?? {}).map(([name, chosen]) => ({ name, ...chosen }));
  return {
    table,
    names: hand.players,
    hues: hand.hues ?? {},
    looks,
    here: null,
    me: seat,
    panels,
    playing: true,
    great,
    size,
  };
}

/** @param {typeof size} change */
function resized(change) {
  if (sameSize(change, size)) return;
  size = change;
  show();
}

/** The address of this move, as it is seen now; with where one meets others, if they are meant. @param {string | null} [meeting] */
function address(meeting = null) {
  const url = new URL(location.href);
  url.search = "";
  url.searchParams.set("hand", String(number));
  url.searchParams.set("move", String(at));
  if (seat !== null) url.searchParams.set("seat", seat);
  if (meeting !== null) url.searchParams.set("follow", meeting);
  return url;
}

/** @returns {import("../replay/watch_party_socket.js").Place} */
function here() {
  return { hand: number, move: at, seat };
}

/**
 * Look at a hand from a seat, or with all cards open.
 * @param {number} which
 * @param {number} step
 * @param {string | null} from
 * @returns {Promise<boolean>} whether it is seen now; something else may have been asked for meanwhile
 */
async function look(which, step, from) {
  const whose = from === null ? "" : `?seat=${encodeURIComponent(from)}`;
  const mine = ++wanted;
  const answer = await told.hand(which, whose);
  if (mine === wanted && passes(answer)) await later();
  if (mine !== wanted) return false;
  if (passes(answer)) return look(which, step, from);
  if (!answer.ok && from !== null) return look(which, step, null);
  hand = answer.ok ? parsed(await answer.text()) : { frames: [], tones: {}, motions: {}, players: [] };
  if (which !== number) [checked, leftOut] = ["", []];
  [number, seat] = [which, from];
  at = Math.max(0, Math.min(hand.frames.length - 1, step));
  show();
  return true;
}

/** @param {number} which @param {string | null} from @param {number} [step] */
async function change(which, from, step = 0) {
  flock?.letGo();
  stop();
  if (await look(which, step, from)) go(at);
}

/** Go to a step oneself; whoever follows comes along. @param {number} step */
function go(step) {
  flock?.letGo();
  stand(step);
  flock?.lead();
}

/** @param {number} step */
function stand(step) {
  at = Math.max(0, Math.min(hand.frames.length - 1, step));
  if (at === hand.frames.length - 1) stop();
  copied = false;
  history.replaceState(null, "", address(flock?.token));
  show();
  const frame = hand.frames[at];
  if (frame !== undefined) say(line(frame, cardsNamed));
}

function stop() {
  window.clearInterval(playing);
  playing = 0;
}

function playOn() {
  stop();
  playing = window.setInterval(() => go(at + 1), SPEEDS[speed]);
}

function playOrStop() {
  if (playing !== 0) stop();
  else {
    if (at === hand.frames.length - 1) at = 0;
    playOn();
  }
  show();
}

/** Go where somebody else is. @param {import("../replay/watch_party_socket.js").Place} place */
async function goAlong(place) {
  if (place.hand === number && place.seat === seat) stay();
  else if (!(await look(place.hand, place.move, place.seat))) return;
  stand(place.move);
}

/** Whatever was asked for and is not there yet, stay here. */
function stay() {
  wanted += 1;
}

/** Make the deck anew from what the server promised before the deal, and compare. */
async function check() {
  checked = "checking";
  show();
  const record = await told.record();
  const kept = record?.hands[number];
  const proof = kept?.fair;
  checked = proof?.known ? "known" : proof ? verdict(proof, kept.cards, kept.stock ?? "") : "none";
  leftOut = [];
  if (checked === "fair") {
    const { kind, left } = kindOf(proof);
    [checked, leftOut] = [kind, left];
  }
  show();
  say(t(`fair.verdict.${checked}`));
}

/** Open a room that goes on from this move. @param {Event} event */
async function playOnFromHere(event) {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  await opening(`/api/matches/${told.match}/hands/${number}/variations`, {
    move: at,
    chair: String(form.get("chair")),
    friends: form.get("friends") !== null,
  });
}

/** Go to a room that is opened so; or say why it can't be. @param {string} path @param {Record<string, unknown>} asked */
async function opening(path, asked) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(asked) }).catch(() => null);
  const opened = answer && (await said(answer));
  if (answer?.ok) {
    location.assign(opened.url);
    return;
  }
  problem = opened ? refusal(opened) : t("error.offline");
  show();
  say(problem);
}

async function copy() {
  copied = await copyText(address().href);
  show();
  say(t(copied ? "replay.copied" : "replay.not_copied"));
}

/** The cards that are seen after this step. @param {Frame} frame */
function everybody(frame) {
  return h(
    "section",
    {
      key: "cards",
      "data-zone": "all-cards",
      class: "all-cards",
      tabindex: "0",
      "aria-label": seat === null ? t("replay.cards") : t("replay.cards_of", { name: seat }),
    },
    h(
      "ul",
      null,
      Object.entries(frame.cards).map(([name, cards]) =>
        h(
          "li",
          { key: name, class: name === frame.by ? "acted" : "" },
          h("b", { "data-zone": "name", class: "name", translate: "no" }, name),
          cards === "" ? h("span", { class: "quiet" }, "–") : row(arranged(split(cards), "rank"), "small"),
        ),
      ),
    ),
  );
}

/** @param {"first" | "back" | "on" | "last"} key @param {string} text @param {() => void} onclick @param {boolean} [disabled] */
function control(key, text, onclick, disabled = false) {
  return h(
    "button",
    // Not `disabled`: the focus of whoever steps to the end by keyboard would be lost there.
    {
      key,
      type: "button",
      class: "button",
      "data-step": key,
      "aria-label": text,
      title: text,
      "aria-disabled": disabled,
      onclick: disabled ? () => undefined : onclick,
    },
    icon(key),
  );
}

/** The way to another hand, without leaving this page. @param {number} which @param {string} text */
function toHand(which, text) {
  return h(
    "a",
    {
      key: `hand ${which}`,
      class: "tool",
      href: `?hand=${which}`,
      onclick: (/** @type {Event} */ event) => {
        event.preventDefault();
        void change(which, seat);
      },
    },
    text,
  );
}

/** The way back, and to the hands beside this one. */
function heading() {
  return h(
    "header",
    { class: "bar", key: "bar" },
    h("a", { class: "tool", href: told.page, "aria-label": t("replay.match") }, icon("close")),
    h("h1", { class: "what-game" }, t("replay.title", { game: t(`game.${game}`), number: number + 1 })),
    h(
      "span",
      { "data-zone": "tools", class: "tools" },
      number > 0 ? toHand(number - 1, t("replay.previous")) : null,
      number + 1 < hands ? toHand(number + 1, t("replay.next")) : null,
    ),
  );
}

/** What is left of a step that the rules of today refuse. @param {Frame} frame */
function onlyWritten({ by, action }) {
  return h(
    "section",
    { key: "felt", "data-zone": "felt", class: "felt" },
    action?.cards ? h("div", { class: "middle" }, h("p", null, by ?? "", ": ", cardsText(action.cards))) : null,
  );
}

/** A choice in words. @param {string} key @param {string} label @param {[string, string][]} options @param {string} chosen @param {(value: string) => void} choose */
function choice(key, label, options, chosen, choose) {
  return h(
    "label",
    { key, class: "choice" },
    h("span", null, label),
    h(
      "select",
      {
        name: key,
        onchange: (/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value),
      },
      options.map(([value, text]) => h("option", { key: value, value, selected: value === chosen }, text)),
    ),
  );
}

/** The steps that people will speak of. @returns {number[]} */
function moments() {
  return hand.frames.flatMap((frame, step) => (frame.moment ? [step] : []));
}

/** How to go on from here oneself. */
function playingOn() {
  return h(
    "form",
    { key: "on", class: "play-on", onsubmit: playOnFromHere },
    h("p", null, t("replay.on_from_here")),
    h(
      "label",
      { class: "choice" },
      h("span", null, t("replay.chair")),
      h(
        "select",
        { name: "chair" },
        hand.players.map((name) => h("option", { key: name, value: name }, name)),
      ),
    ),
    h(
      "label",
      { class: "check" },
      h("input", { type: "checkbox", name: "friends" }),
      h("span", null, t("replay.friends")),
    ),
    h("button", { type: "submit", class: "button small", "data-do": "play-on" }, t("replay.from_here")),
    problem === "" ? null : h("p", { class: "problem", role: "alert" }, problem),
  );
}

/** How one looks on: from where, how fast, and to which moments. */
function ways() {
  const seats = hand.players.map((name) => /** @type {[string, string]} */ ([`=${name}`, name]));
  const speeds = Object.keys(SPEEDS).map((each) => /** @type {[string, string]} */ ([each, t(`replay.speed.${each}`)]));
  const spoken = moments().map((step) => {
    const told = line(/** @type {Frame} */ (hand.frames[step]));
    return /** @type {[string, string]} */ ([String(step), t("replay.moment", { at: step + 1, told })]);
  });
  return h(
    "details",
    { key: "looking", "data-zone": "looking", class: "looking" },
    h("summary", { class: "button small plain" }, t("replay.ways")),
    h(
      "div",
      { class: "choices" },
      choice(
        "seat",
        t("replay.seat"),
        [["", t("replay.all_seats")], ...seats],
        seat === null ? "" : `=${seat}`,
        (value) => void change(number, value === "" ? null : value.slice(1), at),
      ),
      choice("speed", t("replay.speed"), speeds, speed, (value) => {
        speed = /** @type {keyof typeof SPEEDS} */ (value);
        if (playing !== 0) playOn();
        show();
      }),
      spoken.length === 0
        ? null
        : choice(
            "moment",
            t("replay.moments"),
            [["", t("replay.moments.none")], ...spoken],
            hand.frames[at]?.moment ? String(at) : "",
            (value) => {
              stop();
              if (value !== "") go(Number(value));
            },
          ),
      button(
        { key: "sound", class: "button small", "data-do": "sound", "aria-pressed": audible(), onclick: mute },
        t("menu.sound"),
      ),
      button(
        { key: "copy", class: "button small", "data-do": "copy", onclick: copy },
        copied ? t("replay.copied") : t("replay.copy"),
      ),
      checked === ""
        ? button({ key: "check", class: "button small", onclick: check }, t("fair.check"))
        : h("p", { key: "checked", "data-zone": "verdict", class: `verdict ${checked}` }, t(`fair.verdict.${checked}`)),
      leftOut.length === 0 ? null : h("p", { key: "left" }, t("fair.verdict.left", { names: list(leftOut) })),
      flock?.beginning(),
      told.match === null ? null : playingOn(),
    ),
  );
}

/** Steps are heard, as one likes it at the table. */
function mute() {
  toggle();
  show();
}

/** Back and forth. */
function controls() {
  const last = hand.frames.length - 1;
  return h(
    "div",
    {
      key: "controls",
      "data-zone": "actions",
      class: "actions controls",
      role: "group",
      "aria-label": t("replay.keys"),
    },
    control("first", t("replay.first"), () => go(0), at === 0),
    control("back", t("replay.back"), () => go(at - 1), at === 0),
    button(
      { key: "play", class: "button main", "data-step": "play", onclick: playOrStop },
      playing !== 0 ? t("replay.stop") : t("replay.play"),
    ),
    control("on", t("replay.on"), () => go(at + 1), at === last),
    control("last", t("replay.last"), () => go(last), at === last),
    h("input", {
      key: "slider",
      type: "range",
      min: 0,
      max: last,
      value: String(at),
      list: "moments",
      "aria-label": t("replay.step", { at: at + 1, count: hand.frames.length }),
      oninput: (/** @type {Event} */ event) => go(Number(/** @type {HTMLInputElement} */ (event.target).value)),
    }),
    h(
      "datalist",
      { key: "marks", id: "moments" },
      moments().map((step) => h("option", { key: step, value: String(step) })),
    ),
  );
}

function show() {
  const frame = hand.frames[at];
  if (frame === undefined) {
    draw(root, h("p", { class: "loading" }, t("error.no_match"), " ", h("a", { href: "/history" }, t("nav.history"))));
    return;
  }
  const lines = hand.frames
    .slice(0, at + 1)
    .flatMap((each) => words(each))
    .map((each, id) => ({ ...each, id: id + 1 }));
  root.className = "room replay at-table";
  // Whoever goes on by one step sees it happen; who leaps does not.
  if (drawn !== undefined && drawn === hand.frames[at - 1]) {
    const moments = momentsOf({ ...hand, events: frame.events }, null);
    seen.happened(root, moments);
    sounding(moments, "");
  } else if (drawn !== frame) seen.settle();
  drawn = frame;
  seen.drawn(root, null, frame.table?.seats ?? [], () => drawStep(frame, lines));
  root.dataset.step = String(at);
  root.dataset.steps = String(hand.frames.length);
  root.dataset.number = String(number);
}

/** @param {Frame} frame @param {import("../types.d.ts").LogLine[]} lines all that has happened so far */
function drawStep(frame, lines) {
  draw(
    root,
    heading(),
    h(
      "main",
      { key: "main", id: "main", class: "board" },
      frame.table === null ? onlyWritten(frame) : felt(sceneOf(frame), resized),
      h(
        "section",
        { key: "mine", "data-zone": "own-side", class: "mine", "aria-label": t("replay.place") },
        h(
          "div",
          { key: "said", "data-zone": "status", class: "said" },
          h(
            "p",
            { "data-zone": "turn", class: "turn-line" },
            t("replay.step", { at: at + 1, count: hand.frames.length }),
          ),
          h("p", { "data-zone": "latest", class: "latest" }, line(frame) || (at === 0 ? t("replay.dealt") : "")),
        ),
        flock?.view(),
        hindsight?.view(number, at - 1, frame.by),
        everybody(frame),
        controls(),
        ways(),
      ),
    ),
    h(
      "aside",
      { key: "aside", class: "log-panel", "aria-label": t("tool.log") },
      h("h2", null, t("tool.log")),
      log(frame.table, lines),
      h("p", { class: "quiet keys" }, t("replay.keys")),
    ),
  );
}

/** Whether keys mean something of its own to what has the focus. @param {EventTarget | null} target */
function keysAreIts(target) {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || keysAreIts(event.target)) return;
  const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: hand.frames.length - 1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    stop();
    go(step);
  } else if (event.key === " " && !(event.target instanceof Element && event.target.closest("button, a, summary"))) {
    event.preventDefault();
    playOrStop();
  }
});

applyLooks();
onFirstGesture(document);
await load();
// `step` stands in links of before.
await look(number, Number(asked.get("move") ?? asked.get("step")) || 0, seat);
const meeting = asked.get("follow");
if (meeting !== null) flock?.meet(meeting);
