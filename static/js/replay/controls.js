// @ts-check
// Draws the buttons and the slider that step through a hand; the keyboard does the same.

import { t } from "../lib/messages.js";
import { button, h } from "../lib/virtual_dom.js";
import { icon } from "../ui/icons.js";
import { moments } from "./step_words.js";

/** @import { Player } from "./player.js" */

/** @param {"first" | "back" | "on" | "last"} key @param {string} text @param {() => void} onclick @param {boolean} [disabled] */
function control(key, text, onclick, disabled = false) {
  return h(
    "button",
    // Don't use `disabled`: a keyboard user who reaches the last step would lose the focus.
    {
      key,
      type: "button",
      class: "button",
      "data-step": key,
      "aria-label": text,
      title: text,
      "aria-disabled": disabled,
      onclick: disabled ? () => undefined : onclick,
    },
    icon(key),
  );
}

/** Draw the step buttons, the slider and the play button. @param {import("./replay_state.js").Replay} state @param {Player} player */
export function controls(state, player) {
  const { at, hand, playing } = state;
  const last = hand.frames.length - 1;
  return h(
    "div",
    {
      key: "controls",
      "data-zone": "actions",
      class: "actions controls",
      role: "group",
      "aria-label": t("replay.keys"),
    },
    control("first", t("replay.first"), () => player.go(0), at === 0),
    control("back", t("replay.back"), () => player.go(at - 1), at === 0),
    button(
      { key: "play", class: "button main", "data-step": "play", onclick: () => player.playOrStop() },
      playing !== 0 ? t("replay.stop") : t("replay.play"),
    ),
    control("on", t("replay.on"), () => player.go(at + 1), at === last),
    control("last", t("replay.last"), () => player.go(last), at === last),
    h(
      "div",
      { key: "track", class: "track" },
      h("input", {
        key: "slider",
        type: "range",
        min: 0,
        max: last,
        value: String(at),
        "aria-label": t("replay.step", { at: at + 1, count: hand.frames.length }),
        oninput: (/** @type {Event} */ event) =>
          player.go(Number(/** @type {HTMLInputElement} */ (event.target).value)),
      }),
      moments(state).map(({ step, great }) =>
        h("span", {
          key: step,
          class: "mark",
          "data-mark": great ? "great" : "",
          style: { "--at": step / Math.max(1, last) },
        }),
      ),
    ),
  );
}

/** Handle a key that steps through the hand. @param {KeyboardEvent} event @param {Player} player */
export function stepByKey(event, player) {
  if (event.ctrlKey || event.metaKey || event.altKey || usesKeys(event.target)) return;
  const { at, hand } = player.store.get();
  const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: hand.frames.length - 1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    player.stop();
    player.go(step);
  } else if (event.key === " " && !(event.target instanceof Element && event.target.closest("button, a, summary"))) {
    event.preventDefault();
    player.playOrStop();
  }
}

/** Whether the element with the focus uses keys itself. @param {EventTarget | null} target */
function usesKeys(target) {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}
