// @ts-check
// Pure: the whole picture of a room, put together from updates. Each tells what this connection was not shown yet.

import { bare } from "../lib/null_prototype.js";

/** @typedef {import("../types.d.ts").Told} Told */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Table} Table */

/**
 * The newest picture, with what has just happened.
 * @param {Update | null} before what this connection was shown until now
 * @param {Told} told
 * @returns {Update}
 */
export function merged(before, { changed, ...told }) {
  const { actions = before?.actions ?? bare(), tones = before?.tones ?? bare() } = told;
  const { motions = before?.motions ?? bare(), named = before?.named } = told;
  return /** @type {Update} */ ({
    ...told,
    actions,
    tones,
    motions,
    named,
    room: told.room ?? over(before?.room, changed?.room),
    table: told.table === undefined ? tableOver(before?.table ?? null, changed?.table) : told.table,
    you: told.you ?? over(before?.you, changed?.you),
  });
}

/** The table with what has changed of it, player by player. @param {Table | null} table @param {Partial<Table>} [changed] */
function tableOver(table, changed) {
  return table && over(over(table, changed), { players: over(table.players, changed?.players) });
}

/**
 * The one with what the other has.
 * @template {object} T
 * @param {T} [one]
 * @param {Partial<T> | null} [other]
 */
function over(one, other) {
  return bare({ ...one, ...other });
}
