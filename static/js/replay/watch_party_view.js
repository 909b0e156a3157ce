// @ts-check
// Those who look at one match together: who leads, where that is, and what one can do about it.

import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";

/** @typedef {import("./watch_party_socket.js").PartyState} Picture */

/**
 * What is asked for by the buttons.
 * @typedef {{ copy: () => void, offer: (offered: boolean) => void, end: () => void, take: () => void,
 *   alone: () => void, follow: () => void }} Wishes
 */

/** The way to lead others. @param {() => void} begin */
export function startPartyButton(begin) {
  return button({ key: "together", class: "button small", "data-do": "together", onclick: begin }, t("together.begin"));
}

/**
 * Where the leader is, and whether one is there, too.
 * @param {Picture} picture
 * @param {boolean} apart
 * @returns {string}
 */
export function partyStatusText({ leader, hand, move, seat, you, offered, followers }, apart) {
  if (you === "leader") {
    const who = followers === 0 ? t("together.nobody") : t("together.followers", { count: followers });
    return offered ? t("together.waiting") : joinSentences(t("together.you_lead"), who);
  }
  const key = apart ? "together.apart" : seat === null ? "together.leads" : "together.leads.seen_by";
  return joinSentences(
    t(key, { leader, hand: hand + 1, at: move + 1, seat }),
    you === "may_lead" ? t("together.offered") : "",
  );
}

/** @param {string} first @param {string} second */
function joinSentences(first, second) {
  return second === "" ? first : `${first} ${second}`;
}

/**
 * Whether who listens should hear it again; the moves themselves are told as they happen.
 * @param {Picture | null} before
 * @param {Picture} now
 * @returns {boolean}
 */
export function isWorthAnnouncing(before, now) {
  if (before === null || before.you !== now.you || before.leader !== now.leader) return true;
  return now.you === "leader"
    ? before.followers !== now.followers || before.offered !== now.offered
    : before.hand !== now.hand || before.seat !== now.seat;
}

/** @param {string} what @param {string} text @param {() => void} onclick */
function partyButton(what, text, onclick) {
  return button({ key: what, class: "button small", "data-do": what, onclick }, text);
}

/**
 * The flock one is in, or what became of it.
 * @param {Picture | null} picture
 * @param {{ apart: boolean, lost: boolean, notice: string }} here
 * @param {Wishes} wishes
 */
export function partyView(picture, { apart, lost, notice }, wishes) {
  const told = notice === "" ? null : h("p", { key: "notice", class: "quiet" }, notice);
  if (picture === null)
    return (
      told &&
      h("section", { key: "flock", "data-zone": "together", class: "flock", "aria-label": t("together.title") }, told)
    );
  const { you, offered, leader } = picture;
  return h(
    "section",
    { key: "flock", "data-zone": "together", class: "flock", "aria-label": t("together.title") },
    h("p", { key: "where" }, h("b", null, lost ? t("together.lost") : partyStatusText(picture, apart))),
    told,
    h(
      "div",
      { key: "wishes", class: "wishes" },
      you === "leader"
        ? [
            partyButton("invite", t("together.copy"), wishes.copy),
            partyButton("hand_over", t(offered ? "together.keep" : "together.offer"), () => wishes.offer(!offered)),
            partyButton("end", t("together.end"), wishes.end),
          ]
        : [
            apart
              ? partyButton("along", t("together.again", { leader }), wishes.follow)
              : partyButton("along", t("together.leave"), wishes.alone),
            you === "may_lead" ? partyButton("take", t("together.take"), wishes.take) : null,
          ],
    ),
  );
}
