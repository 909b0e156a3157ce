// @ts-check
// The sheet that lists the keyboard shortcuts declared in input/shortcuts.js.

import { h } from "../lib/virtual_dom.js";
import { SHORTCUT_GROUPS, areLetterKeysEnabled } from "../input/shortcuts.js";
import { hasMessage, t } from "../lib/messages.js";
import { preferenceCheckbox } from "../ui/preference_checkbox.js";
import { dialog } from "../table/sheet.js";

/**
 * @import { Desk } from "../types.d.ts"
 * @import { Shortcut as Key } from "../input/shortcuts.js"
 */

/** Return the label of a key as printed on a keyboard. @param {string} key */
function keyName(key) {
  const name = key === " " ? "Space" : key;
  return hasMessage(`key.${name}`) ? t(`key.${name}`) : key.toUpperCase();
}

/** @param {Key} key */
function shortcutRow({ keys, shown = keys, shifted = false, words }) {
  return h(
    "div",
    { key: words },
    h(
      "dt",
      null,
      shifted ? [h("kbd", null, t("key.Shift")), " + "] : null,
      shown.map((key) => [h("kbd", null, keyName(key)), " "]),
    ),
    h("dd", null, t(words)),
  );
}

/** @param {Desk} desk */
export function shortcutSheet(desk) {
  return dialog(desk, t("keys.title"), [
    ...SHORTCUT_GROUPS.flatMap(({ title, keys }) => [
      h("h3", { key: title }, t(title)),
      h("dl", { key: `${title}.list`, class: "key-list" }, keys.map(shortcutRow)),
    ]),
    preferenceCheckbox(desk, "keys", "on", "off", t("keys.letters"), "on"),
    areLetterKeysEnabled() ? null : h("p", { key: "without", class: "quiet" }, t("keys.without")),
  ]);
}
