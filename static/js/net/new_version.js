// @ts-check
// Detects that the server has a newer version of the page, and reloads when that does not interrupt the player.

import { isMyTurn } from "../model/state.js";

/** @import { Model } from "../types.d.ts" */

/** HTTP status for scripts of versions that the server no longer has. */
const GONE = 404;
/** A header of scripts that belong to an older version than the server's. */
const OUTDATED_HEADER = "x-outdated";

/** Return whether this page's scripts belong to another version than the server's. */
async function isPageOutdated() {
  try {
    const answer = await fetch(import.meta.url, { method: "HEAD", cache: "no-store" });
    return answer.status === GONE || answer.headers.has(OUTDATED_HEADER);
  } catch {
    return false; // the server can't be reached: don't reload
  }
}

/**
 * Return whether a reload interrupts nothing: between tricks, with nothing chosen, open, typed or unanswered.
 * @param {Pick<Model, "update" | "link" | "chosen" | "sheet" | "waiting">} model
 * @param {boolean} typing
 */
export function canReload({ update, link, chosen, sheet, waiting }, typing) {
  if (update === null || link !== "open" || typing || sheet !== null) return false;
  if (chosen.length > 0 || Object.keys(waiting).length > 0 || isMyTurn(update)) return false;
  return update.room.phase !== "playing" || !update.table?.trick?.plays.length;
}

function isTyping() {
  return document.activeElement instanceof HTMLInputElement && document.activeElement.value !== "";
}

/** The key in the tab's storage of a version of the server for which this tab was reloaded. */
const reloadedFor = (/** @type {string} */ version) => `reloaded for ${version}`;

/**
 * Reload the page because the server said `old_page`, but only once for each version of the server. Otherwise two servers
 * of different versions behind the same address, or a cached page, would cause a reload loop.
 * @param {string | null | undefined} version of the server's pages
 * @param {Pick<Storage, "getItem" | "setItem">} [storage] of this tab
 * @param {() => void} [reload]
 * @returns {boolean} false if the page was reloaded for that version before, or can't remember it
 */
export function reloadOnce(version, storage, reload = () => location.reload()) {
  if (!version) return false;
  try {
    const kept = storage ?? sessionStorage;
    if (kept.getItem(reloadedFor(version)) !== null) return false;
    kept.setItem(reloadedFor(version), "1");
  } catch {
    return false; // without storage nothing would end a loop
  }
  reload();
  return true;
}

export class VersionWatcher {
  /** @param {() => Model} model returns the current model */
  constructor(model) {
    this.model = model;
    this.known = false;
  }

  /** Check whether the page is outdated, after the connection was lost: the server may have been updated. */
  async checkVersion() {
    this.known ||= await isPageOutdated();
    this.reloadIfSafe();
  }

  /** Reload an outdated page, unless that interrupts the player. */
  reloadIfSafe() {
    if (!this.known || !canReload(this.model(), isTyping())) return;
    this.known = false;
    location.reload();
  }
}
