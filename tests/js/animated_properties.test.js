// @ts-check
// Stylesheets and scripts animate only `transform` and `opacity`, which the compositor can do, and nothing with reduced
// motion. The test reads the sources, so that it covers all styles.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const STATIC = new URL("../../static/", import.meta.url);

/** @param {string} folder @param {string} ending @returns {[string, string][]} each file with its text */
function texts(folder, ending) {
  const files = readdirSync(new URL(folder, STATIC), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(ending))
    .map((file) => [file, readFileSync(new URL(`${folder}/${file}`, STATIC), "utf8")]);
}

const SHEETS = texts("css", ".css");
const SCRIPTS = texts("js", ".js");

/** `translate`, `rotate` and `scale` are parts of a transform. */
const COMPOSITED = new Set(["transform", "translate", "rotate", "scale", "opacity"]);
const OF_FRAMES = new Set(["transform", "opacity", "offset", "easing", "composite"]);

test("stylesheets animate nothing that has to be laid out or painted", () => {
  let count = 0;
  for (const [file, css] of SHEETS) {
    for (const [, name, body] of css.matchAll(/@keyframes\s+([\w-]+)\s*\{((?:[^{}]*\{[^{}]*\})*)/g))
      for (const [, property] of (body ?? "").matchAll(/([\w-]+)\s*:/g)) {
        count += 1;
        assert.ok(COMPOSITED.has(property ?? ""), `${file}: @keyframes ${name} animates ${property}`);
      }
    for (const [, value] of css.matchAll(/\btransition(?:-property)?\s*:\s*([^;]*);/g))
      for (const part of (value ?? "").split(/,(?![^(]*\))/)) {
        const property = part.trim().split(/\s/)[0] ?? "";
        assert.ok(property === "none" || COMPOSITED.has(property), `${file}: a transition of ${property}`);
      }
  }
  assert.ok(count > 10);
});

test("where less motion is asked for no stylesheet moves anything", () => {
  const asked = SHEETS.flatMap(([, css]) => css.split("@media (prefers-reduced-motion: reduce)").slice(1));
  const rules = asked.map((css) => css.slice(0, css.indexOf("}\n}")));
  const rule = rules.find((each) => /\*,\s*\*::before,\s*\*::after \{/.test(each)) ?? "";
  for (const property of ["animation-duration", "transition-duration"])
    assert.match(rule, new RegExp(`${property}: 0\\.001ms !important`));
});

/** The text between this bracket and its closing one. @param {string} text @param {number} at */
function bracketed(text, at) {
  let depth = 0;
  for (let i = at; i < text.length; i += 1) {
    if ("([{".includes(text[i] ?? "")) depth += 1;
    if (")]}".includes(text[i] ?? "")) depth -= 1;
    if (depth === 0) return text.slice(at, i + 1);
  }
  return text.slice(at);
}

test("scripts animate nothing that has to be laid out or painted", () => {
  let count = 0;
  for (const [file, js] of SCRIPTS)
    for (const { index } of js.matchAll(/\.animate\((?!\{)/g)) {
      const call = bracketed(js, js.indexOf("(", index));
      const frames = call.indexOf("[{") >= 0 ? call.indexOf("[{") : call.search(/\[\s*\{/);
      if (frames < 0) continue;
      for (const [, property] of bracketed(call, frames).matchAll(/[{,]\s*(\w+)\s*:/g)) {
        count += 1;
        assert.ok(OF_FRAMES.has(property ?? ""), `${file} animates ${property}`);
      }
    }
  assert.ok(count > 60);
});

test("everything that animates asks first whether motion is allowed", () => {
  const asks = /prefers-reduced-motion|isMotionAllowed\(\)/;
  const animating = [...SCRIPTS].filter(([, js]) => /\.animate\(/.test(js));
  assert.ok(animating.length > 2);
  for (const [file, js] of animating) assert.match(js, asks, file);
});
