// @ts-check
// Pure: what a lesson waits for, and which of its steps comes next.

/** @typedef {import("../types.d.ts").Action} Action */
/** @typedef {import("../types.d.ts").LessonShown} Lesson */

/** @param {unknown} cards */
const sortedCards = (cards) => (typeof cards === "string" ? cards.split(" ").sort().join(" ") : cards);

/** Whether these are the same move, in whatever order its cards are named. @param {object} one @param {object} other */
export function sameAction(one, other) {
  /** @param {object} action */
  const plain = (action) =>
    JSON.stringify(
      Object.entries(action)
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => [name, name === "cards" ? sortedCards(value) : value])
        .sort(),
    );
  return plain(one) === plain(other);
}

/** The first step at which a later picture is seen. @param {Lesson["beats"]} beats @param {number} at */
export function nextBeatWithNewFrame(beats, at) {
  const frame = beats[at]?.frame ?? 0;
  const next = beats.findIndex((each) => each.frame > frame);
  return next < 0 ? beats.length - 1 : next;
}
