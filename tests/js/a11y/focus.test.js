// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyPart } from "../document.js";
import { room, table as tableOf, update, you } from "../fixtures.js";

/** @import { Update } from "../../../static/js/types.d.ts" */

const { button, draw, h } = await import("../../../static/js/lib/virtual_dom.js");
const { drawKeepingFocus } = await import("../../../static/js/a11y/focus.js");

const CARD = { key: "card", tabindex: "0", "data-card": "3c" };

/** Draw the page of a table. @param {...import("../../../static/js/lib/virtual_dom.js").Children} parts */
function table(...parts) {
  const root = emptyPart();
  draw(root, ...parts);
  return root;
}

/** The player's turn, with buttons and cards. */
const played = update(room(3, { phase: "playing" }), tableOf(3), you());
/** Between hands, with buttons alone. */
const between = /** @type {Update} */ ({ ...played, room: { ...played.room, phase: "between_hands" } });

test("when a pressed button goes, the focus goes to the own cards while cards are played", () => {
  const root = table(
    h("main", { id: "main", tabindex: "-1" }),
    h("div", { class: "hand" }, button(CARD)),
    h("div", { class: "actions" }, button({ key: "pass", class: "button" })),
  );
  /** @type {HTMLElement} */ (root.querySelector(".actions button")).focus();
  drawKeepingFocus(root, played, "", () =>
    draw(
      root,
      h("main", { id: "main", tabindex: "-1" }),
      h("div", { class: "hand" }, button(CARD)),
      h("div", { class: "actions" }),
    ),
  );
  assert.equal(document.activeElement?.getAttribute("data-card"), "3c");
});

test("between hands it goes to the main button", () => {
  const root = table(button({ key: "gone" }), h("div", { key: "actions", class: "actions" }));
  /** @type {HTMLElement} */ (root.firstChild).focus();
  drawKeepingFocus(root, between, "", () =>
    draw(root, h("div", { key: "actions", class: "actions" }, button({ class: "main", "data-do": "next" }))),
  );
  assert.equal(document.activeElement?.getAttribute("data-do"), "next");
});

test("in a list it goes to the neighbour, the next or else the one before", () => {
  /** @param {string[]} keys */
  const list = (...keys) =>
    h(
      "ul",
      { key: "list" },
      keys.map((key) => h("li", { key }, button({ id: key }))),
    );
  const root = table(list("a", "b", "c"));
  document.getElementById("b")?.focus();
  drawKeepingFocus(root, between, "", () => draw(root, list("a", "c")));
  assert.equal(document.activeElement?.id, "c");
  drawKeepingFocus(root, between, "", () => draw(root, list("a")));
  assert.equal(document.activeElement?.id, "a");
});

test("nobody who is elsewhere on the page is fetched", () => {
  const root = table(button({ key: "one" }));
  const field = document.createElement("input");
  document.body.append(field);
  field.focus();
  drawKeepingFocus(root, between, "", () => draw(root));
  assert.equal(document.activeElement, field);
});

test("where nothing can be done the focus waits on the page's main part, and goes on when there is something", () => {
  const main = h("main", { key: "main", id: "main", tabindex: "-1" });
  const root = table(button({ key: "gone" }), main);
  /** @type {HTMLElement} */ (root.firstChild).focus();
  drawKeepingFocus(root, between, "", () => draw(root, main));
  assert.equal(document.activeElement?.id, "main");
  drawKeepingFocus(root, between, "", () =>
    draw(root, main, h("div", { class: "actions" }, button({ class: "main", id: "next" }))),
  );
  assert.equal(document.activeElement?.id, "next");
});

test("a sheet that is to be closed is closed before it goes, and another stays open", () => {
  /** @param {string} name */
  const sheet = (name) => h("dialog", { key: name, "data-sheet": name, open: true });
  const root = table(sheet("menu"), sheet("people"));
  const [menu, people] = /** @type {HTMLDialogElement[]} */ ([...root.children]);
  drawKeepingFocus(root, between, "people", () => {
    assert.deepEqual([menu?.open, people?.open], [false, true]);
  });
});
