// @ts-check
// The page of the menu about fair deals.

import { button, h } from "../lib/virtual_dom.js";
import { formatNames, t } from "../lib/messages.js";
import { copyText } from "../lib/share.js";

/** @typedef {import("../types.d.ts").Desk} Desk */

/** Explain how the deal is proved fair, and say what this browser found when it checked the last deal. @param {Desk} desk */
export function fairnessSection(desk) {
  const { fair, phase, known_cards } = desk.update.room;
  if (!fair?.commitment) return null;
  const secret = fair.previous?.secret;
  const names = Object.keys(fair.hashes);
  const alone = phase === "playing" && fair.closed === null && known_cards === null;
  const found = desk.chance?.told ?? { last: null, left: 0, deals: 0 };
  const seen = desk.chance?.seen ?? null;
  return h(
    "div",
    { key: "fair", "data-zone": "fair", class: "fair" },
    h("p", null, t("fair.how")),
    h("p", null, t("fair.limits")),
    h("p", { class: "hash" }, fair.commitment),
    h(
      "p",
      { class: "quiet" },
      names.length === 0 ? t("fair.seeds.none") : t("fair.seeds", { names: formatNames(names) }),
    ),
    alone ? h("p", null, t("fair.alone")) : null,
    fair.left_out.length === 0 ? null : h("p", null, t("fair.left_out", { names: formatNames(fair.left_out) })),
    secret ? previousSecret(secret) : null,
    found.last === null
      ? null
      : h(
          "p",
          { class: `verdict ${found.last.verdict}` },
          t(found.last.left ? "fair.found.left" : `fair.found.${found.last.verdict}`),
        ),
    found.left === 0 ? null : h("p", null, t("fair.left", { count: found.left })),
    seen === null ? null : copyListButton(desk, seen),
  );
}

/** Show the secret of the hand before, which its fingerprint announced. @param {string} secret */
function previousSecret(secret) {
  const [before, after] = t("fair.previous").split("{secret}");
  return h("p", null, before, h("span", { class: "hash" }, secret), after);
}

/** Draw a button that copies the closed list of seeds, as this browser saw it, to check a match file. @param {Desk} desk @param {object} seen */
function copyListButton(desk, seen) {
  const copied = desk.model.form.list_copied === true;
  return button(
    {
      key: "list",
      class: "button small",
      "data-do": "copy-list",
      onclick: async () => desk.fill("list_copied", await copyText(JSON.stringify(seen, null, 2))),
    },
    copied ? t("fair.list.copied") : t("fair.list.copy"),
  );
}
