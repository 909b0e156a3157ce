// @ts-check
// Draws a sheet over the table: its title, the button to close it, and the current notice from the server.

import { spokenSentence, textWithSpokenCards } from "../a11y/spoken_cards.js";
import { button, h } from "../lib/virtual_dom.js";
import { t } from "../lib/messages.js";
import { ruleLink } from "../ui/rule_link.js";
import { icon } from "../ui/icons.js";

/**
 * @import { VNode } from "../lib/virtual_dom.js"
 * @import { Desk } from "../types.d.ts"
 */

/** Open a dialog, at once or as soon as it is in the document. @param {HTMLDialogElement} dialog */
function showDialog(dialog) {
  if (!dialog.open && dialog.isConnected) dialog.showModal();
  else if (!dialog.open) queueMicrotask(() => dialog.isConnected && !dialog.open && dialog.showModal());
}

/**
 * Draw a sheet.
 * @param {Desk} desk
 * @param {string} title
 * @param {(VNode | null)[]} inside
 * @param {string} [extra] classes
 * @param {() => void} [back] returns to the page of the sheet that opened this one
 */
export function dialog(desk, title, inside, extra = "", back = undefined) {
  const close = () => desk.set({ sheet: null });
  /** Close the sheet after Escape. Ignore dialogs that were replaced or opened again. @param {Event} event */
  const onclose = (event) => {
    const { isConnected, open } = /** @type {HTMLDialogElement} */ (event.target);
    if (isConnected && !open) close();
  };
  const { notice } = desk.model;
  return h(
    "dialog",
    {
      key: `sheet-${desk.model.sheet}`,
      class: `sheet ${extra}`,
      "data-sheet": desk.model.sheet,
      "aria-label": title,
      ref: showDialog,
      onclose,
      onclick: (/** @type {Event} */ event) => {
        if (event.target === event.currentTarget) close();
      },
    },
    h(
      "div",
      { class: "sheet-inside" },
      h(
        "header",
        { class: "sheet-head" },
        back === undefined
          ? null
          : button({ key: "back", class: "tool", "aria-label": t("sheet.back"), onclick: back }, icon("chevron")),
        h("h2", { key: "title" }, title),
        button({ key: "close", class: "tool", "aria-label": t("sheet.close"), onclick: close }, icon("close")),
      ),
      // Notices below a dialog are hidden, also from screen readers, so show them here.
      notice === null
        ? null
        : h(
            "p",
            { key: "notice", class: notice.bad ? "problem" : "", role: "alert" },
            textWithSpokenCards(notice.text, spokenSentence),
          ),
      notice?.rule ? ruleLink(desk.update.room, notice.rule) : null,
      inside,
    ),
  );
}
