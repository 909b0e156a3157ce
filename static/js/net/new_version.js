// @ts-check
// Finds out that the server has a newer page, and loads that when it takes nothing out of anybody's hands.

import { isMyTurn } from "../model/state.js";

/** @typedef {import("../types.d.ts").Model} Model */

/** Scripts of another version than the server's are gone from their addresses. */
const GONE = 404;

/** Whether this page's scripts are another version's. */
async function isPageOutdated() {
  try {
    return (await fetch(import.meta.url, { method: "HEAD", cache: "no-store" })).status === GONE;
  } catch {
    return false; // who can't be reached has nothing newer
  }
}

/**
 * Whether the page may be loaded again now: between tricks, and while nothing is chosen, open, typed or unanswered.
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
 * Reload the page because the server said `old_page`, but only once for each version of the server: two servers of
 * different versions behind one address, or a cached page, must not make it reload in a loop.
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
  constructor() {
    this.known = false;
  }

  /** The server may be another by now: it was away. */
  async checkVersion() {
    this.known ||= await isPageOutdated();
  }

  /** @param {Model} model as it is now */
  reloadIfSafe(model) {
    if (!this.known || !canReload(model, isTyping())) return;
    this.known = false;
    location.reload();
  }
}
