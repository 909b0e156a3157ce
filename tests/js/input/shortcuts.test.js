// @ts-check
// The shortcut keys at the table: each is declared once with a description.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { SHORTCUT_GROUPS } from "../../../static/js/input/shortcuts.js";
import { hasMessage, setMessages } from "../../../static/js/lib/messages.js";
import { english } from "../english.js";

before(() => setMessages(english()));

const ALL = SHORTCUT_GROUPS.flatMap(({ keys }) => keys);

test("no key does two things in one place", () => {
  for (const on of ["card", "table"]) {
    const names = ALL.filter((each) => each.on === on || each.on === "table").flatMap(({ keys, shifted = false }) =>
      keys.map((key) => `${shifted ? "Shift+" : ""}${key}`),
    );
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    );
  }
});

test("each key, and each group of them, has words", () => {
  assert.deepEqual(
    [...ALL.map(({ words }) => words), ...SHORTCUT_GROUPS.map(({ title }) => title)].filter((key) => !hasMessage(key)),
    [],
  );
});
