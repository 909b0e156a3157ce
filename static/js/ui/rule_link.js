// @ts-check
// Draws a link to the rule that caused a refusal.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";

/**
 * Draw a link to a rule, with the room's settings. It opens a new tab, so that the table stays open.
 * @param {import("../types.d.ts").Update["room"]} room @param {import("../types.d.ts").Ruled} rule
 */
export function ruleLink(room, rule) {
  const href = `/rules/${room.game}?room=${room.code}#${rule.id}`;
  return h("a", { class: "by-rule", href, target: "_blank", rel: "noopener" }, t("rules.by", { ...rule }));
}
