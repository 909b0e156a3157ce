// @ts-check
// Pure: what has happened, as it is told: in the log, under the table, and to those who don't see it. Nobody waits for
// that to see their cards, so neither code nor words of it are there at a first look.

import { cardsNamed } from "../model/card_names.js";
import { list, t } from "../lib/messages.js";
import { sentence, toneOf } from "./sentences.js";
import { places } from "../model/state.js";
import { outcome } from "./labels.js";

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").GameEvent} GameEvent */

const LONGEST_LOG = 250;

/** The model when all that it has kept to be told is told. @param {Model} model @returns {Model} */
export function told(model) {
  const { update, untold } = model;
  if (update === null || untold.length === 0) return model;
  let id = model.log.at(-1)?.id ?? 0;
  const lines = untold
    .map(({ event, hand, news }) => ({
      text: sentence(event, update.you.name),
      kind: toneOf(event, update.tones),
      way: handedOn(event, update),
      hand,
      news,
    }))
    .filter((line) => line.text !== "");
  const log = [...model.log, ...lines.map(({ text, kind, hand }) => ({ text, kind, hand, id: ++id }))];
  // What is great is read by itself: more would not find room beside it.
  const great = lines.filter((line) => line.news && line.kind === "great");
  return {
    ...model,
    untold: [],
    log: log.slice(-LONGEST_LOG),
    latest: lines.length > 0 ? inShort(great.length > 0 ? great : lines) : model.latest,
    great: lines.length > 0 ? great.length > 0 : model.great,
  };
}

/** How many of others' gifts are told one by one below the table: more would not find room. */
const ONE_BY_ONE = 1;

/** From whom to whom cards have gone between two others; empty for whatever else happens. @param {GameEvent} event @param {Update} update */
function handedOn({ e, by, to }, { motions, you }) {
  const [way, ...more] = motions[e]?.ways ?? [];
  const handed = way?.[0] === "by" && way[1] === "to" && more.length === 0;
  return handed && by !== undefined && typeof to === "string" && by !== you.name && to !== you.name
    ? t("told.way", { by, to })
    : "";
}

/** What is read below the table: gifts of several others as one line, which stands beside what one gave or got. @param {{ text: string, way: string }[]} lines */
function inShort(lines) {
  const ways = lines.map(({ way }) => way).filter(Boolean);
  const each = lines.map(({ text }) => text);
  if (ways.length <= ONE_BY_ONE || each.length <= 2) return each;
  return [
    [...lines.filter(({ way }) => way === "").map(({ text }) => text), t("told.ways", { ways: list(ways) })].join(" "),
  ];
}

/** What an update tells, as one text. @param {Update} update */
export function happened({ events, you }) {
  return events
    .map((event) => sentence(event, you.name, cardsNamed))
    .filter(Boolean)
    .join(" ");
}

/** That a hand has come to its end, and in which order; empty where it has not just now. @param {Update | null} before @param {Update} update */
export function ended(before, { room, table }) {
  if (before?.room.phase !== "playing" || room.phase === "playing" || !table?.last) return "";
  // A match that is stopped in mid-hand has the last hand's end still.
  if (before.table?.last === table.last) return "";
  const order = places(table.last.standing, table.seats.length).map(({ name }) => name);
  const what = outcome(table, room.phase === "finished" || table.over);
  const over = /\p{Sentence_Terminal}$/u.test(what) ? what : t("hear.over", { what });
  return order.length > 0 ? `${over} ${t("hear.order", { names: list(order) })}` : over;
}
