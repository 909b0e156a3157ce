// @ts-check
// The table: bar, seats around, what lies in the middle, what was said. Drawn whole from the model, at any time.

import { birdOf, head, hueOf } from "./birds.js";
import { back, cardsText, lying, rankName, row } from "./cards.js";
import { h } from "./dom.js";
import { list, t } from "./messages.js";
import { result } from "./render_result.js";
import { around, myTurn, turnWords } from "./state.js";
import { callName, kindName, standsFor } from "./words.js";

/** @typedef {import("./dom.js").VNode} VNode */
/** @typedef {import("./types.d.ts").Desk} Desk */
/** @typedef {import("./types.d.ts").Update} Update */
/** @typedef {import("./types.d.ts").Table} Table */
/** @typedef {import("./types.d.ts").Room} Room */
/** @typedef {import("./types.d.ts").Play} Play */

const MOST_AROUND = 9;
/** More others than this sit in rows on a narrow screen, where a ring has no room for them. */

/**
 * Where the others sit, from my left round to my right, in percent of the felt.
 * @param {number} count
 * @param {boolean} wide
 * @returns {{ x: number, y: number }[]}
 */
export function spots(count, wide) {
  const side = wide
    ? count < 3
      ? 0
      : count < 7
        ? 1
        : count < 10
          ? 2
          : count < 13
            ? 3
            : count < 16
              ? 4
              : 5
    : count < 3
      ? 0
      : count < 6
        ? 1
        : count < 8
          ? 2
          : 3;
  const top = count - 2 * side;
  const edge = wide ? 8 : 12.5;
  const [lowest, highest] = wide ? (side > 3 ? [88, 25] : [76, 36]) : [80, 32];
  /** @param {number} i from the bottom */
  const height = (i) =>
    side === 1
      ? wide
        ? 50
        : 46
      : side === 2 && !wide
        ? ([72, 42][i] ?? 50)
        : lowest - ((lowest - highest) * i) / (side - 1);
  const left = Array.from({ length: side }, (_, i) => ({ x: edge, y: height(i) }));
  const right = left.map(({ y }) => ({ x: 100 - edge, y })).reverse();
  const inset = wide ? (side === 0 ? 30 : side > 2 ? 18 : 20) : count === 2 ? 26 : top > 3 ? 13 : top === 3 ? 17 : 30;
  const across = Array.from({ length: top }, (_, i) => ({
    x: top === 1 ? 50 : inset + ((100 - 2 * inset) * i) / (top - 1),
    y: wide ? 12 : 10,
  }));
  return [...left, ...across, ...right];
}

/** The clock of a seat; the page's ticker moves it. @param {number | undefined} deadline @param {number | null} total seconds */
function ring(deadline, total) {
  if (deadline === undefined || !total) return null;
  return h(
    "svg",
    {
      key: `ring${deadline}`,
      class: "ring",
      viewBox: "0 0 40 40",
      "aria-hidden": "true",
      "data-deadline": deadline,
      "data-total": total * 1000,
    },
    h("circle", { class: "ring-back", cx: 20, cy: 20, r: 18.5 }),
    h("circle", { class: "ring-left", cx: 20, cy: 20, r: 18.5, pathLength: 100 }),
  );
}

/**
 * The bird of somebody at the table, with the clock around it.
 * @param {Room} room
 * @param {Table | null} table
 * @param {string} name
 */
export function avatar(room, table, name) {
  const player = table?.players[name];
  const count = table?.seats.length ?? 0;
  return h(
    "span",
    {
      class: `avatar${table?.inverted ? " upside-down" : ""}`,
      "data-hue": hueOf(
        room.people.map((person) => person.name),
        name,
      ),
    },
    head(birdOf(player?.place, count)),
    ring(room.deadlines[name], room.clock.turn),
  );
}

/** The dimes of a player. @param {number} count */
function coins(count) {
  return h(
    "span",
    { class: "coins" },
    h("span", { class: "sr-only" }, t("seat.dimes", { count })),
    Array.from({ length: Math.min(count, 10) }, () => h("i", { class: "coin" })),
  );
}

/**
 * What there is to tell of a seat besides its name, in words and small marks.
 * @param {Update} update
 * @param {string} name
 */
function marks(update, name) {
  const { room, table } = update;
  const person = room.people.find((each) => each.name === name);
  const player = table?.players[name];
  const passed = table?.trick?.passed?.includes(name) || table?.trick?.barred?.includes(name);
  const place = table?.standing.flat().indexOf(name) ?? -1;
  const plays = table?.phase === "play" || table?.phase === "exchange";
  return {
    person,
    player,
    passed: plays && passed === true,
    out: plays && table?.dimes === undefined && place >= 0 ? place + 1 : null,
    dealer: table?.dealer === name,
    absent: person !== undefined && person.bot === null && !person.present,
    bot: person?.bot ?? person?.playing_for ?? null,
    lead: table?.trick?.plays.at(-1)?.by === name,
    left: table?.dimes !== undefined && table.playing !== undefined && !table.playing.includes(name),
  };
}

/** @param {Desk} desk @param {string} name @param {{ x: number, y: number }} narrow @param {{ x: number, y: number }} wide */
function seat({ update }, name, narrow, wide) {
  const { room, table } = update;
  const info = marks(update, name);
  const turn = table?.to_act.includes(name) === true && room.phase === "playing";
  const flags = [
    info.dealer
      ? h(
          "span",
          { class: "flag dealer", title: t("seat.dealer") },
          h("span", { "aria-hidden": "true" }, "D"),
          h("span", { class: "sr-only" }, t("seat.dealer")),
        )
      : null,
    info.bot
      ? h(
          "span",
          { class: "flag", title: t("seat.bot") },
          h("span", { "aria-hidden": "true" }, "⚙"),
          h("span", { class: "sr-only" }, t("seat.bot")),
        )
      : null,
  ];
  const word = info.absent
    ? t("seat.away")
    : info.out
      ? t("seat.out", { place: info.out })
      : info.left
        ? t("seat.left")
        : info.passed
          ? t("seat.passed")
          : (info.player?.title ?? "");
  const shown = table?.shown?.[name] ?? table?.revealed?.[name];
  const cards = info.player?.cards ?? 0;
  return h(
    "li",
    {
      key: name,
      class: `seat${turn ? " turn" : ""}${info.passed ? " passed" : ""}${info.out || info.left ? " out" : ""}${info.absent ? " absent" : ""}${info.lead ? " lead" : ""}`,
      style: { "--x": narrow.x, "--y": narrow.y, "--wx": wide.x, "--wy": wide.y },
      "aria-current": turn ? "true" : undefined,
    },
    h("span", { class: "perch" }, avatar(room, table, name), flags, cardCount(table, cards, info.out)),
    h("span", { class: "name" }, name),
    table?.dimes !== undefined ? coins(table.dimes[name] ?? 0) : h("span", { class: "what" }, word),
    table?.dimes !== undefined && shown
      ? lying(shown, "small", "shown")
      : table?.dimes !== undefined && cards > 0
        ? back("small")
        : null,
    turn ? h("span", { class: "sr-only" }, t("seat.turn")) : null,
  );
}

/** @param {Table | null} table @param {number} cards @param {number | null} out */
function cardCount(table, cards, out) {
  if (table?.dimes !== undefined || out || cards === 0) return null;
  return h(
    "span",
    { class: `count${cards > 0 && cards <= 3 ? " few" : ""}`, title: t("seat.cards", { count: cards }) },
    h("span", { "aria-hidden": "true" }, cards),
    h("span", { class: "sr-only" }, t("seat.cards", { count: cards })),
  );
}

/** @param {Desk} desk */
export function seats(desk) {
  const names = around(desk.update);
  const narrow = spots(names.length, false);
  const wide = spots(names.length, true);
  return h(
    "ol",
    {
      class: `seats${names.length > MOST_AROUND ? " many" : desk.update.table?.phase === "exchange" ? " in-rows" : ""}`,
      "aria-label": t("seats.label"),
      style: { "--others": names.length },
    },
    names.map((name, i) => seat(desk, name, narrow[i] ?? { x: 50, y: 10 }, wide[i] ?? { x: 50, y: 10 })),
  );
}

/** @param {Play} play @param {boolean} now @param {string | null} me @param {string} key */
export function playOf(play, now, me, key) {
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
    h("span", { class: "by" }, h("b", null, play.by), words.length > 0 ? ` · ${words.join(" · ")}` : ""),
  );
}

/** @param {Table} table @returns {Play[]} */
export function lastTrick(table) {
  const last = table.last_trick;
  return !last ? [] : Array.isArray(last) ? last : last.plays;
}

/** What lies on the table. @param {Desk} desk */
function trick({ update }) {
  const table = /** @type {Table} */ (update.table);
  const plays = table.trick?.plays ?? [];
  const me = update.you.name;
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
              last.slice(-1).map((play) => playOf(play, true, me, "last")),
            ),
          ]
        : h("div", { class: "nest", "aria-hidden": "true" }),
    );
  }
  const shown = plays.slice(-6);
  return h(
    "div",
    { key: "trick", class: "trick" },
    h(
      "ol",
      { class: "plays", "aria-label": t("trick.label") },
      shown.map((play, i) =>
        playOf(play, i === shown.length - 1, me, `${plays.length - shown.length + i}${play.by}${play.cards}`),
      ),
    ),
  );
}

/** Who gives whom, and what two of the middle or of a pair are up to. @param {Desk} desk */
function exchange({ update }) {
  const table = /** @type {Table} */ (update.table);
  const gifts = table.exchange?.gifts ?? [];
  const { trade, exposed } = table;
  const partner = update.you.partner;
  return h(
    "div",
    { key: "exchange", class: "panel exchange" },
    h("h2", null, t("exchange.title")),
    h(
      "ul",
      { class: "gifts" },
      gifts.map((gift) =>
        h(
          "li",
          { key: `${gift.from}>${gift.to}`, class: gift.done ? "done" : "" },
          h(
            "span",
            null,
            t(
              gift.which === "best"
                ? "exchange.gift.best"
                : gift.which === "worst"
                  ? "exchange.gift.worst"
                  : "exchange.gift",
              { from: gift.from, to: gift.to, count: gift.count },
            ),
          ),
          h(
            "span",
            { class: "state" },
            gift.done ? t("exchange.done") : gift.chosen ? t("exchange.chosen") : t("exchange.waits"),
          ),
        ),
      ),
      trade
        ? h("li", { key: "trade" }, t("exchange.trade", { one: trade.merchants[0], other: trade.merchants[1] }))
        : null,
      trade
        ? Object.entries(trade.claims).map(([by, claim]) =>
            h(
              "li",
              { key: `claim${by}` },
              h("span", null, t("exchange.claims", { by, claim: rankName(claim) })),
              trade.agreed.includes(by) ? h("span", { class: "state" }, t("exchange.agreed")) : null,
            ),
          )
        : null,
      (table.pairs ?? []).map((pair) =>
        h(
          "li",
          { key: pair.two.join("+") },
          h("span", null, list(pair.two)),
          h(
            "span",
            { class: "state" },
            pair.done.length === 2
              ? t("exchange.no_more")
              : Object.entries(pair.offers)
                  .map(([by, count]) => t("exchange.offer", { by, count }))
                  .join(", ") || t("exchange.waits"),
          ),
        ),
      ),
      exposed && Object.keys(exposed).length > 0
        ? h(
            "li",
            { key: "exposed" },
            t("exchange.exposed", { cards: Object.values(exposed).map(cardsText).join(", ") }),
          )
        : null,
    ),
    partner
      ? h(
          "div",
          { key: "partner", class: "partner" },
          h("p", { class: "quiet" }, t("exchange.partner", { name: partner.name })),
          h("p", null, cardsText(partner.cards)),
          partner.offer
            ? h(
                "p",
                null,
                t("exchange.offer", { by: partner.name, count: partner.offer.split(" ").length }),
                ": ",
                h("b", null, cardsText(partner.offer)),
              )
            : null,
        )
      : null,
  );
}

/** Chase the Ace has no trick: the stock, the pot, and after the deal everybody's card. @param {Desk} desk */
function chase({ update }) {
  const table = /** @type {Table} */ (update.table);
  return h(
    "div",
    { key: "chase", class: "chase" },
    h(
      "div",
      { class: "stock" },
      (table.stock ?? 0) > 0 ? back() : h("span", { class: "card gone" }),
      h("span", null, t("chase.stock", { count: table.stock ?? 0 })),
    ),
    h(
      "div",
      { class: "pot" },
      h(
        "span",
        { class: "pot-coins", "aria-hidden": "true" },
        h("i", { class: "coin" }),
        h("i", { class: "coin" }),
        h("i", { class: "coin" }),
      ),
      h("span", null, t("chase.pot", { count: table.pot ?? 0 })),
    ),
  );
}

/** Before the cards are dealt by hand. @param {Desk} desk */
function dealing({ update }) {
  const name = update.table?.to_act[0] ?? "";
  return h(
    "div",
    { key: "deal", class: "panel dealing" },
    h("div", { class: "pack", "aria-hidden": "true" }, back(), back(), back()),
    h("p", null, t("turn.deal", { name })),
  );
}

/** @param {Desk} desk */
function middle(desk) {
  const { room, table } = desk.update;
  if (table === null) return null;
  if (room.phase !== "playing" && table.last !== null) return result(desk);
  if (table.phase === "exchange") return exchange(desk);
  if (table.phase === "deal") return dealing(desk);
  if (table.dimes !== undefined) return chase(desk);
  return trick(desk);
}

/** What is out of the ordinary now. @param {Desk} desk */
function signs({ update }) {
  const table = update.table;
  if (table === null) return [];
  const called = table.trick?.plays.findLast((play) => play.call)?.call;
  /** @param {string} key @param {string} sign @param {string} text @param {string} [extra] */
  const mark = (key, sign, text, extra = "") =>
    h(
      "span",
      { key, class: `sign ${extra}`, title: text },
      h("span", { "aria-hidden": "true" }, sign),
      h("span", { class: "sign-text" }, text),
    );
  return [
    table.direction === -1 ? mark("direction", "↺", t("sign.reversed")) : null,
    table.inverted ? mark("inverted", "⇅", t("sign.inverted"), "hot") : null,
    called ? mark("call", "☞", t("play.called", { call: callName(called) }), "hot") : null,
    table.dimes === undefined && (table.stock ?? 0) > 0
      ? mark("stock", `▤ ${table.stock}`, t("sign.stock", { count: table.stock }))
      : null,
  ];
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
    h("h1", { class: "what-game" }, what),
    h("span", { class: "signs" }, signs(desk)),
    h(
      "span",
      { class: "tools" },
      table !== null
        ? h(
            "button",
            {
              class: "tool log-button",
              type: "button",
              "aria-expanded": model.sheet === "log",
              onclick: () => desk.set({ sheet: model.sheet === "log" ? null : "log" }),
            },
            icon("log"),
            h("span", { class: "tool-name" }, t("tool.log")),
          )
        : null,
      h(
        "button",
        {
          class: "tool",
          type: "button",
          "aria-expanded": model.sheet === "menu",
          onclick: () => desk.set({ sheet: model.sheet === "menu" ? null : "menu" }),
        },
        icon("menu"),
        h("span", { class: "tool-name" }, t("tool.menu")),
      ),
    ),
  );
}

/** @param {"log" | "menu" | "close"} name */
export function icon(name) {
  const d = { log: "M5 6h14M5 12h14M5 18h9", menu: "M4 7h16M4 12h16M4 17h16", close: "M6 6l12 12M18 6L6 18" }[name];
  return h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d }));
}

/** The line under the table: whose turn it is, and what just happened. @param {Desk} desk */
export function said({ model, update }) {
  const mine = myTurn(update);
  const latest = model.latest.slice(-2).join(" ");
  return h(
    "div",
    { key: "said", class: `said${mine ? " my-turn" : ""}` },
    h("p", { class: "turn-line" }, turnWords(update)),
    h("p", { class: "latest", title: latest }, latest),
  );
}

/** The log in words. @param {Desk} desk */
export function log({ model, update }) {
  const table = update.table;
  const last = table === null ? [] : lastTrick(table);
  return [
    table?.pile
      ? h(
          "section",
          { key: "pile", class: "last-trick" },
          h("h3", null, t("log.pile")),
          h("p", null, cardsText(table.pile)),
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
            last.map((play, i) => h("li", { key: String(i) }, h("b", null, play.by), " ", cardsText(play.cards))),
          ),
        )
      : null,
    h(
      "ol",
      { class: "log-lines", ref: stickToEnd, tabindex: "0", "aria-label": t("tool.log") },
      model.log.map((line, i) => [
        line.hand !== model.log[i - 1]?.hand && line.hand > 0
          ? h("li", { key: `h${line.hand}`, class: "log-hand" }, t("log.hand", { number: line.hand }))
          : null,
        h("li", { key: `l${line.id}`, class: `log-${line.kind}` }, line.text),
      ]),
    ),
  ];
}

/** @type {WeakMap<Element, number>} How many lines there were. */
const lengths = new WeakMap();

/** @param {Element} list */
function stickToEnd(list) {
  if (lengths.get(list) !== list.childElementCount) list.scrollTop = list.scrollHeight;
  lengths.set(list, list.childElementCount);
}

/** @param {Desk} desk */
export function felt(desk) {
  return h(
    "section",
    { key: "felt", class: "felt", "aria-label": t("felt.label") },
    seats(desk),
    h("div", { class: "middle" }, middle(desk)),
  );
}
