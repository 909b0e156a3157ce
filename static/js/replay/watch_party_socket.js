// @ts-check
// The connection of a watch party. The leader's page sends its place, and all other pages receive it.

import { parseJson } from "../lib/null_prototype.js";
import { waitBeforeRetry, isTemporaryFailure, pause } from "../lib/retry.js";
import { refusalText, readResponse } from "../lib/messages.js";

/**
 * @typedef {{ hand: number, move: number, seat: string | null }} ReplayPlace
 * @typedef {ReplayPlace & { leader: string, offered: boolean, followers: number, you: "leader" | "may_lead" | "follower" }} PartyState
 */

/** Shortest time between two sent places, in milliseconds. Dragging the slider would send too many. */
const MIN_SEND_INTERVAL = 500;
/** The connection of this page to a watch party. */
export class WatchPartySocket {
  /** The token of the party; null without a party. @type {string | null} */
  token = null;
  /** The latest state of the party; null before the first message. @type {PartyState | null} */
  picture = null;
  /** Whether the connection is lost. */
  lost = false;
  /** @type {EventSource | null} */
  line = null;
  /** The leader's latest place that has not been sent yet. @type {ReplayPlace | null} */
  untold = null;
  /** Whether the leader offers the lead to the others. */
  offered = false;
  telling = false;

  /**
   * @param {string} match
   * @param {(before: PartyState | null) => void} heard called after each change; before: the previous state
   * @param {(why: string) => void} ended called when the party ends; why: the server's reason, or empty
   */
  constructor(match, heard, ended) {
    this.path = `/api/matches/${match}/together`;
    this.heard = heard;
    this.ended = ended;
  }

  get leads() {
    return this.picture?.you === "leader";
  }

  /** Start a party that begins at this place. @param {ReplayPlace} place @returns {Promise<Response>} */
  async startParty(place) {
    const answer = await this.sendRequest("POST", "", place);
    if (answer.ok) this.connect(parseJson(await answer.clone().text()).token);
    return answer;
  }

  /** Connect to a party and receive its state. @param {string} token */
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

  /** Handle a connection error. The browser neither retries a refused connection nor gives the reason. @param {EventSource} line */
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

  /** Send a place to the followers if this page leads. @param {ReplayPlace} place */
  queuePlace(place) {
    if (!this.leads) return;
    this.untold = place;
    if (!this.telling) void this.#tell();
  }

  /** Send the latest place, and repeat while there are newer places. */
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

  /** Offer the lead to the others, or withdraw the offer. @param {boolean} offered @param {ReplayPlace} place */
  offerLead(offered, place) {
    this.offered = offered;
    this.queuePlace(place);
  }

  /** Take the lead. */
  takeLead() {
    return this.sendRequest("POST", `/${this.token}/lead`);
  }

  /** End the party. */
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
