// @ts-check
// Small things on the plain pages: times in the reader's own words, and printing.

import "./install.js";

// As this reader writes dates in the language of the page, if it is one of theirs.
const { lang } = document.documentElement;
const language = navigator.languages.find((each) => each.split("-")[0] === lang) ?? lang;

for (const time of document.querySelectorAll("time[data-ms]")) {
  if (!(time instanceof HTMLTimeElement)) continue;
  const at = new Date(Number(time.dataset.ms));
  time.dateTime = at.toISOString();
  const day = "day" in time.dataset;
  time.textContent = at.toLocaleString(language, day ? { dateStyle: "full" } : { dateStyle: "medium", timeStyle: "short" });
}

// A day begins when it begins here.
for (const field of document.querySelectorAll("[data-offset]")) {
  if (field instanceof HTMLInputElement) field.value = String(-new Date().getTimezoneOffset());
}

document.querySelector("[data-print]")?.addEventListener("click", () => window.print());
