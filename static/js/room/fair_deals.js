// @ts-check
// Joins a room's page with its part in fair deals. It loads after the table.

import { t } from "../lib/messages.js";
import { getPreference, setPreference } from "../lib/preferences.js";
import { SeedCommitter } from "../net/seed_commitment.js";
import { cardsBefore, movesOf, withHistory } from "../replay/card_moves.js";
import { bytesToHex, checkSeenDeal, hexToBytes, renamedSince, sha256 } from "../replay/fairness_check.js";

/**
 * @import { Finding } from "../net/deal_lists.js"
 * @import { Answer, Command } from "../types.d.ts"
 */

/** Findings that an honest server never causes. Their line stays at the table until a later deal is fair. */
const FAULTS = new Set(["list", "seed", "promise", "cards", "seats", "foreign", "redrawn", "off", "alone"]);

/** Return the line at the table for a finding. @param {Finding} finding */
function findingLine({ kind, reason, by }) {
  if (kind !== "cancelled") return t(`fair.line.${kind}`);
  return t(`fair.again.${reason}`, { by: by ?? "" });
}

/** Whether a finding shows that the server broke its promise. @param {Finding} finding */
const isFault = ({ kind }) => FAULTS.has(kind);

/** Get JSON from the server; null if there is none. @param {string} path */
const fetchJson = (path) =>
  fetch(path)
    .then((answer) => (answer.ok ? answer.json() : null))
    .catch(() => null);

/**
 * Start this browser's part in the fair deals of a room.
 * @param {string} room the room's id
 * @param {{ set: (change: Partial<import("../types.d.ts").Model>) => void, say: (text: string) => void,
 *   desk: () => import("../types.d.ts").Desk | null, sendOrShowError: (command: Command) => Promise<Answer> }} table
 */
export function startFairDeals(room, { set, say, desk, sendOrShowError }) {
  return new SeedCommitter(
    sendOrShowError,
    (again, wait) => window.setTimeout(again, wait),
    { bytesToHex, cardsBefore, checkSeenDeal, hexToBytes, movesOf, renamedSince, sha256, withHistory },
    { read: () => getPreference(`seed.${room}`, ""), write: (text) => setPreference(`seed.${room}`, text) },
    fetchJson,
    (findings, { checked, first }) => {
      const faults = findings.filter(isFault);
      // The event of a cancelled deal has told a connected page already.
      const others = findings.filter((each) => !isFault(each) && (first || each.kind !== "cancelled"));
      const [fault] = faults.map(findingLine);
      if (fault !== undefined || checked) set({ unfair: fault ?? "" });
      if (fault !== undefined) say(fault);
      for (const each of others) desk()?.showNotice(findingLine(each), each.kind !== "cancelled");
    },
  );
}
