// @ts-check
// Draws a watch party: the leader, the leader's place, and the buttons.

import { button, h } from "../lib/virtual_dom.js";
import { t, joinSentences } from "../lib/messages.js";

/** @import { PartyState as Picture } from "./watch_party_socket.js" */

/**
 * The functions that the buttons call.
 * @typedef {{ copy: () => void, offer: (offered: boolean) => void, end: () => void, take: () => void,
 *   alone: () => void, follow: () => void }} Wishes
 */

/** Draw the button that starts a party. @param {() => void} begin */
export function startPartyButton(begin) {
  return button({ key: "together", class: "button small", "data-do": "together", onclick: begin }, t("together.begin"));
}

/**
 * Describe the party: the leader, the leader's place, and whether this page follows. For the leader: the followers.
 * @param {Picture} picture
 * @param {boolean} apart
 * @returns {string}
 */
export function partyStatusText({ leader, hand, move, seat, you, offered, followers }, apart) {
  if (you === "leader") {
    const who = followers === 0 ? t("together.nobody") : t("together.followers", { count: followers });
    return offered ? t("together.waiting") : joinSentences([t("together.you_lead"), who]);
  }
  const key = apart ? "together.apart" : seat === null ? "together.leads" : "together.leads.seen_by";
  return joinSentences([
    t(key, { leader, hand: hand + 1, at: move + 1, seat }),
    you === "may_lead" ? t("together.offered", { leader }) : "",
  ]);
}

/**
 * Tell whether screen readers should announce the new state. Moves within a hand are announced elsewhere.
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
 * Draw the party with its buttons, or the notice that remains after it.
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
