// @ts-check
// The list of legal plays and what each would do. It is fetched from the server page by page, for the current update.

/** @import { Answer, Command, Model, Prospect } from "../types.d.ts" */

export class PlayableList {
  /**
   * @param {() => Model} model returns the current model
   * @param {(command: Command) => Promise<Answer>} ask
   * @param {(prospects: NonNullable<Model["prospects"]>) => void} found gets all plays fetched so far
   */
  constructor(model, ask, found) {
    this.model = model;
    this.ask = ask;
    this.found = found;
    this.asked = "";
  }

  /** Fetch the first page unless it is loaded. */
  ensureLoaded() {
    if (this.model().prospects === null) void this.fetchPage(0);
  }

  /** Fetch the next page, if there is another. */
  loadMore() {
    const from = this.model().prospects?.next ?? null;
    if (from !== null) void this.fetchPage(from);
  }

  /** Fetch a page, but don't repeat a request. Drop answers to an older update. @param {number} first index of the first play */
  async fetchPage(first) {
    const seq = this.model().update?.seq;
    const asked = `${seq} ${first}`;
    if (this.asked === asked) return;
    this.asked = asked;
    const answer = await this.ask({ t: "preview_actions", first });
    const { prospects: known, update } = this.model();
    if (update?.seq !== seq) return;
    if (!answer.ok) this.asked = "";
    const all = [...(first === 0 ? [] : (known?.all ?? [])), .../** @type {Prospect[]} */ (answer.previews ?? [])];
    this.found({ all, next: answer.next ?? null, failed: !answer.ok });
  }
}
