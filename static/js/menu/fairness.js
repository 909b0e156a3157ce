// @ts-check
// The page of the menu about fair deals.

import { button, h } from "../lib/virtual_dom.js";
import { formatNames, t } from "../lib/messages.js";
import { copyText } from "../lib/share.js";

/**
 * @import { Children } from "../lib/virtual_dom.js"
 * @import { Desk } from "../types.d.ts"
 * @import { SeedCommitter } from "../net/seed_commitment.js"
 */
/** @typedef {SeedCommitter["summary"]} Summary */

/** Verdicts on a deal that was not fair. */
const UNFAIR = /** @type {const} */ (["list", "seed", "promise", "cards", "seats", "foreign"]);

/** Explain how deals are proved fair. Say who gave seeds, and what this browser found in this match. @param {Desk} desk */
export function fairnessSection(desk) {
  const { fair, phase, known_cards, operator_looks } = desk.update.room;
  if (!fair?.commitment) return null;
  const names = Object.keys(fair.hashes);
  const alone = phase === "playing" && fair.closed === null && known_cards === null;
  // The texts of this page load with the check.
  if (desk.fairDeals === null) return null;
  const { summary, copy: lists } = desk.fairDeals;
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
    operator_looks === 0 ? null : h("p", { class: "finding" }, t("fair.operator_looks", { count: operator_looks })),
    lastDeal(desk, summary),
    counts(summary),
    lists === null ? null : copyListsButton(desk, lists),
  );
}

/** Say who gave a seed for the last deal, and what this browser checked. @param {Desk} desk @param {Summary} summary @returns {Children} */
function lastDeal({ update }, summary) {
  const { previous } = update.room.fair;
  const { last } = summary;
  const { givers = {}, order } = previous?.list ?? {};
  const gave = previous
    ? Object.keys(previous.seeds).map((number) => givers[number] ?? previous.givers?.[number] ?? number)
    : [];
  const without = order?.seats.filter((name) => !gave.includes(name)) ?? [];
  const unfair = last?.kinds.some((kind) => UNFAIR.some((each) => each === kind));
  const checked = unfair ? "unfair" : last?.verdict !== "fair" ? "none" : last.unseen.length > 0 ? "part" : "fair";
  return [
    !previous?.secret || previous.known
      ? null
      : [
          h("p", null, gave.length === 0 ? t("fair.given.none") : t("fair.given", { names: formatNames(gave) })),
          without.length === 0 ? null : h("p", null, t("fair.without", { names: formatNames(without) })),
          previousSecret(previous.secret),
        ],
    last === null && !previous ? null : h("p", { class: `verdict ${checked}` }, t(`fair.found.${checked}`)),
    last?.verdict === "fair" ? last.unseen.map((part) => h("p", { key: part }, t(`fair.unseen.${part}`))) : null,
    last?.kinds.map((kind) =>
      kind === "cancelled"
        ? null
        : h("p", { key: kind, class: "finding" }, t(`fair.line.${kind}`), " ", t(`fair.means.${kind}`)),
    ),
  ];
}

/** Show the counts of this match. @param {Summary} summary */
function counts({ counts: found, deals, open }) {
  const unfair = UNFAIR.reduce((sum, kind) => sum + (found[kind] ?? 0), 0);
  const shown = { deals, unfair, redrawn: 0, cancelled: 0, ...found, open };
  const always = ["deals", "redrawn", "cancelled"];
  return h(
    "ul",
    { key: "counts", class: "counts" },
    Object.entries(shown).map(([kind, number]) =>
      (number === 0 && !always.includes(kind)) || UNFAIR.some((each) => each === kind)
        ? null
        : h("li", { key: kind, "data-count": kind }, t(`fair.count.${kind}`, { number })),
    ),
    open === 0 ? null : h("li", { key: "means" }, t("fair.means.open")),
  );
}

/** Show the secret of the hand before, which its fingerprint announced. @param {string} secret */
function previousSecret(secret) {
  const [before, after] = t("fair.previous").split("{secret}");
  return h("p", null, before, h("span", { class: "hash" }, secret), after);
}

/** Draw a button that copies the closed lists of this match, to check its file. @param {Desk} desk @param {object} lists */
function copyListsButton(desk, lists) {
  const copied = desk.model.form.list_copied === true;
  return button(
    {
      key: "list",
      class: "button small",
      "data-do": "copy-list",
      onclick: async () => desk.fill("list_copied", await copyText(JSON.stringify(lists, null, 2))),
    },
    copied ? t("fair.list.copied") : t("fair.list.copy"),
  );
}
