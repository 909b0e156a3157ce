// @ts-check
// Pure: the whole picture of a room, put together from updates. Each tells what this connection was not shown yet.

import { withoutPrototype } from "../lib/null_prototype.js";

/** @typedef {import("../types.d.ts").Told} Told */
/** @typedef {import("../types.d.ts").Update} Update */
/** @typedef {import("../types.d.ts").Table} Table */

/**
 * The newest picture, with what has just happened.
 * @param {Update | null} previous what this connection was shown until now
 * @param {Told} told
 * @returns {Update}
 */
export function mergeUpdate(previous, { changed, ...told }) {
  const { actions = previous?.actions ?? withoutPrototype(), tones = previous?.tones ?? withoutPrototype() } = told;
  const { motions = previous?.motions ?? withoutPrototype(), named = previous?.named } = told;
  return /** @type {Update} */ ({
    ...told,
    actions,
    tones,
    motions,
    named,
    room: told.room ?? mergeFields(previous?.room, changed?.room),
    table: told.table === undefined ? mergeTable(previous?.table ?? null, changed?.table) : told.table,
    you: told.you ?? mergeFields(previous?.you, changed?.you),
  });
}

/** The table with what has changed of it, player by player. @param {Table | null} table @param {Partial<Table>} [changed] */
function mergeTable(table, changed) {
  return table && mergeFields(mergeFields(table, changed), { players: mergeFields(table.players, changed?.players) });
}

/**
 * The one with what the other has.
 * @template {object} T
 * @param {T} [one]
 * @param {Partial<T> | null} [other]
 */
function mergeFields(one, other) {
  return withoutPrototype({ ...one, ...other });
}
