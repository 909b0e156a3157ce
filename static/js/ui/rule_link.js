// @ts-check
// The way to a rule that has refused something.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";

/**
 * The row of a rule that refuses, as this table plays it; in a tab of its own, so that nobody loses the table.
 * @param {import("../types.d.ts").Update["room"]} room @param {import("../types.d.ts").Ruled} rule
 */
export function ruleLink(room, rule) {
  const href = `/rules/${room.game}?room=${room.code}#${rule.id}`;
  return h("a", { class: "by-rule", href, target: "_blank", rel: "noopener" }, t("rules.by", { ...rule }));
}
