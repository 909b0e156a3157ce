// @ts-check
import assert from "node:assert/strict";
import { before, test } from "node:test";

import { emptyPart } from "../document.js";
import { english } from "../english.js";
import { room, table, update, you } from "../fixtures.js";

/** @import { Desk, Model, Room, Update } from "../../../static/js/types.d.ts" */

const { draw } = await import("../../../static/js/lib/virtual_dom.js");
const { getPreference } = await import("../../../static/js/lib/preferences.js");
const { initialModel } = await import("../../../static/js/model/state.js");
const { setMessages } = await import("../../../static/js/lib/messages.js");
const { openSheet } = await import("../../../static/js/menu/menu.js");
const { topBar } = await import("../../../static/js/table/top_bar.js");

const CONTROLS = "button, input, select, textarea, a[href], summary";
const MOST = 12;

before(() => {
  setMessages(english());
  // A phone that vibrates and can show notifications: it has the longest menu.
  const phone = { vibrate: () => true, serviceWorker: {}, maxTouchPoints: 5, userAgent: "" };
  Object.defineProperty(globalThis, "navigator", { value: phone, configurable: true });
  Object.assign(window, { Notification: { permission: "default" } });
  Object.assign(globalThis, { Notification: { permission: "default" } });
  window.HTMLDialogElement.prototype.showModal = function showModal() {
    this.setAttribute("open", "");
  };
});

/** A page that draws the bar and the open sheet after each change, and keeps the commands. @param {Update} shown */
function page(shown) {
  const root = emptyPart();
  root.id = "room";
  root.dataset.languages = JSON.stringify([
    ["en", "English", "ltr"],
    ["de", "Deutsch", "ltr"],
  ]);
  root.dataset.push = "key";
  /** @type {import("../../../static/js/types.d.ts").Command[]} */
  const asked = [];
  /** @type {Model} */
  let model = { ...initialModel(), update: shown };
  const set = (/** @type {Partial<Model>} */ change) => {
    model = { ...model, ...change };
    const desk = /** @type {Desk} */ (
      /** @type {unknown} */ ({
        model,
        update: shown,
        catalogue: { games: [], bots: ["easy", "medium", "hard"], signs: {} },
        set,
        fill: (/** @type {string} */ name, /** @type {unknown} */ value) =>
          set({ form: { ...model.form, [name]: value } }),
        close: (/** @type {string} */ sheet) => model.sheet === sheet && set({ sheet: null, form: {} }),
        ask: async (/** @type {import("../../../static/js/types.d.ts").Command} */ command) => asked.push(command) > 0,
        fetchCatalogueOnce: () => undefined,
        fairDeals: null,
      })
    );
    draw(root, topBar(desk), openSheet(desk));
  };
  set({});
  /** @param {string} selector */
  const element = (selector) => {
    const found = root.querySelector(selector);
    assert.ok(found instanceof window.HTMLElement, selector);
    return /** @type {HTMLElement} */ (found);
  };
  return {
    asked,
    element,
    set,
    /** @param {string} selector */
    press: (selector) => element(selector).click(),
    /** @param {string} selector */
    all: (selector) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]),
    sheet: () => model.sheet,
    root,
  };
}

/** Ten people: players, absent ones, bots, and a spectator. @param {Partial<Room>} more */
function crowd(more) {
  const here = room(10, { session: null, seat_plan: { free: 2, bots: [], joining: [] }, ...more });
  const people = here.people.map((person, i) => ({
    ...person,
    link_allowed_from: i === 4 ? 0 : null,
    counted_as_one: i === 4,
    role: /** @type {Room["people"][number]["role"]} */ (i === 9 ? "spectator" : "seated"),
  }));
  const session = { since: 0, until: 0, hands: 1, matches: 1, differences: false, accounts: [], payments: [] };
  return { ...here, people, session };
}

const HOST = you();
const GUEST = you({ name: "Bob", host: false });
const SPECTATOR = you({ name: "Jana", host: false, role: "spectator" });
const VISITOR = you({ name: null, host: false, role: null });
/** @type {[string, Room["phase"], import("../../../static/js/types.d.ts").You][]} */
const STATES = [
  ["the host plays", "playing", HOST],
  ["the host between hands", "between_hands", HOST],
  ["the host after the match", "finished", HOST],
  ["the host in the waiting room", "lobby", HOST],
  ["a guest plays", "playing", GUEST],
  ["a guest in the waiting room", "lobby", GUEST],
  ["a spectator", "playing", SPECTATOR],
  ["a visitor without a name", "playing", VISITOR],
];

/** Press all rows that open something, deeper and deeper, and call `look` each time. @param {ReturnType<typeof page>} seen @param {(where: string) => void} look */
function visitAll(seen, look) {
  seen.set({ sheet: "menu", form: {} });
  for (const tab of seen.all("[role=tab]").map(({ id }) => id)) {
    seen.press(`#${tab}`);
    look(tab);
    for (const name of seen.all("[data-page]").map(({ dataset }) => dataset.page)) {
      seen.press(`[data-page="${name}"]`);
      look(`${tab}, ${name}`);
      const rows = seen.all("[aria-expanded=false]").flatMap((row) => row.closest("li")?.dataset.person ?? []);
      for (const person of rows) {
        seen.press(`[data-person="${person}"] > button`);
        look(`${tab}, ${name}, ${person}`);
        seen.press(`[data-person="${person}"] > button`);
      }
      seen.press(".sheet-head button");
    }
  }
}

for (const [name, phase, me] of STATES)
  test(`the menu shows at most ${MOST} controls at once: ${name}`, () => {
    const seen = page(update(crowd({ phase }), phase === "lobby" ? null : table(8), me));
    /** @type {Record<string, number>} */
    const counts = {};
    visitAll(seen, (where) => {
      counts[where] = seen.all("dialog").flatMap((each) => [...each.querySelectorAll(CONTROLS)]).length;
    });
    assert.deepEqual(
      Object.entries(counts).filter(([, count]) => count > MOST),
      [],
    );
    assert.ok(Object.keys(counts).length > 4);
    assert.ok(Object.values(counts).every((count) => count > 1));
  });

test("only the host has the host’s tab; the people are there, and for guests at the table", () => {
  const tabs = (/** @type {Update} */ shown) => {
    const seen = page(shown);
    seen.set({ sheet: "menu" });
    return [seen.all("[role=tab]").map((tab) => tab.textContent), seen.all("[data-page=people]").length];
  };
  assert.deepEqual(tabs(update(crowd({}), table(8), HOST)), [["Me", "Table", "Host"], 0]);
  assert.deepEqual(tabs(update(crowd({}), table(8), GUEST)), [["Me", "Table"], 1]);
});

test("arrow keys, Home and End choose a tab and take the focus along; the menu opens on the last tab again", () => {
  const seen = page(update(crowd({}), table(8), HOST));
  seen.set({ sheet: "menu" });
  const chosen = () => seen.element("[aria-selected=true]").textContent;
  assert.equal(chosen(), "Table");
  /** @type {[string, string][]} */
  const keys = [
    ["ArrowRight", "Host"],
    ["ArrowRight", "Me"],
    ["ArrowLeft", "Host"],
    ["Home", "Me"],
    ["End", "Host"],
  ];
  for (const [key, tab] of keys) {
    seen.element("[aria-selected=true]").focus();
    seen.element("[role=tablist]").dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true }));
    assert.equal(chosen(), tab, key);
    assert.equal(document.activeElement?.textContent, tab, key);
    assert.deepEqual(
      seen.all("[role=tab]").map((each) => each.tabIndex),
      seen.all("[role=tab]").map((each) => (each.textContent === tab ? 0 : -1)),
    );
    assert.equal(seen.element("[role=tabpanel]").getAttribute("aria-labelledby"), `tab-${tab.toLowerCase()}`);
  }
  seen.set({ sheet: null });
  seen.set({ sheet: "menu" });
  assert.equal(chosen(), "Host");
});

test("a felt and card backs are chosen by name, saved in this browser, and applied at once", () => {
  const seen = page(update(crowd({}), table(8), GUEST));
  seen.set({ sheet: "menu", menuTab: "me", form: { page: "look" } });
  const names = (/** @type {string} */ name) =>
    seen.all(`dialog [name=${name}] option`).map((each) => each.textContent);
  assert.deepEqual(names("felt"), ["Felt of the game", "Green", "Midnight blue", "Slate", "Plum"]);
  assert.deepEqual(names("back"), ["Red stripes", "Blue lattice", "Plum with dots"]);
  const choose = (/** @type {string} */ name, /** @type {string} */ value) => {
    const list = /** @type {HTMLSelectElement} */ (seen.element(`dialog [name=${name}]`));
    list.value = value;
    list.dispatchEvent(new window.Event("change"));
  };
  choose("felt", "slate");
  choose("back", "dots");
  const { felt, cardBack } = document.documentElement.dataset;
  assert.deepEqual(
    [felt, cardBack, getPreference("felt", ""), getPreference("back", "")],
    ["slate", "dots", "slate", "dots"],
  );
});

test("actions for a person show only while the row is open, and one row is open at a time", () => {
  const seen = page(update(crowd({}), table(8), HOST));
  seen.set({ sheet: "menu", menuTab: "host", form: { page: "people" } });
  const words = () => seen.element("[data-zone=people]").textContent ?? "";
  assert.doesNotMatch(words(), /Mute|Make host|Remove/);
  assert.equal(seen.all("[data-person]").length, 8);
  seen.press("[data-person=Bob] > button");
  assert.match(words(), /Mute Bob.*Make host.*Remove/);
  assert.equal(seen.all("[data-person]").length, 1);
  seen.press("[data-person=Bob] > button");
  assert.equal(seen.all("[data-person]").length, 8);
  seen.press("dialog .menu-list > button");
  assert.deepEqual(
    seen.all("[data-person]").map(({ dataset }) => dataset.person),
    ["Ivo", "Jana"],
  );
});

test("every action that can’t be undone asks first: what is lost, and two buttons", async () => {
  /** @type {[string, { page?: string, person?: string }, unknown][]} */
  const risky = [
    ["leave", {}, { t: "leave" }],
    ["stop", {}, { t: "stop" }],
    ["rotate_code", {}, { t: "rotate_code" }],
    ["transfer_host", { page: "people", person: "Bob" }, { t: "transfer_host", name: "Bob" }],
    ["unseat", { page: "people", person: "Bob" }, { t: "remove", name: "Bob", ban: false }],
    ["ban", { page: "people", person: "Bob" }, { t: "remove", name: "Bob", ban: true }],
  ];
  for (const [what, form, command] of risky) {
    const seen = page(update(crowd({}), table(8), HOST));
    const open = () => what !== "leave" && seen.set({ sheet: "menu", menuTab: "host", form });
    for (const answer of ["[data-confirm=no]", "[data-ask]"]) {
      open();
      seen.press(`[data-confirm=${what}]`);
      assert.deepEqual(seen.asked, []);
      assert.equal(seen.all("dialog .answers button").length, 2);
      assert.match(seen.element("dialog h2").textContent ?? "", /\?$/);
      assert.match(seen.element("dialog #question-text").textContent ?? "", /\.$/);
      seen.press(answer);
      await Promise.resolve();
      await Promise.resolve();
      if (answer === "[data-confirm=no]") assert.equal(seen.sheet(), what === "leave" ? null : "menu");
    }
    assert.deepEqual(seen.asked, [command]);
    assert.equal(seen.sheet(), form.page === undefined ? null : "menu");
  }
});

test("a host who leaves hears of the next host only if another person is there", () => {
  const said = (/** @type {Room} */ shown) => {
    const seen = page(update(shown, null, HOST));
    seen.press("[data-confirm=leave]");
    return seen.element("dialog #question-text").textContent ?? "";
  };
  const shown = crowd({ phase: "lobby" });
  assert.match(said(shown), /becomes the host/);
  const people = shown.people.map((person) => (person.name === HOST.name ? person : { ...person, bot: "easy" }));
  assert.doesNotMatch(said({ ...shown, people }), /becomes the host/);
});

test("the log, the chat and leaving are one press away; spectators have no seat to leave", () => {
  const names = (/** @type {Update} */ shown) =>
    page(shown)
      .all(".tools button")
      .map((each) => each.textContent);
  assert.deepEqual(names(update(crowd({}), table(8), GUEST)), ["Game log", "Chat and reactions", "Leave room", "Menu"]);
  assert.deepEqual(names(update(crowd({ phase: "lobby" }), null, GUEST)), ["Chat and reactions", "Leave room", "Menu"]);
  assert.deepEqual(names(update(crowd({}), table(8), SPECTATOR)), ["Game log", "Chat and reactions", "Menu"]);
});

test("guests follow the people; only the host can ask them to leave or block them", async () => {
  const guests = [
    { number: 7, since: Date.UTC(2026, 0, 2, 20, 14), screen: false },
    { number: 8, since: Date.UTC(2026, 0, 2, 20, 15), screen: true },
  ];
  const form = { page: "people", people_from: 8 };
  document.documentElement.lang = "en";
  const seen = page(update(crowd({ phase: "playing" }), table(4), { ...HOST, guests }));
  seen.set({ sheet: "menu", menuTab: "host", form });
  assert.deepEqual(
    seen.all("[data-guest]").map((row) => row.textContent?.replace(/ since .*/, "")),
    ["Guest", "Television"],
  );
  seen.press("[data-guest='7'] > button");
  assert.deepEqual(seen.all("[data-guest], [data-person]").length, 1);
  seen.all("[data-guest='7'] .menu-list button")[0]?.click();
  assert.deepEqual(seen.asked.at(-1), { t: "remove_spectator", number: 7 });
  seen.set({ form: { ...form, person: 8 } });
  seen.press("[data-confirm=ban_guest]");
  assert.match(seen.element("#question-text").textContent ?? "", /only the new code keeps this guest out/);
  seen.press("[data-ask=remove_spectator]");
  assert.deepEqual(seen.asked.at(-1), { t: "remove_spectator", number: 8, ban: true });

  const others = page(update(crowd({ phase: "playing" }), table(4), { ...GUEST, guests }));
  others.set({ sheet: "menu", menuTab: "table", form });
  assert.deepEqual(others.all("[data-guest] button").length, 0);
  assert.deepEqual(others.all("[data-guest]").length, 2);
});
