// @ts-check
// What can be done in a task of its own, so that no one task takes long: in between the page can answer a finger.

/** @typedef {{ postTask: (does: () => void, how: { priority: "user-blocking" }) => Promise<void> }} Scheduler */

/** Browsers' own way, where they have it: what is asked for so mostly comes before the next frame. */
const { scheduler } = /** @type {{ scheduler?: Scheduler }} */ (globalThis);

/** @type {(() => void)[]} */
const waiting = [];
/** @type {MessagePort | null} */
let door = null;

/** Do something when what is being done now is done, in the order in which it was wanted; at once, also where nobody looks. @param {() => void} does */
export function inItsOwnTask(does) {
  if (scheduler !== undefined) {
    void scheduler.postTask(does, { priority: "user-blocking" });
    return;
  }
  waiting.push(does);
  if (door === null) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => waiting.shift()?.();
    door = port2;
  }
  door.postMessage(null);
}
