// @ts-check
// What an action is done with where it needs no cards: a rank, a number, one of several, or just a button.

import { rankLabel, rankText } from "../model/card_names.js";
import { button, h } from "../lib/virtual_dom.js";
import { formatNames, formatValue, t } from "../lib/messages.js";
import { legalActions } from "../model/state.js";

/** @typedef {import("../lib/virtual_dom.js").VNode} VNode */
/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../types.d.ts").Action} Action */

/**
 * A list of ranks to choose from.
 * @param {Desk} desk
 * @param {{ name: string, value: string, label: string }} picker
 * @param {string | null} none what no rank is called, if there may be none
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

/** A rank, and what there is to say of it. @param {Desk} desk @param {string} name @returns {VNode[]} */
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

/** So many ranks, from a grid of all there are. @param {Desk} desk @param {string} name @returns {VNode[]} */
export function rankGridControls(desk, name) {
  const { model, update } = desk;
  const field = update.actions[name]?.fields[0] ?? "";
  const most = update.you.particulars?.[name]?.most ?? 1;
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

/** A number between its bounds. @param {Desk} desk @param {string} name @returns {VNode[]} */
export function numberControls(desk, name) {
  const { model, update } = desk;
  const form = update.actions[name];
  const field = form?.fields[0] ?? "";
  const least = update.you.particulars?.[name]?.least ?? form?.least ?? 0;
  const most = update.you.particulars?.[name]?.most ?? form?.most ?? 0;
  const value = Number(model.form[name] ?? Math.floor((least + most) / 2));
  // What nobody waits for is not what one has come for.
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

/** One of several: a question, and a button for each. @param {Desk} desk @param {string} name @param {Action[]} all @returns {VNode[]} */
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

/** A button for whatever needs no more. @param {Desk} desk @param {Action} action @returns {VNode} */
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
