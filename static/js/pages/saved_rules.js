// @ts-check
// The saved house rules on the account page: open, copy the link, rename, delete.

import { button, draw, h } from "../lib/virtual_dom.js";
import { CLOSED_FORM, fetchSavedRules, deleteRules, renameRules } from "../rules/saved_rules_api.js";
import { loadMessages, t } from "../lib/messages.js";
import { presetPicture } from "../rules/preset_picture.js";
import { nameRulesForm } from "../rules/save_rules_form.js";
import { copyText } from "../lib/share.js";

/**
 * @import { KeptRules } from "../types.d.ts"
 * @import { SaveFormState as Keeping } from "../rules/saved_rules_api.js"
 */

/** Most differences listed for each entry. The opened rules show all of them. */
const LINES = 4;

/** @type {{ rules: KeptRules[], naming: string, name: Keeping, sure: string, copied: string, problem: string }} */
let state = { rules: [], naming: "", name: CLOSED_FORM, sure: "", copied: "", problem: "" };

const root = document.querySelector("[data-kept]");

/** @param {Partial<typeof state>} change */
function set(change) {
  state = { ...state, ...change };
  if (root !== null) draw(root, savedRulesView());
}

/** @param {KeptRules} each */
async function deleteAfterConfirmation({ id }) {
  if (state.sure !== id) return set({ sure: id, naming: "", problem: "" });
  const { problem } = await deleteRules(id);
  set({ problem, sure: "", rules: problem === "" ? state.rules.filter((other) => other.id !== id) : state.rules });
}

/** @param {KeptRules} each */
async function copyRulesLink({ id, link }) {
  if (link === null) return;
  const url = new URL(link, location.href).href;
  if (await copyText(url)) set({ copied: id, problem: "" });
  else set({ problem: t("share.by_hand", { link: url }) });
}

/** @param {KeptRules} each @param {Keeping} next */
async function onNameFormChange({ id }, next) {
  if (next.done === null) return set({ name: next, naming: next.open ? id : "" });
  // Saving under a name may have replaced other rules, so fetch the list again.
  set({ name: CLOSED_FORM, naming: "", rules: await fetchSavedRules() });
}

/** Draw how the rules differ from the default. @param {KeptRules} each */
function rulesSummary({ lines, problems }) {
  const more = lines.length - LINES;
  return [
    lines.length === 0
      ? null
      : h(
          "p",
          { key: "lines", class: "quiet" },
          lines
            .slice(0, more > 1 ? LINES : LINES + 1)
            .map(({ name, text }, i) => [i > 0 ? " · " : "", name, ": ", h("mark", null, text)]),
          more > 1 ? [" · ", t("rules.more", { count: more })] : "",
        ),
    problems.length === 0
      ? null
      : h(
          "div",
          { key: "problems", class: "problem" },
          h("p", null, t("form.mine.gone")),
          h(
            "ul",
            null,
            problems.map((each) => h("li", null, each)),
          ),
        ),
  ];
}

/** @param {KeptRules} each */
function savedRulesItem(each) {
  const { id, game, name, preset_name, link } = each;
  const whose = h("span", { class: "sr-only" }, `: ${name}`);
  return h(
    "li",
    { key: id, "data-rules": id },
    presetPicture(each),
    h(
      "div",
      null,
      h(
        "h3",
        null,
        name,
        link === null
          ? null
          : h("small", { class: "quiet" }, " ", t("form.way", { game: t(`game.${game}`), name: preset_name })),
      ),
      rulesSummary(each),
      state.naming === id
        ? nameRulesForm(
            state.name,
            (next) => onNameFormChange(each, next),
            t("kept.save"),
            (text, replace) => renameRules(id, text, replace),
          )
        : h(
            "div",
            { key: "do", class: "buttons" },
            link === null ? null : h("a", { class: "button small main", href: link }, t("kept.open"), whose),
            link === null
              ? null
              : button(
                  { key: "link", class: "button small", "data-do": "link", onclick: () => copyRulesLink(each) },
                  t(state.copied === id ? "form.link.copied" : "kept.link"),
                  whose,
                ),
            button(
              { key: "rename", class: "button small", "data-do": "rename", onclick: () => startNaming(each) },
              t("kept.rename"),
              whose,
            ),
            button(
              {
                key: "delete",
                class: `button small${state.sure === id ? " bad" : ""}`,
                "data-do": "delete",
                onclick: () => deleteAfterConfirmation(each),
              },
              state.sure === id ? t("menu.sure", { what: t("kept.delete") }) : t("kept.delete"),
              whose,
            ),
          ),
    ),
  );
}

/** @param {KeptRules} each */
function startNaming({ id, name }) {
  set({ naming: id, name: { ...CLOSED_FORM, open: true, name }, sure: "", problem: "" });
  document.getElementById("rules-name")?.focus();
}

function savedRulesView() {
  return [
    h("ul", { key: "all", class: "kept-rules" }, state.rules.map(savedRulesItem)),
    h(
      "div",
      { key: "said", role: "status" },
      state.problem === "" ? null : h("p", { class: "problem" }, state.problem),
    ),
  ];
}

if (root instanceof HTMLElement) {
  await loadMessages();
  set({ rules: JSON.parse(root.dataset.kept ?? "[]") });
}
