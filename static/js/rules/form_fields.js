// @ts-check
// Controls for the options of the rules form, by domain: choice, number, ranks, titles, points, several, steps.

import { rankLabel, rankText } from "../model/card_names.js";
import { button, h } from "../lib/virtual_dom.js";
import { isSameValue } from "./form_state.js";
import { t } from "../lib/messages.js";

/**
 * @import { VNode } from "../lib/virtual_dom.js"
 * @import { Switch } from "../types.d.ts"
 */

/** @param {Event} event */
const inputValue = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** Draw an option's control. @param {Switch} declared @param {unknown} value @param {string} id @param {(value: unknown) => void} change @returns {VNode} */
export function optionControl(declared, value, id, change) {
  const domain = declared.domain;
  switch (domain.type) {
    case "choice":
      return choiceField(declared.name, domain.values, value, id, change);
    case "number":
      return numberField(declared.name, domain, value, id, change);
    case "ranks":
      return ranksField(domain, String(value ?? ""), change);
    case "titles":
      return customListField(declared.name, domain, value, id, change, (each, edit) =>
        h("input", {
          value: String(each),
          maxlength: 30,
          oninput: (/** @type {Event} */ event) => edit(inputValue(event)),
        }),
      );
    case "points":
      return customListField(declared.name, domain, value, id, change, (each, edit) =>
        h("input", {
          type: "number",
          min: domain.low,
          max: domain.high,
          value: String(each),
          oninput: (/** @type {Event} */ event) => {
            const wanted = Number.parseInt(inputValue(event), 10);
            if (!Number.isNaN(wanted)) edit(wanted);
          },
        }),
      );
    case "several":
      return checkboxField(domain.values, Array.isArray(value) ? value : [], change);
    case "steps":
      return stepsField(domain, /** @type {[number, number][]} */ (Array.isArray(value) ? value : []), change);
  }
}

/**
 * Draw a radio button for each value. @template T
 * @param {string} name @param {{ value: T, label: string }[]} values @param {unknown} now @param {(value: T) => void} change
 */
export function radioChoices(name, values, now, change) {
  return h(
    "div",
    { class: "choices" },
    values.map(({ value, label }, i) =>
      h(
        "label",
        { key: JSON.stringify(value), class: "choice" },
        h("input", {
          type: "radio",
          name,
          value: String(i),
          checked: isSameValue(value, now),
          onchange: () => change(value),
        }),
        h("span", null, label),
      ),
    ),
  );
}

/** @param {string} name @param {import("../types.d.ts").Choice[]} values @param {unknown} value @param {string} id @param {(value: unknown) => void} change */
function choiceField(name, values, value, id, change) {
  const short = values.length <= 3 || values.every((each) => each.label.length < 14 && values.length <= 4);
  if (short) return radioChoices(id, values, value, change);
  const at = values.findIndex((each) => isSameValue(each.value, value));
  return h(
    "select",
    {
      id,
      "aria-label": name,
      value: String(at),
      onchange: (/** @type {Event} */ event) => change(values[Number(inputValue(event))]?.value),
    },
    values.map((each, i) => h("option", { key: String(i), value: String(i), selected: i === at }, each.label)),
  );
}

/** @param {string} name @param {{ low: number, high: number, none_label: string | null }} domain @param {unknown} value @param {string} id @param {(value: unknown) => void} change */
function numberField(name, domain, value, id, change) {
  const none = value === null;
  return h(
    "div",
    { class: "number" },
    h("input", {
      id,
      type: "number",
      "aria-label": name,
      min: domain.low,
      max: domain.high,
      value: none ? "" : String(value),
      disabled: none,
      inputmode: "numeric",
      oninput: (/** @type {Event} */ event) => {
        const wanted = Number.parseInt(inputValue(event), 10);
        if (!Number.isNaN(wanted)) change(wanted);
      },
    }),
    h("span", { class: "quiet" }, t("form.range", { low: domain.low, high: domain.high })),
    domain.none_label === null
      ? null
      : h(
          "label",
          { class: "choice" },
          h("input", {
            type: "checkbox",
            checked: none,
            onchange: () => change(none ? Math.max(domain.low, Math.min(domain.high, 11)) : null),
          }),
          h("span", null, domain.none_label),
        ),
  );
}

/** @param {{ most: number, of: string }} domain @param {string} value @param {(value: unknown) => void} change */
function ranksField(domain, value, change) {
  return h(
    "div",
    { class: "ranks" },
    [...domain.of].map((rank) => {
      const on = value.includes(rank);
      const toggled = on
        ? value.replace(rank, "")
        : [...domain.of].filter((each) => value.includes(each) || each === rank).join("");
      return button(
        {
          key: rank,
          class: "rank",
          "aria-pressed": on,
          "aria-label": rankLabel(rank),
          disabled: !on && value.length >= domain.most,
          onclick: () => change(toggled),
        },
        rankText(rank),
      );
    }),
  );
}

/**
 * Draw a choice of named lists, and for a custom list a field for each place in the ranking.
 * @param {string} name
 * @param {{ type: string, values: import("../types.d.ts").Choice[], places: string[] }} domain
 * @param {unknown} value
 * @param {string} id
 * @param {(value: unknown) => void} change
 * @param {(each: unknown, edit: (wanted: unknown) => void) => VNode} field
 */
function customListField(name, domain, value, id, change, field) {
  const own = Array.isArray(value) ? value : null;
  const begun =
    domain.type === "points" ? domain.places.map((_, i) => domain.places.length - 1 - i) : [...domain.places];
  return h(
    "div",
    { class: "titles" },
    h(
      "select",
      {
        id,
        "aria-label": name,
        value: own ? "" : String(value),
        onchange: (/** @type {Event} */ event) => change(inputValue(event) === "" ? begun : inputValue(event)),
      },
      domain.values.map((each) =>
        h(
          "option",
          { key: String(each.value), value: String(each.value), selected: isSameValue(each.value, value) },
          each.label,
        ),
      ),
      h("option", { key: "", value: "", selected: own !== null }, t(`form.own_${domain.type}`)),
    ),
    own === null
      ? null
      : h(
          "div",
          { class: "own-titles" },
          domain.places.map((place, i) =>
            h(
              "label",
              { key: place, class: "field" },
              h("span", null, place),
              field(own[i] ?? "", (wanted) => change(own.map((each, at) => (at === i ? wanted : each)))),
            ),
          ),
        ),
  );
}

/** Draw a checkbox for each value. @param {import("../types.d.ts").Choice[]} values @param {unknown[]} chosen @param {(value: unknown) => void} change */
function checkboxField(values, chosen, change) {
  const known = values.map((each) => each.value);
  return h(
    "div",
    { class: "choices" },
    values.map((each) =>
      h(
        "label",
        { key: String(each.value), class: "choice" },
        h("input", {
          type: "checkbox",
          checked: chosen.includes(each.value),
          onchange: () =>
            change(known.filter((one) => (one === each.value ? !chosen.includes(one) : chosen.includes(one)))),
        }),
        h("span", null, each.label),
      ),
    ),
  );
}

/** @param {{ most: number }} domain @param {[number, number][]} value @param {(value: unknown) => void} change */
function stepsField(domain, value, change) {
  /** @param {number} at @param {0 | 1} part @param {Event} event */
  const edit = (at, part, event) => {
    const wanted = Number.parseInt(inputValue(event), 10);
    if (Number.isNaN(wanted)) return;
    change(value.map((step, i) => (i === at ? (part === 0 ? [wanted, step[1]] : [step[0], wanted]) : step)));
  };
  return h(
    "div",
    { class: "steps" },
    value.map((step, i) =>
      h(
        "div",
        { key: String(i), class: "step" },
        h(
          "label",
          { class: "field inline" },
          h("span", null, t("form.step.from")),
          h("input", {
            type: "number",
            min: 1,
            max: 100,
            value: String(step[0]),
            oninput: (/** @type {Event} */ event) => edit(i, 0, event),
          }),
        ),
        h(
          "label",
          { class: "field inline" },
          h("span", null, t("form.step.times")),
          h("input", {
            type: "number",
            min: 1,
            max: 100,
            value: String(step[1]),
            oninput: (/** @type {Event} */ event) => edit(i, 1, event),
          }),
        ),
        button(
          {
            class: "tool",
            "aria-label": t("form.step.remove"),
            onclick: () => change(value.filter((_, at) => at !== i)),
          },
          "✕",
        ),
      ),
    ),
    value.length < domain.most
      ? button(
          {
            class: "button small",
            onclick: () => change([...value, [(value.at(-1)?.[0] ?? 9) + 1, 2]]),
          },
          t("form.step.add"),
        )
      : null,
  );
}

/** Draw a radio card. @param {string} name @param {{ key: string }} each @param {boolean} checked @param {() => void} pick @param {...import("../lib/virtual_dom.js").Children} says */
export function radioCard(name, each, checked, pick, ...says) {
  return h(
    "label",
    { key: each.key, "data-pick": each.key, class: "pick" },
    h("input", {
      type: "radio",
      name,
      value: each.key,
      checked,
      onchange: pick,
      ref: checked ? scrollToPicked : undefined,
    }),
    h("span", { class: "pick-box" }, ...says),
  );
}

/** @type {WeakSet<Element>} */
const scrolledInputs = new WeakSet();

/** Scroll a row of cards so that the chosen card is visible, when it is first drawn. @param {Element} input */
function scrollToPicked(input) {
  if (scrolledInputs.has(input)) return;
  scrolledInputs.add(input);
  queueMicrotask(() => {
    const pick = input.parentElement;
    const strip = pick?.parentElement;
    if (pick && strip)
      strip.scrollLeft = pick.offsetLeft - strip.offsetLeft - (strip.clientWidth - pick.offsetWidth) / 2;
  });
}
