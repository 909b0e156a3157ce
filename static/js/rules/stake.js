// @ts-check
// What is played for: the stake a point, as the host sets it and everybody reads it.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";

/** @typedef {import("../types.d.ts").Room} Room */
/** @typedef {{ amount: string, unit: string }} StakeInput What stands in the two fields. */

/** @param {Room["stake"]} stake @returns {StakeInput} */
export function stakeToInput(stake) {
  return stake === null ? { amount: "", unit: "" } : { amount: String(stake.amount), unit: stake.unit };
}

/** The stake that was typed; null if both fields are empty. What is none the server refuses. @param {StakeInput} of */
export function parseStake({ amount, unit }) {
  if (amount.trim() === "" && unit.trim() === "") return null;
  return { amount: Number(amount.replace(",", ".")) || 0, unit: unit.trim() };
}

/** Two fields: how much a point, and of what. @param {StakeInput} of @param {(next: StakeInput) => void} change */
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
    h(
      "div",
      { class: "stake-fields" },
      field("amount", { inputmode: "decimal", maxlength: 8, placeholder: t("stake.none") }),
      field("unit", { maxlength: 24, placeholder: t("stake.such_as") }),
    ),
  );
}

/** So many points in what they are played for. @param {NonNullable<Room["stake"]>} stake @param {number} points */
export function stakeWorthText(stake, points) {
  // Hundredths are whole numbers, and add up.
  const amount = Math.round(stake.amount * 100 * points) / 100;
  return t("stake.worth", { amount, unit: amount === 1 ? stake.one : stake.unit });
}
