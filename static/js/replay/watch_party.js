// @ts-check
// Connects this page to a watch party: follow the leader, stop following, or lead the others.

import { refusalText, readResponse, t } from "../lib/messages.js";
import { startPartyButton, partyView, partyStatusText, isWorthAnnouncing } from "./watch_party_view.js";
import { copyText } from "../lib/share.js";
import { WatchPartySocket } from "./watch_party_socket.js";

/** @import { PartyState as Picture, ReplayPlace as Place } from "./watch_party_socket.js" */

/**
 * The page's functions for a watch party. `currentPlace` and `goToStep`: the shown step; `stopPlayback`: end automatic
 * steps; `cancelLoading`: ignore running requests; `moveUrl`: the address of this step with the party's token.
 * @typedef {{ currentPlace: () => Place, goToStep: (place: Place) => Promise<void>, stopPlayback: () => void, cancelLoading: () => void,
 *   show: () => void, say: (text: string) => void, moveUrl: (meeting: string | null) => string }} Onlooker
 */

/** A watch party, as seen from this page. */
export class WatchParty {
  /** Whether this page has stopped following the leader for now. */
  apart = false;
  /** Whether the party was started on this page. */
  began = false;
  /** The latest notice about a copied link or a refusal. */
  notice = "";

  /**
   * @param {string} match
   * @param {Onlooker} page
   * @param {HTMLElement} root the element in which the page is drawn
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

  /** The token of the party, or null without a party. */
  get token() {
    return this.line.token;
  }

  /** Join a party and follow its leader. @param {string} token */
  joinParty(token) {
    this.line.connect(token);
  }

  /** Stop following the leader, because the viewer has changed the step. */
  stopFollowing() {
    this.notice = "";
    const { picture, leads } = this.line;
    if (picture === null || leads || this.apart) return;
    this.apart = true;
    this.page.cancelLoading();
    this.page.say(partyStatusText(picture, true));
  }

  /** Send this page's place to the followers if this page leads. */
  sharePlace() {
    this.line.queuePlace(this.page.currentPlace());
  }

  /** Draw the party's status and buttons. */
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

  /** Draw the button that starts a party, or return null in a party. */
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

  /**
   * Wait for the server's answer, and show a refusal.
   * @param {Promise<Response>} asking
   * @returns {Promise<boolean>} whether the server refused
   */
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
    // A new leader brings the others to this place. A leader who reconnects goes to the party's place.
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

  /** Draw the page. If the focused button has disappeared, focus the next button. */
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
