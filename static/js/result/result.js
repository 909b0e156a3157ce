// @ts-check
// The result of a hand: places, titles, points, and the buttons for the next step.

import { textWithSpokenCards } from "../a11y/spoken_cards.js";
import { centre, measureBox } from "../animation/overlay.js";
import { areScenesOn } from "../animation/scene_setting.js";
import { avatar, faceOf, wornAt } from "../ui/avatar.js";
import { faceUpCard } from "../ui/card_faces.js";
import { button, h } from "../lib/virtual_dom.js";
import { formatNames, formatValue, t, formatList, joinSentences } from "../lib/messages.js";
import { rematchButtons } from "../table/proposals.js";
import { pointsButton, reasonsRow } from "./point_reasons.js";
import { stakeWorthText } from "../rules/stake.js";
import { hostAwayNotice } from "../table/waiting.js";
import { placements } from "../model/state.js";
import { titleShown, titleName } from "../events/labels.js";
import { resultHeading } from "../events/outcome.js";
import { eventSentence } from "../events/sentences.js";

/** @import { Desk, GameEvent, HandEnd, Table, Tally } from "../types.d.ts" */

/** @type {WeakSet<Element>} */
const alreadyScrolled = new WeakSet();

/** Scroll your own row into view, but only once, so that you can scroll away. @param {Element} row */
function scrollIntoViewOnce(row) {
  const box = row.closest(".result-scroll");
  if (box === null || alreadyScrolled.has(row)) return;
  alreadyScrolled.add(row);
  requestAnimationFrame(() => {
    const hidden = row.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom;
    if (hidden > 0) box.scrollTop += hidden + box.clientHeight / 3;
  });
}

/** @type {WeakSet<Element>} */
const alreadyMoved = new WeakSet();

/** Let each bird glide from its place in the last hand, where another bird stands now. @param {Element} table */
function glideOnce(table) {
  if (alreadyMoved.has(table)) return;
  alreadyMoved.add(table);
  requestAnimationFrame(() => {
    const birds = /** @type {HTMLElement[]} */ ([...table.querySelectorAll("[data-who] .avatar")]);
    const boxes = birds.map(measureBox);
    for (const [i, bird] of birds.entries()) {
      const was = Number(bird.closest("tr")?.dataset.was);
      const [from, to] = [boxes[was - 1], boxes[i]];
      if (!from || !to || to.width === 0) continue;
      bird.style.setProperty("--from-x", `${centre(from).x - centre(to).x}px`);
      bird.style.setProperty("--from-y", `${centre(from).y - centre(to).y}px`);
      bird.style.setProperty("--from-size", `${from.width / to.width}`);
    }
  });
}

/** Up to this number of players stand side by side on a wide page. */
const MOST_COLUMNS = 8;

/** Draw a number instead of coins if there are more than this. */
const MOST_COINS = 5;

/** @param {Tally} tally @param {string} name */
function lossOrder(tally, name) {
  return tally.lost.includes(name) ? 1 : 0;
}

/** Draw a player's lives as coins. Lost coins are hollow, and a coin lost in this hand is red. @param {Tally} tally @param {string} name */
export function livesCell({ each, icon, most, lost }, name) {
  const left = each[name];
  if (left === undefined) return h("td", null);
  const now = lost.includes(name);
  const coins =
    most > MOST_COINS
      ? [h("b", { key: "count" }, left), h("i", { key: "coin", class: icon })]
      : Array.from({ length: most }, (_, i) =>
          h("i", {
            key: String(i),
            "data-life": i < left ? "left" : now && i === left ? "lost" : "gone",
            class: `${icon}${i < left ? "" : now && i === left ? " lost" : " gone"}`,
          }),
        );
  return h(
    "td",
    { class: "num" },
    h("span", { class: "sr-only" }, formatList([String(left), now ? t("result.one_less") : ""])),
    h("span", { "data-zone": "counter", class: "coins", "aria-hidden": "true" }, coins),
  );
}

/**
 * A player's place in the hand, and their place in this list (`stands`).
 * @typedef {{ place: number, name: string, stands: number }} ResultRow
 */

/**
 * Return a row for each player in order of the list. Players without a place come first.
 * @param {Pick<Table, "seats" | "tally" | "winners">} table
 * @param {Pick<HandEnd, "standing" | "totals">} last
 * @param {boolean} over whether the match is over; a match won by points is then ordered by points
 * @returns {ResultRow[]}
 */
export function buildRows({ seats, tally, winners }, last, over) {
  // If only some players have places, these are the last places.
  const order = placements(last.standing, seats.length);
  const listed = new Set(order.map(({ name }) => name));
  const rows = [...seats.filter((name) => !listed.has(name)).map((name) => ({ place: 0, name })), ...order].map(
    (each) => ({
      ...each,
      stands: each.place,
    }),
  );
  // If the game counts something other than points, such as lives, losers of this hand come last while the game goes on.
  if (tally !== null && !tally.points && order.length < seats.length)
    rows.sort((a, b) => lossOrder(tally, a.name) - lossOrder(tally, b.name));
  // If all have the same points, the last hand decides.
  return over && winners.length < seats.length && areWinnersTopScorers(winners, last.totals)
    ? rankByPoints(rows, last.totals)
    : rows;
}

/** Tell whether the winners are exactly the players with the most points. @param {string[]} winners @param {HandEnd["totals"]} totals */
function areWinnersTopScorers(winners, totals) {
  const most = Math.max(...Object.values(totals));
  const top = Object.keys(totals).filter((name) => totals[name] === most);
  return top.length === winners.length && winners.every((name) => top.includes(name));
}

/** @param {ResultRow[]} rows @param {HandEnd["totals"]} totals @returns {ResultRow[]} rows with equal points share a place */
function rankByPoints(rows, totals) {
  const of = (/** @type {ResultRow} */ { name }) => totals[name] ?? -Infinity;
  const better = (/** @type {ResultRow} */ row) => rows.filter((other) => of(other) > of(row)).length;
  return rows.map((row) => ({ ...row, stands: better(row) + 1 })).sort((a, b) => a.stands - b.stands);
}

/** Tell whether to show points: some are not zero, and the game counts points. @param {Table} table @param {HandEnd} last */
export function showsPoints({ tally }, { ledger, totals }) {
  const some = [...Object.values(ledger), ...Object.values(totals)].some((n) => n !== 0);
  return some && (tally === null || tally.points);
}

/**
 * Tell whether the seats change and then follow the list, clockwise. Lists that begin at another player of the same
 * circle leave everybody in place.
 * @param {string[]} seats @param {string[]} next @param {{ name: string }[]} rows
 */
export function seatsWillFollow(seats, next, rows) {
  const turned = next.indexOf(seats[0] ?? "");
  const change = next.some((_, i) => next[(turned + i) % next.length] !== seats[i]);
  return change && next.every((name, i) => name === rows[i]?.name);
}

/** @param {Desk} desk */
export function resultView(desk) {
  const { table } = desk.update;
  const last = table?.last;
  if (!table || !last) return null;
  const rows = buildRows(table, last, false);
  return h(
    "div",
    {
      key: `result${table.number}`,
      "data-zone": "result",
      "data-scene": areScenesOn() ? "moves" : "still",
      class: "panel result",
    },
    h("h2", null, textWithSpokenCards(resultHeading(table, table.over))),
    // Show the special event of the end here, because the line under the cloth has no space.
    desk.model.great ? h("p", { key: "great", class: "great-words" }, joinSentences(desk.model.latest)) : null,
    h(
      "div",
      { class: "result-scroll", tabindex: "0", role: "group", "aria-label": t("result.label") },
      standingTable(desk, table, last, rows),
      nextHand(desk, table, last, rows),
    ),
  );
}

/** Draw the players in their order, with their points. @param {Desk} desk @param {Table} table @param {HandEnd} last @param {ResultRow[]} rows */
export function standingTable(desk, table, last, rows) {
  const { stake } = desk.update.room;
  const points = showsPoints(table, last);
  return [
    points && stake
      ? h("p", { key: "stake", class: "quiet played-for" }, t("stake.point", { worth: stakeWorthText(stake, 1) }))
      : null,
    h(
      "table",
      {
        key: "standing",
        "data-zone": "standing",
        ref: glideOnce,
        // As long as players have no places, nobody stands on a stair above others.
        class: [
          "standing",
          rows.some(({ place }) => place === 0) ? "level" : "",
          rows.length > MOST_COLUMNS ? "" : "columns",
        ].join(" "),
        style: { "--n": rows.length, "--half": Math.ceil(rows.length / 2) },
      },
      tableHead(table.tally, points),
      h(
        "tbody",
        null,
        rows.flatMap((placed, i) => [
          resultRow(desk, table, last, rows, placed, i, points),
          points ? reasonsRow(desk, placed.name, table.tally ? 5 : 4) : null,
        ]),
      ),
    ),
  ];
}

/** Draw what the next hand begins with, and that seats change. @param {Desk} desk @param {Table} table @param {HandEnd} last @param {ResultRow[]} rows */
function nextHand({ update }, { seats }, { next_hand, next_seats }, rows) {
  const said = next_hand.map((event) => eventSentence(/** @type {GameEvent} */ (event), update.you.name));
  return [
    said.length > 0
      ? h("p", { key: "next", class: "seat-order" }, h("b", null, t("result.next")), " ", joinSentences(said))
      : null,
    seatsWillFollow(seats, next_seats, rows)
      ? h("p", { key: "order", "data-zone": "seat-order", class: "quiet seat-order" }, t("result.seats"))
      : null,
  ];
}

/** @param {Tally | null} tally @param {boolean} points */
function tableHead(tally, points) {
  return h(
    "thead",
    null,
    h(
      "tr",
      null,
      h("th", { scope: "col" }, h("span", { class: "sr-only" }, t("result.place"))),
      h("th", { scope: "col" }, t("result.who")),
      tally ? h("th", { scope: "col", class: "num" }, formatValue(tally.name)) : null,
      points
        ? [
            h("th", { scope: "col", class: "num" }, t("result.points")),
            h("th", { scope: "col", class: "num" }, t("result.total")),
          ]
        : null,
    ),
  );
}

/** Draw the row of a player. @param {Desk} desk @param {Table} table @param {HandEnd} last @param {ResultRow[]} rows @param {ResultRow} placed @param {number} i the row's index: its step in the list @param {boolean} points */
function resultRow(desk, table, last, rows, { place, name, stands }, i, points) {
  const { room, you } = desk.update;
  const { tally } = table;
  // After a match only the places count. Titles of its last hand would contradict them.
  const over = room.phase === "finished";
  // Keep the last row in view in a long list.
  const bottom = name === rows.at(-1)?.name;
  const brought = last.ledger[name];
  const card = table.players[name]?.table_card;
  return h(
    "tr",
    {
      key: name,
      "data-who": name,
      "data-was": placeBefore(desk, table, name),
      "aria-current": name === you.name ? "true" : undefined,
      class: [name === you.name ? "self" : "", bottom ? "bottom" : "", stands === 1 && i === 0 ? "king" : ""].join(" "),
      style: { "--i": i },
      ref: name === you.name ? scrollIntoViewOnce : undefined,
    },
    h(
      "td",
      { class: "place" },
      stands > 0 ? stands : "",
      tally === null ? placeChange(desk, table, name, place) : null,
    ),
    h(
      "th",
      { scope: "row" },
      h(
        "span",
        { class: "who" },
        avatar({
          ...faceOf(room, name),
          worn: stands === 1 ? "crown" : tally === null ? wornAt(over ? stands : place, rows.length) : null,
          size: "small",
        }),
        h(
          "span",
          { class: "who-text" },
          h("span", { "data-zone": "name", class: "name", translate: "no" }, name),
          over ? null : h("span", { "data-zone": "about", class: "what" }, titleShown(titleName(last.titles[name]))),
        ),
        card ? faceUpCard(card, "small") : null,
      ),
    ),
    tally ? livesCell(tally, name) : null,
    points
      ? [
          h(
            "td",
            { class: `num${(brought ?? 0) < 0 ? " bad" : ""}` },
            brought === undefined ? "" : pointsButton(desk, name, brought),
          ),
          h("td", { class: "num" }, formatValue(last.totals[name] ?? "")),
        ]
      : null,
  );
}

/** Return the place of a player in the previous hand, if they had one. @param {Desk} desk @param {Table} table @param {string} name */
function placeBefore({ update }, { seats }, name) {
  const before = placements(update.room.hands.at(-2)?.standing ?? [], seats.length);
  return before.find((each) => each.name === name)?.place;
}

/** Draw the change of place since the previous hand. @param {Desk} desk @param {Table} table @param {string} name @param {number} place */
function placeChange(desk, table, name, place) {
  const was = placeBefore(desk, table, name);
  const up = was && place ? was - place : 0;
  if (up === 0) return null;
  return h(
    "span",
    { class: up > 0 ? "up" : "down" },
    h("span", { "aria-hidden": "true" }, `${up > 0 ? "▲" : "▼"}${Math.abs(up)}`),
    h("span", { class: "sr-only" }, t(up > 0 ? "result.up" : "result.down", { count: Math.abs(up) })),
  );
}

/** Draw the buttons and texts that lead to the next hand or match. @param {Desk} desk */
export function nextStepControls(desk) {
  const { room, you } = desk.update;
  if (room.phase === "between_hands") {
    const soon = (room.anyone_may_deal_at ?? 0) > Date.now() + desk.model.offset;
    const host = room.people.find((person) => person.name === room.host);
    const left = room.people.filter(
      (person) => person.role === "waiting" && !room.seat_plan.joining.includes(person.name),
    );
    const may = you.host || (you.role === "seated" && (!soon || host?.present !== true));
    return [
      room.next_deal_at ? h("span", { key: "count", class: "countdown", "data-until": room.next_deal_at }) : null,
      room.start_blocked
        ? h("p", { key: "why", "data-zone": "question", class: "ask" }, formatValue(room.start_blocked))
        : null,
      you.host && left.length > 0
        ? h(
            "p",
            { key: "full", "data-zone": "question", class: "ask" },
            t("full.host", { names: formatNames(left.map((person) => person.name)), count: left.length }),
          )
        : null,
      !may && you.role === "seated"
        ? h("p", {
            key: "wait",
            class: "ask quiet",
            "data-until": room.anyone_may_deal_at,
            "data-key": "next.wait",
            "data-name": room.host,
          })
        : null,
      may ? null : hostAwayNotice(room),
      may
        ? button(
            { key: "next", class: "button main", "data-ask": "deal_next", onclick: () => desk.ask({ t: "deal_next" }) },
            t("next.deal"),
          )
        : null,
    ];
  }
  if (room.phase === "finished") {
    return [you.host ? null : hostAwayNotice(room), ...rematchButtons(desk)];
  }
  return [];
}
