// @ts-check
// Scenes with large birds: an exchange of cards, and on a television every great event. They are drawn as they end, and
// their parts move there; with reduced motion nothing moves.

import { sympathyText } from "../events/sympathy.js";
import { h } from "../lib/virtual_dom.js";
import { avatar, faceOf, wornAt } from "../ui/avatar.js";
import { cardBack, faceUpCard } from "../ui/card_faces.js";

/**
 * @import { VNode } from "../lib/virtual_dom.js"
 * @import { Moment } from "../events/presentation.js"
 * @import { Table } from "../types.d.ts"
 */
/**
 * What a page knows about the players: the parts of an update, or of a replay. `you`: whose page it is, and their cards.
 * @typedef {{ you: { name: string | null, cards?: string }, table: Pick<Table, "seats" | "players" | "ranks"> | null, room: import("../ui/avatar.js").Faces }} Cast
 */
/** Cards from one player to another. `cards` is empty if they are hidden. @typedef {{ from: string, to: string, cards: string[], count: number }} Gift */

/** Duration of a scene, in milliseconds. */
export const SCENE_MS = 1500;

/** Draw at most this number of cards of a gift. */
const MOST_CARDS = 5;

/** Return all gifts among the moments, each once and with its cards where the page knows them. @param {Moment[]} moments @returns {Gift[]} */
export function giftsOf(moments) {
  return moments
    .filter(({ celebrated }) => celebrated === "exchange")
    .flatMap(({ journeys }) => journeys)
    .flatMap(({ from, to, cards, count }) =>
      from.name === null || to.name === null ? [] : [{ from: from.name, to: to.name, cards, count }],
    );
}

/**
 * Group gifts by the two players. The lower player of the hierarchy stands on the left, and gives first.
 * @template {{ from: string, to: string }} Each
 * @param {Each[]} gifts @param {(name: string) => number} placeOf
 * @returns {{ left: string, right: string, gifts: Each[] }[]}
 */
export function groupGifts(gifts, placeOf) {
  /** @type {Map<string, { left: string, right: string, gifts: Each[] }>} */
  const rows = new Map();
  for (const gift of gifts) {
    const key = [gift.from, gift.to].sort().join("\n");
    const [left, right] = placeOf(gift.from) >= placeOf(gift.to) ? [gift.from, gift.to] : [gift.to, gift.from];
    const pair = rows.get(key) ?? { left, right, gifts: [] };
    pair.gifts.push(gift);
    rows.set(key, pair);
  }
  return [...rows.values()].sort((one, other) => placeOf(one.right) - placeOf(other.right));
}

/** Draw a large bird with its name. @param {Cast} cast @param {string} name @param {string} part its move @param {boolean} [upsideDown] */
export function largeBird({ table, room }, name, part, upsideDown = false) {
  const seats = table?.seats ?? [];
  const place = table?.players[name]?.place;
  return h(
    "span",
    { key: part, class: `scene-bird ${part}` },
    h("span", { "data-part": part }, avatar({ ...faceOf(room, name), worn: wornAt(place, seats.length), upsideDown })),
    h("b", { class: "name", translate: "no" }, name),
  );
}

/** Draw the cards of a gift where they land. @param {Gift} gift @param {"hand_over" | "toss"} part */
function giftCards({ cards, count }, part) {
  const shown = cards.length > 0 ? cards : Array(count).fill("");
  return h(
    "span",
    { key: part, class: `scene-cards ${part}`, "data-part": part },
    shown.slice(0, MOST_CARDS).map((card) => (card === "" ? cardBack() : faceUpCard(card))),
  );
}

/** Draw all gifts: a row for each two players, and words for the player who gives a card they would rather keep. @param {Moment[]} moments @param {Cast} cast */
function exchangeScene(moments, cast) {
  const placeOf = (/** @type {string} */ name) => cast.table?.players[name]?.place ?? 0;
  const rows = groupGifts(giftsOf(moments), placeOf);
  if (rows.length === 0) return null;
  const words = sympathyText(moments, cast);
  return {
    look: "exchange",
    drawn: [
      h(
        "div",
        { class: "scene-duos", style: { "--rows": rows.length } },
        rows.map(({ left, right, gifts }) =>
          h(
            "div",
            { key: `${left}\n${right}`, class: "scene-pair" },
            largeBird(cast, left, "bow"),
            h(
              "span",
              { class: "scene-lane" },
              gifts.map((gift) => giftCards(gift, gift.from === left ? "hand_over" : "toss")),
            ),
            largeBird(cast, right, "stand"),
          ),
        ),
      ),
      words === "" ? null : h("p", { class: "scene-words" }, words),
    ],
  };
}

/** Draw a great event in large letters, with the bird of its player; after a revolution, all birds upside down. @param {Moment} moment @param {Cast} cast */
function posterScene({ event, text, celebrated }, cast) {
  const turns = celebrated === "turn";
  const names = turns ? (cast.table?.seats ?? []) : typeof event.by === "string" ? [event.by] : [];
  return {
    look: turns ? "poster turned" : "poster",
    drawn: [
      h(
        "div",
        { class: "scene-birds", style: { "--birds": names.length } },
        names.map((name) => h("span", { key: name }, largeBird(cast, name, turns ? "turn" : "land", turns))),
      ),
      h("p", { class: "scene-words", "data-part": "words" }, text),
    ],
  };
}

/**
 * Choose the scene for these moments; null if they have only effects on the table.
 * @param {Moment[]} moments the celebrated moments of an update
 * @param {Cast} cast
 * @param {boolean} whole whether great events take the whole screen, as on a television
 * @returns {{ look: string, drawn: (VNode | null)[] } | null}
 */
export function sceneFor(moments, cast, whole) {
  const great = whole ? moments.findLast(({ tone, text }) => tone === "great" && text !== "") : undefined;
  return great ? posterScene(great, cast) : exchangeScene(moments, cast);
}

/** How the parts of a scene move: keyframes and times. `far`: the distance that cards fly, in pixels; `wait`: until cards are tossed back. @type {Record<string, (far: number, wait: number) => [Keyframe[], KeyframeAnimationOptions]>} */
export const PART_MOVES = {
  // Cards leave face down or up on the left, and the giver bows.
  hand_over: (far) => [
    [{ transform: `translateX(${-far}px) scale(0.8)`, opacity: 0 }, { opacity: 1, offset: 0.2 }, { transform: "none" }],
    { delay: 100, duration: 450, easing: "cubic-bezier(0.3, 0, 0.2, 1)" },
  ],
  bow: () => [
    [
      { transform: "none" },
      { transform: "translateY(8%) rotate(26deg)", offset: 0.4 },
      { transform: "translateY(8%) rotate(26deg)", offset: 0.7 },
      { transform: "none" },
    ],
    { delay: 150, duration: 800, easing: "ease-in-out" },
  ],
  // The other player tosses cards back.
  toss: (far, wait) => [
    [
      { transform: `translateX(${far}px) rotate(0deg)`, opacity: 0 },
      { transform: `translate(${far / 2}px, -60%) rotate(-190deg)`, opacity: 1, offset: 0.5 },
      { transform: "rotate(-360deg)" },
    ],
    { delay: wait + 100, duration: 450, easing: "ease-out" },
  ],
  stand: (_, wait) => [
    [{ transform: "none" }, { transform: "translateY(-8%) rotate(-6deg)", offset: 0.5 }, { transform: "none" }],
    { delay: wait + 50, duration: 300, easing: "ease-out" },
  ],
  turn: () => [
    [{ transform: "rotate(-180deg)" }, { transform: "none" }],
    { delay: 150, duration: 550, easing: "cubic-bezier(0.3, 0, 0.2, 1.3)" },
  ],
  land: () => [
    [
      { transform: "translateY(-40%) scale(0.6)", opacity: 0 },
      { transform: "none", opacity: 1 },
    ],
    { duration: 400, easing: "cubic-bezier(0.2, 0.9, 0.3, 1.2)" },
  ],
  words: () => [
    [
      { transform: "translateY(30%)", opacity: 0 },
      { transform: "none", opacity: 1 },
    ],
    { delay: 150, duration: 350, easing: "ease-out" },
  ],
};
