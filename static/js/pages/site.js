// @ts-check
// On every page: the service worker, times in the reader's language and time zone, and printing.

// Each version registers its own worker, because all files of a version are in one folder.
if ("serviceWorker" in navigator) {
  const version = new URL(import.meta.url).pathname.split("/")[2] ?? "";
  // Without a worker only the offline page is missing.
  navigator.serviceWorker.register(`/sw.js?v=${version}`).catch(() => undefined);
}

// Use the reader's regional date format if it is in the language of the page.
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

// Send the reader's time zone, so that days begin at local midnight. The offset helps if the server doesn't know the zone.
for (const field of document.querySelectorAll("[data-time-zone]")) {
  if (field instanceof HTMLInputElement) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
for (const field of document.querySelectorAll("[data-offset]")) {
  if (field instanceof HTMLInputElement) field.value = String(-new Date().getTimezoneOffset());
}

document.querySelector("[data-print]")?.addEventListener("click", () => window.print());
