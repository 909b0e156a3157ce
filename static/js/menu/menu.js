// @ts-check
// The sheets over the table.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { dialog } from "../table/sheet.js";
import { statusBadgeList } from "../table/status_badges.js";
import { logView } from "../table/log.js";
import { trickPlay } from "../table/trick.js";
import { nameSheet } from "../lobby/invite.js";
import { inviteSheet } from "../lobby/room_link.js";
import { joinForm, joinInfoText } from "../lobby/join_form.js";
import { settleUpSheet } from "../result/settle_up.js";
import { chatSheet } from "../chat/sheet.js";
import { decreeSheet } from "../actions/decree_sheet.js";
import { passMenu } from "../actions/pass_menu.js";
import { menuSheet } from "./menu_sheet.js";
import { interpretationSheet } from "./play_as_sheet.js";
import { playableSheet } from "./playable_sheet.js";
import { profileSheet } from "./profile.js";
import { questionSheet } from "./question_sheet.js";
import { rulesSheet } from "../rules/rules_sheet.js";
import { settingsSheet } from "./settings_sheet.js";
import { shortcutSheet } from "./shortcut_help.js";

/** @import { Desk } from "../types.d.ts" */

/** @type {Record<string, (desk: Desk) => import("../lib/virtual_dom.js").VNode | null>} */
const SHEETS = {
  menu: menuSheet,
  question: questionSheet,
  log: (desk) =>
    dialog(desk, t("tool.log"), [
      h(
        "div",
        { "data-zone": "log-box", class: "log-box" },
        logView(desk.update.table, desk.model.log, desk.update.you.name),
      ),
    ]),
  rules: rulesSheet,
  settings: settingsSheet,
  order: decreeSheet,
  passing: passMenu,
  settle: settleUpSheet,
  self: profileSheet,
  talk: chatSheet,
  ways: interpretationSheet,
  signs: (desk) => dialog(desk, t("signs.label"), [statusBadgeList(desk.update.table)]),
  plays: (desk) => dialog(desk, t("trick.label"), [playList(desk.update)]),
  name: nameSheet,
  invite: inviteSheet,
  prospects: playableSheet,
  keys: shortcutSheet,
  come_in: (desk) =>
    dialog(desk, t("watch.join"), [h("p", { key: "words" }, joinInfoText(desk.update)), joinForm(desk)]),
};

/** Draw the list of all plays of the trick, or of the last trick. @param {import("../types.d.ts").Update} update */
function playList({ table, you }) {
  const plays = table?.trick?.plays ?? [];
  return h(
    "ol",
    { key: "plays", "data-zone": "play-list", class: "play-list" },
    (plays.length > 0 ? plays : (table?.last_trick ?? [])).map((play, i) => trickPlay(play, 0, you.name, `${i}`)),
  );
}

/** Draw the sheet that is open over the table, or null. @param {Desk} desk */
export function openSheet(desk) {
  return SHEETS[desk.model.sheet ?? ""]?.(desk) ?? null;
}
