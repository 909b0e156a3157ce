// @ts-check
// The sheet in which a player writes a decree.

import { h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { actionName } from "../model/state.js";
import { dialog } from "../table/sheet.js";

/** @import { Desk } from "../types.d.ts" */

/** Draw the form for a decree: text, and the player or players who must follow it. @param {Desk} desk */
export function decreeSheet(desk) {
  const name = actionName(desk.update, "text");
  const form = desk.update.actions[name];
  const subjects = desk.update.you.subjects ?? [];
  const everybody = subjects.length === (desk.update.table?.seats.length ?? 0) - 1;
  /** @param {Event} event */
  const onsubmit = async (event) => {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const text = String(data.get("text") ?? "").trim();
    const to = String(data.get("to") ?? "");
    if (text === "") return;
    if (await desk.playAction(to ? { do: name, text, to } : { do: name, text })) desk.close(desk.model.sheet);
  };
  return dialog(desk, t(`action.${name}.title`), [
    h("p", { key: "about" }, t(`action.${name}.about`)),
    h(
      "form",
      { class: "order", onsubmit },
      h(
        "label",
        { class: "field" },
        h("span", null, t(`action.${name}.to`)),
        h(
          "select",
          { name: "to" },
          h("option", { value: "" }, t(`action.${name}.to.${everybody ? "all" : "some"}`)),
          subjects.map((name) => h("option", { value: name }, name)),
        ),
      ),
      h(
        "label",
        { class: "field" },
        h("span", null, t(`action.${name}.text`)),
        h("textarea", { name: "text", maxlength: form?.most, rows: 3, required: true }),
      ),
      h("button", { type: "submit", class: "button main" }, t(`action.${name}.go`)),
    ),
  ]);
}
