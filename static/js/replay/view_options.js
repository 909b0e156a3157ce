// @ts-check
// Draws what can be done at a step of a replay: share it, play on, ask the coach; and the options of the view.

import { isSoundOn } from "../sound/mute_setting.js";
import { formatNames, t } from "../lib/messages.js";
import { button, h } from "../lib/virtual_dom.js";
import { SPEEDS } from "./replay_state.js";
import { addressOf, line, moments } from "./step_words.js";

/**
 * @import { Frame } from "../types.d.ts"
 * @import { Replay } from "./replay_state.js"
 * @import { Children } from "../lib/virtual_dom.js"
 */

/**
 * The state that the parts of a replay are drawn from, and the objects that their buttons call.
 * @typedef {{ state: Replay, source: import("./match_source.js").MatchSource, player: import("./player.js").Player,
 *   commands: import("./commands.js").Commands }} Desk
 */

/**
 * Draw a labelled select box.
 * @param {string} key
 * @param {string} label
 * @param {[string, string][]} options
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
function choice(key, label, options, chosen, choose) {
  return h(
    "label",
    { key, class: "choice" },
    h("span", null, label),
    h(
      "select",
      {
        name: key,
        onchange: (/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value),
      },
      options.map(([value, text]) => h("option", { key: value, value, selected: value === chosen }, text)),
    ),
  );
}

/** Scroll to a part that was opened. @param {Event} event */
function bringIntoView({ target }) {
  if (target instanceof HTMLDetailsElement && target.open) target.scrollIntoView({ block: "nearest" });
}

/** Draw the form that opens a room which continues from this step. @param {Desk} desk */
function playOnForm({ state: { hand, problem }, commands }) {
  return h(
    "form",
    { class: "play-on", onsubmit: commands.playOnFromHere },
    h("p", null, t("replay.on_from_here")),
    h(
      "label",
      { class: "choice" },
      h("span", null, t("replay.chair")),
      h(
        "select",
        { name: "seat" },
        hand.players.map((name) => h("option", { key: name, value: name }, name)),
      ),
    ),
    h(
      "label",
      { class: "check" },
      h("input", { type: "checkbox", name: "friends" }),
      h("span", null, t("replay.friends")),
    ),
    h("button", { type: "submit", class: "button small", "data-do": "play-on" }, t("replay.from_here")),
    problem === "" ? null : h("p", { class: "problem", role: "alert" }, problem),
  );
}

/** @param {Desk} desk @returns {Children[]} */
function choices({ state, player }) {
  const { hand, seat, number, at, speed } = state;
  const seats = hand.players.map((name) => /** @type {[string, string]} */ ([`=${name}`, name]));
  const speeds = Object.keys(SPEEDS).map((each) => /** @type {[string, string]} */ ([each, t(`replay.speed.${each}`)]));
  const spoken = moments(state).map(({ step }) => {
    const told = line(state, /** @type {Frame} */ (hand.frames[step]));
    return /** @type {[string, string]} */ ([String(step), t("replay.moment", { at: step + 1, told })]);
  });
  return [
    choice(
      "seat",
      t("replay.seat"),
      [["", t("replay.all_seats")], ...seats],
      seat === null ? "" : `=${seat}`,
      (value) => void player.change(number, value === "" ? null : value.slice(1), at),
    ),
    choice("speed", t("replay.speed"), speeds, speed, (value) =>
      player.changeSpeed(/** @type {keyof typeof SPEEDS} */ (value)),
    ),
    spoken.length === 0
      ? null
      : choice(
          "moment",
          t("replay.moments"),
          [["", t("replay.moments.none")], ...spoken],
          spoken.some(([step]) => step === String(at)) ? String(at) : "",
          (value) => {
            player.stop();
            if (value !== "") player.go(Number(value));
          },
        ),
  ];
}

/**
 * Draw the row below the controls: share this moment, play on from it, ask the coach about it, and the options.
 * @param {Desk} desk
 * @param {Children} askCoach
 */
export function ways(desk, askCoach) {
  const { state, source } = desk;
  return h(
    "div",
    { key: "at-step", class: "at-step" },
    source.share === null
      ? null
      : h(
          "a",
          { key: "share", class: "button small plain", href: source.share + addressOf(state).search },
          t("picture.open"),
        ),
    source.match === null
      ? null
      : h(
          "details",
          { key: "on", name: "at-step", ontoggle: bringIntoView },
          h("summary", { class: "button small plain" }, t("replay.continue")),
          playOnForm(desk),
        ),
    askCoach,
    viewOptions(desk),
  );
}

/** @param {Desk} desk */
function viewOptions(desk) {
  const { state, player, commands } = desk;
  const { copied, checked, seeds } = state;
  return h(
    "details",
    { key: "looking", name: "at-step", ontoggle: bringIntoView, "data-zone": "looking", class: "looking" },
    h("summary", { class: "button small plain" }, t("replay.ways")),
    h(
      "div",
      { class: "choices" },
      choices(desk),
      button(
        {
          key: "sound",
          class: "button small",
          "data-do": "sound",
          "aria-pressed": isSoundOn(),
          onclick: commands.mute,
        },
        t("menu.sound"),
      ),
      button(
        { key: "copy", class: "button small", "data-do": "copy", onclick: commands.copy },
        copied ? t("replay.copied") : t("replay.copy"),
      ),
      checked === ""
        ? button({ key: "check", class: "button small", onclick: commands.check }, t("fair.check"))
        : h("p", { key: "checked", "data-zone": "verdict", class: `verdict ${checked}` }, t(`fair.verdict.${checked}`)),
      checked === "" || seeds.gave.length === 0
        ? null
        : h("p", { key: "givers" }, t("fair.verdict.given", { names: formatNames(seeds.gave) })),
      checked === "" || seeds.without.length === 0
        ? null
        : h("p", { key: "without" }, t("fair.verdict.without", { names: formatNames(seeds.without) })),
      checked === "" || seeds.cancelled === 0
        ? null
        : h("p", { key: "cancelled" }, t("fair.verdict.cancelled", { number: seeds.cancelled })),
      player.party?.startButton(),
      h("p", { key: "keys", class: "quiet keys" }, t("replay.keys")),
    ),
  );
}
