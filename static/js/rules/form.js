// @ts-check
// The form for a game's rules, drawn from the server's declarations: games, presets, then every option. Controls are in
// rules/form_fields.js; the form's values are in rules/form_state.js.

import { button, h } from "../lib/virtual_dom.js";
import {
  findOptions,
  findPresetsByName,
  changedOptions,
  newForm,
  formFromSavedRules,
  checkRules,
  optionsToSend,
  presetEntries,
  presetVariants,
  resolveOptions,
  isSameAsSaved,
  valueLabel,
} from "./form_state.js";
import { t } from "../lib/messages.js";
import { optionControl, radioCard } from "./form_fields.js";
import { questionsSection } from "./form_questions.js";
import { presetPicture } from "./preset_picture.js";
import { segmentedControl } from "../ui/segmented_control.js";
import { saveRulesForm, savedConfirmation } from "./save_rules_form.js";
import { copyText } from "../lib/share.js";

/**
 * @import { Catalogue, GameInfo, KeptRules, Switch } from "../types.d.ts"
 * @import { SaveFormState as Keeping } from "./saved_rules_api.js"
 * @import { RulesForm } from "./form_state.js"
 */
/** @typedef {(form: RulesForm) => void} Change */

/**
 * Draw the form: games, presets, questions, changed options, a search, and every option by section.
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
    gameField(catalogue, game, change),
    presetField(catalogue, game, form, change),
    questionsSection(game, form, change),
    changesSection(catalogue, game, form, change),
    h(
      "details",
      { key: "house-rules", class: "more", "data-more": "rules" },
      h("summary", null, h("span", null, t("form.house_rules"))),
      optionsSection(catalogue, game, form, change),
    ),
  );
}

/** @param {Catalogue} catalogue @param {GameInfo} game @param {Change} change */
function gameField(catalogue, game, change) {
  return h(
    "fieldset",
    { class: "plain", key: "games" },
    h("legend", null, t("form.game")),
    h(
      "div",
      { "data-zone": "games", class: "game-cards" },
      catalogue.games.map((each) =>
        radioCard(
          "game",
          each,
          each.key === game.key,
          () => change(newForm(each)),
          h("b", null, t(`game.${each.key}`)),
        ),
      ),
    ),
  );
}

/** Find the saved house rules that the form started from. @param {Catalogue} catalogue @param {RulesForm} form */
function findSavedRules({ kept = [] }, form) {
  return kept.find((each) => each.id === form.mine);
}

/** Name the preset of saved house rules, and count their changes to it. @param {KeptRules} mine @param {string} preset */
function savedRulesText({ changes }, preset) {
  const count = Object.keys(changes).length;
  return count === 0 ? t("form.mine.same", { preset }) : t("form.mine.what", { preset, count });
}

/** Draw the button for the hidden presets; the first of them then has the focus. @param {GameInfo["presets"]} hidden @param {() => void} showAll */
function morePresetsButton(hidden, showAll) {
  const [first] = hidden;
  if (first === undefined) return null;
  const onclick = () => {
    showAll();
    queueMicrotask(() =>
      /** @type {HTMLElement | null} */ (document.querySelector(`[data-pick="${first.key}"] input`))?.focus(),
    );
  };
  return button(
    { key: "more", class: "button more-presets", "data-do": "more_presets", onclick },
    t("form.more_presets", { count: hidden.length }),
  );
}

/** Draw the picture on a card, and the words for its signs, which appear on focus and hover. @param {GameInfo["presets"][number] | KeptRules} each */
function signedPicture(each) {
  return [presetPicture(each), each.mark_text ? h("span", { class: "mark-text" }, each.mark_text) : null];
}

/** Draw the choice of rules: saved house rules, then presets. @param {Catalogue} catalogue @param {GameInfo} game @param {RulesForm} form @param {Change} change */
function presetField(catalogue, game, form, change) {
  const chosen = game.presets.find((each) => each.key === form.preset);
  const [min, max] = chosen?.players ?? game.players;
  const mine = findSavedRules(catalogue, form);
  const variants = presetVariants(game, form.preset);
  const entries = presetEntries(game, form);
  const pick = (/** @type {string} */ preset) => change({ ...form, preset, changes: {}, mine: "" });
  const words = mine ? savedRulesText(mine, chosen?.name ?? "") : chosen?.sentence;
  return h(
    "fieldset",
    { class: "plain preset-field", key: `presets-${game.key}` },
    h("legend", null, t("form.preset")),
    h(
      "div",
      { "data-zone": "presets", class: "preset-cards" },
      (catalogue.kept ?? [])
        .filter((each) => each.game === game.key)
        .map((each) =>
          radioCard(
            "preset",
            { key: `mine ${each.id}` },
            each === mine,
            () => change({ ...formFromSavedRules(game, each), search: form.search }),
            signedPicture(each),
            h("b", null, each.name),
            h("small", { class: "yours" }, t("form.mine")),
          ),
        ),
      entries.shown.map((each) =>
        radioCard(
          "preset",
          each,
          mine === undefined && variants.includes(each),
          () => pick(each.key),
          signedPicture(each),
          h("b", null, each.name),
          h("span", { class: "sr-only" }, each.sentence),
        ),
      ),
      morePresetsButton(entries.hidden, () => change({ ...form, allPresets: true })),
    ),
    mine === undefined && variants.length > 1
      ? segmentedControl(
          "variant",
          t("form.variant"),
          variants.map((each) => each.key),
          form.preset,
          (key) => variants.find((each) => each.key === key)?.variant ?? "",
          pick,
        )
      : null,
    h(
      "p",
      { "data-zone": "chosen-preset", class: "chosen-preset", "aria-live": "polite" },
      words ?? "",
      " ",
      h("small", null, t("form.players", { min, max })),
    ),
  );
}

/** List problems and changes; let users reset and save. @param {Catalogue} catalogue @param {GameInfo} game @param {RulesForm} form @param {Change} change */
function changesSection(catalogue, game, form, change) {
  const mine = findSavedRules(catalogue, form);
  const differs = changedOptions(game, form);
  const count = Object.keys(differs).length;
  const declared = game.sections.flatMap((section) => section.switches).filter((each) => each.key in differs);
  /** @param {string} key */
  const reset = (key) =>
    change({ ...form, changes: Object.fromEntries(Object.entries(form.changes).filter(([each]) => each !== key)) });
  const gone = mine?.problems ?? [];
  if (count === 0 && form.problem === "" && gone.length === 0) return null;
  return h(
    "section",
    { key: "differs", "data-zone": "differences", class: "what-differs", "aria-live": "polite" },
    gone.length === 0
      ? null
      : h(
          "div",
          { key: "gone", class: "problem" },
          h("p", null, t("form.mine.gone")),
          h(
            "ul",
            null,
            gone.map((each) => h("li", null, each)),
          ),
        ),
    h("h2", null, t("rules.differs", { count })),
    h(
      "ul",
      { key: "differs" },
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
    form.problem !== ""
      ? h("p", { class: "problem", role: "alert" }, form.problem)
      : h(
          "div",
          { key: "hand-on", class: "buttons" },
          copyLinkButton(game, form),
          saveRulesControls(catalogue, game, form, mine, change),
        ),
  );
}

/** Draw the save controls. @param {Catalogue} catalogue @param {GameInfo} game @param {RulesForm} form @param {KeptRules | undefined} mine @param {Change} change */
function saveRulesControls(catalogue, game, form, mine, change) {
  if (mine !== undefined && isSameAsSaved(game, form, mine)) return savedConfirmation(mine);
  /** @param {Keeping} next */
  const changed = ({ done, ...next }) => {
    if (done !== null) catalogue.kept = [done, ...(catalogue.kept ?? []).filter((each) => each.id !== done.id)];
    change({ ...form, keeping: { ...next, done: null }, mine: done?.id ?? form.mine });
  };
  return saveRulesForm(form.keeping, { game: game.key, options: optionsToSend(game, form) }, changed, mine?.name);
}

/** Draw a button that copies a link to these rules. @param {GameInfo} game @param {RulesForm} form */
function copyLinkButton(game, form) {
  /** @param {Event} event */
  const copy = async (event) => {
    const pressed = /** @type {HTMLElement} */ (event.currentTarget);
    const { link } = await checkRules(game, form);
    const said = (await copyText(link)) ? t("form.link.copied") : link;
    pressed.textContent = said;
  };
  return button(
    {
      key: `link${JSON.stringify(form.changes)}${form.preset}`,
      class: "button small",
      "data-do": "link",
      onclick: copy,
    },
    t("form.link"),
  );
}

/** Draw buttons for all games' presets that match the search. @param {Catalogue} catalogue @param {RulesForm} form @param {Change} change */
function presetMatches(catalogue, form, change) {
  const found = findPresetsByName(catalogue, form.search);
  if (found.length === 0) return null;
  return h(
    "div",
    { key: "ways", class: "buttons", role: "group", "aria-label": t("form.called") },
    found.map(({ game, preset }) =>
      button(
        {
          key: preset.id,
          class: "button",
          "aria-pressed": form.game === game.key && form.preset === preset.key,
          onclick: () => change({ ...newForm(game), preset: preset.key, search: form.search }),
        },
        preset.name === game.name ? game.name : t("form.way", { game: game.name, name: preset.name }),
      ),
    ),
  );
}

/** Draw the search field and the matching options. @param {Catalogue} catalogue @param {GameInfo} game @param {RulesForm} form @param {Change} change */
function optionsSection(catalogue, game, form, change) {
  const count = game.sections.reduce((sum, section) => sum + section.switches.length, 0);
  const found = findOptions(game, form.search);
  const named = presetMatches(catalogue, form, change);
  return h(
    "section",
    { key: "switches", class: "switches" },
    h(
      "label",
      { class: "field search" },
      h("span", null, t("form.search", { count })),
      h("input", {
        type: "search",
        value: form.search,
        placeholder: t("form.search.example"),
        oninput: (/** @type {Event} */ event) =>
          change({ ...form, search: /** @type {HTMLInputElement} */ (event.target).value }),
      }),
    ),
    named,
    found.length === 0 && named === null ? h("p", { class: "quiet" }, t("form.nothing")) : null,
    found.map(({ section, shown }) => drawSection(game, form, section, shown, change)),
  );
}

/** @param {GameInfo} game @param {RulesForm} form @param {GameInfo["sections"][number]} section @param {Switch[]} shown @param {Change} change */
function drawSection(game, form, section, shown, change) {
  const searching = form.search.trim() !== "";
  const values = resolveOptions(game, form);
  const differs = changedOptions(game, form);
  const count = section.switches.length;
  const changed = section.switches.filter((each) => each.key in differs).length;
  return h(
    "details",
    { key: `${section.key}${searching ? "?" : ""}`, class: "section", ref: searching ? openOnce : undefined },
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
const openedSections = new WeakSet();

/** Open a section with search results when it is first drawn; the user may close it again. @param {HTMLDetailsElement} details */
function openOnce(details) {
  if (openedSections.has(details)) return;
  openedSections.add(details);
  details.open = true;
}

/**
 * Draw an option: its name, its explanation, an example, and the control for its domain.
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
    optionControl(declared, value, id, change),
  );
}
