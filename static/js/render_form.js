// @ts-check
// The form for a game's rules, drawn from the declarations alone: games and presets first, then every switch by its
// domain. What it holds is form.js's business.

import { rankLabel, rankText } from "./cards.js";
import { button, h } from "./dom.js";
import { differences, fresh, matches, resolved, same, valueLabel } from "./form.js";
import { t } from "./messages.js";

/** @typedef {import("./dom.js").VNode} VNode */
/** @typedef {import("./types.d.ts").GameInfo} GameInfo */
/** @typedef {import("./types.d.ts").Switch} Switch */
/** @typedef {import("./types.d.ts").Catalogue} Catalogue */
/** @typedef {import("./form.js").RulesForm} RulesForm */
/** @typedef {(form: RulesForm) => void} Change */

/**
 * Games, presets, what is changed, a search, and every switch by section.
 * @param {Catalogue} catalogue
 * @param {RulesForm} form
 * @param {Change} change
 */
export function rulesForm(catalogue, form, change) {
  const game = catalogue.games.find((each) => each.key === form.game) ?? catalogue.games[0];
  if (game === undefined) return null;
  return h(
    "div",
    { key: "rules-form", class: "rules-form" },
    games(catalogue, game, change),
    presets(game, form, change),
    changes(game, form, change),
    switches(game, form, change),
  );
}

/** One of several, as a card to pick. @param {string} name @param {{ key: string }} each @param {boolean} checked @param {() => void} pick @param {...import("./dom.js").Children} says */
function card(name, each, checked, pick, ...says) {
  return h(
    "label",
    { key: each.key, class: "pick" },
    h("input", { type: "radio", name, value: each.key, checked, onchange: pick }),
    h("span", { class: "pick-box" }, ...says),
  );
}

/** @param {[number, number]} players */
const howMany = ([min, max]) => h("small", null, t("form.players", { min, max }));

/** @param {Catalogue} catalogue @param {GameInfo} game @param {Change} change */
function games(catalogue, game, change) {
  return h(
    "fieldset",
    { class: "plain", key: "games" },
    h("legend", null, t("form.game")),
    h(
      "div",
      { class: "game-cards" },
      catalogue.games.map((each) =>
        card(
          "game",
          each,
          each.key === game.key,
          () => change(fresh(each)),
          h("b", null, t(`game.${each.key}`)),
          h("span", null, t(`game.${each.key}.sentence`)),
          howMany(each.players),
        ),
      ),
    ),
  );
}

/** @param {GameInfo} game @param {RulesForm} form @param {Change} change */
function presets(game, form, change) {
  return h(
    "fieldset",
    { class: "plain", key: `presets-${game.key}` },
    h("legend", null, t("form.preset")),
    h(
      "div",
      { class: "preset-cards" },
      game.presets.map((each) =>
        card(
          "preset",
          each,
          each.key === form.preset,
          () => change({ ...form, preset: each.key, changes: {} }),
          h("b", null, each.name),
          h("span", null, each.sentence),
          each.players ? howMany(each.players) : null,
        ),
      ),
    ),
  );
}

/** What is changed from the preset, each to be taken back. @param {GameInfo} game @param {RulesForm} form @param {Change} change */
function changes(game, form, change) {
  const differs = differences(game, form);
  const count = Object.keys(differs).length;
  const declared = game.sections.flatMap((section) => section.switches).filter((each) => each.key in differs);
  /** @param {string} key */
  const reset = (key) =>
    change({ ...form, changes: Object.fromEntries(Object.entries(form.changes).filter(([each]) => each !== key)) });
  return h(
    "section",
    { key: "differs", class: "what-differs", "aria-live": "polite" },
    h("h2", null, count === 0 ? t("form.same") : t("rules.differs", { count })),
    h(
      "ul",
      null,
      declared.map((each) =>
        h(
          "li",
          { key: each.key },
          h("b", null, each.name),
          ": ",
          h("mark", null, valueLabel(each, differs[each.key])),
          " ",
          button({ class: "link", onclick: () => reset(each.key) }, t("form.reset", { name: each.name })),
        ),
      ),
    ),
    form.problem !== "" ? h("p", { class: "problem", role: "alert" }, form.problem) : null,
  );
}

/** A search, and the sections with what it finds. @param {GameInfo} game @param {RulesForm} form @param {Change} change */
function switches(game, form, change) {
  const count = game.sections.reduce((sum, section) => sum + section.switches.length, 0);
  const found = game.sections
    .map((section) => ({ section, shown: section.switches.filter((each) => matches(each, form.search)) }))
    .filter(({ shown }) => shown.length > 0);
  return h(
    "section",
    { key: `switches-${game.key}`, class: "switches" },
    h(
      "label",
      { class: "field search" },
      h("span", null, t("form.search", { count })),
      h("input", {
        type: "search",
        value: form.search,
        placeholder: t("form.search.example"),
        oninput: (/** @type {Event} */ event) => change({ ...form, search: valueOf(event) }),
      }),
    ),
    found.length === 0 ? h("p", { class: "quiet" }, t("form.nothing")) : null,
    found.map(({ section, shown }) => drawSection(game, form, section, shown, change)),
  );
}

/** @param {GameInfo} game @param {RulesForm} form @param {GameInfo["sections"][number]} section @param {Switch[]} shown @param {Change} change */
function drawSection(game, form, section, shown, change) {
  const searching = form.search.trim() !== "";
  const values = resolved(game, form);
  const differs = differences(game, form);
  const count = section.switches.length;
  const changed = section.switches.filter((each) => each.key in differs).length;
  return h(
    "details",
    { key: `${section.key}${searching ? "?" : ""}`, class: "section", ref: searching ? opened : undefined },
    h(
      "summary",
      null,
      h("span", null, section.name),
      h(
        "span",
        { class: "quiet" },
        changed > 0 ? t("form.section.changed", { count, changed }) : t("form.section", { count }),
      ),
    ),
    shown.map((each) =>
      drawSwitch(each, values[each.key], each.key in differs, (value) =>
        change({ ...form, changes: { ...form.changes, [each.key]: value } }),
      ),
    ),
  );
}

/** @type {WeakSet<Element>} */
const once = new WeakSet();

/** What was searched for is shown; closing it again is anybody's choice. @param {HTMLDetailsElement} details */
function opened(details) {
  if (once.has(details)) return;
  once.add(details);
  details.open = true;
}

/** @param {Event} event */
const valueOf = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/**
 * One switch: its name, its sentence, and the control of its domain.
 * @param {Switch} declared
 * @param {unknown} value
 * @param {boolean} differs
 * @param {(value: unknown) => void} change
 */
function drawSwitch(declared, value, differs, change) {
  const id = `switch-${declared.key}`;
  return h(
    "fieldset",
    {
      key: declared.key,
      class: `switch${differs ? " differs" : ""}`,
      "data-switch": declared.key,
      "aria-describedby": `${id}-what`,
    },
    h("legend", null, declared.name, differs ? h("mark", null, t("form.changed")) : null),
    h("p", { id: `${id}-what`, class: "sentence" }, declared.sentence),
    declared.example ? h("p", { class: "example" }, declared.example) : null,
    control(declared, value, id, change),
  );
}

/** @param {Switch} declared @param {unknown} value @param {string} id @param {(value: unknown) => void} change @returns {VNode} */
function control(declared, value, id, change) {
  const domain = declared.domain;
  switch (domain.type) {
    case "choice":
      return choice(declared.name, domain.values, value, id, change);
    case "number":
      return number(declared.name, domain, value, id, change);
    case "ranks":
      return ranks(domain, String(value ?? ""), change);
    case "titles":
      return titles(declared.name, domain, value, id, change);
    case "steps":
      return steps(domain, /** @type {[number, number][]} */ (Array.isArray(value) ? value : []), change);
  }
}

/** @param {string} name @param {import("./types.d.ts").Choice[]} values @param {unknown} value @param {string} id @param {(value: unknown) => void} change */
function choice(name, values, value, id, change) {
  const short = values.length <= 3 || values.every((each) => each.label.length < 14 && values.length <= 4);
  if (short) {
    return h(
      "div",
      { class: "choices" },
      values.map((each, i) =>
        h(
          "label",
          { key: String(i), class: "choice" },
          h("input", {
            type: "radio",
            name: id,
            value: String(i),
            checked: same(each.value, value),
            onchange: () => change(each.value),
          }),
          h("span", null, each.label),
        ),
      ),
    );
  }
  const at = values.findIndex((each) => same(each.value, value));
  return h(
    "select",
    {
      id,
      "aria-label": name,
      value: String(at),
      onchange: (/** @type {Event} */ event) => change(values[Number(valueOf(event))]?.value),
    },
    values.map((each, i) => h("option", { key: String(i), value: String(i), selected: i === at }, each.label)),
  );
}

/** @param {string} name @param {{ low: number, high: number, none_label: string | null }} domain @param {unknown} value @param {string} id @param {(value: unknown) => void} change */
function number(name, domain, value, id, change) {
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
        const wanted = Number.parseInt(valueOf(event), 10);
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
function ranks(domain, value, change) {
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

/** @param {string} name @param {{ values: import("./types.d.ts").Choice[], places: string[] }} domain @param {unknown} value @param {string} id @param {(value: unknown) => void} change */
function titles(name, domain, value, id, change) {
  const own = Array.isArray(value) ? value.map(String) : null;
  return h(
    "div",
    { class: "titles" },
    h(
      "select",
      {
        id,
        "aria-label": name,
        value: own ? "" : String(value),
        onchange: (/** @type {Event} */ event) => change(valueOf(event) === "" ? [...domain.places] : valueOf(event)),
      },
      domain.values.map((each) =>
        h(
          "option",
          { key: String(each.value), value: String(each.value), selected: same(each.value, value) },
          each.label,
        ),
      ),
      h("option", { key: "", value: "", selected: own !== null }, t("form.own_titles")),
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
              h("input", {
                value: own[i] ?? "",
                maxlength: 30,
                oninput: (/** @type {Event} */ event) =>
                  change(own.map((each, at) => (at === i ? valueOf(event) : each))),
              }),
            ),
          ),
        ),
  );
}

/** @param {{ most: number }} domain @param {[number, number][]} value @param {(value: unknown) => void} change */
function steps(domain, value, change) {
  /** @param {number} at @param {0 | 1} part @param {Event} event */
  const edit = (at, part, event) => {
    const wanted = Number.parseInt(valueOf(event), 10);
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
