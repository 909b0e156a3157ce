// @ts-check
// Lets the browser keep the page for when there is no server, where it may: on https and on the machine itself.

/** Which version of the site this is: all that it loads stands under it. @param {string} here an address of it */
export function version(here) {
  return new URL(here).pathname.split("/")[2] ?? "";
}

if ("serviceWorker" in navigator) {
  // What fails here takes nothing from anybody.
  navigator.serviceWorker.register(`/sw.js?v=${version(import.meta.url)}`).catch(() => undefined);
}
