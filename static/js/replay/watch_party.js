// @ts-check
// What this page makes of those who look with it: it goes where the leader goes, lets go, or has the others come.

import { refusal, said, t } from "../lib/messages.js";
import { begins, flock, whereTheyAre, worthSaying } from "./watch_party_view.js";
import { copyText } from "../lib/share.js";
import { Together } from "./watch_party_socket.js";

/** @typedef {import("./watch_party_socket.js").Place} Place */
/** @typedef {import("./watch_party_socket.js").Picture} Picture */

/**
 * The page: where it is, how it goes somewhere, what stops it from going on by itself, and what makes it stay though
 * it is on its way. `address` is that of this place, with where the others meet.
 * @typedef {{ here: () => Place, go: (place: Place) => Promise<void>, stop: () => void, stay: () => void,
 *   show: () => void, say: (text: string) => void, address: (meeting: string | null) => string }} Onlooker
 */

/** Those who look at a match together, and this page among them. */
export class Flock {
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
    this.line = new Together(
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
  meet(token) {
    this.line.meet(token);
  }

  /** Somebody steps on this page: who followed looks alone from now on. */
  letGo() {
    this.notice = "";
    const { picture, leads } = this.line;
    if (picture === null || leads || this.apart) return;
    this.apart = true;
    this.page.stay();
    this.page.say(whereTheyAre(picture, true));
  }

  /** Have those who follow come here. */
  lead() {
    this.line.tell(this.page.here());
  }

  /** What is drawn of it. */
  view() {
    const { picture, lost } = this.line;
    return flock(
      picture,
      { apart: this.apart, lost, notice: this.notice },
      {
        copy: () => void this.#copy(),
        offer: (offered) => this.line.offer(offered, this.page.here()),
        end: () => void this.#ask(this.line.end()),
        take: () => void this.#ask(this.line.take()),
        alone: () => {
          this.letGo();
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
  beginning() {
    return this.token === null ? begins(() => void this.#begin()) : null;
  }

  async #begin() {
    this.began = true;
    const refused = await this.#ask(this.line.begin(this.page.here()));
    if (refused) this.began = false;
    else await this.#copy();
  }

  async #copy() {
    const copied = await copyText(this.page.address(this.token));
    this.#notice(t(copied ? "together.copied" : "together.not_copied"));
  }

  /** Ask the server, and say why not. @param {Promise<Response>} asking @returns {Promise<boolean>} whether it refused */
  async #ask(asking) {
    const answer = await asking;
    if (!answer.ok) this.#notice(refusal(await said(answer)));
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
    this.page.stop();
    void this.page.go(picture);
  }

  /** @param {Picture | null} before */
  #heard(before) {
    const now = this.line.picture;
    if (now === null) return;
    const { leads } = this.line;
    const led = before?.you === "leader";
    const moved = before?.hand !== now.hand || before.move !== now.move || before.seat !== now.seat;
    if (leads) this.apart = false;
    if (led && !leads) this.page.stop();
    if (worthSaying(before, now)) this.page.say(whereTheyAre(now, this.apart));
    // Who takes the lead has all come; who comes back to a flock that they lead goes where all are.
    if (leads && !led && (before !== null || this.began)) this.lead();
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
    const address = this.page.address(this.token);
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
