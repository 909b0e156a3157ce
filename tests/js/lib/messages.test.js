// @ts-check
// The catalogue has every text used by scripts, templates and the server, and sentences for the people concerned.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { before, test } from "node:test";

import {
  hasMessage,
  formatNames,
  refusalText,
  readResponse,
  formatValue,
  t,
  setMessages,
} from "../../../static/js/lib/messages.js";
import { eventSentence, eventTone } from "../../../static/js/events/sentences.js";
import { readingText, standsForText } from "../../../static/js/events/labels.js";
import { english } from "../english.js";
import { FIXTURES } from "../fixtures.js";

const ROOT = new URL("../../../", import.meta.url);

/** @param {string} folder @param {RegExp} name @returns {string[]} */
function files(folder, name) {
  return readdirSync(new URL(folder, ROOT), { recursive: true })
    .map(String)
    .filter((file) => name.test(file))
    .map((file) => readFileSync(new URL(`${folder}/${file}`, ROOT), "utf8"));
}

const catalogue = english();
before(() => setMessages(catalogue));

/** The keys used in a source: whole keys, and the beginnings of keys that end in a variable. @param {string} text */
function asked(text) {
  const whole = [...text.matchAll(/\bt\(\s*["']([\w.]+)["']\s*[,)]/g)].map((found) => found[1] ?? "");
  const begun = [...text.matchAll(/\bt\(\s*`([\w.]+)\$\{|'([\w.]+)' ~/g)].map((found) => found[1] ?? found[2] ?? "");
  return { whole, begun };
}

test("every text that is asked for is there", () => {
  const sources = [
    ...files("static/js", /\.js$/),
    ...files("templates", /\.html$/),
    ...files("app/web", /\.py$/).map((text) => text.replaceAll(/"{3}.*?"{3}/gs, "")),
  ];
  const { whole, begun } = asked(sources.join("\n"));
  assert.ok(whole.length > 150);
  for (const key of whole) assert.ok(hasMessage(key), key);
  // Only other languages have titles with soft hyphens.
  for (const key of begun.filter((start) => start !== "shown."))
    assert.ok(
      Object.keys(catalogue).some((known) => known.startsWith(key)),
      key,
    );
});

test("every text of the pages is asked for", () => {
  const page = JSON.parse(readFileSync(new URL("static/messages/en.json", ROOT), "utf8"));
  const sources = [...files("static/js", /\.js$/), ...files("templates", /\.html$/), ...files("app/web", /\.py$/)].join(
    "\n",
  );
  const begun = asked(sources).begun.filter((key) => key.includes("."));
  for (const key of Object.keys(page)) {
    const plain = key.replace(/\.(one|other)$/, "");
    assert.ok(
      sources.includes(`"${plain}"`) ||
        sources.includes(`'${plain}'`) ||
        begun.some((start) => plain.startsWith(start)),
      key,
    );
  }
});

test("sentences that a wrong word would turn into their opposite have the right word", () => {
  const words = {
    "owes.best": "best",
    "owes.worst": "worst",
    "result.up": "up",
    "result.down": "down",
    "menu.ask.ban.text": "can’t come back",
    "fair.found.unfair": "not fair",
    "fair.found.fair": "was fair",
  };
  for (const [key, word] of Object.entries(words)) {
    const forms = Object.keys(catalogue).filter((each) => each.replace(/\.(one|other)$/, "") === key);
    assert.ok(forms.length > 0 && forms.every((each) => catalogue[each]?.includes(word)), key);
  }
});

test("numbers are written as each language writes them", () => {
  /** @type {[string, Record<string, string>][]} */
  const languages = [
    ["en-GB", {}],
    ["de", { decimal: "," }],
    ["pl", { decimal: "," }],
    ["hi", {}],
    ["fa", { digits: "arabext" }],
    ["bn", { digits: "beng" }],
  ];
  for (const [language, own] of languages) {
    setMessages({ ...catalogue, ...own }, language);
    const numbers = new Intl.NumberFormat(language);
    for (const number of [0, 7, 999, 1000, 12345, 0.5, 12.25, 1 / 3])
      assert.equal(formatValue(number), numbers.format(number), `${language}: ${number}`);
  }
  setMessages(catalogue);
  assert.equal(formatValue(-12), "−12");
});

test("lists are written as Intl writes them", () => {
  const names = ["Ana", "{1}", "Cat", "$&", "Eve"];
  for (const [joint, type] of /** @type {["and" | "or", "conjunction" | "disjunction"][]} */ ([
    ["and", "conjunction"],
    ["or", "disjunction"],
  ])) {
    const lists = new Intl.ListFormat(catalogue.locale, { type });
    for (let count = 0; count <= names.length; count += 1) {
      const of = names.slice(0, count);
      assert.equal(formatValue({ list: joint, of }), lists.format(of));
    }
  }
});

test("an event is told to whom it concerns in their own words", () => {
  const gift = { e: "gave_cards", by: "Dan", to: "Ana", cards: "2s 2h" };
  assert.equal(eventSentence(gift, "Ana"), "Dan gives you 2♠ 2♥.");
  assert.equal(eventSentence(gift, "Dan"), "You give Ana 2♠ 2♥.");
  assert.equal(eventSentence(gift, null), "Dan gives Ana 2♠ 2♥.");
  assert.equal(eventSentence({ e: "gave", by: "Dan", to: "Ana", count: 2 }, "Bob"), "Dan gives Ana 2 cards.");
  assert.equal(eventSentence({ e: "dispensed", by: "Dan", king: "Ana" }, "Bob"), "Ana lets Dan leave.");
  assert.equal(eventSentence({ e: "dispensed", by: "Dan", king: "Ana" }, "Dan"), "Ana lets you leave.");
});

test("wild cards are said to stand for something, plain ones are not", () => {
  assert.equal(readingText("7"), "as seven");
  assert.equal(readingText("run_of_pairs 7"), "as a run of pairs up to seven");
  assert.equal(readingText("full_house 7"), "as full house, seven");
  assert.equal(standsForText({ by: "Ana", cards: "7c Xr", kind: "pair", as: "7" }), "seven");
  assert.equal(standsForText({ by: "Ana", cards: "7c 7d", kind: "pair", as: "7" }), "");
  assert.equal(
    eventSentence({ e: "played", by: "Bob", cards: "7c Xr", kind: "pair", as: "7" }, null),
    "Bob plays 7♣ red joker as seven.",
  );
});

test("winners are named, and an unknown event is told all the same", () => {
  assert.equal(eventSentence({ e: "match_won", winners: ["Ana", "Bob"] }, null), "The match goes to Ana and Bob.");
  assert.equal(eventSentence({ e: "new_thing", by: "Ana" }, null), "Ana: new thing");
});

test("what happened is told here as on the pages that the server makes", () => {
  const told = JSON.parse(readFileSync(new URL("../../told.json", import.meta.url), "utf8"));
  for (const [event, text] of told) assert.equal(eventSentence(event, null), text);
});

test("an event is as loud as the server says, and what a rule has caused stands out", () => {
  const tones = { passed: "still" };
  assert.equal(eventTone({ e: "passed", by: "Ana" }, tones), "still");
  assert.equal(eventTone({ e: "revolution", by: "Ana", cause: "PRES-21" }, tones), "notable");
  assert.equal(eventTone({ e: "joined", by: "Ana" }, tones), "plain");
});

test("places are filled in and numbers chosen", () => {
  assert.equal(t("seat.cards", { count: 1 }), "1 card");
  assert.equal(t("seat.cards", { count: 3 }), "3 cards");
  assert.equal(t("me.points", { count: -1 }), "−1 point");
  assert.equal(t("no.such.key"), "no.such.key");
  assert.equal(formatNames(["Ana", "Bob", "Cat"]), "Ana, Bob and Cat");
});

test("a page in the place of an answer says that the server can't be reached", async () => {
  const page = new Response("<html><h1>502 Bad Gateway</h1></html>", { status: 502 });
  assert.equal(refusalText(await readResponse(page)), t("error.offline"));
  const answer = new Response(JSON.stringify({ key: "error.no_match" }), { status: 404 });
  assert.equal(refusalText(await readResponse(answer)), t("error.no_match"));
});

test("a name written from right to left leaves the sentence around it in order", () => {
  setMessages({ passes: "{by} passes ({count}).", "list.and.2": "{0} and {1}" });
  assert.equal(t("passes", { by: "مرحبا 99 (", count: 2 }), "\u2068مرحبا 99 (\u2069 passes (2).");
  assert.equal(t("passes", { by: "Ana", count: 2 }), "Ana passes (2).");
  assert.equal(formatNames(["Ana", "דנה"]), "Ana and \u2068דנה\u2069");
});

test("states for pictures and layout tests have texts by key, so that they are drawn in every language", () => {
  const texts = ["text", "title", "prompt", "state", "result_text", "newcomers_text", "start_blocked", "swap"];
  let seen = 0;
  setMessages(english());
  JSON.stringify(FIXTURES, (name, value) => {
    if (texts.includes(name) && typeof value === "string") assert.doesNotMatch(value, /[a-z] [a-z]/i);
    if (typeof value === "object" && value !== null && "key" in value && "values" in value) {
      assert.ok(hasMessage(value.key), value.key);
      seen += 1;
    }
    return value;
  });
  assert.ok(seen > 20);
});
