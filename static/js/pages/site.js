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

const inWords = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

/** Return the midnight with which the day of a time begins here. @param {Date} at */
const midnight = (at) => new Date(at.getFullYear(), at.getMonth(), at.getDate());

/** Return a time of the last six days in words, such as “Yesterday, 8:14 PM”; else its date. @param {Date} at */
function nearTime(at) {
  const days = Math.round((midnight(new Date()).getTime() - midnight(at).getTime()) / 86_400_000);
  if (days < 0 || days > 6) return at.toLocaleDateString(language, { dateStyle: "medium" });
  const day = days < 2 ? inWords.format(-days, "day") : at.toLocaleDateString(language, { weekday: "long" });
  const time = at.toLocaleTimeString(language, { timeStyle: "short" });
  return `${day.charAt(0).toLocaleUpperCase(language)}${day.slice(1)}, ${time}`;
}

/** Show the times below an element in the reader's language and time zone. @param {ParentNode} element */
export function showTimes(element) {
  for (const time of element.querySelectorAll("time[data-ms]")) {
    if (!(time instanceof HTMLTimeElement)) continue;
    const at = new Date(Number(time.dataset.ms));
    time.dateTime = at.toISOString();
    if ("near" in time.dataset) time.textContent = nearTime(at);
    else {
      const day = "day" in time.dataset;
      time.textContent = at.toLocaleString(
        language,
        day ? { dateStyle: "full" } : { dateStyle: "medium", timeStyle: "short" },
      );
    }
  }
}

showTimes(document);

// Send the reader's time zone, so that days begin at local midnight. The offset helps if the server doesn't know the zone.
for (const field of document.querySelectorAll("[data-time-zone]")) {
  if (field instanceof HTMLInputElement) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
for (const field of document.querySelectorAll("[data-offset]")) {
  if (field instanceof HTMLInputElement) field.value = String(-new Date().getTimezoneOffset());
}

document.querySelector("[data-print]")?.addEventListener("click", () => window.print());
