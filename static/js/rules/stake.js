// @ts-check
// The stake: what a point is worth. The host sets it and everybody in the room sees it.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";

/** @import { Room } from "../types.d.ts" */
/** @typedef {{ amount: string, unit: string }} StakeInput The texts of the two fields. */

/** @param {Room["stake"]} stake @returns {StakeInput} */
export function stakeToInput(stake) {
  return stake === null ? { amount: "", unit: "" } : { amount: String(stake.amount), unit: stake.unit };
}

/** Return the typed stake; null if both fields are empty. The server refuses invalid stakes. @param {StakeInput} of */
export function parseStake({ amount, unit }) {
  if (amount.trim() === "" && unit.trim() === "") return null;
  return { amount: Number(amount.replace(",", ".")) || 0, unit: unit.trim() };
}

/** Draw two fields: the amount for a point, and its unit. @param {StakeInput} of @param {(next: StakeInput) => void} change */
export function stakeFields(of, change) {
  /** @param {keyof StakeInput} name @param {Record<string, unknown>} props */
  const field = (name, props) =>
    h(
      "label",
      { key: name, class: "field" },
      h("span", null, t(`stake.${name}`)),
      h("input", {
        id: `stake-${name}`,
        type: "text",
        autocomplete: "off",
        value: of[name],
        oninput: (/** @type {Event} */ event) =>
          change({ ...of, [name]: /** @type {HTMLInputElement} */ (event.target).value }),
        ...props,
      }),
    );
  return h(
    "fieldset",
    { key: "stake", class: "plain stake" },
    h("legend", null, t("stake.legend")),
    h("p", { class: "what" }, t("stake.what")),
    h(
      "div",
      { class: "stake-fields" },
      field("amount", { inputmode: "decimal", maxlength: 8, placeholder: t("stake.none") }),
      field("unit", { maxlength: 24, placeholder: t("stake.such_as") }),
    ),
  );
}

/** Return the worth of a number of points, with its unit. @param {NonNullable<Room["stake"]>} stake @param {number} points */
export function stakeWorthText(stake, points) {
  // Round to hundredths, to avoid binary fractions such as 0.30000000000000004.
  const amount = Math.round(stake.amount * 100 * points) / 100;
  return t("stake.worth", { amount, unit: amount === 1 ? stake.unit_singular : stake.unit });
}
