// @ts-check
// Pure: texts for screen readers. “J♦” in any line becomes “jack of diamonds”.

import { CARD_SIGN, cardName, suitOfSign } from "../model/card_names.js";
import { h } from "../lib/virtual_dom.js";
import { formatNames, t } from "../lib/messages.js";
import { textWithMiniCards } from "../ui/card_faces.js";

/** Return the name of a card or of a suit symbol; jokers are already names. @param {string} sign */
function signName(sign) {
  const suit = suitOfSign(sign);
  if (suit === undefined) return sign;
  const rank = sign.slice(0, -1);
  return rank === "" ? t(`suit.${suit}`) : cardName((rank === "10" ? "T" : rank) + suit);
}

/** @type {Map<string, string>} What texts became before, since each play redraws the whole log. */
const spokenCache = new Map();
const MOST_KNOWN = 600;

/** Replace card symbols with names: “J♦ J♥” becomes “jack of diamonds and jack of hearts”. @param {string} text */
export function spokenText(text) {
  if (!/[♣♦♥♠]/.test(text)) return text;
  const before = spokenCache.get(text);
  if (before !== undefined) return before;
  if (spokenCache.size >= MOST_KNOWN) spokenCache.clear();
  const heard = nameCards(text);
  spokenCache.set(text, heard);
  return heard;
}

/** Like spokenText(), for a whole sentence: the name of a card may begin it. @param {string} text */
export function spokenSentence(text) {
  const spoken = spokenText(text);
  return spoken.charAt(0).toLocaleUpperCase(document.documentElement.lang) + spoken.slice(1);
}

/** @param {string} text */
function nameCards(text) {
  const one = [CARD_SIGN, t("joker.b"), t("joker.r")].join("|");
  const several = new RegExp(`(?:${one})(?: (?:${one}))*`, "g");
  return text.replace(several, (cards) => formatNames(cards.match(new RegExp(one, "g"))?.map(signName) ?? []));
}

/**
 * Show the cards of a text as mini cards, with card names for screen readers.
 * @param {string} text @param {(text: string) => string} [speak] spokenSentence for a whole sentence
 * @returns {import("../lib/virtual_dom.js").Children}
 */
export function textWithSpokenCards(text, speak = spokenText) {
  if (spokenText(text) === text) return text;
  return [
    h("span", { key: "seen", "aria-hidden": "true" }, textWithMiniCards(text)),
    h("span", { key: "heard", class: "sr-only" }, speak(text)),
  ];
}
