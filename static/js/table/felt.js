// @ts-check
// Draws the felt: the seats, the middle of the table, and the arrows between them. It measures how large the felt is.

import { t } from "../lib/messages.js";
import { h } from "../lib/virtual_dom.js";
import { panels } from "./panels.js";
import { seats } from "./seats.js";
import { statusBadges } from "./status_badges.js";
import { trick } from "./trick.js";

/** @import { Scene } from "../types.d.ts" */

/** Draw the middle of the table: the trick, or panels if the game has them. @param {Scene} scene @param {(() => void) | null} open */
function tableMiddle({ table, me, panels: mine, great, here }, open) {
  if (table === null) return null;
  return table.middle === "panels" ? panels([...mine, ...table.panels]) : trick(table, me, great, here, open);
}

/** Draw arrows for the direction of play, between seats and trick; hidden from screen readers. @param {Scene} scene */
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

/** From this width, in pixels at usual text size, a page is wide: as in the container queries of css/table. */
const WIDE = 800;
/** From this height, in pixels at usual text size, several rows of text fit below the table. */
const TALL = 600;

/** Return the page's text scale, and whether the page is wide and tall at that scale. */
function pageSize() {
  const text = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  return { text, wide: window.innerWidth / text >= WIDE, tall: window.innerHeight / text >= TALL };
}

/** Measure the felt, in pixels. @param {Element} element @returns {import("../types.d.ts").Model["felt"]} */
function measureFelt(element) {
  // Height that makes the page scroll does not count.
  const beyond = Math.max(0, document.documentElement.scrollHeight - window.innerHeight);
  return { ...pageSize(), width: element.clientWidth, height: element.clientHeight - beyond, scrolls: beyond > 0 };
}

/** Margins and borders of the felt on a phone (css/table/felt.css), pixels. */
const AROUND_FELT = 18;

/**
 * Estimate the felt's size before it is drawn: nearly the page's width, and an unknown height (0).
 * @returns {import("../types.d.ts").Model["felt"]}
 */
export function estimateFeltSize() {
  return { ...pageSize(), width: window.innerWidth - AROUND_FELT, height: 0, scrolls: false };
}

/**
 * Draw the table, seen from above.
 * @param {Scene} scene
 * @param {(size: Scene["size"]) => void} resized called when the felt's size changes
 * @param {import("../lib/virtual_dom.js").VNode | null} [instead] a result, drawn in the middle instead of the trick
 * @param {((sheet: "signs" | "plays") => void) | null} [open] opens the list of all status badges, or of the plays; null
 *   without lists
 * @param {import("../lib/virtual_dom.js").VNode | null} [over] a scene, drawn over the whole table
 */
export function felt(scene, resized, instead = null, open = null, over = null) {
  // The layout of the seats depends on the felt's size: draw again when it changes.
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
            // A result and an exchange have other places, so they need other keys.
            h(
              "div",
              {
                key: instead ? `instead ${instead.key}` : (scene.table?.middle ?? "middle"),
                "data-zone": "middle",
                class: "middle",
              },
              instead ?? tableMiddle(scene, open && (() => open("plays"))),
            ),
          ],
    ),
    statusBadges(scene, open && (() => open("signs"))),
    over,
  );
}
