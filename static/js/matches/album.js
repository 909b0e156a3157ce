// @ts-check
// The history: says times near today in words, appends the album's next page when the reader comes near the end, and
// keeps the page in the address.

const { lang } = document.documentElement;
const language = navigator.languages.find((each) => each.split("-")[0] === lang) ?? lang;
/** @type {Intl.DateTimeFormatOptions} */
const DATE = { weekday: "short", day: "numeric", month: "short", year: "numeric" };
const DAY_AND_TIME = new Intl.DateTimeFormat(language, { weekday: "long", hour: "numeric", minute: "2-digit" });
const inWords = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

/** Return the midnight with which the day of a time begins here. @param {Date} at */
const midnight = (at) => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();

/** Return a time of the last six days in words, such as “Yesterday 8:14 PM”; else its date. @param {Date} at */
function nearTime(at) {
  const days = Math.round((midnight(new Date()) - midnight(at)) / 86_400_000);
  if (days < 0 || days > 6) return at.toLocaleDateString(language, DATE);
  const parts = DAY_AND_TIME.formatToParts(at);
  const isNear = (/** @type {Intl.DateTimeFormatPart} */ part) => days < 2 && part.type === "weekday";
  const text = parts.map((part) => (isNear(part) ? inWords.format(-days, "day") : part.value)).join("");
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

/** Show the near times below an element in words. @param {ParentNode} element */
function showNearTimes(element) {
  for (const time of element.querySelectorAll("time[data-near]")) {
    if (!(time instanceof HTMLTimeElement)) continue;
    const at = new Date(Number(time.dataset.ms));
    time.dateTime = at.toISOString();
    time.textContent = nearTime(at);
  }
}

showNearTimes(document);

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
  showNearTimes(page);
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
