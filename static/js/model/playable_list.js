// @ts-check
// What I may play now and what each play would do: asked of the server, some at a time, for the moment as it is.

/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("../types.d.ts").Prospect} Prospect */
/** @typedef {import("../types.d.ts").Answer} Answer */
/** @typedef {import("../types.d.ts").Command} Command */

export class PlayableList {
  /**
   * @param {() => Model} model as it is now
   * @param {(command: Command) => Promise<Answer>} ask
   * @param {(prospects: NonNullable<Model["prospects"]>) => void} found
   */
  constructor(model, ask, found) {
    this.model = model;
    this.ask = ask;
    this.found = found;
    this.asked = "";
  }

  /** See to it that the first are known. */
  ensureLoaded() {
    if (this.model().prospects === null) void this.fetchPage(0);
  }

  /** Some more of them, if there are more. */
  loadMore() {
    const from = this.model().prospects?.next ?? null;
    if (from !== null) void this.fetchPage(from);
  }

  /** @param {number} first */
  async fetchPage(first) {
    const seq = this.model().update?.seq;
    const asked = `${seq} ${first}`;
    if (this.asked === asked) return;
    this.asked = asked;
    const answer = await this.ask({ t: "prospects", first });
    const { prospects: known, update } = this.model();
    if (update?.seq !== seq) return;
    if (!answer.ok) this.asked = "";
    const all = [...(first === 0 ? [] : (known?.all ?? [])), .../** @type {Prospect[]} */ (answer.prospects ?? [])];
    this.found({ all, next: answer.next ?? null, failed: !answer.ok });
  }
}
