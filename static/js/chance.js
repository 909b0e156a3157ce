// @ts-check
// Every browser adds some chance to the next shuffle, once. It knows no page: asking and waiting are handed in.

/** @typedef {import("./types.d.ts").Update} Update */
/** @typedef {import("./types.d.ts").Answer} Answer */
/** @typedef {import("./types.d.ts").Command} Command */

const FIRST_WAIT = 2000;
const LONGEST_WAIT = 30000;

/** After these it is worth asking again: the moment was bad, not the seed. */
const FOR_NOW = new Set(["too_fast", "unavailable"]);

/** The promise that still lacks this person's chance. @param {Update | null} update */
function lacking(update) {
  if (update === null) return null;
  const { room, you } = update;
  const mayAdd = you.name !== null && you.role !== "watcher" && room.phase !== "playing";
  if (!mayAdd || room.fair?.seeds[you.name ?? ""] !== undefined) return null;
  return room.fair?.commitment ?? null;
}

/** Sixteen random bytes. */
function seed() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Chance {
  /**
   * @param {(command: Command) => Promise<Answer>} ask
   * @param {(again: () => void, wait: number) => void} later
   */
  constructor(ask, later) {
    this.ask = ask;
    this.later = later;
    /** The promise that has been answered, or is being. */
    this.promise = "";
    /** @type {Update | null} */
    this.newest = null;
  }

  /** Look whether there is anything to add. @param {Update} update */
  see(update) {
    this.newest = update;
    const promise = lacking(update);
    if (promise === null || promise === this.promise) return;
    this.promise = promise;
    void this.add(promise, seed(), FIRST_WAIT);
  }

  /** @param {string} promise @param {string} value @param {number} wait */
  async add(promise, value, wait) {
    const answer = await this.ask({ t: "seed", value });
    if (answer.ok || !FOR_NOW.has(answer.code ?? "")) return;
    this.later(() => {
      if (lacking(this.newest) === promise) void this.add(promise, value, Math.min(2 * wait, LONGEST_WAIT));
    }, wait);
  }
}
