// @ts-check
// The form for a game's rules, drawn from the declarations alone: presets first, then every switch by its domain.
// It names no switch. What contradicts what is the server's to say, in its own sentence.

import { rankLabel, rankText } from "./cards.js";
import { h } from "./dom.js";
import { refusal, t } from "./messages.js";

/** @typedef {import("./dom.js").VNode} VNode */
/** @typedef {import("./types.d.ts").GameInfo} GameInfo */
/** @typedef {import("./types.d.ts").Switch} Switch */
/** @typedef {import("./types.d.ts").Catalogue} Catalogue */
/** @typedef {{ game: string, preset: string, changes: Record<string, unknown>, search: string, problem: string }} RulesForm */

/** @param {unknown} a @param {unknown} b */
export function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Every switch with its value: defaults, preset, then what was changed. @param {GameInfo} game @param {RulesForm} form */
export function resolved(game, form) {
  const preset = game.presets.find((each) => each.key === form.preset);
  /** @type {Record<string, unknown>} */
  const values = {};
  for (const section of game.sections) for (const each of section.switches) values[each.key] = each.default;
  return { ...values, ...(preset?.changes ?? {}), ...form.changes };
}

/** What the form changes from its preset. @param {GameInfo} game @param {RulesForm} form @returns {Record<string, unknown>} */
export function differences(game, form) {
  const base = resolved(game, { ...form, changes: {} });
  return Object.fromEntries(Object.entries(form.changes).filter(([key, value]) => !same(value, base[key])));
}

/** The options as the server takes them. @param {GameInfo} game @param {RulesForm} form */
export function options(game, form) {
  return { preset: form.preset, ...differences(game, form) };
}

/** A form that starts from a game's first preset. @param {GameInfo} game @returns {RulesForm} */
export function fresh(game) {
  return { game: game.key, preset: game.presets[0]?.key ?? "", changes: {}, search: "", problem: "" };
}

/** A value as its switch calls it. @param {Switch} declared @param {unknown} value @returns {string} */
export function valueLabel(declared, value) {
  const domain = declared.domain;
  if (domain.type === "choice" || domain.type === "titles") {
    const known = domain.values.find((each) => same(each.value, value));
    if (known) return known.label;
  }
  if (value === null || value === undefined) return domain.type === "number" ? (domain.none_label ?? "–") : "–";
  if (domain.type === "ranks") return value === "" ? t("form.no_ranks") : [...String(value)].map(rankText).join(" ");
  if (domain.type === "steps" && Array.isArray(value))
    return value.length === 0
      ? t("form.no_steps")
      : value.map(([from, times]) => t("form.step", { from, times })).join(", ");
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** Whether all the words stand somewhere in what a switch says. @param {Switch} declared @param {string} search */
export function matches(declared, search) {
  const wanted = search.trim().toLowerCase();
  if (wanted === "") return true;
  const { id, key, name, sentence, example, domain } = declared;
  const labels = "values" in domain ? domain.values.map((each) => each.label) : [];
  const text = [id, key, name, sentence, example, ...labels].join(" ").toLowerCase();
  return wanted.split(/\s+/).every((word) => text.includes(word));
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
      return h(
        "button",
        {
          key: rank,
          type: "button",
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
        h(
          "button",
          {
            type: "button",
            class: "tool",
            "aria-label": t("form.step.remove"),
            onclick: () => change(value.filter((_, at) => at !== i)),
          },
          "✕",
        ),
      ),
    ),
    value.length < domain.most
      ? h(
          "button",
          {
            type: "button",
            class: "button small",
            onclick: () => change([...value, [(value.at(-1)?.[0] ?? 9) + 1, 2]]),
          },
          t("form.step.add"),
        )
      : null,
  );
}

/**
 * Game, preset, differences, search, and every switch by section.
 * @param {Catalogue} catalogue
 * @param {RulesForm} form
 * @param {(form: RulesForm) => void} change
 */
export function rulesForm(catalogue, form, change) {
  const game = catalogue.games.find((each) => each.key === form.game) ?? catalogue.games[0];
  if (game === undefined) return null;
  const values = resolved(game, form);
  const differs = differences(game, form);
  const switches = game.sections.flatMap((section) => section.switches);
  const searching = form.search.trim() !== "";
  /** @param {string} key @param {unknown} value */
  const set = (key, value) => change({ ...form, changes: { ...form.changes, [key]: value } });
  /** @param {string} key */
  const reset = (key) =>
    change({ ...form, changes: Object.fromEntries(Object.entries(form.changes).filter(([each]) => each !== key)) });
  const found = game.sections
    .map((section) => ({ section, shown: section.switches.filter((each) => matches(each, form.search)) }))
    .filter(({ shown }) => shown.length > 0);
  return h(
    "div",
    { key: "rules-form", class: "rules-form" },
    h(
      "fieldset",
      { class: "plain", key: "games" },
      h("legend", null, t("form.game")),
      h(
        "div",
        { class: "game-cards" },
        catalogue.games.map((each) =>
          h(
            "label",
            { key: each.key, class: "pick" },
            h("input", {
              type: "radio",
              name: "game",
              value: each.key,
              checked: each.key === game.key,
              onchange: () => change(fresh(each)),
            }),
            h(
              "span",
              { class: "pick-box" },
              h("b", null, t(`game.${each.key}`)),
              h("span", null, t(`game.${each.key}.sentence`)),
              h("small", null, t("form.players", { min: each.players[0], max: each.players[1] })),
            ),
          ),
        ),
      ),
    ),
    h(
      "fieldset",
      { class: "plain", key: `presets-${game.key}` },
      h("legend", null, t("form.preset")),
      h(
        "div",
        { class: "preset-cards" },
        game.presets.map((each) =>
          h(
            "label",
            { key: each.key, class: "pick" },
            h("input", {
              type: "radio",
              name: "preset",
              value: each.key,
              checked: each.key === form.preset,
              onchange: () => change({ ...form, preset: each.key, changes: {} }),
            }),
            h(
              "span",
              { class: "pick-box" },
              h("b", null, each.name),
              h("span", null, each.sentence),
              each.players ? h("small", null, t("form.players", { min: each.players[0], max: each.players[1] })) : null,
            ),
          ),
        ),
      ),
    ),
    h(
      "section",
      { key: "differs", class: "what-differs", "aria-live": "polite" },
      h(
        "h2",
        null,
        Object.keys(differs).length === 0 ? t("form.same") : t("rules.differs", { count: Object.keys(differs).length }),
      ),
      h(
        "ul",
        null,
        Object.entries(differs).map(([key, value]) => {
          const declared = switches.find((each) => each.key === key);
          return declared
            ? h(
                "li",
                { key },
                h("b", null, declared.name),
                ": ",
                h("mark", null, valueLabel(declared, value)),
                " ",
                h(
                  "button",
                  { type: "button", class: "link", onclick: () => reset(key) },
                  t("form.reset", { name: declared.name }),
                ),
              )
            : null;
        }),
      ),
      form.problem !== "" ? h("p", { class: "problem", role: "alert" }, form.problem) : null,
    ),
    h(
      "section",
      { key: `switches-${game.key}`, class: "switches" },
      h(
        "label",
        { class: "field search" },
        h("span", null, t("form.search", { count: switches.length })),
        h("input", {
          type: "search",
          value: form.search,
          placeholder: t("form.search.example"),
          oninput: (/** @type {Event} */ event) => change({ ...form, search: valueOf(event) }),
        }),
      ),
      found.length === 0 ? h("p", { class: "quiet" }, t("form.nothing")) : null,
      found.map(({ section, shown }) => {
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
              changed > 0
                ? t("form.section.changed", { count: section.switches.length, changed })
                : t("form.section", { count: section.switches.length }),
            ),
          ),
          shown.map((each) => drawSwitch(each, values[each.key], each.key in differs, (value) => set(each.key, value))),
        );
      }),
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

/** @type {{ text: string, result: Promise<string> } | null} */
let asked = null;

/**
 * Ask the server what is wrong with these rules.
 * @param {GameInfo} game
 * @param {RulesForm} form
 * @returns {Promise<string>} its sentence, or nothing
 */
export function problemWith(game, form) {
  const text = JSON.stringify({ game: game.key, options: options(game, form) });
  if (asked?.text === text) return asked.result;
  const result = fetch("/api/options", { method: "POST", headers: { "content-type": "application/json" }, body: text })
    .then((answer) => answer.json())
    .then((answer) => (answer.ok === false || (answer.message && !answer.options) ? refusal(answer) : ""))
    .catch(() => "");
  asked = { text, result };
  return result;
}

/** All games with their declarations. @returns {Promise<Catalogue>} */
export async function fetchCatalogue() {
  const answer = await fetch("/api/games");
  return answer.json();
}
