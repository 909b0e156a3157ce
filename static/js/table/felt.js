// @ts-check
// Draws the felt: the seats, the middle of the table, and the arrows between them. It measures how large the felt is.

import { t } from "../lib/messages.js";
import { h } from "../lib/virtual_dom.js";
import { panels } from "./panels.js";
import { seats } from "./seats.js";
import { statusBadges } from "./status_badges.js";
import { trick } from "./trick.js";

/** @typedef {import("../types.d.ts").Scene} Scene */

/** @param {Scene} scene */
function tableMiddle({ table, me, panels: mine, great }) {
  if (table === null) return null;
  return table.middle === "panels" ? panels([...mine, ...table.panels]) : trick(table, me, great);
}

/** Which way round the table it goes: arrows between seats and trick, for the eye alone. @param {Scene} scene */
function directionArrows({ table, playing }) {
  const { direction, middle, seats } = table ?? {};
  if (direction === undefined || middle !== "trick" || !playing || (seats ?? []).length < 3) return null;
  const arrow = () => h("svg", { class: "arrow", viewBox: "0 0 24 24" }, h("path", { d: "M4 5l7 7-7 7M13 5l7 7-7 7" }));
  return h(
    "div",
    {
      key: "way",
      "data-way": direction === -1 ? "back" : "on",
      class: `way${direction === -1 ? " back" : ""}`,
      "aria-hidden": "true",
    },
    arrow(),
    arrow(),
    arrow(),
    arrow(),
  );
}

/** @type {WeakMap<Element, ResizeObserver>} */
const resizeObservers = new WeakMap();

/** From here on a page is wide, where text has the usual size: as in the container queries of css/table. */
const WIDE = 800;
/** And tall, so that several rows of words stand below the table. */
const TALL = 600;

/** What of the page's size decides how things are drawn. */
function pageSize() {
  const text = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  return { text, wide: window.innerWidth / text >= WIDE, tall: window.innerHeight / text >= TALL };
}

/** @param {Element} element @returns {import("../types.d.ts").Model["felt"]} */
function measureFelt(element) {
  // What makes the page scroll is no room.
  const beyond = Math.max(0, document.documentElement.scrollHeight - window.innerHeight);
  return { ...pageSize(), width: element.clientWidth, height: element.clientHeight - beyond, scrolls: beyond > 0 };
}

/** Margins and borders of the felt on a phone (css/table/felt.css), pixels. */
const AROUND_FELT = 18;

/** What a felt will measure, before there is one: as wide as the page, and its height is not known. @returns {import("../types.d.ts").Model["felt"]} */
export function estimateFeltSize() {
  return { ...pageSize(), width: window.innerWidth - AROUND_FELT, height: 0, scrolls: false };
}

/**
 * The table as one looks down at it.
 * @param {Scene} scene
 * @param {(size: Scene["size"]) => void} resized
 * @param {import("../lib/virtual_dom.js").VNode | null} [instead] what lies in the middle instead: a result
 * @param {(() => void) | null} [readSigns] what shows all signs in words, where they stand in short
 * @param {import("../lib/virtual_dom.js").VNode | null} [over] what is shown over all of it: a scene
 */
export function felt(scene, resized, instead = null, readSigns = null, over = null) {
  // The seats go by the room there is: draw again when that changes.
  /** @param {Element} element */
  const watch = (element) => {
    if (resizeObservers.has(element)) return;
    const observer = new ResizeObserver(() => resized(measureFelt(element)));
    resizeObservers.set(element, observer);
    observer.observe(element);
  };
  return h(
    "section",
    {
      key: "felt",
      "data-zone": "felt",
      "data-inverted": scene.table?.inverted,
      "data-great": scene.great,
      class: `felt${scene.table?.inverted ? " inverted" : ""}${scene.great ? " great" : ""}`,
      "aria-label": t("felt.label"),
    },
    h(
      "div",
      { key: "arena", "data-zone": "arena", class: "arena", ref: watch },
      scene.bare
        ? null
        : [
            seats(scene),
            directionArrows(scene),
            // What lies there instead is another thing in another place.
            h(
              "div",
              { key: instead ? "instead" : (scene.table?.middle ?? "middle"), "data-zone": "middle", class: "middle" },
              instead ?? tableMiddle(scene),
            ),
          ],
    ),
    statusBadges(scene, readSigns),
    over,
  );
}
