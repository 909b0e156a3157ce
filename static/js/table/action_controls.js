// @ts-check
// Draws the controls of actions without cards: a choice of ranks, a number, a list of answers, or a plain button.

import { rankLabel, rankText } from "../model/card_names.js";
import { button, h } from "../lib/virtual_dom.js";
import { formatNames, formatValue, t } from "../lib/messages.js";
import { legalActions } from "../model/state.js";

/**
 * @import { VNode } from "../lib/virtual_dom.js"
 * @import { Action, Desk } from "../types.d.ts"
 */

/**
 * Draw a list from which the player chooses a rank.
 * @param {Desk} desk
 * @param {{ name: string, value: string, label: string }} picker
 * @param {string | null} none text for "no rank"; null if a rank is required
 */
export function rankSelect(desk, picker, none) {
  return h(
    "label",
    { key: picker.name, class: "field inline" },
    h("span", { class: none === null ? "sr-only" : "" }, picker.label),
    h(
      "select",
      {
        value: picker.value,
        onchange: (/** @type {Event} */ event) =>
          desk.fill(picker.name, /** @type {HTMLSelectElement} */ (event.target).value),
      },
      none === null ? null : h("option", { value: "" }, none),
      [..."3456789TJQKA2X"].map((rank) => h("option", { value: rank }, rank === "X" ? t("rank.X") : rankText(rank))),
    ),
  );
}

/** Draw a list of ranks, and a button for each thing to say about the rank. @param {Desk} desk @param {string} name @returns {VNode[]} */
export function namedRankControls(desk, name) {
  const { model, update } = desk;
  const rank = String(model.form[name] || "3");
  return [
    h(
      "div",
      { key: name, class: "talk" },
      rankSelect(desk, { name, value: rank, label: t(`action.${name}`) }, null),
      update.actions[name]?.fields.map((field) =>
        button(
          {
            key: field,
            class: "button",
            "data-do": name,
            onclick: () => desk.playAction({ do: name, [field]: rank }),
          },
          t(`action.${name}.${field}`),
        ),
      ),
    ),
  ];
}

/**
 * Draw a grid in which the player chooses a fixed number of ranks, and the button that sends them.
 * @param {Desk} desk @param {string} name @returns {VNode[]}
 */
export function rankGridControls(desk, name) {
  const { model, update } = desk;
  const field = update.actions[name]?.fields[0] ?? "";
  const most = update.you.action_limits?.[name]?.most ?? 1;
  const all = [...(update.table?.ranks ?? "")];
  const chosen = [...String(model.form[name] ?? "")].filter((rank) => all.includes(rank)).slice(-most);
  const words = formatNames(chosen.map(rankText));
  return [
    h(
      "div",
      { key: `${name}.grid`, class: "ranks", role: "group", "aria-label": t(`action.${name}.none`) },
      all.map((rank) =>
        button(
          {
            key: rank,
            class: "rank",
            "data-rank": rank,
            "aria-pressed": chosen.includes(rank),
            "aria-label": rankLabel(rank),
            onclick: () =>
              desk.fill(
                name,
                chosen.includes(rank)
                  ? chosen.filter((each) => each !== rank).join("")
                  : [...chosen, rank].slice(-most).join(""),
              ),
          },
          rankText(rank),
        ),
      ),
    ),
    button(
      {
        key: name,
        class: "button main",
        "data-do": name,
        disabled: chosen.length !== most,
        onclick: () => {
          desk.fill(name, "");
          desk.playAction({ do: name, [field]: chosen.join("") });
        },
      },
      chosen.length === most ? t(`action.${name}`, { ranks: words }) : t(`action.${name}.none`),
    ),
  ];
}

/** Draw a slider for a number between bounds, and the button that sends it. @param {Desk} desk @param {string} name @returns {VNode[]} */
export function numberControls(desk, name) {
  const { model, update } = desk;
  const form = update.actions[name];
  const field = form?.fields[0] ?? "";
  const least = update.you.action_limits?.[name]?.least ?? form?.least ?? 0;
  const most = update.you.action_limits?.[name]?.most ?? form?.most ?? 0;
  const value = Number(model.form[name] ?? Math.floor((least + most) / 2));
  // An optional action does not get the main button.
  const asked = legalActions(update).some((action) => action.do === name);
  return [
    h(
      "div",
      { key: name, class: "talk" },
      h(
        "label",
        { class: "field slider" },
        h("span", null, t(`action.${name}.${field}`, { count: value })),
        h("input", {
          type: "range",
          min: least,
          max: most,
          value,
          oninput: (/** @type {Event} */ event) =>
            desk.fill(name, /** @type {HTMLInputElement} */ (event.target).value),
        }),
      ),
      button(
        {
          class: `button${asked ? " main" : ""}`,
          "data-do": name,
          onclick: () => desk.playAction({ do: name, [field]: value }),
        },
        t(`action.${name}`),
      ),
    ),
  ];
}

/** Draw a question with a button for each answer. @param {Desk} desk @param {string} name @param {Action[]} all @returns {VNode[]} */
export function choiceButtons(desk, name, all) {
  const field = /** @type {"first"} */ (desk.update.actions[name]?.fields[0] ?? "");
  return [
    h("p", { key: "ask", "data-zone": "question", class: "ask" }, t(`action.${name}`)),
    ...all.map((action) =>
      button(
        {
          key: `${name}${action[field]}`,
          class: "button",
          "data-do": name,
          onclick: () => desk.playAction(action),
        },
        action[field],
      ),
    ),
  ];
}

/** Draw the button of an action that needs no further input. @param {Desk} desk @param {Action} action @returns {VNode} */
export function actionButton(desk, action) {
  const { actions, you } = desk.update;
  const own = you.labels?.[action.do];
  return button(
    {
      key: `do${JSON.stringify(action)}`,
      class: `button${actions[action.do]?.main ? " main" : ""}`,
      "data-do": action.do,
      onclick: () => desk.playAction(action),
    },
    own === undefined ? t(`action.${action.do}`) : formatValue(own),
  );
}
