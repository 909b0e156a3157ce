// @ts-check
// Small things on the plain pages: times in the reader's own words, going to a room by its code, printing, moving house.

// As this reader writes dates in the language of the page, if it is one of theirs.
const { lang } = document.documentElement;
const language = navigator.languages.find((each) => each.split("-")[0] === lang) ?? lang;

for (const time of document.querySelectorAll("time[data-ms]")) {
  if (!(time instanceof HTMLTimeElement)) continue;
  const at = new Date(Number(time.dataset.ms));
  time.dateTime = at.toISOString();
  time.textContent = at.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}

const codeForm = document.querySelector("[data-code-form]");
codeForm?.addEventListener("submit", (event) => {
  event.preventDefault();
  const code = String(new FormData(/** @type {HTMLFormElement} */ (codeForm)).get("code") ?? "")
    .trim()
    .toUpperCase();
  if (code !== "") location.assign(`/r/${encodeURIComponent(code)}`);
});

document.querySelector("[data-print]")?.addEventListener("click", () => window.print());

const recovery = document.querySelector("[data-recovery]");
recovery?.querySelector("[data-make]")?.addEventListener("click", async () => {
  const answer = await fetch("/api/me/recovery", { method: "POST" });
  if (!answer.ok) return;
  const { url, qr } = await answer.json();
  const link = recovery.querySelector("[data-url]");
  const picture = recovery.querySelector("[data-qr]");
  const result = recovery.querySelector("[data-result]");
  if (link instanceof HTMLAnchorElement) {
    link.href = url;
    link.textContent = url;
  }
  if (picture instanceof HTMLImageElement) {
    picture.hidden = qr === null;
    if (qr !== null) picture.src = qr;
  }
  result?.removeAttribute("hidden");
});
