// @ts-check
// Watching a match together: the line to the server, on which a leader's page says where it is and all others hear it.

import { parseJson } from "../lib/null_prototype.js";
import { waitBeforeRetry, isTemporaryFailure, pause } from "../lib/retry.js";
import { refusalText, readResponse } from "../lib/messages.js";

/**
 * @typedef {{ hand: number, move: number, seat: string | null }} ReplayPlace
 * @typedef {ReplayPlace & { leader: string, offered: boolean, followers: number, you: "leader" | "may_lead" | "follower" }} PartyState
 */

/** Milliseconds between two places that are told: who draws the slider need not tell each. */
const MIN_SEND_INTERVAL = 500;
/** Those who look at one match together, as this page hears of them. */
export class WatchPartySocket {
  /** Where they meet; null: one looks alone, and has not been anything else. @type {string | null} */
  token = null;
  /** The newest there is to know; null: nothing yet. @type {PartyState | null} */
  picture = null;
  /** Whether the line is down just now. */
  lost = false;
  /** @type {EventSource | null} */
  line = null;
  /** Where this page leads to, if the others have not been told yet. @type {ReplayPlace | null} */
  untold = null;
  /** Whether the leader of this page offers others the lead. */
  offered = false;
  telling = false;

  /**
   * @param {string} match
   * @param {(before: PartyState | null) => void} heard called when there is something new; before: what was known
   * @param {(why: string) => void} ended called when it is over; why: in words of the server, if it has any
   */
  constructor(match, heard, ended) {
    this.path = `/api/matches/${match}/together`;
    this.heard = heard;
    this.ended = ended;
  }

  get leads() {
    return this.picture?.you === "leader";
  }

  /** Lead others, from this place on. @param {ReplayPlace} place @returns {Promise<Response>} */
  async startParty(place) {
    const answer = await this.sendRequest("POST", "", place);
    if (answer.ok) this.connect(parseJson(await answer.clone().text()).token);
    return answer;
  }

  /** Hear where the leader is, from now on. @param {string} token */
  connect(token) {
    this.token = token;
    const line = new EventSource(`${this.path}/${token}`);
    this.line = line;
    line.onmessage = ({ data }) => {
      const before = this.picture;
      /** @type {PartyState} */
      const now = parseJson(data);
      [this.picture, this.lost] = [now, false];
      if (before?.you !== "leader") this.offered = now.offered;
      this.heard(before);
    };
    line.addEventListener("over", () => this.close(""));
    line.onerror = () => void this.#failed(line);
  }

  /** A line that was refused is not tried again by the browser, which does not say why either. @param {EventSource} line */
  async #failed(line) {
    this.lost = true;
    if (line.readyState !== EventSource.CLOSED) {
      this.heard(this.picture);
      return;
    }
    const looking = new AbortController();
    const answer = await fetch(line.url, { signal: looking.signal }).catch(() => null);
    if (this.line !== line) return;
    if (answer !== null && !answer.ok && !isTemporaryFailure(answer)) {
      this.close(refusalText(await readResponse(answer)));
      return;
    }
    looking.abort();
    this.heard(this.picture);
    if (!answer?.ok) await waitBeforeRetry();
    if (this.line === line && this.token !== null) this.connect(this.token);
  }

  /** @param {string} why */
  close(why) {
    this.line?.close();
    [this.line, this.token, this.picture, this.untold, this.lost] = [null, null, null, null, false];
    this.ended(why);
  }

  /** Have all others come here. @param {ReplayPlace} place */
  queuePlace(place) {
    if (!this.leads) return;
    this.untold = place;
    if (!this.telling) void this.#tell();
  }

  /** Tell the newest place, and go on as long as there are newer ones. */
  async #tell() {
    this.telling = true;
    while (this.untold !== null && this.leads) {
      const place = this.untold;
      this.untold = null;
      const answer = await this.sendRequest("PUT", `/${this.token}`, { ...place, offered: this.offered });
      if (isTemporaryFailure(answer)) this.untold ??= place;
      await (isTemporaryFailure(answer) ? waitBeforeRetry() : pause(MIN_SEND_INTERVAL));
    }
    this.telling = false;
  }

  /** Let others take the lead, or no longer. @param {boolean} offered @param {ReplayPlace} place */
  offerLead(offered, place) {
    this.offered = offered;
    this.queuePlace(place);
  }

  /** Lead from now on. */
  takeLead() {
    return this.sendRequest("POST", `/${this.token}/lead`);
  }

  /** Lead nobody any more. */
  endParty() {
    return this.sendRequest("DELETE", `/${this.token}`);
  }

  /** @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<Response>} */
  sendRequest(method, path, body) {
    const headers = { "Content-Type": "application/json" };
    return fetch(`${this.path}${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    }).catch(() => new Response(JSON.stringify({ key: "error.offline" }), { status: 503 }));
  }
}
