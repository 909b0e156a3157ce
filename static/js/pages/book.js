// @ts-check
// The stats pages: highlights a person's line, and shows one hand of a chart by pointer or slider.
// Values come from the table beside the chart.

import { draw } from "../lib/virtual_dom.js";
import { loadMessages, t, formatSeries, labelled } from "../lib/messages.js";
import { copyText } from "../lib/share.js";

/** Highlight a person's line in a chart, or no line for null. @param {Element} chart @param {string | null} who */
function highlightPerson(chart, who) {
  chart.classList.toggle("pointing", who !== null);
  for (const part of chart.querySelectorAll("path[data-who]")) {
    const pointed = part.getAttribute("data-who") === who;
    part.classList.toggle("pointed", pointed);
    part.toggleAttribute("data-pointed", pointed);
  }
  for (const name of chart.querySelectorAll("button[data-who]")) {
    name.setAttribute("aria-pressed", String(name.getAttribute("data-who") === who));
  }
}

/** Return a summary of a hand's points from its table row. @param {HTMLTableRowElement} row @param {string[]} names */
function handSummary(row, names) {
  const brought = [...row.cells]
    .slice(1)
    .map((cell, i) => labelled(names[i] ?? "", cell.textContent?.trim().replace(/\s+/g, " ") ?? ""));
  return labelled(t("book.hand.number", { number: row.cells[0]?.textContent?.trim() }), formatSeries(brought));
}

/** Connect a slider and its charts, so that both select a hand. @param {Element} picker */
function enableHandPicker(picker) {
  const slider = picker.querySelector("input");
  const table = document.getElementById(picker.getAttribute("data-rows") ?? "");
  if (slider === null || !(table instanceof HTMLTableElement)) return;
  const plots = [...(picker.parentElement?.querySelectorAll("svg.plot") ?? [])];
  const names = [...(table.tHead?.rows[0]?.cells ?? [])].slice(1).map((cell) => cell.textContent ?? "");
  const rows = table.tBodies[0]?.rows ?? [];

  const show = () => {
    const row = rows[Number(slider.value)];
    if (row === undefined) return;
    const text = handSummary(row, names);
    slider.setAttribute("aria-valuetext", text);
    draw(/** @type {Element} */ (picker.querySelector(".picked")), text);
    picker.querySelector("a")?.setAttribute("href", row.querySelector("a")?.getAttribute("href") ?? "");
    for (const plot of plots)
      drawCursor(/** @type {SVGSVGElement} */ (plot), (Number(slider.value) + 0.5) / rows.length);
  };
  slider.addEventListener("input", show);
  for (const plot of plots) {
    plot.addEventListener("click", (event) => {
      const { left, width } = plot.getBoundingClientRect();
      const { clientX } = /** @type {MouseEvent} */ (event);
      slider.value = String(Math.floor(((clientX - left) / width) * rows.length));
      show();
    });
  }
  /** @type {HTMLElement} */ (picker).hidden = false;
  show();
}

/**
 * Draw a vertical line in a plot and scroll it into view.
 * @param {SVGSVGElement} plot
 * @param {number} part position as a fraction of the width
 */
function drawCursor(plot, part) {
  const { width, height } = plot.viewBox.baseVal;
  plot.querySelector(".cursor")?.setAttribute("d", `M${part * width} 0V${height}`);
  const box = plot.parentElement;
  if (box !== null) box.scrollLeft = part * plot.clientWidth - box.clientWidth / 2;
}

for (const chart of document.querySelectorAll(".chart")) {
  // Scroll to the end at first, because names stand at the ends of lines.
  const box = chart.querySelector(".plot-box");
  if (box !== null) box.scrollLeft = box.scrollWidth;
  for (const name of chart.querySelectorAll("button[data-who]")) {
    name.addEventListener("click", () => {
      highlightPerson(chart, name.getAttribute("aria-pressed") === "true" ? null : name.getAttribute("data-who"));
    });
  }
}

loadMessages().then(() => {
  for (const picker of document.querySelectorAll(".picker")) enableHandPicker(picker);
});

const copy = document.querySelector("[data-copy]");
copy?.addEventListener("click", async () => {
  const link = copy.getAttribute("data-copy") ?? "";
  const done = await copyText(link);
  const said = document.querySelector(".book-link .said");
  if (said !== null) draw(said, done ? t("share.copied") : t("share.by_hand", { link }));
});
