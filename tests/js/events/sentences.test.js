// @ts-check
// Sentences about events, addressed to the players they name.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { setMessages } from "../../../static/js/lib/messages.js";
import { eventSentence } from "../../../static/js/events/sentences.js";
import { english } from "../english.js";

const TEXTS = english();

before(() => setMessages(TEXTS));

/** Values that always name a single player. */
const PEOPLE = ["by", "to", "of", "host", "king", "fallen", "asked_by", "leads", "first", "turn"];
/** These events happen to bots only: no player reads them about themselves. */
const OF_BOTS = ["bot_added.by", "bot_level_changed.by", "bot_seat_taken.of"];
/** These events are about the name itself. */
const OF_NAMES = ["renamed", "variation_seat_taken"];
/** Sentences on pages about a finished match, where everybody has a name. */
const OF_STORIES = ["out_first", "cleared_the_way", "escaped"];

/** Every wording that names a player. @returns {{ event: string, wording: string, who: string, words: string }[]} */
function naming() {
  return Object.entries(TEXTS).flatMap(([key, words]) => {
    const [kind, event = "", ...rest] = key.split(".");
    const wording = rest.filter((part) => part !== "one" && part !== "other").join(".");
    if (kind !== "event" || [...OF_STORIES, ...OF_NAMES].includes(event)) return [];
    if (wording === "you" || wording.startsWith("you_") || wording.endsWith("_you")) return [];
    return PEOPLE.filter((who) => words.includes(`{${who}}`) && !OF_BOTS.includes(`${event}.${who}`)).map((who) => ({
      event,
      wording,
      who,
      words,
    }));
  });
}

test("no event tells a player their own name", () => {
  const all = naming();
  assert.ok(all.length > 100, "the wordings of events were not found");
  const wrong = all.flatMap(({ event, wording, who, words }) => {
    const places = [...words.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const values = Object.fromEntries(["by", wording, ...places].filter(Boolean).map((name) => [name, "Bob"]));
    const told = { ...values, ...(places.includes("count") ? { count: 2 } : {}), [who]: "Ana" };
    const said = eventSentence({ e: event, ...told }, "Ana", (cards) => cards);
    return said.includes("Ana") ? [`${event} (${who}): ${said}`] : [];
  });
  assert.deepEqual(wrong, []);
});

test("an answer to a decree is told to the player who gives it, and to the others", () => {
  const obeyed = { e: "obeyed", by: "Ana", text: "Sing!" };
  assert.equal(eventSentence(obeyed, "Ana"), "You obey the decree “Sing!”");
  assert.equal(eventSentence(obeyed, "Bob"), "Ana obeys the decree “Sing!”");
  assert.equal(eventSentence(obeyed, null), "Ana obeys the decree “Sing!”");
  const decree = { e: "decree", by: "Bob", to: "Ana", text: "Sing!" };
  assert.equal(eventSentence(decree, "Ana"), "Bob decrees to you: “Sing!”");
  assert.equal(eventSentence(decree, "Bob"), "You decree to Ana: “Sing!”");
});

test("if the winner of a trick has no cards left, the sentence tells the reason why the next player leads", () => {
  const told = { e: "trick_over", by: "Ana", leads: "Bob" };
  assert.equal(eventSentence(told, "Ana"), "You win the trick and are out, so Bob leads.");
  assert.equal(eventSentence(told, "Bob"), "Ana wins the trick and is out, so you lead.");
  assert.equal(eventSentence(told, "Cat"), "Ana wins the trick and is out, so Bob leads.");
  assert.equal(eventSentence({ ...told, leads: "Ana" }, "Ana"), "You win the trick.");
});
