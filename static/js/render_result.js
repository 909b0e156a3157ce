// @ts-check
// The end of a hand: who finished where, who became what, what it brought; and how it goes on.

import { birdOf, head, hueOf } from "./birds.js";
import { lying } from "./cards.js";
import { button, h } from "./dom.js";
import { list, shown, t } from "./messages.js";
import { hostAway } from "./render_waits.js";
import { places } from "./state.js";
import { titleName } from "./words.js";

/** @typedef {import("./types.d.ts").Desk} Desk */

/** A number with its sign. @param {number} n */
export function signed(n) {
  return n > 0 ? `+${n}` : shown(n);
}

/** @type {WeakSet<Element>} */
const broughtIntoView = new WeakSet();

/** One's own row is seen without scrolling, once: then people scroll as they like. @param {Element} row */
function intoView(row) {
  const box = row.closest(".result-scroll");
  if (box === null || broughtIntoView.has(row)) return;
  broughtIntoView.add(row);
  const hidden = row.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom;
  if (hidden > 0) box.scrollTop += hidden + box.clientHeight / 3;
}

/** @typedef {import("./types.d.ts").Tally} Tally */

/** More than so many are told by a number. */
const MOST_COINS = 5;

/** @param {Tally} tally @param {string} name */
function lostFirst(tally, name) {
  return tally.lost.includes(name) ? 0 : 1;
}

/** How many somebody has left, as coins: those that are gone are hollow, and the last of them red if it went now. @param {Tally} tally @param {string} name */
function counted({ each, icon, most, lost }, name) {
  const left = each[name];
  if (left === undefined) return h("td", null);
  const now = lost.includes(name);
  const coins =
    most > MOST_COINS
      ? [h("b", { key: "count" }, left), h("i", { key: "coin", class: icon })]
      : Array.from({ length: most }, (_, i) =>
          h("i", { key: String(i), class: `${icon}${i < left ? "" : now && i === left ? " lost" : " gone"}` }),
        );
  return h(
    "td",
    { class: "num" },
    h("span", { class: "sr-only" }, [left, now ? t("result.one_less") : ""].filter((text) => text !== "").join(", ")),
    h("span", { class: "coins", "aria-hidden": "true" }, coins),
  );
}

/** @param {Desk} desk */
export function result(desk) {
  const { room, table, you } = desk.update;
  const last = table?.last;
  if (!table || !last) return null;
  const names = room.people.map((person) => person.name);
  const over = room.phase === "finished" || table.over;
  // Where not all have places yet, theirs are the last ones.
  const order = places(last.standing, table.seats.length);
  const before = places(room.hands.at(-2)?.standing ?? [], table.seats.length);
  const listed = new Set(order.map(({ name }) => name));
  const rows = [...table.seats.filter((name) => !listed.has(name)).map((name) => ({ place: 0, name })), ...order];
  const { tally } = table;
  // What a game counts besides points comes first; points are for the hand that brings some, not for stakes.
  if (tally !== null && !tally.points) rows.sort((a, b) => lostFirst(tally, a.name) - lostFirst(tally, b.name));
  // Whoever came last stays in sight, however many there are; where something else is counted, the losers stand on top.
  const bottom = tally === null ? rows.at(-1)?.name : undefined;
  const some = Object.values(last.ledger).some((n) => n !== 0) || Object.values(last.totals).some((n) => n !== 0);
  const points = some && (tally === null || tally.points);
  return h(
    "div",
    { key: `result${table.number}`, class: "panel result" },
    h(
      "h2",
      null,
      over && table.winners.length > 0
        ? t("result.match", { names: list(table.winners), count: table.winners.length })
        : tally?.told ? shown(tally.told) : t("result.title", { number: table.number }),
    ),
    h(
      "div",
      { class: "result-scroll", tabindex: "0", role: "group", "aria-label": t("result.label") },
      h(
        "table",
        { class: "standing" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", { scope: "col" }, h("span", { class: "sr-only" }, t("result.place"))),
            h("th", { scope: "col" }, t("result.who")),
            tally ? h("th", { scope: "col", class: "num" }, shown(tally.name)) : null,
            points
              ? [
                  h("th", { scope: "col", class: "num" }, t("result.points")),
                  h("th", { scope: "col", class: "num" }, t("result.total")),
                ]
              : null,
          ),
        ),
        h(
          "tbody",
          null,
          rows.map(({ place, name }) => {
            const was = before.find((each) => each.name === name)?.place;
            const moved = was && place ? was - place : 0;
            const card = table.players[name]?.lies;
            return h(
              "tr",
              {
                key: name,
                class: [name === you.name ? "self" : "", name === bottom ? "bottom" : ""].filter(Boolean).join(" "),
                ref: name === you.name ? intoView : undefined,
              },
              h("td", { class: "place" }, place > 0 ? place : ""),
              h(
                "th",
                { scope: "row" },
                h(
                  "span",
                  { class: "who" },
                  h(
                    "span",
                    { class: "avatar small", "data-hue": hueOf(names, name) },
                    head(birdOf(tally === null ? place : null, rows.length)),
                  ),
                  h(
                    "span",
                    { class: "who-text" },
                    h("span", { class: "name" }, name),
                    h("span", { class: "what" }, titleName(last.titles[name])),
                  ),
                  card ? lying(card, "small") : null,
                  moved === 0 || tally !== null
                    ? null
                    : h(
                        "span",
                        { class: moved > 0 ? "up" : "down" },
                        h("span", { "aria-hidden": "true" }, moved > 0 ? "▲" : "▼"),
                        h(
                          "span",
                          { class: "sr-only" },
                          t(moved > 0 ? "result.up" : "result.down", { count: Math.abs(moved) }),
                        ),
                      ),
                ),
              ),
              tally ? counted(tally, name) : null,
              points
                ? [
                    h(
                      "td",
                      { class: `num${(last.ledger[name] ?? 0) < 0 ? " bad" : ""}` },
                      name in last.ledger ? signed(last.ledger[name] ?? 0) : "",
                    ),
                    h("td", { class: "num" }, shown(last.totals[name] ?? "")),
                  ]
                : null,
            );
          }),
        ),
      ),
    ),
  );
}

/** How it goes on after a hand: buttons for the bar below. @param {Desk} desk */
export function onward(desk) {
  const { room, you } = desk.update;
  if (room.phase === "pause") {
    const soon = (room.next_open_at ?? 0) > Date.now() + desk.model.offset;
    const host = room.people.find((person) => person.name === room.host);
    const left = room.people.filter((person) => person.role === "waiting" && !room.chairs.coming.includes(person.name));
    const may = you.host || (you.role === "seated" && (!soon || host?.present !== true));
    return [
      room.next_at ? h("span", { key: "count", class: "countdown", "data-until": room.next_at }) : null,
      room.why_not ? h("p", { key: "why", class: "ask" }, room.why_not) : null,
      you.host && left.length > 0
        ? h(
            "p",
            { key: "full", class: "ask" },
            t("full.host", { names: list(left.map((person) => person.name)), count: left.length }),
          )
        : null,
      !may && you.role === "seated"
        ? h("p", {
            key: "wait",
            class: "ask quiet",
            "data-until": room.next_open_at,
            "data-key": "next.wait",
            "data-name": room.host,
          })
        : null,
      may ? null : hostAway(room),
      may
        ? button(
            { key: "next", class: "button main", onclick: () => desk.ask({ t: "next" }) },
            t("next.deal"),
          )
        : null,
    ];
  }
  if (room.phase === "finished") {
    return [
      room.match_id
        ? h("a", { key: "history", class: "button", href: `/matches/${room.match_id}` }, t("finished.history"))
        : null,
      you.host
        ? button(
            { key: "rematch", class: "button main", onclick: () => desk.ask({ t: "rematch" }) },
            t("finished.rematch"),
          )
        : (hostAway(room) ?? h("span", { key: "wait", class: "quiet" }, t("finished.wait", { host: room.host ?? "" }))),
    ];
  }
  return [];
}
