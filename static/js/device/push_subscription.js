// @ts-check
// Has this browser called by its own push service when it is one's turn and no page of the table is in sight: also
// where none is open. The server calls, and the service worker shows it.

import { requestPermission } from "./turn_notification.js";
import { setPreference, getPreference } from "../lib/preferences.js";

/** What one has chosen: "on" or "off". */
const PUSH_PREFERENCE = "pushed";
const PUSH_URL = "/api/me/push";

/** @typedef {"ready" | "insecure" | "install" | "cannot"} Possible */

/**
 * Whether this browser can be called, or what keeps it from that.
 * @param {{ secure: boolean, push: boolean, apple: boolean }} here a page by https; a browser with push services; an iPhone or iPad
 * @returns {Possible}
 */
export function pushSupport({ secure, push, apple }) {
  if (push) return "ready";
  if (!secure) return "insecure";
  return apple ? "install" : "cannot";
}

/** The same of the browser that this page is in. */
export function pushSupportHere() {
  // An iPad says that it is a Mac, which has no touch screen.
  const apple =
    /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  const push = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  return pushSupport({ secure: window.isSecureContext, push, apple });
}

/** Whether one has chosen it, and the browser lets us. */
export function isPushEnabled() {
  return (
    getPreference(PUSH_PREFERENCE, "off") === "on" &&
    pushSupportHere() === "ready" &&
    Notification.permission === "granted"
  );
}

/** A browser whose push service does not answer may wait for it for ever, and so does one that could not start its worker. */
const TIMEOUT_MS = 30_000;

/**
 * Have this browser called.
 * @param {string} key the server's
 * @returns {Promise<"" | "not_allowed" | "unanswered" | "no_service" | "no_server">} "": it is; or what has kept it from that
 */
export async function enablePush(key) {
  const kept = await requestPermission();
  if (kept !== "") return kept;
  let subscription;
  try {
    subscription = await withTimeout(getSubscription(key));
  } catch {
    // Its push service can't be reached, or it is a browser without one.
    return "no_service";
  }
  if (!(await sendSubscription(subscription).catch(() => false))) return "no_server";
  setPreference(PUSH_PREFERENCE, "on");
  return "";
}

/** Have it called no longer. @returns {Promise<"" | "no_server">} "": nobody calls it; or the server could not be told, and may do so once more */
export async function disablePush() {
  setPreference(PUSH_PREFERENCE, "off");
  const answer = await requestPushApi({ method: "DELETE" }).catch(() => null);
  const here = await navigator.serviceWorker.getRegistration();
  const gone = await (await here?.pushManager.getSubscription())?.unsubscribe().catch(() => false);
  return answer?.ok || gone ? "" : "no_server";
}

/** Tell the server again, as it may have let go of what is not used; who is nobody any more is not called. @param {string} key the server's */
export async function renewPush(key) {
  if (!isPushEnabled()) return;
  try {
    if (!(await sendSubscription(await getSubscription(key)))) await disablePush();
  } catch {
    // Without a line: then with the next page.
  }
}

/** @template Of @param {Promise<Of>} work @returns {Promise<Of>} it, or an error where it takes too long */
function withTimeout(work) {
  return Promise.race([work, new Promise((_, late) => window.setTimeout(() => late(new Error("late")), TIMEOUT_MS))]);
}

/** @param {string} key */
async function getSubscription(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  if (before !== null && isSameKey(before.options.applicationServerKey, key)) return before;
  await before?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** @param {ArrayBuffer | null} bytes @param {string} key */
function isSameKey(bytes, key) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === key;
}

/** @param {PushSubscription} subscription */
async function sendSubscription(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const body = JSON.stringify({ endpoint, p256dh: keys?.p256dh, auth: keys?.auth });
  return (await requestPushApi({ method: "PUT", headers: { "content-type": "application/json" }, body })).ok;
}

/** @param {RequestInit} what */
function requestPushApi(what) {
  return fetch(PUSH_URL, { ...what, signal: AbortSignal.timeout(TIMEOUT_MS) });
}
