// @ts-check
// What this page makes of those who look with it: it goes where the leader goes, lets go, or has the others come.

import { refusalText, readResponse, t } from "../lib/messages.js";
import { startPartyButton, partyView, partyStatusText, isWorthAnnouncing } from "./watch_party_view.js";
import { copyText } from "../lib/share.js";
import { WatchPartySocket } from "./watch_party_socket.js";

/** @typedef {import("./watch_party_socket.js").ReplayPlace} Place */
/** @typedef {import("./watch_party_socket.js").PartyState} Picture */

/**
 * The page: where it is, how it goes somewhere, what stops it from going on by itself, and what makes it stay though
 * it is on its way. `address` is that of this place, with where the others meet.
 * @typedef {{ currentPlace: () => Place, goToStep: (place: Place) => Promise<void>, stopPlayback: () => void, cancelLoading: () => void,
 *   show: () => void, say: (text: string) => void, moveUrl: (meeting: string | null) => string }} Onlooker
 */

/** Those who look at a match together, and this page among them. */
export class WatchParty {
  /** Whether one looks alone for a while, though somebody leads. */
  apart = false;
  /** Whether it began on this page. */
  began = false;
  /** What was copied or refused just now. */
  notice = "";

  /**
   * @param {string} match
   * @param {Onlooker} page
   * @param {HTMLElement} root where it is drawn
   */
  constructor(match, page, root) {
    this.page = page;
    this.root = root;
    this.line = new WatchPartySocket(
      match,
      (before) => this.#heard(before),
      (why) => this.#parted(why),
    );
  }

  /** Where the others meet; null: there are none. */
  get token() {
    return this.line.token;
  }

  /** Go along with whoever leads there. @param {string} token */
  joinParty(token) {
    this.line.connect(token);
  }

  /** Somebody steps on this page: who followed looks alone from now on. */
  stopFollowing() {
    this.notice = "";
    const { picture, leads } = this.line;
    if (picture === null || leads || this.apart) return;
    this.apart = true;
    this.page.cancelLoading();
    this.page.say(partyStatusText(picture, true));
  }

  /** Have those who follow come here. */
  sharePlace() {
    this.line.queuePlace(this.page.currentPlace());
  }

  /** What is drawn of it. */
  view() {
    const { picture, lost } = this.line;
    return partyView(
      picture,
      { apart: this.apart, lost, notice: this.notice },
      {
        copy: () => void this.#copy(),
        offer: (offered) => this.line.offerLead(offered, this.page.currentPlace()),
        end: () => void this.#ask(this.line.endParty()),
        take: () => void this.#ask(this.line.takeLead()),
        alone: () => {
          this.stopFollowing();
          this.page.show();
        },
        follow: () => {
          this.apart = false;
          this.#goAlong();
          this.#draw();
        },
      },
    );
  }

  /** The way to lead others, for who looks alone. */
  startButton() {
    return this.token === null ? startPartyButton(() => void this.#begin()) : null;
  }

  async #begin() {
    this.began = true;
    const refused = await this.#ask(this.line.startParty(this.page.currentPlace()));
    if (refused) this.began = false;
    else await this.#copy();
  }

  async #copy() {
    const copied = await copyText(this.page.moveUrl(this.token));
    this.#notice(t(copied ? "together.copied" : "together.not_copied"));
  }

  /** Ask the server, and say why not. @param {Promise<Response>} asking @returns {Promise<boolean>} whether it refused */
  async #ask(asking) {
    const answer = await asking;
    if (!answer.ok) this.#notice(refusalText(await readResponse(answer)));
    return !answer.ok;
  }

  /** @param {string} text */
  #notice(text) {
    this.notice = text;
    this.#draw();
    this.page.say(text);
  }

  #goAlong() {
    const { picture } = this.line;
    if (picture === null) return;
    this.notice = "";
    this.page.stopPlayback();
    void this.page.goToStep(picture);
  }

  /** @param {Picture | null} before */
  #heard(before) {
    const now = this.line.picture;
    if (now === null) return;
    const { leads } = this.line;
    const led = before?.you === "leader";
    const moved = before?.hand !== now.hand || before.move !== now.move || before.seat !== now.seat;
    if (leads) this.apart = false;
    if (led && !leads) this.page.stopPlayback();
    if (isWorthAnnouncing(before, now)) this.page.say(partyStatusText(now, this.apart));
    // Who takes the lead has all come; who comes back to a flock that they lead goes where all are.
    if (leads && !led && (before !== null || this.began)) this.sharePlace();
    else if (moved && !this.apart && (!leads || before === null)) this.#goAlong();
    this.#draw();
    if (before === null && this.began) this.#focus("[data-do=invite]");
  }

  /** @param {string} why */
  #parted(why) {
    this.apart = this.began = false;
    this.#notice(why || t("together.over"));
  }

  /** Draw all anew. Who was at a button that is there no longer is at the next. */
  #draw() {
    const address = this.page.moveUrl(this.token);
    if (address !== location.href) history.replaceState(null, "", address);
    const inside = document.activeElement?.closest(".flock");
    this.page.show();
    if (inside && document.activeElement === document.body) this.#focus(".flock button, .looking summary");
  }

  /** @param {string} which */
  #focus(which) {
    /** @type {HTMLElement | null} */ (this.root.querySelector(which))?.focus();
  }
}
