// @ts-check
// The keys at the table, for whoever asks: what each does, as declared in input/shortcuts.js.

import { h } from "../lib/virtual_dom.js";
import { KEYS, lettersWanted } from "../input/shortcuts.js";
import { has, t } from "../lib/messages.js";
import { preference } from "../ui/preference_checkbox.js";
import { dialog } from "../table/sheet.js";

/** @typedef {import("../types.d.ts").Desk} Desk */
/** @typedef {import("../input/shortcuts.js").Key} Key */

/** As it stands on a keyboard. @param {string} key */
function called(key) {
  const name = key === " " ? "Space" : key;
  return has(`key.${name}`) ? t(`key.${name}`) : key.toUpperCase();
}

/** @param {Key} key */
function row({ keys, shown = keys, shifted = false, words }) {
  return h(
    "div",
    { key: words },
    h(
      "dt",
      null,
      shifted ? [h("kbd", null, t("key.Shift")), " + "] : null,
      shown.map((key) => [h("kbd", null, called(key)), " "]),
    ),
    h("dd", null, t(words)),
  );
}

/** @param {Desk} desk */
export function keysSheet(desk) {
  return dialog(desk, t("keys.title"), [
    ...KEYS.flatMap(({ title, keys }) => [
      h("h3", { key: title }, t(title)),
      h("dl", { key: `${title}.list`, class: "key-list" }, keys.map(row)),
    ]),
    preference(desk, "keys", "on", "off", t("keys.letters"), "on"),
    lettersWanted() ? null : h("p", { key: "without", class: "quiet" }, t("keys.without")),
  ]);
}
