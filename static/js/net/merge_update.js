// @ts-check
// Pure: merges updates into the full state of a room. The server sends only changes since the connection's last update.

import { withoutPrototype } from "../lib/null_prototype.js";

/** @import { Table, Told, Update } from "../types.d.ts" */

/**
 * Merge a message into the previous state. Events are not merged: only the new events are in the result.
 * @param {Update | null} previous the state that this connection has received so far
 * @param {Told} told
 * @returns {Update}
 */
export function mergeUpdate(previous, { changed, ...told }) {
  const {
    actions = previous?.actions ?? withoutPrototype(),
    event_prominence = previous?.event_prominence ?? withoutPrototype(),
  } = told;
  const { event_animations = previous?.event_animations ?? withoutPrototype(), name_fields = previous?.name_fields } =
    told;
  return /** @type {Update} */ ({
    ...told,
    actions,
    event_prominence,
    event_animations,
    name_fields,
    room: told.room ?? mergeFields(previous?.room, changed?.room),
    table: told.table === undefined ? mergeTable(previous?.table ?? null, changed?.table) : told.table,
    you: told.you ?? mergeFields(previous?.you, changed?.you),
  });
}

/** Merge changes into the table and its players. @param {Table | null} table @param {Partial<Table>} [changed] */
function mergeTable(table, changed) {
  return table && mergeFields(mergeFields(table, changed), { players: mergeFields(table.players, changed?.players) });
}

/**
 * Return a copy of an object with the fields of another object added.
 * @template {object} T
 * @param {T} [one]
 * @param {Partial<T> | null} [other]
 */
function mergeFields(one, other) {
  return withoutPrototype({ ...one, ...other });
}
