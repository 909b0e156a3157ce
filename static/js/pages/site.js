// @ts-check
// On every page: the service worker, times in the reader's language and time zone, and printing.

// Each version of the site registers its own worker: all files of a version are below one folder.
if ("serviceWorker" in navigator) {
  const version = new URL(import.meta.url).pathname.split("/")[2] ?? "";
  // Without a worker everything but the offline page works.
  navigator.serviceWorker.register(`/sw.js?v=${version}`).catch(() => undefined);
}

// As this reader writes dates in the language of the page, if it is one of theirs.
const { lang } = document.documentElement;
const language = navigator.languages.find((each) => each.split("-")[0] === lang) ?? lang;

for (const time of document.querySelectorAll("time[data-ms]")) {
  if (!(time instanceof HTMLTimeElement)) continue;
  const at = new Date(Number(time.dataset.ms));
  time.dateTime = at.toISOString();
  const day = "day" in time.dataset;
  time.textContent = at.toLocaleString(
    language,
    day ? { dateStyle: "full" } : { dateStyle: "medium", timeStyle: "short" },
  );
}

// A day begins when it begins here.
for (const field of document.querySelectorAll("[data-offset]")) {
  if (field instanceof HTMLInputElement) field.value = String(-new Date().getTimezoneOffset());
}

document.querySelector("[data-print]")?.addEventListener("click", () => window.print());
