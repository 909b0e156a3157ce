// @ts-check
// Pure: adds to a command what it answers, as the page showed it when it was decided. The server refuses one that comes
// too late, so that it can't count for a later turn, deal or question.

/** @typedef {import("../types.d.ts").Command} Command */
/** @typedef {import("../types.d.ts").Update} Update */

/**
 * The command, with the request, the deal or the question of this update.
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
