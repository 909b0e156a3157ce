// @ts-check
// A table on a plain page that plays the first hand of a lesson, as spectators see it. It plays the hand once. It waits
// while nobody can see it, and a button pauses it.

import { parseJson } from "../lib/null_prototype.js";
import { loadStylesheetAfter } from "../lib/deferred_assets.js";
import { loadMessages } from "../lib/messages.js";
import { draw } from "../lib/virtual_dom.js";
import { cardMovesOf } from "../model/card_moves.js";
import { buildScene, initialModel, sameSize } from "../model/state.js";
import { mergeUpdate } from "../net/merge_update.js";
import { CardFlights } from "../animation/card_flights.js";
import { isMotionAllowed } from "../animation/overlay.js";
import { felt } from "../table/felt.js";

/** @import { Update } from "../types.d.ts" */

/** Pause after a play and after a pass, in milliseconds. */
const PACE = { play: 1600, pass: 800 };

/** Return the complete updates of the lesson's first hand. @param {string} lesson @returns {Promise<Update[]>} */
async function fetchFirstHand(lesson) {
  const answer = await fetch(`/api/lessons/${lesson}`);
  const { updates } = parseJson(await answer.text());
  /** @type {Update[]} */
  const whole = [];
  for (const each of updates) whole.push(mergeUpdate(whole.at(-1) ?? null, each));
  return whole.filter(({ table }) => table?.number === whole[0]?.table?.number);
}

/**
 * Play the hand of a lesson in this element, which contains a still picture and a hidden button to pause.
 * @param {HTMLElement} box its `data-live` is the key of the lesson
 */
export async function playHand(box) {
  const [updates] = await Promise.all([
    fetchFirstHand(box.dataset.live ?? ""),
    loadMessages("table."),
    loadStylesheetAfter("table", "components"),
    loadStylesheetAfter("table_deferred", "components"),
  ]);
  new LiveTable(box, updates).start();
}

class LiveTable {
  #at = 0;
  #onScreen = true;
  #timer = 0;
  /** Whether the next update waits until the table can be seen. */
  #waits = false;
  #flights = new CardFlights();
  #size = { ...initialModel().felt, tall: true };

  /** @param {HTMLElement} box @param {Update[]} updates */
  constructor(box, updates) {
    this.box = box;
    this.updates = updates;
    this.root = document.createElement("div");
    this.root.className = "live-table";
    this.root.setAttribute("aria-hidden", "true");
    this.button = /** @type {HTMLButtonElement} */ (box.querySelector("button"));
  }

  start() {
    this.button.addEventListener("click", () => this.#toggle());
    this.button.hidden = false;
    this.box.querySelector("img")?.replaceWith(this.root);
    new IntersectionObserver(([entry]) => {
      this.#onScreen = entry?.isIntersecting === true;
      if (this.#onScreen && this.#waits) this.#schedule();
    }).observe(this.box);
    this.#draw();
    this.#schedule();
  }

  /** Pause or go on; after the end, start again. */
  #toggle() {
    const paused = this.button.ariaPressed === "true";
    this.button.ariaPressed = String(!paused);
    window.clearTimeout(this.#timer);
    this.#waits = false;
    if (!paused) return;
    if (this.#at === this.updates.length - 1) {
      this.#at = 0;
      this.#draw();
    }
    this.#schedule();
  }

  #schedule() {
    this.#waits = false;
    const passed = this.updates[this.#at + 1]?.events.every(({ e }) => e === "passed");
    this.#timer = window.setTimeout(() => this.#step(), passed ? PACE.pass : PACE.play);
  }

  /** Show the next update, or wait until the table can be seen; stop at the end. */
  #step() {
    this.#waits = !this.#onScreen;
    if (this.#waits) return;
    if (isMotionAllowed()) {
      this.#at += 1;
      this.#animate();
    }
    if (this.#at < this.updates.length - 1) this.#schedule();
    else this.button.ariaPressed = "true";
  }

  /** Draw the current update, with its cards in flight. */
  #animate() {
    const { events, event_animations } = /** @type {Update} */ (this.updates[this.#at]);
    const moves = cardMovesOf(events, event_animations);
    const moments = events.map((event, i) => ({
      event,
      text: "",
      tone: "",
      journeys: moves[i] ?? [],
      celebrated: null,
    }));
    this.#flights.finishAll();
    this.#flights.captureLayout(this.root, moments);
    this.#draw();
    this.#flights.startFlights(this.root, moments, null);
  }

  #draw() {
    const update = /** @type {Update} */ (this.updates[this.#at]);
    const scene = buildScene(update, { felt: this.#size, great: false });
    draw(
      this.root,
      felt({ ...scene, here: null, me: null, panels: [] }, ({ text }) => this.#resize(text)),
    );
  }

  /** Measure the felt. Its layout depends on its own size instead of the window's. @param {number} text scale of the text */
  #resize(text) {
    const arena = /** @type {HTMLElement} */ (this.root.querySelector("[data-zone=arena]"));
    const size = { ...this.#size, text, width: arena.clientWidth, height: arena.clientHeight };
    if (sameSize(size, this.#size)) return;
    this.#size = size;
    this.#draw();
  }
}
