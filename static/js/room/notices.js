// @ts-check
// Draws the banner about the connection and notices from the server, both over the table.

import { spokenSentence, textWithSpokenCards } from "../a11y/spoken_cards.js";
import { t } from "../lib/messages.js";
import { button, h } from "../lib/virtual_dom.js";
import { ruleLink } from "../ui/rule_link.js";

/** @import { Model } from "../types.d.ts" */

/**
 * Draw the banner over the title: about the connection, or with a text for everybody. Hidden if there is neither. While the
 * connection is lost, the text says what the server does.
 * @param {Model} model
 * @param {string} reason why the connection was closed, if the server said so
 */
export function banner({ link, update, unfair, stands: standing, slow: isSlow }, reason) {
  const stands = unfair || standing;
  const down = link === "lost" || (link === "connecting" && update !== null);
  const slow = isSlow && link === "open";
  const isBrief = down ? standing === "" : slow && stands === "";
  return h(
    "div",
    {
      key: "link",
      "data-zone": "banner",
      class: `banner${down || slow || link === "gone" || stands !== "" ? " show" : ""}${isBrief ? " brief" : ""}`,
      role: "status",
    },
    link === "gone"
      ? h("p", null, t(`gone.${reason || "closed"}`), " ", h("a", { href: "/" }, t("nav.home")))
      : down
        ? h("p", null, standing || t("link.lost"))
        : stands !== ""
          ? h("p", null, stands)
          : slow
            ? h("p", null, t("link.slow"))
            : null,
  );
}

/**
 * Draw a notice from the server where it covers neither cards nor seats. Return null while a sheet is open.
 * @param {Pick<import("../types.d.ts").Desk, "model" | "set">} desk
 */
export function slip({ model, set }) {
  const { notice: word, sheet: open } = model;
  if (word === null || open !== null) return null;
  return h(
    "div",
    { key: `notice${word.id}`, "data-zone": "notice", "data-bad": word.bad, class: `notice${word.bad ? " bad" : ""}` },
    h(
      "div",
      null,
      h("p", null, textWithSpokenCards(word.text, spokenSentence)),
      word.rule && model.update ? ruleLink(model.update.room, word.rule) : null,
    ),
    button({ class: "tool", "aria-label": t("sheet.close"), onclick: () => set({ notice: null }) }, "✕"),
  );
}
