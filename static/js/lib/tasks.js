// @ts-check
// What can be done in a task of its own, so that no one task takes long: in between the page can answer a finger.

/** @typedef {{ postTask: (does: () => void, how: { priority: "user-blocking" }) => Promise<void> }} Scheduler */

/** Browsers' own way, where they have it: what is asked for so mostly comes before the next frame. */
const { scheduler } = /** @type {{ scheduler?: Scheduler }} */ (globalThis);

/** @type {(() => void)[]} */
const pendingTasks = [];
/** @type {MessagePort | null} */
let taskPort = null;

/** Do something when what is being done now is done, in the order in which it was wanted; at once, also where nobody looks. @param {() => void} callback */
export function runInOwnTask(callback) {
  if (scheduler !== undefined) {
    void scheduler.postTask(callback, { priority: "user-blocking" });
    return;
  }
  pendingTasks.push(callback);
  if (taskPort === null) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => pendingTasks.shift()?.();
    taskPort = port2;
  }
  taskPort.postMessage(null);
}
