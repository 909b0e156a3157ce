// @ts-check
// Pure: the card moves of a hand as a page saw them, and whether each card can have come to the player who had it. The
// page knows no rules: events declare the paths of their cards. A move of unknown cards may move any card.

/** @import { Motion } from "../types.d.ts" */
/**
 * A step of a hand. `from` and `to`: a seat as `=Name`, "deck", "table", or "all" for every seat. `from` may be a card as
 * `+Card`: all cards of the seat that was dealt this card.
 * @typedef {object} CardMove
 * @property {string} from
 * @property {string} to
 * @property {string[] | null} cards null if this page may not see them
 */

/** The place of a player's cards. @param {unknown} name */
const seatOf = (name) => `=${name}`;

/** @param {unknown} text @returns {string[]} */
const split = (text) => (typeof text === "string" ? text.split(" ").filter(Boolean) : []);

/**
 * Return the card moves of events, in their order.
 * @param {readonly Record<string, any>[]} events
 * @param {Readonly<Record<string, Motion>>} animations by kind of event
 * @param {(name: string) => string} [known] returns a player's name in the match
 * @returns {CardMove[]}
 */
export function movesOf(events, animations, known = (name) => name) {
  return events.flatMap((event) => {
    const place = (/** @type {string} */ end) =>
      end === "by" || end === "to" ? (typeof event[end] === "string" ? seatOf(known(event[end])) : "all") : end;
    const { paths = [], takes_piles: takes } = animations[event.e] ?? {};
    const cards = paths.length === 1 && typeof event.cards === "string" ? split(event.cards) : null;
    const shown = takes ? Object.entries(event.cards) : [];
    return [
      ...shown.map(([name, card]) => ({ from: `+${card}`, to: seatOf(known(name)), cards: null })),
      ...paths.map(([from, to]) => ({ from: place(from), to: place(to), cards })),
    ];
  });
}

/**
 * Return a player's cards before these moves, from the cards after them; null if unknown cards moved.
 * @param {string} cards
 * @param {readonly CardMove[]} moves
 * @param {string} name
 */
export function cardsBefore(cards, moves, name) {
  const seat = seatOf(name);
  const held = split(cards);
  const own = moves.filter(({ from, to }) => (from === seat) !== (to === seat) && !from.startsWith("+"));
  // An event for everybody may be followed by one with the cards, for the players who may see them.
  const seen = own.filter((move) => move.cards !== null);
  for (const move of own.filter((each) => each.cards === null)) {
    const detailed = seen.filter(({ from, to }) => from === move.from && to === move.to).length;
    const told = own.filter(({ from, to }) => from === move.from && to === move.to).length - detailed;
    if (detailed < told) return null;
  }
  for (const { from, cards: moved } of seen.reverse())
    for (const card of moved ?? [])
      if (from === seat) held.push(card);
      else if (held.includes(card)) held.splice(held.indexOf(card), 1);
      else return null;
  return held.join(" ");
}

/**
 * Return the first player who put a card on the table that can't have come to them; null if there is none. A card stays
 * with all its possible holders, because a play may have been undone.
 * @param {{ cards: Record<string, string>, stock: string }} dealt
 * @param {readonly CardMove[]} moves
 * @returns {{ name: string, card: string } | null}
 */
export function impossibleCard(dealt, moves) {
  /** The possible cards of each place. @type {Map<string, Set<string>>} */
  const possible = new Map(Object.entries(dealt.cards).map(([name, cards]) => [seatOf(name), new Set(split(cards))]));
  const seats = [...possible.keys()];
  const pack = new Set([...possible.values()].flatMap((cards) => [...cards]).concat(split(dealt.stock)));
  possible.set("deck", new Set(split(dealt.stock)));
  possible.set("table", new Set());
  const places = (/** @type {string} */ end) =>
    end === "all" || end.startsWith("+")
      ? seats.filter((seat) => end === "all" || possible.get(seat)?.has(end.slice(1)))
      : possible.has(end)
        ? [end]
        : [];
  for (const { from, to, cards } of moves) {
    if (to === "table" && cards !== null && possible.has(from))
      for (const card of cards)
        if (pack.has(card) && !possible.get(from)?.has(card)) return { name: from.slice(1), card };
    const moved = places(from).flatMap((end) => [...(possible.get(end) ?? [])]);
    for (const card of moved)
      if (cards === null || cards.includes(card)) for (const end of places(to)) possible.get(end)?.add(card);
  }
  return null;
}

/**
 * Return the cards that were dealt to a player: to their seat, or to the seat whose card they showed.
 * @param {{ cards: Record<string, string> }} dealt @param {readonly CardMove[]} moves @param {string} name
 * @returns {string | null} null if the player was dealt none
 */
export function dealtPile({ cards }, moves, name) {
  const shown = moves.find(({ from, to }) => from.startsWith("+") && to === seatOf(name));
  const taken = shown && Object.values(cards).find((pile) => split(pile).includes(shown.from.slice(1)));
  return taken ?? (cards[name] || null);
}

/** Return moves with the present names of players. @param {readonly CardMove[]} moves @param {ReadonlyMap<string, string>} names @returns {CardMove[]} */
export function renamed(moves, names) {
  const place = (/** @type {string} */ end) =>
    end.startsWith("=") ? seatOf(names.get(end.slice(1)) ?? end.slice(1)) : end;
  return moves.map(({ from, to, cards }) => ({ from: place(from), to: place(to), cards }));
}

/**
 * Add the steps of a hand from its record to what a page saw. If the page first saw its player's cards later in the hand,
 * they must be the cards of one step, and each must have come to the player by a move.
 * @template {{ name: string, held: string | null, cards: string | null, moves: readonly CardMove[], whole: boolean }} Seen
 * @param {Seen} seen
 * @param {{ corrected: boolean, frames: { events: Record<string, any>[], cards: Record<string, string> }[],
 *   event_animations: Record<string, Motion> }} history
 * @param {{ cards: Record<string, string>, stock: string }} dealt
 * @returns {Seen}
 */
export function withHistory(seen, { corrected, frames, event_animations }, dealt) {
  const steps = movesOf(
    frames.flatMap(({ events }) => events),
    event_animations,
  );
  const moves = [...steps, ...seen.moves];
  const { name, held } = seen;
  if (corrected || held === null || seen.cards !== null) return { ...seen, moves, whole: !corrected };
  const sorted = (/** @type {string | undefined} */ text) => split(text).sort().join();
  const shown = frames.some(({ cards }) => sorted(cards[name]) === sorted(held));
  const own = [...moves, { from: seatOf(name), to: "table", cards: split(held) }];
  const cards = impossibleCard(dealt, own) ? held : shown ? dealtPile(dealt, moves, name) : null;
  return { ...seen, moves, cards, whole: true };
}
