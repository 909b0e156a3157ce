// @ts-check
// A finished hand, move by move: the same table, fed by recorded frames instead of a socket. Nothing is hidden here.

import { parsed } from "./bare.js";
import { arranged, cardsNamed, cardsText, row } from "./cards.js";
import { button, byId, draw, h } from "./dom.js";
import { verdict } from "./fair.js";
import { speaker } from "./live.js";
import { load, t } from "./messages.js";
import { applyLooks } from "./prefs.js";
import { felt, icon, log } from "./render_table.js";
import { split } from "./selection.js";
import { initial, sameSize } from "./state.js";
import { sentence, toneOf } from "./words.js";

/** @typedef {import("./types.d.ts").Frame} Frame */
/** @typedef {import("./types.d.ts").Scene} Scene */

const STEP_MS = 1400;

const root = byId("replay");
const say = speaker(byId("live"));
const { match = "", game = "" } = root.dataset;
const number = Number(root.dataset.number);
const hands = Number(root.dataset.hands);

applyLooks();
const [answer] = await Promise.all([fetch(`/api/matches/${match}/hands/${number}`), load()]);
/** @type {Frame[]} */
const frames = answer.ok ? parsed(await answer.text()).frames : [];
let at = Math.min(Number(new URLSearchParams(location.search).get("step")) || 0, Math.max(0, frames.length - 1));
let playing = 0;
/** What came of checking the deal. */
let checked = "";
let size = initial().felt;

/** What happened in a step, in words. @param {Frame} frame @param {import("./words.js").Namer} [cards] */
function words(frame, cards) {
  // Cards given are told twice, to all and to the two: here the one with the cards is enough.
  const told = frame.events.some((event) => event.e === "gave_cards")
    ? frame.events.filter((event) => event.e !== "gave")
    : frame.events;
  return told
    .map((event) => ({ text: sentence(event, null, cards), kind: toneOf(event), hand: number + 1 }))
    .filter((line) => line.text !== "");
}

/** The frame as it lay on the table. @param {Frame} frame @returns {Scene} */
function sceneOf({ table, cards }) {
  const people = Object.keys(cards).map((name) => ({ name, present: true, bot: null, playing_for: null, program: false }));
  return { table, people, deadlines: {}, away: {}, turn: null, me: null, panels: [], playing: true, size };
}

/** @param {typeof size} change */
function resized(change) {
  if (sameSize(change, size)) return;
  size = change;
  show();
}

/** @param {number} step */
function go(step) {
  at = Math.max(0, Math.min(frames.length - 1, step));
  if (at === frames.length - 1) stop();
  const url = new URL(location.href);
  url.searchParams.set("step", String(at));
  history.replaceState(null, "", url);
  show();
  const frame = frames[at];
  if (frame !== undefined)
    say(
      words(frame, cardsNamed)
        .map((line) => line.text)
        .join(" "),
    );
}

function stop() {
  window.clearInterval(playing);
  playing = 0;
}

function playOrStop() {
  if (playing !== 0) stop();
  else {
    if (at === frames.length - 1) at = 0;
    playing = window.setInterval(() => go(at + 1), STEP_MS);
  }
  show();
}

/** Make the deck anew from what the server promised before the deal, and compare. */
async function check() {
  checked = "checking";
  show();
  const record = await fetch(`/matches/${match}/record.json`).then((got) => (got.ok ? got.json() : null));
  const hand = record?.hands[number];
  checked = hand?.fair ? verdict(hand.fair, hand.cards, hand.stock ?? "") : "none";
  show();
  say(t(`fair.verdict.${checked}`));
}

/** Everybody's cards after this step. @param {Frame} frame */
function everybody(frame) {
  return h(
    "section",
    { key: "cards", class: "all-cards", tabindex: "0", "aria-label": t("replay.cards") },
    h(
      "ul",
      null,
      Object.entries(frame.cards).map(([name, cards]) =>
        h(
          "li",
          { key: name, class: name === frame.by ? "acted" : "" },
          h("b", { class: "name" }, name),
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

function show() {
  const frame = frames[at];
  if (frame === undefined) {
    draw(root, h("p", { class: "loading" }, t("error.no_match"), " ", h("a", { href: "/history" }, t("nav.history"))));
    return;
  }
  const lines = frames
    .slice(0, at + 1)
    .flatMap((each) => words(each))
    .map((line, id) => ({ ...line, id: id + 1 }));
  const now = words(frame)
    .map((line) => line.text)
    .join(" ");
  root.className = "room replay at-table";
  draw(
    root,
    h(
      "header",
      { class: "bar", key: "bar" },
      h("a", { class: "tool", href: `/matches/${match}`, "aria-label": t("replay.match") }, icon("close")),
      h("h1", { class: "what-game" }, t("replay.title", { game: t(`game.${game}`), number: number + 1 })),
      h(
        "span",
        { class: "tools" },
        number > 0 ? h("a", { class: "tool", href: `?hand=${number - 1}` }, t("replay.previous")) : null,
        number + 1 < hands ? h("a", { class: "tool", href: `?hand=${number + 1}` }, t("replay.next")) : null,
      ),
    ),
    h(
      "main",
      { key: "main", id: "main", class: "board" },
      frame.table === null
        ? h(
            "section",
            { key: "felt", class: "felt" },
            frame.action?.cards
              ? h("div", { class: "middle" }, h("p", null, frame.by ?? "", ": ", cardsText(frame.action.cards)))
              : null,
          )
        : felt(sceneOf(frame), resized),
      h(
        "section",
        { key: "mine", class: "mine", "aria-label": t("replay.place") },
        h(
          "div",
          { key: "said", class: "said" },
          h("p", { class: "turn-line" }, t("replay.step", { at: at + 1, count: frames.length })),
          h("p", { class: "latest" }, now || (at === 0 ? t("replay.dealt") : "")),
        ),
        everybody(frame),
        h(
          "div",
          { key: "controls", class: "actions controls", role: "group", "aria-label": t("replay.keys") },
          control("first", t("replay.first"), () => go(0), at === 0),
          control("back", t("replay.back"), () => go(at - 1), at === 0),
          button(
            { key: "play", class: "button main", "data-step": "play", onclick: playOrStop },
            playing !== 0 ? t("replay.stop") : t("replay.play"),
          ),
          control("on", t("replay.on"), () => go(at + 1), at === frames.length - 1),
          control("last", t("replay.last"), () => go(frames.length - 1), at === frames.length - 1),
          h("input", {
            key: "slider",
            type: "range",
            min: 0,
            max: frames.length - 1,
            value: String(at),
            "aria-label": t("replay.step", { at: at + 1, count: frames.length }),
            oninput: (/** @type {Event} */ event) => go(Number(/** @type {HTMLInputElement} */ (event.target).value)),
          }),
          checked === ""
            ? button(
                { key: "check", class: "button small plain", onclick: check },
                t("fair.check"),
              )
            : h("p", { key: "checked", class: `verdict ${checked}` }, t(`fair.verdict.${checked}`)),
        ),
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
  root.dataset.step = String(at);
  root.dataset.steps = String(frames.length);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
  const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: frames.length - 1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    stop();
    go(step);
  } else if (event.key === " " && !(event.target instanceof HTMLButtonElement)) {
    event.preventDefault();
    playOrStop();
  }
});

show();
