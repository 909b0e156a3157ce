// @ts-check
// The house rules that one keeps, on one's own page: opened, sent as a link, called otherwise, let go of.

import { button, draw, h } from "../lib/virtual_dom.js";
import { CLOSED, fetchKept, letGo, rename } from "../rules/saved_rules_api.js";
import { load, t } from "../lib/messages.js";
import { picture } from "../rules/form.js";
import { naming } from "../rules/save_rules_form.js";
import { copyText } from "../lib/share.js";

/** @typedef {import("../types.d.ts").KeptRules} KeptRules */
/** @typedef {import("../rules/saved_rules_api.js").Keeping} Keeping */

/** Of what differs; whoever opens them sees all of it. */
const LINES = 4;

/** @type {{ rules: KeptRules[], naming: string, name: Keeping, sure: string, copied: string, problem: string }} */
let state = { rules: [], naming: "", name: CLOSED, sure: "", copied: "", problem: "" };

const root = document.querySelector("[data-kept]");

/** @param {Partial<typeof state>} change */
function set(change) {
  state = { ...state, ...change };
  if (root !== null) draw(root, all());
}

/** @param {KeptRules} each */
async function remove({ id }) {
  if (state.sure !== id) return set({ sure: id, naming: "", problem: "" });
  const { problem } = await letGo(id);
  set({ problem, sure: "", rules: problem === "" ? state.rules.filter((other) => other.id !== id) : state.rules });
}

/** @param {KeptRules} each */
async function copy({ id, link }) {
  if (link === null) return;
  const url = new URL(link, location.href).href;
  if (await copyText(url)) set({ copied: id, problem: "" });
  else set({ problem: t("share.by_hand", { link: url }) });
}

/** @param {KeptRules} each @param {Keeping} next */
async function named({ id }, next) {
  if (next.done === null) return set({ name: next, naming: next.open ? id : "" });
  // Others may have gone for the name.
  set({ name: CLOSED, naming: "", rules: await fetchKept() });
}

/** What is special about them. @param {KeptRules} each */
function words({ lines, problems }) {
  const more = lines.length - LINES;
  return [
    lines.length === 0
      ? null
      : h(
          "p",
          { key: "lines", class: "quiet" },
          lines
            .slice(0, more > 1 ? LINES : LINES + 1)
            .map(({ name, said }, i) => [i > 0 ? " · " : "", name, ": ", h("mark", null, said)]),
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
function one(each) {
  const { id, game, name, called, link } = each;
  const whose = h("span", { class: "sr-only" }, `: ${name}`);
  return h(
    "li",
    { key: id, "data-rules": id },
    picture(each),
    h(
      "div",
      null,
      h(
        "h3",
        null,
        name,
        link === null
          ? null
          : h("small", { class: "quiet" }, " ", t("form.way", { game: t(`game.${game}`), name: called })),
      ),
      words(each),
      state.naming === id
        ? naming(
            state.name,
            (next) => named(each, next),
            t("kept.save"),
            (text, replace) => rename(id, text, replace),
          )
        : h(
            "div",
            { key: "do", class: "buttons" },
            link === null ? null : h("a", { class: "button small main", href: link }, t("kept.open"), whose),
            link === null
              ? null
              : button(
                  { key: "link", class: "button small", "data-do": "link", onclick: () => copy(each) },
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
                onclick: () => remove(each),
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
  set({ naming: id, name: { ...CLOSED, open: true, name }, sure: "", problem: "" });
  document.getElementById("rules-name")?.focus();
}

function all() {
  return [
    h("ul", { key: "all", class: "kept-rules" }, state.rules.map(one)),
    h(
      "div",
      { key: "said", role: "status" },
      state.problem === "" ? null : h("p", { class: "problem" }, state.problem),
    ),
  ];
}

if (root instanceof HTMLElement) {
  await load();
  set({ rules: JSON.parse(root.dataset.kept ?? "[]") });
}
