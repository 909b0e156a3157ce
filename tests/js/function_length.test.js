// @ts-check
// Functions of the page stay short. They are found by indentation, without a parser.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const FOLDER = new URL("../../static/js/", import.meta.url);
const MOST_LINES = 60;

const BEGINS = [
  /^( *)(?:export )?(?:async )?function (\w+)\(/,
  /^( *)(?:export )?const (\w+) = (?:async )?(?:\([^()]*\)|\w+) => \{$/,
  /^( *)(?:static |async |get |set )*(?!if\b|for\b|while\b|switch\b|catch\b)(\w+)\(.*\) \{$/,
];

/**
 * Every named function of a module, with its number of lines.
 * @param {string} text
 * @returns {{ name: string, lines: number }[]}
 */
function functions(text) {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const [, indent = "", name] = BEGINS.map((begins) => line.match(begins)).find(Boolean) ?? [];
    if (name === undefined) return [];
    const end = lines.findIndex((each, i) => i > at && each.startsWith(`${indent}}`));
    return [{ name, lines: end - at + 1 }];
  });
}

test("no function of the page has more than 60 lines", () => {
  const modules = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  const all = modules.flatMap((file) => functions(readFileSync(new URL(file, FOLDER), "utf8")));
  assert.ok(all.length > 300);
  assert.deepEqual(
    all.filter(({ lines }) => lines > MOST_LINES),
    [],
  );
});

test("what is too long is found, whatever its form", () => {
  /** @param {string} indent */
  const body = (indent) => `${`\n${indent}  work();`.repeat(60)}\n${indent}}`;
  const text = [
    `export async function one(\n  a,\n) {${body("")}`,
    `const two = async ({ a }) => {${body("")}`,
    `class Three {\n  #x = 1;\n  static three() {${body("  ")}\n}`,
    `function four() {\n  return 4;\n}`,
  ].join("\n");
  const found = functions(text).filter(({ lines }) => lines > MOST_LINES);
  assert.deepEqual(
    found.map(({ name }) => name),
    ["one", "two", "three"],
  );
});
