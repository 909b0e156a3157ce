// @ts-check
// Pure: what has happened, as it is told: in the log, under the table, and to those who don't see it. Nobody waits for
// that to see their cards, so neither code nor words of it are there at a first look.

import { spokenCardNames } from "../model/card_names.js";
import { formatNames, t } from "../lib/messages.js";
import { eventSentence, eventTone } from "./sentences.js";
import { placements } from "../model/state.js";
import { outcomeText } from "./labels.js";

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").GameEvent} GameEvent */

const LONGEST_LOG = 250;

/** The model when all that it has kept to be told is told. @param {Model} model @returns {Model} */
export function withNewLogLines(model) {
  const { update, untold } = model;
  if (update === null || untold.length === 0) return model;
  let id = model.log.at(-1)?.id ?? 0;
  const lines = untold
    .map(({ event, hand, news }) => ({
      text: eventSentence(event, update.you.name),
      kind: eventTone(event, update.tones),
      way: transferText(event, update),
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
    latest: lines.length > 0 ? summarizeLines(great.length > 0 ? great : lines) : model.latest,
    great: lines.length > 0 ? great.length > 0 : model.great,
  };
}

/** How many of others' gifts are told one by one below the table: more would not find room. */
const MAX_SEPARATE_GIFTS = 1;

/** From whom to whom cards have gone between two others; empty for whatever else happens. @param {GameEvent} event @param {Update} update */
function transferText({ e, by, to }, { motions, you }) {
  const [way, ...more] = motions[e]?.ways ?? [];
  const handed = way?.[0] === "by" && way[1] === "to" && more.length === 0;
  return handed && by !== undefined && typeof to === "string" && by !== you.name && to !== you.name
    ? t("told.way", { by, to })
    : "";
}

/** What is read below the table: gifts of several others as one line, which stands beside what one gave or got. @param {{ text: string, way: string }[]} lines */
function summarizeLines(lines) {
  const ways = lines.map(({ way }) => way).filter(Boolean);
  const each = lines.map(({ text }) => text);
  if (ways.length <= MAX_SEPARATE_GIFTS || each.length <= 2) return each;
  return [
    [
      ...lines.filter(({ way }) => way === "").map(({ text }) => text),
      t("told.ways", { ways: formatNames(ways) }),
    ].join(" "),
  ];
}

/** What an update tells, as one text. @param {Update} update */
export function spokenEvents({ events, you }) {
  return events
    .map((event) => eventSentence(event, you.name, spokenCardNames))
    .filter(Boolean)
    .join(" ");
}

/** That a hand has come to its end, and in which order; empty where it has not just now. @param {Update | null} before @param {Update} update */
export function handEndText(before, { room, table }) {
  if (before?.room.phase !== "playing" || room.phase === "playing" || !table?.last) return "";
  // A match that is stopped in mid-hand has the last hand's end still.
  if (before.table?.last === table.last) return "";
  const order = placements(table.last.standing, table.seats.length).map(({ name }) => name);
  const what = outcomeText(table, room.phase === "finished" || table.over);
  const over = /\p{Sentence_Terminal}$/u.test(what) ? what : t("hear.over", { what });
  return order.length > 0 ? `${over} ${t("hear.order", { names: formatNames(order) })}` : over;
}
