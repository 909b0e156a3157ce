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
    const deadline = Number(ring.dataset.deadline);
    const reserveFrom = Number(ring.dataset.reserveFrom ?? deadline);
    const reserve = now >= reserveFrom;
    const [until, total] = reserve ? [deadline, deadline - reserveFrom] : [reserveFrom, Number(ring.dataset.total)];
    const part = Math.min(1, Math.max(0, until - now) / total);
    ring.style.setProperty("--gone", String(Math.round(100 - part * 100)));
    ring.classList.toggle("reserve", reserve);
    ring.classList.toggle("hurry", deadline - now < 6000);
  }
  for (const line of root.querySelectorAll("[data-countdown]")) {
    if (!(line instanceof HTMLElement)) continue;
    const { countdown, reserveFrom = countdown, key = "me.clock" } = line.dataset;
    const [end, from] = [Number(countdown), Number(reserveFrom)];
    const [count, reserve] = [from - now, end - Math.max(now, from)].map((ms) => Math.max(0, Math.ceil(ms / 1000)));
    const text = end > 0 ? t(key, { count, reserve }) : "";
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
