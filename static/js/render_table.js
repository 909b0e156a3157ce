// @ts-check
// The table: bar, what lies in the middle, what was said, the log. Drawn whole from the model, at any time.

import { seenAndHeard } from "./aloud.js";
import { audible } from "./audible.js";
import { head } from "./birds.js";
import { back, cardsText, row } from "./cards.js";
import { button, h } from "./dom.js";
import { whenDrawn } from "./drawn.js";
import { list, shown, t } from "./messages.js";
import { offers } from "./render_offers.js";
import { question } from "./render_question.js";
import { seats } from "./render_seats.js";
import { signs } from "./render_signs.js";
import { myTurn, turnWords } from "./state.js";
import { callName, kindName, standsFor } from "./words.js";

/** @typedef {import("./types.d.ts").Desk} Desk */
/** @typedef {import("./types.d.ts").Table} Table */
/** @typedef {import("./types.d.ts").Play} Play */
/** @typedef {import("./types.d.ts").Panel} Panel */
/** @typedef {import("./types.d.ts").Scene} Scene */

/** @param {Play} play @param {boolean} now @param {string | null} me @param {string} key */
function playOf(play, now, me, key) {
  const as = standsFor(play);
  const words = [
    play.kind && play.kind !== "single" ? kindName(play.kind) : "",
    as ? t("play.counts", { as }) : "",
    play.call ? t("play.called", { call: callName(play.call) }) : "",
  ].filter(Boolean);
  return h(
    "li",
    { key, class: `play${now ? " now" : ""}${play.by === me ? " own" : ""}` },
    row(play.cards, now ? "" : "small"),
    h("span", { class: "by" }, h("b", { translate: "no" }, play.by), words.length > 0 ? ` · ${words.join(" · ")}` : ""),
  );
}

/** @param {Table} table @returns {Play[]} */
function lastTrick(table) {
  return table.last_trick ?? [];
}

/** Of a trick that ended with something great so many plays lie there still: four of a rank may come together so. */
const LOOKED_AT = 4;

/** What lies on the table. @param {Table} table @param {string | null} me @param {boolean} great */
function trick(table, me, great) {
  const plays = table.trick?.plays ?? [];
  if (plays.length === 0) {
    const last = lastTrick(table);
    return h(
      "div",
      { key: "lead", class: "trick empty" },
      last.length > 0
        ? [
            h("p", { class: "quiet" }, t("trick.last")),
            h(
              "ol",
              { class: "plays old" },
              last
                .slice(great ? -LOOKED_AT : -1)
                .map((play, i, all) => playOf(play, i === all.length - 1, me, `${all.length - i}last`)),
            ),
          ]
        : h("div", { class: "nest", "aria-hidden": "true" }),
    );
  }
  const latest = plays.slice(-6);
  return h(
    "div",
    { key: "trick", class: "trick" },
    h(
      "ol",
      { class: "plays", "aria-label": t("trick.label") },
      latest.map((play, i) =>
        playOf(play, i === latest.length - 1, me, `${plays.length - latest.length + i}${play.by}${play.cards}`),
      ),
    ),
  );
}

/** What an icon of the table's looks like. @type {Record<import("./types.d.ts").Icon, () => import("./dom.js").VNode>} */
const THINGS = {
  pack: () => back(),
  nothing: () => h("span", { class: "card gone" }),
  deck: () => h("span", { class: "pack", "aria-hidden": "true" }, back(), back(), back()),
  coin: () => {
    const coin = () => h("i", { class: "coin" });
    return h("span", { class: "pot-coins", "aria-hidden": "true" }, coin(), coin(), coin());
  },
};

/** Things to be seen, each with its words below. @param {Panel} panel */
function things({ key, lines }) {
  return h(
    "div",
    { key, class: "things" },
    lines.map((line) =>
      h(
        "div",
        { key: line.key, class: "thing", "data-line": line.key },
        line.icon === null ? null : THINGS[line.icon](),
        h("span", null, seenAndHeard(shown(line.text))),
      ),
    ),
  );
}

/** Lines to be read. @param {Panel} panel */
function lines({ key, title, lines }) {
  return h(
    "section",
    { key, class: "lines", "data-panel": key },
    title === null ? null : h("h2", null, shown(title)),
    h(
      "ul",
      null,
      lines.map((line) =>
        h(
          "li",
          { key: line.key, class: line.done ? "done" : "" },
          h("span", null, seenAndHeard(shown(line.text))),
          line.state === null ? null : h("span", { class: "state" }, seenAndHeard(shown(line.state))),
        ),
      ),
    ),
  );
}

/** What the game has to tell in the middle of the table; what is for one alone comes first. @param {Panel[]} all */
function panels(all) {
  const first = all.find((panel) => panel.look === "list");
  if (first === undefined) return all.map(things);
  return h(
    "div",
    // Longer than its place, at times: whoever has no wheel scrolls it by keys.
    { key: "panels", class: "panel", tabindex: "0", role: "group", "aria-label": shown(first.title ?? "") },
    all.map((panel) => (panel.look === "list" ? lines(panel) : things(panel))),
  );
}

/** @param {Scene} scene */
function middle({ table, me, panels: mine, great }) {
  if (table === null) return null;
  return table.middle === "panels" ? panels([...mine, ...table.panels]) : trick(table, me, great);
}

/** Which way round the table it goes: arrows between seats and trick, for the eye alone. @param {Scene} scene */
function way({ table, playing }) {
  const { direction, middle, seats } = table ?? {};
  if (direction === undefined || middle !== "trick" || !playing || (seats ?? []).length < 3) return null;
  const arrow = () => h("svg", { class: "arrow", viewBox: "0 0 24 24" }, h("path", { d: "M4 5l7 7-7 7M13 5l7 7-7 7" }));
  return h(
    "div",
    { key: "way", class: `way${direction === -1 ? " back" : ""}`, "aria-hidden": "true" },
    arrow(),
    arrow(),
    arrow(),
    arrow(),
  );
}

/** That the cards are known, where they are, and to whom. @param {import("./types.d.ts").Room} room */
export function knownCards({ known }) {
  if (!known) return null;
  const { how, hand, move, by } = known;
  const words = t(`known.long.${how}`, { hand: hand + 1, move });
  return h("p", { key: "known", class: "known-cards" }, words, by.length > 0 ? ` ${t("known.by", { names: list(by), count: by.length })}` : "");
}

/** Mutes the table, or lets it be heard. @param {Pick<Desk, "toggleSound">} desk */
export function soundButton(desk) {
  const onclick = (/** @type {Event} */ event) => {
    // It is a press on nothing else.
    event.stopPropagation();
    void desk.toggleSound();
  };
  return button(
    { key: "sound", class: "tool sound-button", "aria-pressed": audible(), onclick },
    icon(audible() ? "sound" : "silence"),
    h("span", { class: "tool-name" }, t("menu.sound")),
  );
}

/** @param {Desk} desk */
export function bar(desk) {
  const { update, model } = desk;
  const { room, table } = update;
  const game = t(`game.${room.game}`);
  const what = table === null || table.number === 0 ? game : t("bar.hand", { game, number: table.number });
  return h(
    "header",
    { class: "bar", key: "bar" },
    h("a", { class: "home", href: "/", "aria-label": t("nav.home") }, head("rooster")),
    h("h1", { class: "what-game" }, what, room.known ? h("small", { class: "known" }, t(`known.${room.known.how}`)) : null),
    h(
      "span",
      { class: "tools" },
      table !== null
        ? button(
            {
              key: "log",
              class: "tool log-button",
              "aria-expanded": model.sheet === "log",
              onclick: () => desk.set({ sheet: "log" }),
            },
            icon("log"),
            h("span", { class: "tool-name" }, t("tool.log")),
          )
        : null,
      update.you.name !== null
        ? button(
            {
              key: "talk",
              class: "tool talk-button",
              "aria-expanded": model.sheet === "talk",
              onclick: () => desk.set({ sheet: "talk", chat: { ...model.chat, unread: [] } }),
            },
            icon("talk"),
            h("span", { class: "tool-name" }, t("tool.talk")),
            model.chat.unread.length > 0
              ? h(
                  "span",
                  { class: "unread" },
                  h("span", { "aria-hidden": "true" }, model.chat.unread.length),
                  h("span", { class: "sr-only" }, t("chat.unread", { count: model.chat.unread.length })),
                )
              : null,
          )
        : null,
      soundButton(desk),
      button(
        {
          // Without a key it would become the other, focus and all, when a match begins.
          key: "menu",
          class: "tool",
          "aria-expanded": model.sheet === "menu",
          onclick: () => desk.set({ sheet: "menu" }),
        },
        icon("menu"),
        h("span", { class: "tool-name" }, t("tool.menu")),
      ),
    ),
  );
}

const ICONS = {
  log: "M5 6h14M5 12h14M5 18h9",
  menu: "M4 7h16M4 12h16M4 17h16",
  talk: "M4 5h16v11h-8l-5 4v-4H4z",
  idea: "M9 18h6M10 21h4M9 15c0-2-3-3-3-7a6 6 0 0 1 12 0c0 4-3 5-3 7z",
  sound: "M4 9.5v5h3.5L12 19V5L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6a8.5 8.5 0 0 1 0 12",
  silence: "M4 9.5v5h3.5L12 19V5L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5",
  close: "M6 6l12 12M18 6L6 18",
  first: "M6 5v14M18 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  on: "M8 5l9 7-9 7z",
  last: "M18 5v14M6 5l9 7-9 7z",
  forward: "M5 5l7 7-7 7M12 5l7 7-7 7",
};

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  return h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: ICONS[name] }));
}

/** So many characters find room on two lines of the narrowest screens. */
const LONGEST_SAID = 84;

/** And so many on one, where they are larger and bold. */
const LONGEST_TURN = 40;

/** Draw the lines under the table: whose turn it is, and what just happened or what is asked meanwhile. @param {Desk} desk */
export function said(desk) {
  const { model, update } = desk;
  const asks = question(desk);
  const mine = myTurn(update);
  const [earlier, last] = [model.latest.at(-2), model.latest.at(-1) ?? ""];
  const turn = turnWords(update);
  const latest = earlier !== undefined && earlier.length + last.length < LONGEST_SAID ? `${earlier} ${last}` : last;
  return h(
    "div",
    { key: "said", class: `said${mine ? " my-turn" : ""}${model.great ? " great" : ""}${asks === null ? "" : " asks"}` },
    asks?.heading ?? h("p", { key: "turn", class: `turn-line${turn.length > LONGEST_TURN ? " long" : ""}` }, seenAndHeard(turn)),
    asks?.answers ?? offers(desk) ?? h("p", { class: "latest", title: latest }, latest),
  );
}

/** The log in words. @param {Table | null} table @param {import("./types.d.ts").LogLine[]} lines */
export function log(table, lines) {
  const last = table === null ? [] : lastTrick(table);
  return [
    table?.pile
      ? h(
          "section",
          { key: "pile", class: "last-trick" },
          h("h3", null, t("log.pile")),
          h("p", null, seenAndHeard(cardsText(table.pile))),
        )
      : null,
    last.length > 0
      ? h(
          "section",
          { class: "last-trick" },
          h("h3", null, t("trick.last")),
          h(
            "ol",
            null,
            last.map((play, i) => h("li", { key: String(i) }, h("b", null, play.by), " ", seenAndHeard(cardsText(play.cards)))),
          ),
        )
      : null,
    h(
      "ol",
      { class: "log-lines", ref: stickToEnd, tabindex: "0", "aria-label": t("tool.log") },
      lines.map((line, i) => [
        line.hand !== lines[i - 1]?.hand && line.hand > 0
          ? h("li", { key: `h${line.hand}`, class: "log-hand" }, t("log.hand", { number: line.hand }))
          : null,
        logLine(line),
      ]),
    ),
  ];
}

/** @type {WeakMap<import("./types.d.ts").LogLine, import("./dom.js").VNode>} Lines as they were described once: they stay as they are. */
const logLines = new WeakMap();

/** @param {import("./types.d.ts").LogLine} line */
function logLine(line) {
  const drawn = logLines.get(line) ?? h("li", { key: `l${line.id}`, class: `log-${line.kind}` }, seenAndHeard(line.text));
  logLines.set(line, drawn);
  return drawn;
}

/** @type {WeakMap<Element, Element | null>} The last line there was: of a long log the first goes when another comes. */
const lasts = new WeakMap();

/** @param {Element} list */
function stickToEnd(list) {
  if (lasts.get(list) === list.lastElementChild) return;
  lasts.set(list, list.lastElementChild);
  // Asked before it has been laid out, it would be laid out twice.
  whenDrawn(() => {
    list.scrollTop = list.scrollHeight;
  });
}

/** @type {WeakMap<Element, ResizeObserver>} */
const watched = new WeakMap();

/** From here on a page is wide, where text has the usual size: as in css/table/sizes.css. */
const WIDE = 800;
/** And tall, so that several rows of words stand below the table. */
const TALL = 600;

/** What of the page's size decides how things are drawn. */
function pageSize() {
  const text = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  return { text, wide: window.innerWidth / text >= WIDE, tall: window.innerHeight / text >= TALL };
}

/** @param {Element} element @returns {import("./types.d.ts").Model["felt"]} */
function measured(element) {
  // What makes the page scroll is no room.
  const beyond = Math.max(0, document.documentElement.scrollHeight - window.innerHeight);
  return { ...pageSize(), width: element.clientWidth, height: element.clientHeight - beyond, scrolls: beyond > 0 };
}

/** Margins and borders of the felt on a phone (css/table/board.css), pixels. */
const AROUND_FELT = 18;

/** What a felt will measure, before there is one: as wide as the page, and its height is not known. @returns {import("./types.d.ts").Model["felt"]} */
export function foreseen() {
  return { ...pageSize(), width: window.innerWidth - AROUND_FELT, height: 0, scrolls: false };
}

/**
 * The table as one looks down at it.
 * @param {Scene} scene
 * @param {(size: Scene["size"]) => void} resized
 * @param {import("./dom.js").VNode | null} [instead] what lies in the middle instead: a result
 * @param {(() => void) | null} [readSigns] what shows all signs in words, where they stand in short
 * @param {import("./dom.js").VNode | null} [over] what is shown over all of it: a scene
 */
export function felt(scene, resized, instead = null, readSigns = null, over = null) {
  // The seats go by the room there is: draw again when that changes.
  /** @param {Element} element */
  const watch = (element) => {
    if (watched.has(element)) return;
    const observer = new ResizeObserver(() => resized(measured(element)));
    watched.set(element, observer);
    observer.observe(element);
  };
  return h(
    "section",
    { key: "felt", class: `felt${scene.table?.inverted ? " inverted" : ""}${scene.great ? " great" : ""}`, "aria-label": t("felt.label") },
    h(
      "div",
      { key: "arena", class: "arena", ref: watch },
      scene.bare
        ? null
        : [
            seats(scene),
            way(scene),
            // What lies there instead is another thing in another place.
            h("div", { key: instead ? "instead" : "middle", class: "middle" }, instead ?? middle(scene)),
          ],
    ),
    signs(scene, readSigns),
    over,
  );
}
