// @ts-check
// Draws the seats around the table, each with bird, clock, title, number of cards and status.

import { avatar, faceOf, marksOf, wornAt } from "../ui/avatar.js";
import { cardBack, faceUpCard } from "../ui/card_faces.js";
import { h } from "../lib/virtual_dom.js";
import { addSoftHyphens } from "../lib/soft_hyphens.js";
import { formatList, formatValue, t } from "../lib/messages.js";
import { otherSeats } from "../model/state.js";
import { botName, titleShown, titleName } from "../events/labels.js";

/** @import { Counter, Scene } from "../types.d.ts" */

/** Seats on each side, as [most other players, seats on each side]; the remaining players sit opposite. */
const NARROW_SIDES = [
  [2, 0],
  [5, 1],
  [7, 2],
  [Infinity, 3],
];
const WIDE_SIDES = [
  [2, 0],
  [6, 1],
  [9, 2],
  [12, 3],
  [15, 4],
  [Infinity, 5],
];

/** Smallest height of the felt in pixels, by the number of seats on each side. */
const NARROW_HEIGHTS = [190, 280, 330, 410];
const WIDE_HEIGHTS = [260, 320, 430, 510, 500, 540];

/** On a wide page, by the number of seats on each side: the `y` of the lowest and highest, and the `x` of the first opposite. */
const WIDE_SIDE_ENDS = [[], [56, 56], [76, 36], [82, 40]];
const WIDE_INSETS = [30, 21, 21, 16];

/** Smallest width of the felt in pixels, for any ring of seats and for a crowded ring. */
const RING_WIDTH = 320;
const CROWDED_WIDTH = 800;
/** With more other players than this, a ring is crowded. */
const MOST_AT_EASE = 12;

/** Smallest height of the felt, in pixels, for rows of seats with a title below each name. */
const ROWS_HEIGHT = 250;

const MOST_IN_NARROW_RING = 9;

/** On a phone held upright, with this many other players or more, small seats stand in a grid round the trick. */
const GRID_FROM = 5;
/** The widest felt of such a phone, in pixels. */
const UPRIGHT_WIDTH = 600;

/** The `y` of seats opposite the player: the upper edge of the felt. */
const ACROSS = 0;

/** Longest name and title, in characters, that fit in a single line. */
const ONE_LINE = { name: 11, title: 14 };
const TWO_LINES_TAKE = 1.15;

/** Return the number of seats on each side. @param {number} count number of other players @param {boolean} wide */
function seatsPerSide(count, wide) {
  return (wide ? WIDE_SIDES : NARROW_SIDES).find(([most]) => count <= (most ?? 0))?.[1] ?? 0;
}

/**
 * Return the smallest height of the felt for a ring of seats, in pixels at the usual text size.
 * @param {number} count number of other players
 * @param {boolean} wide
 * @param {boolean} long whether any name or title takes two lines
 */
export function minRingHeight(count, wide, long) {
  return ((wide ? WIDE_HEIGHTS : NARROW_HEIGHTS)[seatsPerSide(count, wide)] ?? 0) * (long ? TWO_LINES_TAKE : 1);
}

/**
 * Return the positions of the other players, from the player's left round to the right, in percent of the felt. On a wide
 * page `x` is in percent of an oval of at most 900 px in the middle of the felt, and the style sheet bends the upper row.
 * `cell`: row and column in a grid round the trick, with three columns.
 * @param {number} count number of other players
 * @param {boolean} wide
 * @returns {{ x: number, y: number, cell: string }[]}
 */
export function seatPositions(count, wide) {
  const side = seatsPerSide(count, wide);
  const top = count - 2 * side;
  const edge = wide ? 7.2 : 12.5;
  const [lowest = 88, highest = 25] = wide ? (WIDE_SIDE_ENDS[side] ?? []) : side === 2 ? [72, 42] : [82, 34];
  const left = spaceEvenly(side, lowest, highest, 56).map((y, i) => ({ x: edge, y, cell: `${side - i + 1} / 1` }));
  const right = left.map(({ y }, i) => ({ x: 100 - edge, y, cell: `${side - i + 1} / 3` })).reverse();
  const inset = wide ? (WIDE_INSETS[side] ?? 18) : count === 2 ? 26 : top > 3 ? 13 : top === 3 ? 17 : 30;
  const across = spaceEvenly(top, inset, 100 - inset, 50).map((x) => ({
    x,
    y: ACROSS,
    cell: `1 / ${2 + Math.sign(x - 50)}`,
  }));
  return [...left, ...across, ...right];
}

/**
 * Return `count` positions at equal distances, or only `middle` if `count` is 1.
 * @param {number} count @param {number} from @param {number} to @param {number} middle
 */
function spaceEvenly(count, from, to, middle) {
  return count === 1 ? [middle] : Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));
}

/** Draw the clock of a seat; ui/countdowns.js updates it. @param {Scene["here"]} here @param {string} name */
function clockRing(here, name) {
  const deadline = here?.deadlines[name];
  if (deadline === undefined || !here?.clock.turn) return null;
  return h(
    "svg",
    {
      key: `ring${deadline}`,
      class: "ring",
      viewBox: "0 0 40 40",
      "aria-hidden": "true",
      "data-deadline": deadline,
      "data-reserve-from": here.reserve_from[name],
      "data-total": here.clock.turn * 1000,
    },
    h("circle", { class: "ring-back", cx: 20, cy: 20, r: 18.5 }),
    h("circle", { class: "ring-left", cx: 20, cy: 20, r: 18.5, pathLength: 100 }),
  );
}

/** Draw a player's face with the clock around it. @param {Scene} scene @param {string} name @param {"small" | ""} [size] */
export function seatAvatar(scene, name, size = "") {
  const { table, here } = scene;
  return avatar({
    ...faceOf(scene, name),
    ...marksOf(here?.people.find((each) => each.name === name)),
    worn: wornAt(table?.players[name]?.place, table?.seats.length ?? 0),
    upsideDown: table?.inverted,
    clock: clockRing(here, name),
    size,
  });
}

/** Draw a number that the game shows at a seat, with its icon. @param {Counter} counter */
function counterBadge({ count, icon, text }) {
  return h(
    "span",
    { "data-zone": "counter", class: "coins" },
    h("span", { class: "sr-only" }, formatValue(text)),
    h("b", { "aria-hidden": "true" }, count),
    h("i", { class: icon, "aria-hidden": "true" }),
  );
}

/**
 * Return the status of a seat: state in the game, dealer, presence, and the bot or program that plays.
 * @param {Scene} scene
 * @param {string} name
 */
function seatStatus({ table, here, playing }, name) {
  const person = here?.people.find((each) => each.name === name);
  const player = table?.players[name];
  // While a result is shown, players who are out have their titles again. A player who passed may have the turn again.
  const isPast = player?.state === "out" ? !playing : player?.state === "passed" && table?.to_act.includes(name);
  const state = isPast ? null : (player?.state ?? null);
  return {
    person,
    player,
    state,
    dealer: table?.dealer === name,
    absent: person !== undefined && person.bot === null && !person.present,
    machine: person?.bot
      ? botName(person.bot)
      : person?.stand_in
        ? t("seat.bot")
        : person?.program
          ? t("seat.program")
          : "",
  };
}

/** Return the state of a player in the game, which replaces the title; "" without one. @param {Scene} scene @param {string} name */
export function stateText(scene, name) {
  const { state } = seatStatus(scene, name);
  return state === null ? "" : t(`seat.${state}`, { place: (scene.table?.standing.flat().indexOf(name) ?? 0) + 1 });
}

/**
 * Draw what stands below a name: the game's counter, when a bot takes over, or a word about the player.
 * @param {Scene} scene @param {string} name @param {ReturnType<typeof seatStatus>} info @param {string} word
 */
function aboutLine({ here }, name, { player, state, absent }, word) {
  if (player?.counter && state !== "left" && state !== "waits") return counterBadge(player.counter);
  const until = absent ? here?.bot_takes_over_at[name] : undefined;
  // Show the time until the bot takes over.
  if (until !== undefined)
    return h("span", {
      key: "away",
      "data-zone": "about",
      class: "what",
      "data-until": until,
      "data-key": "seat.away.bot",
    });
  const title = word !== "" && word === titleName(player?.title);
  return h(
    "span",
    { "data-zone": "about", "data-title": title, class: `what${title ? " title" : ""}` },
    titleShown(word),
  );
}

/** @typedef {ReturnType<typeof seatPositions>[number]} Position */

/** @param {Scene} scene @param {string} name @param {boolean} small @param {Position} narrow @param {Position} wide */
function seat(scene, name, small, narrow, wide) {
  const { table, playing, size } = scene;
  const info = seatStatus(scene, name);
  const turn = table?.to_act.includes(name) === true && playing;
  const rank = titleName(info.player?.title) || (info.dealer ? t("seat.dealer") : "");
  const word = info.absent ? t("seat.away") : stateText(scene, name) || rank;
  const lies = info.player?.table_card ?? null;
  const gone = info.state === "left" || info.state === "waits";
  const { x, y } = size.wide ? wide : narrow;
  const count = lies === null && info.state !== "out" ? (info.player?.cards ?? 0) : 0;
  const cards = count === 0 ? "" : t("seat.cards", { count });
  return h(
    "li",
    {
      key: name,
      "data-seat": name,
      "data-absent": info.absent,
      class: `seat${turn ? " turn" : ""}${info.state === "passed" ? " passed" : ""}${info.state === "out" || gone ? " out" : ""}${info.absent ? " absent" : ""}${y === ACROSS ? " across" : x < 50 ? " left" : ""}`,
      style: { "--x": narrow.x, "--y": narrow.y, "--wx": wide.x, "--wy": wide.y, "--cell": narrow.cell },
      "aria-current": turn ? "true" : undefined,
    },
    h("span", { "data-zone": "name", class: "name", translate: "no" }, addSoftHyphens(name)),
    aboutLine(scene, name, info, word),
    h(
      "span",
      { "data-zone": "also", class: "sr-only" },
      formatList([cards, info.dealer ? t("seat.dealer") : "", info.machine]),
    ),
    h(
      "span",
      {
        "data-zone": "perch",
        "data-word": info.dealer ? t("seat.dealer") : undefined,
        class: "perch",
        "aria-hidden": "true",
      },
      seatAvatar(scene, name, small ? "small" : ""),
      cards === "" ? null : cardCount(count, cards),
      reserveLeft(scene, name),
      info.dealer ? h("span", { key: "dealer", "data-chip": true, class: "chip" }, "D") : null,
    ),
    lies === null ? null : lies === "" ? cardBack("small") : faceUpCard(lies, "small", "shown"),
    turn ? h("span", { class: "sr-only" }, t("seat.turn")) : null,
  );
}

/** Draw what is left of the time reserve of a player whose turn it is. @param {Scene} scene @param {string} name */
function reserveLeft({ here }, name) {
  const from = here?.reserve_from[name];
  if (from === undefined) return null;
  return h("span", {
    key: "reserve",
    class: "reserve-left",
    "data-countdown": here?.deadlines[name],
    "data-reserve-from": from,
    "data-key": "seat.reserve",
  });
}

/** Draw a small card with the number of a player's cards. @param {number} cards number of cards @param {string} text */
function cardCount(cards, text) {
  return h("span", { "data-zone": "card-count", class: `count${cards <= 3 ? " few" : ""}`, title: text }, cards);
}

/** Return the length of the longest word. M and W count as two letters. @param {string[]} texts */
export function longestWordLength(texts) {
  return Math.max(
    0,
    ...texts.flatMap((text) => text.split(/[\s-]/)).map((word) => word.length + (word.match(/[mw]/gi) ?? []).length),
  );
}

/** Draw all other seats: in a ring, in a grid round the trick, or in rows if the felt is too small for both. @param {Scene} scene */
export function seats(scene) {
  const { table, size: felt } = scene;
  const names = otherSeats(scene);
  const narrow = seatPositions(names.length, false);
  const wide = seatPositions(names.length, true);
  const titles = names.map((name) => titleName(table?.players[name]?.title));
  const long =
    names.some((name) => name.length > ONE_LINE.name) || titles.some((title) => title.length > ONE_LINE.title);
  // A ring on a narrow page has no space for a list in the middle, or for many players.
  const full =
    (table?.middle === "panels" && table.panels.some((panel) => panel.look === "list")) ||
    names.length > MOST_IN_NARROW_RING;
  const crowded = names.length > MOST_AT_EASE;
  const [width, height] = [felt.width / felt.text, felt.height / felt.text];
  const grid =
    table?.middle === "trick" && names.length >= GRID_FROM && !full && width >= RING_WIDTH && width < UPRIGHT_WIDTH;
  const small = height < minRingHeight(names.length, felt.wide, long) || width < (crowded ? CROWDED_WIDTH : RING_WIDTH);
  const rows = !grid && ((full && !felt.wide) || (felt.width > 0 && small));
  const shape = grid
    ? `grid${names.length % 2 === 0 ? " even" : ""}`
    : rows
      ? `rows${height < ROWS_HEIGHT ? " low" : ""}`
      : `round${crowded ? " crowded" : ""}${seatsPerSide(names.length, felt.wide) > 0 ? " beside" : ""}`;
  return h(
    "ol",
    // If the layout or the order of seats changes, this is a new element, so that animation/seat_moves.js can animate the move.
    {
      "data-zone": "seats",
      key: `seats ${rows} ${grid} ${names.join("\n")}`,
      class: `seats ${shape}${long ? " long" : ""}`,
      style: { "--word": longestWordLength(titles) },
      "aria-label": t("seats.label"),
    },
    narrow.map((at, i) => seat(scene, names[i] ?? "", rows || grid, at, wide[i] ?? at)),
  );
}
