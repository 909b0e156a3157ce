// @ts-check
// Tells what a page missed while it had no connection. The server sends no events for that time.

import { joinSentences, t } from "../lib/messages.js";
import { sameRules, turnText } from "../model/state.js";

/** @import { Model, Update } from "../types.d.ts" */

/** Return the number of finished hands of the match; 0 in the waiting room. @param {Update} update */
function finishedHands({ room, table }) {
  if (table === null || room.phase === "lobby") return 0;
  return table.number - (room.phase === "playing" ? 1 : 0);
}

/** Return the reader's own entry in the list of people. @param {Update} update */
function ownEntry({ room, you }) {
  return room.people.find(({ name }) => name === you.name);
}

/**
 * Return a few sentences about what changed: rules, start of the match, hands, a bot in the own seat, and the turn.
 * @param {Update} before
 * @param {Update} now
 */
function missedLines(before, now) {
  const started = now.room.phase !== "lobby" && now.room.match_id !== before.room.match_id;
  const hands = finishedHands(now) - (started ? 0 : finishedHands(before));
  const [was, me] = [ownEntry(before), ownEntry(now)];
  const helped = Boolean(me?.stand_in) || (me?.missed_turns ?? 0) > (was?.missed_turns ?? 0);
  const lines = [
    before.room.phase === "lobby" && !now.you.host && !sameRules(before.room, now.room) ? t("missed.rules") : "",
    started ? t("missed.start") : "",
    now.room.phase === "playing" && hands > 0 ? t("missed.hands", { count: hands }) : "",
    helped && !was?.stand_in ? t("missed.bot") : "",
  ].filter(Boolean);
  const turn = turnText(now);
  return turn !== "" && (lines.length > 0 || turn !== turnText(before)) ? [...lines, turn] : lines;
}

/**
 * Tell what changed, in the log, below the table and for screen readers.
 * @param {{ model: () => Model, set: (change: Partial<Model>) => void, say: (text: string) => void }} page
 * @param {Update} before
 * @param {Update} update
 */
export function tellMissed({ model, set, say }, before, update) {
  const latest = missedLines(before, update);
  if (latest.length === 0) return;
  const { log } = model();
  const [id, hand] = [(log.at(-1)?.id ?? 0) + 1, update.table?.number ?? 0];
  set({ latest, great: false, log: [...log, ...latest.map((text, n) => ({ text, kind: "plain", hand, id: id + n }))] });
  say(joinSentences(latest));
}
