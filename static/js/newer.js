// @ts-check
// Finds out that the server has a newer page, and loads that when it takes nothing out of anybody's hands.

import { myTurn } from "./state.js";

/** @typedef {import("./types.d.ts").Model} Model */

/** Scripts of another version than the server's are gone from their addresses. */
const GONE = 404;

/** Whether this page's scripts are another version's. */
async function outdated() {
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
export function mayReload({ update, link, chosen, sheet, waiting }, typing) {
  if (update === null || link !== "open" || typing || sheet !== null) return false;
  if (chosen.length > 0 || Object.keys(waiting).length > 0 || myTurn(update)) return false;
  return update.room.phase !== "playing" || !update.table?.trick?.plays.length;
}

function typing() {
  return document.activeElement instanceof HTMLInputElement && document.activeElement.value !== "";
}

export class Newer {
  constructor() {
    this.known = false;
  }

  /** The server may be another by now: it was away. */
  async look() {
    this.known ||= await outdated();
  }

  /** @param {Model} model as it is now */
  see(model) {
    if (!this.known || !mayReload(model, typing())) return;
    this.known = false;
    location.reload();
  }
}
