// @ts-check
// The sheet with the rules: the game in a few sentences, the room's changes, and a link to the page with all rules.

import { t } from "../lib/messages.js";
import { h } from "../lib/virtual_dom.js";
import { findPreset, rulesButtons, rulesSummary } from "./room_rules.js";
import { dialog } from "../table/sheet.js";
import { rulesPath } from "../ui/rule_link.js";

/** @import { Desk } from "../types.d.ts" */

/** Draw the sheet with the rules. @param {Desk} desk */
export function rulesSheet(desk) {
  const { game, preset } = findPreset(desk);
  const sentences = (preset ?? game)?.short ?? [];
  // The summary above lists the room's changes.
  const changed = Object.keys(desk.update.room.differences).length > 0;
  const heading = changed && preset ? t("rules.short.unchanged", { name: preset.name }) : t("rules.short");
  const page = rulesPath(desk.update.room);
  return dialog(desk, t("rules.in_force"), [
    h(
      "section",
      { key: "rules", "data-zone": "rules", class: "rules-in-force", "aria-busy": game ? null : "true" },
      rulesSummary(desk),
      h("h3", { key: "short" }, heading),
      h(
        "ul",
        { key: "sentences", "data-zone": "short" },
        sentences.map((sentence) => h("li", { key: sentence }, sentence)),
      ),
      rulesButtons(
        desk,
        h("a", { class: "button plain", href: page, target: "_blank", rel: "noopener" }, t("rules.whole")),
        true,
      ),
    ),
  ]);
}
