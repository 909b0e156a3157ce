// @ts-check
// Pure: adds to a command the request, deal or question that it answers, as this page showed it. The server refuses late
// commands by these ids, so that they can't count for a later turn, deal or question.

/** @typedef {import("../types.d.ts").Command} Command */
/** @typedef {import("../types.d.ts").Update} Update */

/**
 * Return the command with the id of the request, deal or question that this update shows.
 * @param {Update} update
 * @param {Command} command
 * @returns {Command & { request?: number, commitment?: string, question?: string }}
 */
export function withContext({ room, you }, command) {
  const { commitment } = room.fair;
  switch (command.t) {
    case "act":
      return { ...command, ...requestField(you.request) };
    case "start":
    case "next":
      return { ...command, commitment };
    case "propose":
      return {
        ...command,
        commitment,
        ...(command.matter === "take_back" ? requestField(room.may_take_back?.request) : {}),
      };
    case "consent":
      return { ...command, question: room.motion?.id ?? "" };
    default:
      return command;
  }
}

/** @param {number | null | undefined} request */
function requestField(request) {
  return typeof request === "number" ? { request } : {};
}
