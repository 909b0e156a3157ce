// @ts-check
// Pure: adds to a command the request, deal or question that it answers, as this page showed it. The server refuses late
// commands by these ids, so that they can't count for a later turn, deal or question.

/** @import { Command, Update } from "../types.d.ts" */

/**
 * Return the command with the id of the request, deal or question that this update shows.
 * @param {Update} update
 * @param {Command} command
 * @returns {Command & { request?: number, commitment?: string, vote_id?: string }}
 */
export function withContext({ room, you }, command) {
  const { commitment } = room.fair;
  switch (command.t) {
    case "act":
      return { ...command, ...requestField(you.request) };
    case "start":
    case "deal_next":
      return { ...command, commitment };
    case "propose":
      return {
        ...command,
        commitment,
        ...(command.subject === "undo" ? requestField(room.may_undo?.request) : {}),
      };
    case "vote":
      return { ...command, vote_id: room.vote?.id ?? "" };
    default:
      return command;
  }
}

/** @param {number | null | undefined} request */
function requestField(request) {
  return typeof request === "number" ? { request } : {};
}
