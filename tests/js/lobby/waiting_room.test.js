// @ts-check
// The waiting room: who is ready, what everyone waits for, the reactions, and the card with the rules.

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";

import { draw } from "../../../static/js/lib/virtual_dom.js";
import { setMessages } from "../../../static/js/lib/messages.js";
import { seatRing, waitingText } from "../../../static/js/lobby/seat_ring.js";
import { waitingRoomActions } from "../../../static/js/lobby/waiting_room.js";
import { questionSheet } from "../../../static/js/menu/question_sheet.js";
import { initialModel } from "../../../static/js/model/state.js";
import { optionPicture } from "../../../static/js/rules/preset_picture.js";
import { rulesInForce } from "../../../static/js/rules/room_rules.js";
import { emptyPart } from "../document.js";
import { english } from "../english.js";
import { room, update, you } from "../fixtures.js";

/** @import { Command, Room } from "../../../static/js/types.d.ts" */

/** @type {Command[]} */
let asked = [];
/** What a view has changed in the model. @type {Partial<import("../../../static/js/types.d.ts").Model> | null} */
let opened = null;

before(() => {
  setMessages(english());
  window.HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
});
beforeEach(() => (asked = []));

/** A desk in the waiting room: Ana is the host, Bob has said that he is ready, Cat is a bot. @param {string} name @param {Partial<Room>} [more] */
function waiting(name, more = {}) {
  const made = room(4, { phase: "lobby", deadlines: {}, ...more });
  const people = made.people.map((person) => ({ ...person, ready: person.name === "Bob" }));
  const shown = update({ ...made, people }, null, you({ name, host: name === "Ana" }));
  const form = { ...initialModel().form };
  const desk = {
    model: { ...initialModel(), update: shown, form },
    update: shown,
    catalogue: null,
    fetchCatalogueOnce: () => undefined,
    set: (/** @type {Partial<import("../../../static/js/types.d.ts").Model>} */ change) => (opened = change),
    ask: async (/** @type {Command} */ command) => asked.push(command) > 0,
    fill: (/** @type {string} */ key, /** @type {unknown} */ value) => Object.assign(form, { [key]: value }),
  };
  return /** @type {import("../../../static/js/types.d.ts").Desk} */ (/** @type {unknown} */ (desk));
}

test("every seat says whether its player is ready; you sit at the bottom and come first", () => {
  const part = emptyPart();
  draw(part, seatRing(waiting("Bob")));
  const seats = [...part.querySelectorAll("[data-sits]")];
  assert.deepEqual(
    seats.map((seat) => [
      seat.getAttribute("data-sits"),
      seat.querySelector("[data-zone=about]")?.textContent,
      seat.querySelector(".ready-mark") !== null,
    ]),
    [
      ["Bob", "you", true],
      ["Cat", "easy bot", true],
      ["Dan", "not ready", false],
      ["Ana", "host", true],
    ],
  );
  assert.equal(seats[0]?.querySelector("[data-zone=also]")?.textContent, "ready");
  // The free seat stands between the last player and the first.
  const free = /** @type {HTMLElement} */ (part.querySelector("li.free button"));
  assert.deepEqual([...part.querySelectorAll("ol > li")].indexOf(/** @type {Element} */ (free.parentElement)), 3);
  free.click();
  assert.equal(opened?.sheet, "invite");
});

test("the middle of the table says what everyone waits for", () => {
  const guest = (/** @type {Partial<Room>} */ more) => waitingText(waiting("Bob", more).update);
  assert.equal(guest({}), "Waiting for Dan.");
  assert.equal(guest({ min: 6 }), "2 more players needed");
  assert.equal(guest({ start_blocked: "The room is closed." }), "The room is closed.");
  const { room: all } = waiting("Bob").update;
  const ready = { ...all, people: all.people.map((person) => ({ ...person, ready: true })) };
  assert.equal(waitingText(update(ready, null, you({ host: false }))), "Waiting for Ana to start.");
  assert.equal(waitingText(update(ready, null, you())), "Everyone is ready.");
  const bots = ready.people.map((person) => (person.name === "Ana" ? person : { ...person, bot: "easy" }));
  const alone = { ...ready, people: bots };
  assert.equal(waitingText(update(alone, null, you())), "You can start now, or invite friends.");
});

test("one or two people who are not ready are named", () => {
  const said = (/** @type {string} */ name, /** @type {string[]} */ ready) => {
    const desk = waiting(name);
    const people = desk.update.room.people.map((each) => ({ ...each, bot: null, ready: ready.includes(each.name) }));
    return waitingText({ ...desk.update, room: { ...desk.update.room, people } });
  };
  assert.equal(said("Ana", []), "1 of 4 is ready. You can start now.");
  assert.equal(said("Bob", []), "1 of 4 is ready");
  assert.equal(said("Ana", ["Bob"]), "Waiting for Cat and Dan. You can also start now.");
  assert.equal(said("Bob", ["Bob"]), "Waiting for Cat and Dan.");
  assert.equal(said("Cat", ["Bob"]), "Waiting for you.");
  assert.equal(said("Cat", ["Bob", "Dan"]), "Waiting for you.");
});

test("players are spread around the table: half of the seats are left and half are right of the middle", () => {
  for (const names of [1, 2, 3, 4, 7, 8]) {
    const part = emptyPart();
    const { people } = room(names);
    draw(part, seatRing(waiting("Ana", { people, max: 8 })));
    const styles = [...part.querySelectorAll("ol > li")].map((each) => /** @type {HTMLElement} */ (each).style);
    assert.equal(styles.length, Math.min(8, names + 1));
    for (const x of ["--x", "--wx"]) {
      const sides = styles.map((style) => Math.sign(Number(style.getPropertyValue(x)) - 50));
      assert.equal(
        sides.reduce((sum, side) => sum + side, 0),
        0,
      );
    }
  }
});

test("a full table has no free seat, and people who can still join see one that they can't press", () => {
  const part = emptyPart();
  draw(part, seatRing(waiting("Bob", { max: 4 })));
  assert.equal(part.querySelector("li.free"), null);
  const desk = waiting("Bob");
  const stranger = update(desk.update.room, null, { ...you(), name: null, role: null, host: false });
  draw(part, seatRing({ ...desk, update: stranger }));
  assert.equal(part.querySelector("li.free")?.textContent, "free seat");
  assert.equal(part.querySelector("button"), null);
});

test("people who type their name are joining, the others watch", () => {
  const said = (/** @type {Partial<Room>} */ more) => {
    const part = emptyPart();
    draw(part, seatRing(waiting("Bob", more)));
    return part.querySelector("[data-zone=others]")?.textContent;
  };
  assert.equal(said({}), undefined);
  assert.equal(said({ spectators: 1, joining: 1 }), "1 person joining");
  assert.equal(said({ spectators: 3, joining: 2 }), "2 people joining, 1 spectator");
});

test("a start while people are not ready asks the host, until they have said yes once", async () => {
  const press = async (/** @type {Partial<import("../../../static/js/types.d.ts").Model>} */ model, ready = false) => {
    const part = emptyPart();
    const desk = waiting("Ana", { can_start: true });
    const people = desk.update.room.people.map((each) => ({ ...each, ready }));
    const now = { ...desk.update, room: { ...desk.update.room, people } };
    draw(part, waitingRoomActions({ ...desk, model: { ...desk.model, ...model }, update: now }));
    opened = null;
    asked = [];
    /** @type {HTMLElement} */ (part.querySelector("[data-do=start]")).click();
    return /** @type {any} */ (opened)?.sheet ?? asked[0]?.t;
  };
  assert.equal(await press({}), "question");
  assert.equal(await press({ startsUnready: true }), "start");
  assert.equal(await press({}, true), "start");

  asked = [];
  const part = emptyPart();
  const desk = waiting("Ana");
  const form = { question: { what: "start", from: null } };
  draw(part, questionSheet({ ...desk, model: { ...desk.model, sheet: "question", form }, close: () => undefined }));
  assert.match(part.textContent ?? "", /Dan is not ready yet\./);
  /** @type {HTMLElement} */ (part.querySelector("[data-ask=start]")).click();
  assert.deepEqual([opened, asked], [{ startsUnready: true }, [{ t: "start" }]]);
});

test("the host opens a seat to remove its player, and Escape closes it", async () => {
  const part = emptyPart();
  const desk = waiting("Ana");
  const redraw = () => draw(part, seatRing(desk));
  const seat = () => part.querySelector("[data-sits=Bob]");
  const press = (/** @type {string} */ where) => /** @type {HTMLElement} */ (part.querySelector(where)).click();
  redraw();
  assert.equal(part.querySelectorAll("[data-sits] button.chair").length, 3);
  press("[data-sits=Bob] button.chair");
  redraw();
  assert.equal(seat()?.querySelector("button.chair")?.getAttribute("aria-expanded"), "true");
  press("[data-sits=Bob] [data-do=remove]");
  assert.deepEqual(asked, [{ t: "remove", name: "Bob" }]);
  seat()?.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape" }));
  redraw();
  assert.equal(seat()?.querySelector("[data-do=remove]"), null);
});

test("six reactions can be sent while waiting", () => {
  const part = emptyPart();
  draw(part, waitingRoomActions(waiting("Bob")));
  const reactions = /** @type {NodeListOf<HTMLButtonElement>} */ (part.querySelectorAll("[data-react]"));
  assert.equal(reactions.length, 6);
  reactions[0]?.click();
  assert.deepEqual(asked, [{ t: "react", reaction: "cluck" }]);
});

test("without changes the card shows the game and the preset", () => {
  const part = emptyPart();
  const desk = waiting("Bob");
  const preset = { key: "pagat", name: "Pagat", sentence: "As on pagat.com.", picture: "Qd Kc 2s", mark: "" };
  const catalogue = { games: [{ key: "president", presets: [preset], sections: [] }] };
  draw(part, rulesInForce(/** @type {any} */ ({ ...desk, catalogue })));
  assert.match(part.querySelector(".rules-name")?.textContent ?? "", /PresidentPagat$/);
  assert.equal(part.querySelectorAll(".pictured .card").length, 3);
  assert.equal(part.querySelector(".differences"), null);
  assert.match(part.querySelector(".buttons button")?.textContent ?? "", /^Read the rules$/);
});

test("a changed option has the picture of the preset that differs least, or a sign", () => {
  const presets = [
    { changes: { revolution: "four", jokers: 2 }, picture: "8c", mark: "" },
    { changes: { revolution: "four" }, picture: "4c 4d 4h 4s", mark: "↕" },
  ];
  assert.equal(optionPicture(presets, "revolution", "four").picture, "4c 4d 4h 4s");
  const version = { changes: { revolution: "four" }, picture: "4c 5c 6c", mark: "", variant_of: "other" };
  assert.equal(optionPicture([version, ...presets], "revolution", "four").picture, "4c 4d 4h 4s");
  assert.equal(optionPicture([version], "revolution", "four").picture, "4c 5c 6c");
  assert.deepEqual(optionPicture(presets, "jokers", 1), { picture: "", mark: "1" });
  assert.deepEqual(
    [true, false, "never"].map((value) => optionPicture(presets, "other", value).mark),
    ["✓", "✗", "≠"],
  );
});

test("while the first deal waits for seeds, the middle counts; a deal again has no count", () => {
  const [closed, cancelled] = [{}, [{}]].map((each) => /** @type {any} */ (each));
  for (const [again, seen] of /** @type {const} */ ([
    [[], ["3", "2", "1"]],
    [cancelled, []],
  ])) {
    const part = emptyPart();
    const desk = waiting("Ana");
    Object.assign(desk.update.room.fair, { closed, cancelled: again });
    draw(part, seatRing(desk));
    const count = part.querySelector("[data-zone=count]");
    assert.deepEqual(
      [...(count?.querySelectorAll("b") ?? [])].map((each) => each.textContent),
      seen,
    );
    if (count === null) continue;
    assert.equal(count.querySelector("p")?.textContent, "The match begins.");
    document.dispatchEvent(new window.Event("pointerdown"));
    assert.match(count.className, /cut-short/);
  }
});

test("hats of the month stand beside names, after one request for each match and group of people", async () => {
  /** @type {string[]} */
  const paths = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (path) => {
    paths.push(String(path));
    return new Response('{"places": {"Bob": 1, "Ana": 2}}');
  };
  const part = emptyPart();
  const desk = waiting("Bob", { match_id: "of-this-month" });
  opened = null;
  draw(part, seatRing(desk));
  while (opened === null) await new Promise((done) => setTimeout(done));
  draw(part, seatRing(desk));
  globalThis.fetch = fetch;
  assert.deepEqual(paths, [`/api/rooms/${desk.update.room.code}/month`]);
  assert.deepEqual(
    [...part.querySelectorAll("[data-sits]")]
      .map((seat) => [
        seat.getAttribute("data-sits"),
        seat.querySelector("[data-month]")?.getAttribute("data-month"),
        /Place \d this month/.exec(seat.querySelector("[data-zone=also]")?.textContent ?? "")?.[0],
      ])
      .slice(0, 3),
    [
      ["Bob", "crown", "Place 1 this month"],
      ["Cat", undefined, undefined],
      ["Dan", undefined, undefined],
    ],
  );
  assert.equal(part.querySelector("[data-sits=Ana] [data-month]")?.getAttribute("data-month"), "shell");
});
