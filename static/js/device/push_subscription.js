// @ts-check
// Has this browser called by its own push service when it is one's turn and no page of the table is in sight: also
// where none is open. The server calls, and the service worker shows it.

import { permitted } from "./turn_notification.js";
import { like, liked } from "../lib/preferences.js";

/** What one has chosen: "on" or "off". */
const PUSHED = "pushed";
const ADDRESS = "/api/me/push";

/** @typedef {"ready" | "insecure" | "install" | "cannot"} Possible */

/**
 * Whether this browser can be called, or what keeps it from that.
 * @param {{ secure: boolean, push: boolean, apple: boolean }} here a page by https; a browser with push services; an iPhone or iPad
 * @returns {Possible}
 */
export function possible({ secure, push, apple }) {
  if (push) return "ready";
  if (!secure) return "insecure";
  return apple ? "install" : "cannot";
}

/** The same of the browser that this page is in. */
export function possibleHere() {
  // An iPad says that it is a Mac, which has no touch screen.
  const apple =
    /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  const push = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  return possible({ secure: window.isSecureContext, push, apple });
}

/** Whether one has chosen it, and the browser lets us. */
export function pushed() {
  return liked(PUSHED, "off") === "on" && possibleHere() === "ready" && Notification.permission === "granted";
}

/** A browser whose push service does not answer may wait for it for ever, and so does one that could not start its worker. */
const PATIENCE = 30_000;

/**
 * Have this browser called.
 * @param {string} key the server's
 * @returns {Promise<"" | "not_allowed" | "unanswered" | "no_service" | "no_server">} "": it is; or what has kept it from that
 */
export async function bePushed(key) {
  const kept = await permitted();
  if (kept !== "") return kept;
  let subscription;
  try {
    subscription = await inTime(subscribed(key));
  } catch {
    // Its push service can't be reached, or it is a browser without one.
    return "no_service";
  }
  if (!(await told(subscription).catch(() => false))) return "no_server";
  like(PUSHED, "on");
  return "";
}

/** Have it called no longer. @returns {Promise<"" | "no_server">} "": nobody calls it; or the server could not be told, and may do so once more */
export async function beLeft() {
  like(PUSHED, "off");
  const answer = await asked({ method: "DELETE" }).catch(() => null);
  const here = await navigator.serviceWorker.getRegistration();
  const gone = await (await here?.pushManager.getSubscription())?.unsubscribe().catch(() => false);
  return answer?.ok || gone ? "" : "no_server";
}

/** Tell the server again, as it may have let go of what is not used; who is nobody any more is not called. @param {string} key the server's */
export async function goOnBeingPushed(key) {
  if (!pushed()) return;
  try {
    if (!(await told(await subscribed(key)))) await beLeft();
  } catch {
    // Without a line: then with the next page.
  }
}

/** @template Of @param {Promise<Of>} work @returns {Promise<Of>} it, or an error where it takes too long */
function inTime(work) {
  return Promise.race([work, new Promise((_, late) => window.setTimeout(() => late(new Error("late")), PATIENCE))]);
}

/** @param {string} key */
async function subscribed(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  if (before !== null && same(before.options.applicationServerKey, key)) return before;
  await before?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** @param {ArrayBuffer | null} bytes @param {string} key */
function same(bytes, key) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === key;
}

/** @param {PushSubscription} subscription */
async function told(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const body = JSON.stringify({ endpoint, p256dh: keys?.p256dh, auth: keys?.auth });
  return (await asked({ method: "PUT", headers: { "content-type": "application/json" }, body })).ok;
}

/** @param {RequestInit} what */
function asked(what) {
  return fetch(ADDRESS, { ...what, signal: AbortSignal.timeout(PATIENCE) });
}
