// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyPart } from "../document.js";

const { setFocusLossHandler, button, byId, draw, isBeingRemoved, h, textOf } = await import(
  "../../../static/js/lib/virtual_dom.js"
);

test("what is described is drawn: elements, texts, attributes", () => {
  const part = emptyPart();
  draw(
    part,
    h("p", { class: "quiet", hidden: true, "aria-pressed": false, title: null }, "one", [" two", null, false, 3]),
  );
  assert.equal(part.innerHTML, '<p class="quiet" hidden="" aria-pressed="false">one two3</p>');
});

test("an attribute that is no longer described goes, and a property is as it was without it", () => {
  const part = emptyPart();
  draw(part, h("button", { disabled: true, "data-do": "pass", style: { "--turn": 3 } }, "Pass"));
  const [element] = part.children;
  draw(part, h("button", null, "Pass"));
  assert.equal(part.children[0], element);
  assert.equal(/** @type {HTMLButtonElement} */ (element).disabled, false);
  assert.equal(element?.hasAttribute("data-do"), false);
  assert.equal(/** @type {HTMLElement} */ (element).style.getPropertyValue("--turn"), "");
});

test("elements with keys stay the same elements, wherever they move", () => {
  const part = emptyPart();
  draw(part, h("i", { key: "a" }), h("i", { key: "b" }), h("i", { key: "c" }));
  const [a, b, c] = part.children;
  draw(part, h("i", { key: "c" }), h("i", { key: "a" }), h("i", { key: "d" }));
  assert.deepEqual([part.children[0], part.children[1]], [c, a]);
  assert.equal(b?.isConnected, false);
  assert.equal(part.children.length, 3);
});

test("another tag under the same key is another element", () => {
  const part = emptyPart();
  draw(part, h("p", { key: "one" }, "text"));
  const before = part.firstChild;
  draw(part, h("h2", { key: "one" }, "text"));
  assert.notEqual(part.firstChild, before);
  assert.equal(part.innerHTML, "<h2>text</h2>");
});

test("what somebody has typed stays until another value is wanted", () => {
  const part = emptyPart();
  draw(part, h("input", { value: "Ana" }));
  const input = /** @type {HTMLInputElement} */ (part.firstChild);
  input.value = "Anas";
  draw(part, h("input", { value: "Ana" }));
  assert.equal(input.value, "Anas");
  draw(part, h("input", { value: "Bob" }));
  assert.equal(input.value, "Bob");
});

test("a handler is called once, the newest only, and not after it went", () => {
  const part = emptyPart();
  const called = /** @type {string[]} */ ([]);
  draw(part, button({ onclick: () => called.push("old") }));
  draw(part, button({ onclick: () => called.push("new") }));
  const element = /** @type {HTMLElement} */ (part.firstChild);
  element.click();
  draw(part, button({}));
  element.click();
  assert.deepEqual(called, ["new"]);
  assert.equal(element.getAttribute("type"), "button");
});

test("a value is set when the options of its list are there, and pictures are in their namespace", () => {
  const part = emptyPart();
  draw(
    part,
    h("select", { value: "b" }, h("option", { value: "a" }), h("option", { value: "b" })),
    h("svg", null, h("path", null)),
  );
  assert.equal(/** @type {HTMLSelectElement} */ (part.firstChild).value, "b");
  assert.equal(part.querySelector("path")?.namespaceURI, "http://www.w3.org/2000/svg");
});

test("what has the focus goes last, and may hand it on before", () => {
  const part = emptyPart();
  draw(part, button({ key: "one" }), button({ key: "two" }));
  const [one, two] = /** @type {HTMLElement[]} */ ([...part.children]);
  one?.focus();
  setFocusLossHandler(() => {
    assert.ok(one?.isConnected && isBeingRemoved(one));
    two?.focus();
  });
  draw(part, button({ key: "two" }));
  setFocusLossHandler(null);
  assert.equal(one?.isConnected, false);
  assert.equal(document.activeElement, two);
});

test("an element that moves keeps the focus", () => {
  const part = emptyPart();
  draw(part, button({ key: "one" }), button({ key: "two" }));
  const two = /** @type {HTMLElement} */ (part.children[1]);
  two.focus();
  draw(part, button({ key: "two" }), button({ key: "one" }));
  assert.equal(document.activeElement, two);
});

test("the newest description is told to whoever asks for the element", () => {
  const part = emptyPart();
  const seen = /** @type {unknown[]} */ ([]);
  draw(part, h("p", { ref: (/** @type {Element} */ element) => seen.push(element) }));
  assert.deepEqual(seen, [part.firstChild]);
});

test("a missing element of the template is an error that names it", () => {
  emptyPart().id = "main";
  assert.equal(byId("main").localName, "div");
  assert.throws(() => byId("nothing"), /#nothing is missing/);
});

test("the text of a description is all that stands in it", () => {
  assert.equal(textOf([h("p", null, "one ", h("b", null, 2)), " three"]), "one 2 three");
});
