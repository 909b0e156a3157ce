// @ts-check
// The album: appends the next page when the reader comes near the end, and keeps the page in the address.

import { showTimes } from "./site.js";

const album = document.querySelector('[data-zone="album"]');

/** Replace the address by that of the page whose first month is on the screen. @type {IntersectionObserver} */
const passed = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    const page = target.getAttribute("data-page");
    if (isIntersecting && page !== null) history.replaceState(history.state, "", page);
  }
});

const nearEnd = new IntersectionObserver(
  (entries) => {
    const end = entries.find((entry) => entry.isIntersecting)?.target;
    if (end instanceof HTMLAnchorElement) appendPage(end);
  },
  { rootMargin: "0px 0px 100% 0px" },
);

/** Append the page that a link leads to, with its own link to the next. @param {HTMLAnchorElement} link */
async function appendPage(link) {
  nearEnd.unobserve(link);
  const answer = await fetch(link.href).catch(() => null);
  if (!answer?.ok) return; // the link still works
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const months = [...page.querySelectorAll("[data-month]")];
  showTimes(page);
  months[0]?.setAttribute("data-page", link.href);
  album?.append(...months.map((month) => document.adoptNode(month)));
  for (const month of months.slice(0, 1)) passed.observe(month);
  const next = page.querySelector("a[data-more]");
  if (next instanceof HTMLAnchorElement) {
    link.href = next.href;
    nearEnd.observe(link);
  } else link.parentElement?.remove();
}

const first = album?.querySelector("[data-month]");
if (first) {
  first.setAttribute("data-page", location.href);
  passed.observe(first);
}
const more = document.querySelector("a[data-more]");
if (more) nearEnd.observe(more);
