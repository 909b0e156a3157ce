// @ts-check
// Runs work in separate browser tasks, so that the page can respond to input between them.

/** @typedef {{ postTask: (does: () => void, how: { priority: "user-blocking" }) => Promise<void> }} Scheduler */

/** The browser's scheduler, if it has one: its "user-blocking" tasks mostly run before the next frame. */
const { scheduler } = /** @type {{ scheduler?: Scheduler }} */ (globalThis);

/** @type {(() => void)[]} */
const pendingTasks = [];
/** @type {MessagePort | null} */
let taskPort = null;

/**
 * Call a function in a new task after the current one, in order of the calls. This also works on hidden pages.
 * @param {() => void} callback
 */
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
