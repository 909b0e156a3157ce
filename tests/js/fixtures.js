// @ts-check
// Updates in the server's format, for tests and pictures (`node tests/js/fixtures.js` prints them as JSON).

/** @import { Reason, Room, Table, Update, You } from "../../static/js/types.d.ts" */

import { BIRDS, COLOURS } from "../../static/js/ui/birds.js";

const NOW = 1760000000000;
const NAMES = [
  "Ana",
  "Bob",
  "Cat",
  "Dan",
  "Eve",
  "Finn",
  "Gudrun",
  "Hilde",
  "Ivo",
  "Jana",
  "Karl",
  "Lotte",
  "Maximilian",
  "Nora",
  "Otto",
  "Pia",
  "Quentin",
  "Rosa",
  "Sam",
  "Tilda",
];
const TITLES = ["President", "Vice-President", "Citizen", "Vice-Scum", "Scum"];

/** @param {number} place @param {number} count */
function title(place, count) {
  if (place === 1) return TITLES[0];
  if (place === count) return TITLES[4];
  if (count > 3 && place === 2) return TITLES[1];
  if (count > 3 && place === count - 1) return TITLES[3];
  return TITLES[2];
}

/** The waiting times after which the host may let a bot play for each player. */
const HELPS = { host: { Bob: 45_000 }, players: { Bob: 90_000 } };

/** @param {number} count @param {Partial<Room>} [more] @returns {Room} */
export function room(count, more = {}) {
  return /** @type {Room} */ ({
    code: "KQ7F3M",
    invite: "Zt5yqP0c2kD8mWb1xR4nUa",
    operator_looks: 0,
    phase: "playing",
    game: "president",
    felt: "green",
    preset: "pagat",
    options: {},
    differences: {},
    clock: { turn: 30, pause: 15, away: 60, patience: 45 },
    host: "Ana",
    people: NAMES.slice(0, count).map((name, i) => ({
      name,
      role: "seated",
      present: i !== 4,
      bot: i === 2 || i === 5 ? "easy" : null,
      stand_in: null,
      missed_turns: 0,
      leaving_as: null,
      chosen_name: null,
      ready: false,
      program: false,
      takes_seat_of: null,
      offers_seat_to: null,
      unseated: false,
    })),
    carried_titles: {},
    seat_plan: { free: 0, bots: [], joining: [] },
    left_players: [],
    birds: Object.fromEntries(NAMES.slice(0, count).map((name, i) => [name, BIRDS[(i + (i >> 3)) % 8] ?? ""])),
    hues: Object.fromEntries(NAMES.slice(0, count).map((name, i) => [name, i % 8])),
    spectators: 0,
    joining: 0,
    min: 3,
    max: 8,
    can_start: true,
    start_blocked_text: null,
    start_blocked: null,
    match_id: "m1",
    hands: [],
    stake: null,
    session: null,
    deadlines: {},
    reserve_from: {},
    reserves: {},
    let_bot_play_after: { host: {}, players: {} },
    next_deal_at: null,
    bots_delay: 0.8,
    pace: "normal",
    bots_speed: null,
    chat: true,
    vote: null,
    paused: null,
    may_undo: null,
    allow_undo: false,
    seat_offers: true,
    allow_spectators: true,
    stand_in: "easy",
    ended_early: false,
    bot_takes_over_at: {},
    waiting_since: {},
    host_transfer_at: null,
    anyone_may_deal_at: null,
    fair: {
      commitment: "9f2c".repeat(16),
      hashes: { Ana: "aa", Bob: "bb" },
      cut: null,
      closed: null,
      left_out: [],
      previous: null,
      dealt: null,
    },
    ...more,
  });
}

/** @param {number} count @param {Partial<Table>} [more] @returns {Table} */
export function table(count, more = {}) {
  const seats = NAMES.slice(0, count);
  return {
    game: "president",
    felt: "green",
    number: 3,
    phase: "play",
    seats,
    dealer: seats.at(-1) ?? null,
    to_act: ["Ana"],
    may_interrupt: [],
    players: Object.fromEntries(
      seats.map((name, i) => [
        name,
        {
          cards: [18, 9, 2, 13, 11, 7, 1, 12][i % 8] ?? 5,
          title: title(i + 1, count) ?? null,
          place: i + 1,
          total: (7 * i) % 9,
          state: (more.standing ?? []).includes(name) ? "out" : more.trick?.passed.includes(name) ? "passed" : null,
          counter: null,
          table_card: null,
        },
      ]),
    ),
    standing: [],
    last: null,
    over: false,
    winners: [],
    decree_pending: [],
    decrees: {},
    turn: "Ana",
    direction: 1,
    inverted: false,
    ranks: "3456789TJQKA2",
    trick: null,
    last_trick: null,
    exchange: null,
    middle: more.panels ? "panels" : "trick",
    panels: [],
    signs: [],
    prompt: null,
    newcomers_text: null,
    tally: null,
    ...more,
  };
}

/** Faces for a visitor to choose from. */
const FREE_FACES = BIRDS.slice(0, 6).map((bird, i) => ({ bird, colour: COLOURS[(i + 4) % 8] ?? "" }));

/** @param {Partial<You>} [more] @returns {You} */
export function you(more = {}) {
  return {
    person: true,
    name: "Ana",
    role: "seated",
    host: true,
    cards: "",
    legal: [],
    more: false,
    decree: false,
    must_give: null,
    ...more,
  };
}

/** @param {Room} theRoom @param {Table | null} theTable @param {You} me @param {import("../../static/js/types.d.ts").GameEvent[]} [events] @returns {Update} */
export function update(theRoom, theTable, me, events = []) {
  return {
    t: "update",
    actions: ACTIONS,
    event_prominence: TONES,
    event_animations: MOTIONS,
    seq: 57,
    server_time: NOW,
    room: theRoom,
    table: theTable,
    events,
    you: me,
  };
}

/** @param {import("../../static/js/types.d.ts").Control} control @param {string[]} [fields] @param {{ main?: boolean, least?: number, most?: number }} [more] */
function form(control, fields = [], more = {}) {
  return { main: false, placed: control !== "button", control, fields, least: null, most: null, ...more };
}

/** The controls of actions, from the first update. */
const ACTIONS = {
  play: form("cards", ["cards", "as", "call"]),
  pass: { ...form("beside"), passes: true },
  give: form("gifts", ["cards", "to"]),
  say: form("rank", ["have", "want"]),
  offer: form("free_cards", ["cards", "claim"]),
  cut: form("number", ["at"], { least: 1, most: 51 }),
  deal: form("each", ["first"]),
  decree: form("text", ["text", "to"], { least: 1, most: 280 }),
  agree: form("button", [], { main: true }),
  swap: form("button", [], { main: true }),
};

/** How loud events are, as the first update tells. @type {Update["event_prominence"]} */
const TONES = { played: "move", passed: "still", out: "end", match_won: "end", trick_over: "quiet", leads: "quiet" };

/** What is seen to move, likewise. @type {Update["event_animations"]} */
const MOTIONS = {
  played: { paths: [["by", "table"]] },
  trick_over: { paths: [["table", "by"]] },
  revolution: { celebration: "turn" },
};

/** A text that the server sends by its key. @param {string} key @param {Record<string, unknown>} [values] */
export const said = (key, values = {}) => /** @type {import("../../static/js/types.d.ts").Said} */ ({ key, values });

/** Signs, as games list them. */
export const SIGNS = {
  inverted: { key: "inverted", icon: "⇅", text: said("sign.inverted"), hot: true, short: "" },
  direction: { key: "direction", icon: "↺", text: said("sign.reversed"), hot: true, short: "" },
  call: { key: "call", icon: "☞", text: said("sign.called", { call: said("call.rank") }), hot: true, short: "" },
  stock: { key: "stock", icon: "▤", text: said("sign.stock", { count: 17 }), hot: false, short: "" },
};
/** @typedef {import("../../static/js/types.d.ts").Panel} Panel */
/** @typedef {Panel["title"]} Text */

/** @param {string} key @param {Text} title @param {[NonNullable<Text>, Text][]} lines @returns {Panel} */
function panel(key, title, lines) {
  return {
    key,
    title,
    look: "list",
    lines: lines.map(([text, state], i) => ({ key: `${i}`, text, state, done: state === GIVEN, icon: null })),
  };
}

const GIVEN = said("exchange.done");
const CHOOSING = said("exchange.waits");

/** @param {[string, string, number, string?, boolean?][]} gifts giver, receiver, number of cards, which ones, and whether they are given */
function exchangePanel(...gifts) {
  return panel(
    "exchange",
    said("exchange.title"),
    gifts.map(([giver, to, count, which = "", given = false]) => [
      said(`exchange.gift${which}`, { giver, to, count }),
      given ? GIVEN : CHOOSING,
    ]),
  );
}

/** @param {...unknown} of */
const both = (...of) => ({ list: /** @type {const} */ ("and"), of });
/** @param {string} one @param {string} other */
const pair = (one, other) => said("pairs.pair", { names: both(one, other) });
/** @param {string} by @param {number} count */
const offers = (by, count) => said("pairs.offer", { by, count });
const TRADE = panel("trade", said("trade.title", { one: "Ana", other: "Dan" }), [
  [said("trade.claims", { by: "Dan", claim: said("rank.A") }), said("trade.agreed")],
]);

/** @type {Panel} */
const DECK = {
  key: "deal",
  title: null,
  look: "things",
  lines: [{ key: "deck", text: said("faults.deals", { name: "Ana" }), state: null, done: false, icon: "deck" }],
};
const EIGHTEEN = "3c 3h 4d 5s 6c 6d 7c 7d 7h 9s Tc Th Js Qd Kh As 2c 2h";
const PAIRS = ["Tc Th", "2c 2h"].map((cards) => ({ do: "play", cards }));
const SETS = [
  "3c 3h",
  "6c 6d",
  "7c 7d",
  "7c 7h",
  "7d 7h",
  "Tc Th",
  "2c 2h",
  "7c 7d 7h",
  "5s 6c 7c",
  "7c 8c 9c Tc Js",
  "6c 7c 8c",
];
const TRICK = {
  plays: [
    { by: "Bob", cards: "4c 4h", kind: "pair", as: "4" },
    { by: "Cat", cards: "6h 6s", kind: "pair", as: "6" },
    { by: "Dan", cards: "8c 8d", kind: "pair", as: "8" },
  ],
  passed: ["Eve"],
  barred: [],
};
const SAID = [
  { e: "trick_over", by: "Bob", leads: "Bob" },
  { e: "leads", by: "Bob" },
  { e: "played", by: "Bob", cards: "4c 4h", kind: "pair", as: "4" },
  { e: "played", by: "Cat", cards: "6h 6s", kind: "pair", as: "6" },
  { e: "played", by: "Dan", cards: "8c 8d", kind: "pair", as: "8" },
];
/** @type {NonNullable<Room["session"]>} */
const EVENING = {
  since: NOW - 3 * 3600_000,
  until: NOW,
  hands: 17,
  matches: 3,
  differences: true,
  accounts: [
    { name: "Cat", points: 113 },
    { name: "Wilhelmina Woodward", points: 2 },
    { name: "Ana", points: -35 },
    { name: "Dan", points: -80 },
  ],
  payments: [
    { payer: "Dan", payee: "Cat", points: 80 },
    { payer: "Ana", payee: "Cat", points: 33 },
    { payer: "Ana", payee: "Wilhelmina Woodward", points: 2 },
  ],
};

/** A player's points, in a game with many reasons. @param {string} name @param {...[string, number, Record<string, unknown>]} of @returns {Reason[]} */
function reasons(name, ...of) {
  return of.map(([key, amount, values]) => ({ name, key: `big_two.reason.${key}`, values, amount, unit: "points" }));
}

const LAST = {
  dealer: "Hilde",
  standing: ["Cat", "Ana", "Gudrun", "Bob", "Finn", "Dan", "Hilde", "Eve"],
  titles: {
    Cat: "President",
    Ana: "Vice-President",
    Gudrun: "Citizen",
    Bob: "Citizen",
    Finn: "Citizen",
    Dan: "Citizen",
    Hilde: "Vice-Scum",
    Eve: "Scum",
  },
  ledger: { Cat: 2, Ana: 1, Gudrun: 0, Bob: 0, Finn: 0, Dan: 0, Hilde: 0, Eve: 0 },
  events: ["revolution"],
  /** @type {Reason[]} */
  reasons: [
    { name: "Cat", key: "ledger.place", values: { place: 1, of: 8 }, amount: 2, unit: "points" },
    { name: "Ana", key: "ledger.place", values: { place: 2, of: 8 }, amount: 1, unit: "points" },
  ],
  totals: { Cat: 5, Ana: 8, Gudrun: 2, Bob: 3, Finn: 0, Dan: 4, Hilde: 1, Eve: 0 },
  next_seats: ["Cat", "Ana", "Gudrun", "Bob", "Finn", "Dan", "Hilde", "Eve"],
  next_hand: [],
};

/** @param {number} count @param {Partial<Table>} [more] */
function chase(count, more = {}) {
  const seats = NAMES.slice(0, count);
  const lost = more.lost ?? [];
  const out = (/** @type {number} */ i) => i % 7 === 6;
  const each = Object.fromEntries(seats.map((name, i) => [name, out(i) ? 0 : (i % 3) + 1]));
  const up = more.revealed ?? { Dan: "Kd" };
  const result_text =
    lost.length > 0
      ? said("chase.loses_ace", { count: lost.length, names: { list: "and", of: lost }, cards: "A♦" })
      : "";
  return table(count, {
    game: "chase_the_ace",
    trick: undefined,
    players: Object.fromEntries(
      seats.map((name, i) => [
        name,
        {
          cards: out(i) ? 0 : 1,
          title: null,
          place: null,
          total: -3 + (i % 4),
          state: out(i) ? "left" : null,
          counter: { count: each[name] ?? 0, icon: "coin", text: said("chase.dimes", { count: each[name] }) },
          table_card: out(i) ? null : (up[name] ?? ""),
        },
      ]),
    ),
    dimes: each,
    tally: { name: said("chase.unit"), icon: "coin", each, most: 4, lost, result_text, points: false },
    newcomers_text: said("chase.late"),
    panels: [
      {
        key: "chase",
        title: null,
        look: "things",
        lines: [
          { key: "stock", text: said("chase.stock", { count: 35 }), state: null, done: false, icon: "pack" },
          { key: "pot", text: said("chase.pot", { count: 23 }), state: null, done: false, icon: "coin" },
        ],
      },
    ],
    middle: "panels",
    playing: seats.filter((_, i) => i % 7 !== 6),
    pot: 23,
    stock: 35,
    shown: { Dan: "Kd" },
    revealed: {},
    lost: [],
    ...more,
  });
}

/** A run on which a bomb can lie. */
const LONGEST_PLAY = { by: "Cat", cards: "3c 4c 5c 6c 7d 8c 9c Tc Jc Qc", kind: "straight" };
const LONG_PLAYS = ["Bob", "Cat", "Dan", "Eve", "Finn"].map((by, i) => ({
  by,
  cards: ["3c 4c 5c 6c 7c", "4d 5d 6d 7d 8d", "5h 6h 7h 8h 9h", "6s 7s 8s 9s Ts", "7c 8c 9c Tc Jc"][i] ?? "",
  kind: "straight",
  call: i === 4 ? "rank" : undefined,
}));

/** The same state with names of the maximum length. @param {Update} told @returns {Update} */
function called(told) {
  const long = {
    Bob: "Bartholomäus Brenner",
    Cat: "Wilhelmina Woodward",
    Dan: "Dan, who is too late",
    Eve: "WWWWWWWWWWWWWWWWWWWW",
  };
  let text = JSON.stringify(told);
  for (const [short, name] of Object.entries(long)) text = text.replaceAll(`"${short}"`, `"${name}"`);
  return JSON.parse(text);
}

/** @type {Record<string, Update>} */
export const FIXTURES = {
  turn_4: update(
    room(4, { deadlines: { Ana: NOW + 19000 } }),
    table(4, { trick: TRICK }),
    you({
      cards: "3c 3h 4d 5s 6c 7c 7d Tc Th Qd Kh As 2c",
      legal: [{ do: "pass" }, { do: "play", cards: "Tc Th" }],
      decree: false,
    }),
    SAID,
  ),
  turn_8_of_18: update(
    room(8, { deadlines: { Ana: NOW + 19000 } }),
    table(8, { trick: TRICK, last_trick: TRICK.plays }),
    you({ cards: EIGHTEEN, legal: [{ do: "pass" }, ...PAIRS] }),
    SAID,
  ),
  lead_5: update(
    room(5),
    table(5, {
      last_trick: TRICK.plays,
      inverted: true,
      ranks: "2AKQJT9876543",
      wild: "",
      direction: -1,
      signs: [SIGNS.inverted, SIGNS.direction],
    }),
    you({ cards: EIGHTEEN, legal: EIGHTEEN.split(" ").map((cards) => ({ do: "play", cards })), decree: true }),
    [
      { e: "trick_over", by: "Ana" },
      { e: "revolution", by: "Ana", cause: "PRES-21" },
    ],
  ),
  lead_sets: update(
    room(5),
    table(5, { last_trick: TRICK.plays }),
    you({
      cards: EIGHTEEN,
      legal: [...EIGHTEEN.split(" "), ...SETS].map((cards) => ({ do: "play", cards })),
    }),
  ),
  wait_3: update(
    room(3, { deadlines: { Bob: NOW + 4000 } }),
    table(3, {
      to_act: ["Bob"],
      trick: {
        plays: [LONGEST_PLAY, { by: "Ana", cards: "7c 7d 7h 7s", kind: "four", as: "7" }],
        passed: [],
        barred: [],
      },
    }),
    you({ cards: "3c 4d 9s Jh Kd" }),
  ),
  welcome: update(
    room(4, { seat_plan: { free: 4, bots: ["Cat"], joining: [] } }),
    table(4, { trick: TRICK, to_act: ["Bob"] }),
    you({ name: null, role: null, host: false, free_faces: FREE_FACES }),
  ),
  full_waits: update(
    room(6, { max: 6, seat_plan: { free: 0, bots: ["Cat", "Finn"], joining: [] } }),
    table(6, { trick: TRICK, to_act: ["Bob"] }),
    you({ name: "Zoe", role: "waiting", host: false }),
  ),
  full_lobby: update(
    room(6, { max: 6, phase: "lobby", seat_plan: { free: 0, bots: ["Cat", "Finn"], joining: [] } }),
    null,
    you({ name: null, role: null, host: false }),
  ),
  many_16: update(
    room(16, { max: 16, deadlines: { Eve: NOW + 12000 } }),
    table(16, { to_act: ["Eve"], trick: { plays: TRICK.plays, passed: ["Finn", "Otto"], barred: [] } }),
    you({ cards: "3c 5d 9s Jh Kd 2s Xr" }),
    SAID,
  ),
  chase_20: update(
    room(20, { game: "chase_the_ace", max: 20, deadlines: { Ana: NOW + 9000 } }),
    chase(20),
    you({
      cards: "4h",
      prompt: said("chase.asked"),
      legal: [{ do: "keep" }, { do: "swap" }],
      labels: { swap: said("chase.swap", { name: "Montgomery" }) },
    }),
    [{ e: "king_shown", by: "Dan", cards: "Kd" }],
  ),
  chase_over: update(
    room(7, { game: "chase_the_ace", phase: "between_hands" }),
    chase(7, {
      phase: "over",
      to_act: [],
      revealed: { Ana: "4h", Bob: "9c", Cat: "Ad", Dan: "Kd", Eve: "9s", Finn: "Jd" },
      lost: ["Cat"],
      last: {
        ...LAST,
        standing: ["Gudrun"],
        titles: {},
        ledger: {},
        reasons: [{ name: "Cat", key: "chase.reason.dime", values: {}, amount: -1, unit: "dimes" }],
        totals: { Ana: -3, Bob: -2, Cat: -1, Dan: 0, Eve: 3, Finn: 2, Gudrun: 1 },
      },
    }),
    you({ cards: "4h" }),
    [{ e: "compared" }, { e: "dime_lost", by: "Cat" }],
  ),
  exchange_low: update(
    room(5, { deadlines: { Eve: NOW + 25000, Ana: NOW + 25000 } }),
    table(5, {
      phase: "exchange",
      to_act: ["Ana", "Dan"],
      exchange: {
        gifts: [
          { from: "Ana", to: "Cat", count: 2, which: "best", chosen: false, done: false },
          { from: "Cat", to: "Ana", count: 2, which: "any", chosen: false, done: false },
          { from: "Dan", to: "Bob", count: 1, which: "best", chosen: true, done: true },
        ],
      },
      panels: [exchangePanel(["Ana", "Cat", 2, ".best"], ["Cat", "Ana", 2], ["Dan", "Bob", 1, ".best", true])],
    }),
    you({
      cards: "3c 3h 4d 5s 6c 7c 7d Tc Th Qd Ad As Ah",
      must_give: [{ to: "Cat", count: 2, which: "best" }],
      legal: [
        { do: "give", cards: "Ad As" },
        { do: "give", cards: "Ad Ah" },
        { do: "give", cards: "As Ah" },
      ],
    }),
  ),
  exchange_two: update(
    room(3),
    table(3, {
      phase: "exchange",
      to_act: ["Ana"],
      exchange: {
        gifts: [
          { from: "Ana", to: "Bob", count: 2, which: "any", chosen: false, done: false },
          { from: "Ana", to: "Cat", count: 1, which: "any", chosen: false, done: false },
        ],
      },
      panels: [exchangePanel(["Ana", "Bob", 2], ["Ana", "Cat", 1])],
    }),
    you({
      cards: EIGHTEEN,
      more: true,
      must_give: [
        { to: "Bob", count: 2, which: "any" },
        { to: "Cat", count: 1, which: "any" },
      ],
      legal: [{ do: "give", to: { Bob: "3c 3h", Cat: "4d" } }],
    }),
  ),
  result_8: update(
    room(8, {
      phase: "between_hands",
      next_deal_at: NOW + 12000,
      hands: [
        { number: 1, standing: ["Ana", "Bob", "Cat", "Dan", "Eve", "Finn", "Gudrun", "Hilde"], ledger: {} },
        { number: 2, standing: LAST.standing, ledger: LAST.ledger },
      ],
    }),
    table(8, { phase: "over", to_act: [], last: LAST, standing: LAST.standing }),
    you({ cards: "" }),
    [{ e: "out", by: "Hilde" }],
  ),
  great_end: {
    ...update(
      room(4, { phase: "between_hands", next_deal_at: NOW + 12000 }),
      table(4, { phase: "over", to_act: [], last: { ...LAST, standing: ["Dan", "Bob", "Cat", "Ana"] } }),
      you({ cards: "" }),
      [{ e: "ceausescu", by: "Dan", fallen: "Ana" }],
    ),
    event_prominence: { ...TONES, ceausescu: "great" },
  },
  finished: update(
    room(4, {
      phase: "finished",
      stake: { amount: 0.5, unit: "cloudberry liqueurs", unit_singular: "cloudberry liqueur" },
      session: EVENING,
    }),
    table(4, {
      phase: "over",
      over: true,
      winners: ["Ana"],
      to_act: [],
      last: {
        ...LAST,
        standing: ["Ana", "Bob", "Cat", "Dan"],
        ledger: { Ana: 2, Bob: 1, Cat: 0, Dan: 0 },
        reasons: LAST.reasons.map((reason, place) => ({ ...reason, name: NAMES[place] ?? "" })),
        totals: { Ana: 11, Bob: 7, Cat: 4, Dan: 2 },
      },
    }),
    you(),
    [{ e: "match_won", by: "Ana" }],
  ),
  choices: update(
    room(4),
    table(4, { trick: TRICK }),
    you({
      cards: "5s 6c Xr Xb 9d",
      legal: [
        { do: "pass" },
        { do: "play", cards: "5s" },
        { do: "play", cards: "5s", call: "rank" },
        { do: "play", cards: "5s", call: "black" },
      ],
    }),
  ),
  trade: update(
    room(6),
    table(6, {
      phase: "exchange",
      to_act: ["Ana"],
      exchange: { gifts: [] },
      panels: [TRADE],
    }),
    you({
      prompt: said("trade.asked"),
      action_limits: { offer: { least: 1, most: 1, claim: true } },
      cards: EIGHTEEN,
      legal: [{ do: "say" }, { do: "offer" }, { do: "agree" }, { do: "break_off" }],
    }),
    [{ e: "said", by: "Dan", have: "7" }],
  ),
  cut: update(room(4), table(4, { phase: "deal", to_act: ["Ana"], panels: [DECK] }), you({ legal: [{ do: "cut" }] })),
  deal: update(
    room(4),
    table(4, { phase: "deal", to_act: ["Ana"], panels: [DECK] }),
    you({ legal: ["Ana", "Bob", "Cat", "Dan"].map((first) => ({ do: "deal", first })) }),
  ),
  watcher: update(room(4), table(4, { to_act: ["Bob"], trick: TRICK }), {
    person: true,
    name: null,
    role: null,
    host: false,
  }),
  long_trick: update(
    room(6),
    table(6, {
      trick: { plays: LONG_PLAYS, passed: [], barred: [] },
      to_act: ["Bob"],
      direction: -1,
      signs: [SIGNS.direction, SIGNS.call, SIGNS.stock],
    }),
    you({ cards: EIGHTEEN }),
    LONG_PLAYS.slice(-2).map((play) => ({ e: "played", ...play })),
  ),
  long_names: called(
    update(
      room(5, { deadlines: { Bob: NOW + 9000 }, waiting_since: { Bob: NOW - 61000 }, let_bot_play_after: HELPS }),
      table(5, { trick: TRICK, to_act: ["Bob"] }),
      you({ cards: "3c 4d 9s Jh Kd", let_bot_play_as: "host" }),
      SAID,
    ),
  ),
  long_names_result: called(
    update(
      room(8, { phase: "between_hands" }),
      table(8, { phase: "over", to_act: [], last: LAST, standing: LAST.standing }),
      you({ cards: "" }),
    ),
  ),
  two_packs: update(
    room(3, { waiting_since: { Bob: NOW - 50000 }, let_bot_play_after: HELPS }),
    table(3, { to_act: ["Bob"], trick: { plays: LONG_PLAYS.slice(0, 3), passed: [], barred: [] } }),
    you({ cards: `${EIGHTEEN} ${EIGHTEEN}`, let_bot_play_as: "host" }),
  ),
  revolution: update(
    room(4, { deadlines: { Bob: NOW + 4000 } }),
    table(4, {
      to_act: ["Bob"],
      trick: { plays: [{ by: "Ana", cards: "9c 9d 9h 9s", kind: "four", as: "9" }], passed: ["Cat"], barred: [] },
      inverted: true,
      ranks: "2AKQJT9876543",
      wild: "",
      signs: [SIGNS.inverted],
    }),
    you({ cards: "3c 3h 6d 7c 9s Jh Kd Xr", decree: true }),
    [{ e: "revolution", by: "Ana", cause: "PRES-21" }],
  ),
  king_cuts: update(
    room(4, { game: "ceausescu", phase: "between_hands" }),
    table(4, { game: "ceausescu", phase: "over", to_act: [], last: LAST, standing: ["Ana", "Bob", "Cat", "Dan"] }),
    you({ off_turn: [{ do: "cut" }] }),
  ),
  collusion: update(
    room(4),
    table(4, {
      phase: "exchange",
      to_act: ["Ana", "Bob", "Cat", "Dan"],
      exchange: {
        gifts: [
          { from: "Ana", to: "Cat", count: 2, which: "best", chosen: true, done: true },
          { from: "Cat", to: "Ana", count: 2, which: "any", chosen: true, done: true },
        ],
      },
      panels: [
        exchangePanel(["Ana", "Cat", 2, ".best", true], ["Cat", "Ana", 2, "", true]),
        panel("pairs", said("pairs.title"), [
          [pair("Ana", "Bob"), offers("Bob", 2)],
          [pair("Cat", "Dan"), both(offers("Cat", 1), offers("Dan", 1))],
        ]),
      ],
    }),
    you({
      cards: "3c 3h 4d 5s 6c 7c 7d Tc Th Qd Ad As Ah",
      legal: [{ do: "offer" }, { do: "agree" }, { do: "done" }],
      prompt: said("pairs.asked"),
      action_limits: { offer: { least: 1, most: null, claim: false } },
      panels: [
        panel("partner", said("pairs.partner", { name: "Bob" }), [
          ["3♦ 4♣ 5♥ 6♠ 7♥ 8♣ 9♦ 10♣ J♠ Q♥ K♦ A♣ 2♠", null],
          [said("pairs.offered", { offer: offers("Bob", 2), cards: "K♦ 2♠" }), null],
        ]),
      ],
    }),
    [{ e: "offered", by: "Bob", count: 2 }],
  ),
  reasons_4: update(
    room(4, { game: "big_two", phase: "between_hands" }),
    table(4, {
      game: "big_two",
      phase: "over",
      to_act: [],
      standing: ["Cat", "Ana", "Dan", "Bob"],
      last: {
        ...LAST,
        standing: ["Cat", "Ana", "Dan", "Bob"],
        titles: {},
        ledger: { Ana: 53, Bob: -107, Cat: 65, Dan: -11 },
        totals: { Ana: 53, Bob: -107, Cat: 65, Dan: -11 },
        reasons: [
          ...reasons("Ana", ["cards_left", -3, { count: 3 }], ["again", -6, { count: 2 }]),
          ...reasons("Ana", ["from", 43, { name: "Bob" }], ["from", 19, { name: "Dan" }]),
          ...reasons("Bob", ["cards_left", -11, { count: 11 }], ["doubled", -11, { least: 10 }]),
          ...reasons("Bob", ["twos_doubled", -21, { count: 1 }], ["last_twos_doubled", -64, {}]),
        ],
      },
    }),
    you({ cards: "" }),
  ),
  chase_result_20: update(
    room(20, { game: "chase_the_ace", phase: "between_hands", max: 20 }),
    chase(20, {
      phase: "over",
      to_act: [],
      revealed: Object.fromEntries(NAMES.map((name, i) => [name, ["4h", "9c", "Ad", "Kd"][i % 4] ?? ""])),
      lost: ["Cat", "Sam"],
      last: { ...LAST, standing: ["Gudrun", "Nora"], titles: {}, ledger: {}, totals: {}, reasons: [] },
    }),
    you({ cards: "4h" }),
  ),
  lobby_20: update(
    room(20, { phase: "lobby", game: "chase_the_ace", min: 2, max: 20, spectators: 3 }),
    null,
    you({ role: "waiting" }),
  ),
  lobby_host: update(
    room(3, { phase: "lobby", deadlines: {}, can_start: true, spectators: 3, joining: 2 }),
    null,
    you(),
  ),
  lobby_long: called(update(room(8, { phase: "lobby", deadlines: {}, can_start: true }), null, you({ host: false }))),
  lobby_join: update(
    room(2, {
      phase: "lobby",
      seat_plan: { free: 6, bots: [], joining: [] },
      left_players: [],
      can_start: false,
      start_blocked_text: "With these rules President is for 3 to 8 players, not 2.",
      start_blocked: said("refused.so_many_cannot_play", { name: said("game.president"), low: 3, high: 8, count: 2 }),
    }),
    null,
    { person: true, name: null, role: null, host: false, free_faces: FREE_FACES },
  ),
};

if (typeof process !== "undefined" && import.meta.url === `file://${process.argv[1]}`)
  console.log(JSON.stringify(FIXTURES));
