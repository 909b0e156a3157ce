// @ts-check
// Links to the rules of a room.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";

/** @import { Update } from "../types.d.ts" */
/** @typedef {Update["room"]} Room */

/** Return the path of the page with all rules of the room. @param {Pick<Room, "game" | "code">} room */
export function rulesPath(room) {
  return `/rules/${room.game}?room=${room.code}`;
}

/**
 * Draw a link to a rule, with the room's settings. It opens a new tab, so that the table stays open.
 * @param {Room} room @param {import("../types.d.ts").Ruled} rule
 */
export function ruleLink(room, rule) {
  const href = `${rulesPath(room)}#${rule.id}`;
  return h("a", { class: "by-rule", href, target: "_blank", rel: "noopener" }, t("rules.by", { ...rule }));
}
