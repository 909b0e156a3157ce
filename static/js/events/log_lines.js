// @ts-check
// Pure: texts about events for the log, the line under the table, and screen readers. Code and texts load after the
// first view, since players can see their cards without them.

import { spokenCardNames } from "../model/card_names.js";
import { formatNames, t, joinSentences } from "../lib/messages.js";
import { eventSentence, eventTone } from "./sentences.js";
import { otherSeats, placements } from "../model/state.js";
import { outcomeText } from "./outcome.js";
import { hearEvent, isVoiceOn, lastCardRemarks, remarkText } from "./remarks.js";

/** @import { GameEvent, Model, Update } from "../types.d.ts" */

const LONGEST_LOG = 250;

/** The kind of a line that is a dry remark. Viewers can turn these lines off. */
export const VOICE = "voice";

/** @param {import("./remarks.js").Remark} remark @param {number} hand */
function voiceLine(remark, hand) {
  return { text: remarkText(remark, hand), kind: VOICE, way: "", hand, news: false };
}

/** Turn the model's pending events into log lines and the latest news; return the changed model. @param {Model} model @returns {Model} */
export function withNewLogLines(model) {
  const { update, untold } = model;
  if (update === null || untold.length === 0) return model;
  const animations = update.event_animations;
  let id = model.log.at(-1)?.id ?? 0;
  let heard = model.heard;
  const lines = untold
    .flatMap(({ event, hand, news }) => {
      // Remarks follow from all events of a hand, also while they are off.
      const { memory, remarks } = hearEvent(heard, event, hand, animations);
      heard = memory;
      const text = eventSentence(event, update.you.name);
      const line = {
        text,
        kind: eventTone(event, update.event_prominence),
        way: transferText(event, update),
        hand,
        news,
      };
      return [line, ...remarks.map((remark) => voiceLine(remark, hand))];
    })
    .filter((line) => line.text !== "");
  const told = lines.filter(({ kind }) => kind !== VOICE);
  const news = untold.filter((each) => each.news);
  for (const remark of lastCardRemarks(
    news.map(({ event }) => event),
    update.table,
    animations,
  ))
    lines.push(voiceLine(remark, news[0]?.hand ?? 0));
  if (!isVoiceOn()) lines.splice(0, lines.length, ...told);
  const log = [...model.log, ...lines.map(({ text, kind, hand }) => ({ text, kind, hand, id: ++id }))];
  // Show great events alone: other lines would not fit.
  const great = told.filter((line) => line.news && line.kind === "great");
  return {
    ...model,
    untold: [],
    heard,
    log: log.slice(-LONGEST_LOG),
    latest: told.length > 0 ? summarizeLines(great.length > 0 ? great : told) : model.latest,
    great: told.length > 0 ? great.length > 0 : model.great,
  };
}

/** List other players' gifts separately up to this number; more would not fit below the table. */
const MAX_SEPARATE_GIFTS = 1;

/** Return the giver and receiver of cards between two other players; "" for other events. @param {GameEvent} event @param {Update} update */
function transferText({ e, by, to }, { event_animations, you }) {
  const [way, ...more] = event_animations[e]?.paths ?? [];
  const handed = way?.[0] === "by" && way[1] === "to" && more.length === 0;
  return handed && by !== undefined && typeof to === "string" && by !== you.name && to !== you.name
    ? t("told.way", { by, to })
    : "";
}

/** Return the lines below the table. Merge gifts between other players into one line with the rest. @param {{ text: string, way: string }[]} lines */
function summarizeLines(lines) {
  const ways = lines.map(({ way }) => way).filter(Boolean);
  const each = lines.map(({ text }) => text);
  if (ways.length <= MAX_SEPARATE_GIFTS || each.length <= 2) return each;
  return [
    joinSentences([
      ...lines.filter(({ way }) => way === "").map(({ text }) => text),
      t("told.ways", { ways: formatNames(ways) }),
    ]),
  ];
}

/** Return the sentences of all events for screen readers, great events such as a revolution first. @param {Update} update */
export function spokenEvents({ events, you, event_prominence: prominence }) {
  const isGreat = (/** @type {GameEvent} */ event) => eventTone(event, prominence) === "great";
  const sorted = [...events.filter(isGreat), ...events.filter((event) => !isGreat(event))];
  return joinSentences(sorted.map((event) => eventSentence(event, you.name, spokenCardNames)));
}

/** Announce the other players who now hold their last card; "" for none, or if the game announces them. @param {Update | null} before @param {Update} update */
export function lastCardText(before, { events, table, you }) {
  if (before?.table?.number !== table?.number || table?.middle !== "trick") return "";
  const names = otherSeats({ table, me: you.name }).filter(
    (name) =>
      table.players[name]?.cards === 1 &&
      (before?.table?.players[name]?.cards ?? 0) > 1 &&
      !events.some(({ by, count }) => by === name && count === 1),
  );
  return names.length > 0 ? t("hear.last_card", { names: formatNames(names), count: names.length }) : "";
}

/** Announce the result and order of a hand that has just ended; "" in all other updates. @param {Update | null} before @param {Update} update */
export function handEndText(before, { room, table }) {
  if (before?.room.phase !== "playing" || room.phase === "playing" || !table?.last) return "";
  // If a match is stopped during a hand, `last` is still the result of the hand before.
  if (before.table?.last === table.last) return "";
  const order = placements(table.last.standing, table.seats.length).map(({ name }) => name);
  const what = outcomeText(table, room.phase === "finished" || table.over);
  const over = /\p{Sentence_Terminal}$/u.test(what) ? what : t("hear.over", { what });
  return joinSentences([over, order.length > 0 ? t("hear.order", { names: formatNames(order) }) : ""]);
}
