// @ts-check
// The folders of static/js are layers: a script imports only from its own folder and from folders above it in this
// list. Folders stay small.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const ROOT = new URL("../../static/js/", import.meta.url);
const MOST_FILES = 16;

const LAYERS = [
  "lib",
  "model",
  "ui",
  "events",
  "a11y",
  "sound",
  "device",
  "net",
  "input",
  "animation",
  "table",
  "actions",
  "rules",
  "chat",
  "lobby",
  "result",
  "menu",
  "replay",
  "room",
  "matches",
  "pages",
];

/** All scripts by their path below static/js, with the paths of their imports, also dynamic ones. @type {Map<string, string[]>} */
const scripts = new Map(
  readdirSync(ROOT, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".js"))
    .map((path) => [path, importsOf(path)]),
);

/** @param {string} path below static/js @returns {string[]} */
function importsOf(path) {
  const text = readFileSync(new URL(path, ROOT), "utf8").replaceAll(/\/\*\*.*?\*\//gs, "");
  const named = [...text.matchAll(/^import\b[^"]*"(\.[^"]+)";|\bimport\("(\.[^"]+)"\)/gm)];
  return named.map(([, first, later]) =>
    new URL(first ?? later ?? "", new URL(path, ROOT)).href.slice(ROOT.href.length),
  );
}

/** @param {string} path */
const folderOf = (path) => path.split("/").slice(0, -1).join("/");

test("every folder of scripts is a layer, and only the service worker is in none", () => {
  const folders = new Set([...scripts.keys()].map(folderOf));
  assert.deepEqual([...folders].sort(), ["", ...LAYERS].sort());
  assert.deepEqual(
    [...scripts.keys()].filter((path) => folderOf(path) === ""),
    ["service_worker.js"],
  );
});

test("scripts import only from their own folder and from lower layers", () => {
  const imports = [...scripts].flatMap(([path, others]) => others.map((other) => ({ path, other })));
  assert.ok(imports.length > 500);
  const upward = imports.filter(({ path, other }) => LAYERS.indexOf(folderOf(other)) > LAYERS.indexOf(folderOf(path)));
  assert.deepEqual(upward, []);
});

test("no script imports itself through others", () => {
  /** @type {Set<string>} */
  const done = new Set();
  /** @param {string} path @param {string[]} through */
  const walk = (path, through) => {
    assert.ok(!through.includes(path), [...through, path].join(" imports "));
    if (done.has(path)) return;
    for (const other of scripts.get(path) ?? []) walk(other, [...through, path]);
    done.add(path);
  };
  for (const path of scripts.keys()) walk(path, []);
  assert.equal(done.size, scripts.size);
});

test("no script exports the name of a browser's global, which other scripts of its bundle may use", () => {
  const types = new URL("../../node_modules/@typescript/", import.meta.url);
  const file = readdirSync(types, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith("/lib.dom.d.ts"));
  const declared = readFileSync(new URL(file ?? "lib.dom.d.ts", types), "utf8");
  const globals = new Set([...declared.matchAll(/^declare (?:var|function) (\w+)/gm)].map(([, name]) => name));
  assert.ok(globals.has("history") && globals.has("Element"));
  const exported = [...scripts.keys()].flatMap((path) => {
    const text = readFileSync(new URL(path, ROOT), "utf8");
    return [...text.matchAll(/^export (?:async )?(?:function\*?|class|const) (\w+)/gm)].map(([, name]) => name);
  });
  assert.ok(exported.length > 300);
  assert.deepEqual(
    exported.filter((name) => globals.has(name)),
    [],
  );
});

test("a folder of scripts has at most 16 files", () => {
  for (const layer of LAYERS) {
    const files = [...scripts.keys()].filter((path) => folderOf(path) === layer);
    assert.ok(files.length <= MOST_FILES, `${layer} has ${files.length}`);
  }
});
