// @ts-check
// Pure: what has happened, as it is told: in the log, under the table, and to those who don't see it. Nobody waits for
// that to see their cards, so neither code nor words of it are there at a first look.

import { cardsNamed } from "./cards.js";
import { list, t } from "./messages.js";
import { sentence, toneOf } from "./sentences.js";
import { places } from "./state.js";
import { outcome } from "./words.js";

/** @typedef {import("./types.d.ts").Model} Model */
/** @typedef {import("./types.d.ts").Update} Update */

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
    latest: lines.length > 0 ? (great.length > 0 ? great : lines).map((line) => line.text) : model.latest,
    great: lines.length > 0 ? great.length > 0 : model.great,
  };
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
  const over = t("hear.over", { what: outcome(table, room.phase === "finished" || table.over) });
  return order.length > 0 ? `${over} ${t("hear.order", { names: list(order) })}` : over;
}
