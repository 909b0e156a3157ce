// @ts-check
// Pure functions: compare a move with the expected move, and find the next step of a lesson.

/** @import { LessonView as Lesson } from "../types.d.ts" */

/** @param {unknown} cards */
const sortedCards = (cards) => (typeof cards === "string" ? cards.split(" ").sort().join(" ") : cards);

/** Tell whether two actions are the same move, in any order of the cards. @param {object} one @param {object} other */
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

/** Return the index of the next step with a later frame. @param {Lesson["beats"]} beats @param {number} at */
export function nextBeatWithNewFrame(beats, at) {
  const frame = beats[at]?.frame ?? 0;
  const next = beats.findIndex((each) => each.frame > frame);
  return next < 0 ? beats.length - 1 : next;
}
