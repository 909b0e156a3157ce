// @ts-check
// The home page: lets a table play a hand in place of the still picture, once the page has been idle for a second. Asks for
// coaching in a first hand.

import { getPreference, setPreference } from "../lib/preferences.js";

/** The page must be idle for this time, in milliseconds, before the table starts. */
const IDLE_MS = 1000;

/** Tell whether a still picture is wanted: motion is reduced, or the connection is slow or metered. */
function wantsStillPicture() {
  const { saveData = false, effectiveType = "4g" } =
    /** @type {{ connection?: { saveData?: boolean, effectiveType?: string } }} */ (navigator).connection ?? {};
  return saveData || effectiveType !== "4g" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Call a function once the page is loaded and has been idle for a second. @param {() => void} callback */
function whenIdle(callback) {
  const over = new AbortController();
  let timer = 0;
  const finish = () => {
    if (!over.signal.aborted) callback();
    over.abort();
  };
  const wait = () => {
    window.clearTimeout(timer);
    // Safari has no idle callbacks.
    timer = window.setTimeout(() => (window.requestIdleCallback ?? setTimeout)(finish), IDLE_MS);
  };
  for (const kind of ["load", "keydown", "pointerdown", "scroll"])
    window.addEventListener(kind, wait, { signal: over.signal, passive: true });
  if (document.readyState === "complete") wait();
}

const live = document.querySelector("[data-live]");
if (live instanceof HTMLElement && !wantsStillPicture())
  whenIdle(() => {
    // If loading fails, the still picture stays.
    import("../replay/live_table.js").then(({ playHand }) => playHand(live)).catch(() => undefined);
  });

// Coach three turns of a first hand (actions/coaching.js).
document.querySelector("#play")?.addEventListener("submit", () => {
  if (getPreference("coach", "") === "") setPreference("coach", "3");
});
