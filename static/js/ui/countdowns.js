// @ts-check
// Updates clocks and countdowns in place, so that the table need not be drawn again for them.

import { t } from "../lib/messages.js";

/**
 * Set all clock rings, countdowns and waiting times below an element to the current time.
 * @param {Element} root
 * @param {number} offset the server's clock minus this browser's clock, in ms
 */
export function updateCountdowns(root, offset) {
  const now = Date.now() + offset;
  for (const ring of root.querySelectorAll("[data-deadline]")) {
    if (!(ring instanceof SVGElement)) continue;
    const left = Math.max(0, Number(ring.dataset.deadline) - now);
    const part = Math.min(1, left / Number(ring.dataset.total));
    ring.style.setProperty("--gone", String(Math.round(100 - part * 100)));
    ring.classList.toggle("hurry", left < 6000);
  }
  for (const line of root.querySelectorAll("[data-countdown]")) {
    if (!(line instanceof HTMLElement)) continue;
    const until = Number(line.dataset.countdown);
    const text = until > 0 ? t("me.clock", { count: Math.max(0, Math.ceil((until - now) / 1000)) }) : "";
    if (line.textContent !== text) line.textContent = text;
  }
  for (const line of root.querySelectorAll("[data-until], [data-since]")) {
    if (!(line instanceof HTMLElement)) continue;
    const { until, since, key = "next.in", name = "" } = line.dataset;
    const left =
      since === undefined ? Math.ceil((Number(until) - now) / 1000) : Math.floor((now - Number(since)) / 1000);
    const text = t(key, { name, count: Math.max(0, left) });
    if (line.textContent !== text) line.textContent = text;
  }
}
