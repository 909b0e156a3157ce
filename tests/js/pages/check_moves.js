// @ts-check
// Checks hands with the page's own code. Prints for each whether a card came to a player in an impossible way, or a pile went
// to another seat. The standard input is JSON: `animations` by event, and `hands` with the dealt `cards`, the `stock` and the
// public `events`.

import { readFileSync } from "node:fs";

import { dealtPile, impossibleCard, movesOf } from "../../../static/js/replay/card_moves.js";

const { animations, hands } = JSON.parse(readFileSync(0, "utf8"));
console.log(
  JSON.stringify(
    hands.map((/** @type {any} */ { events, ...dealt }) => {
      const moves = movesOf(events, animations);
      const stays = Object.entries(dealt.cards).every(
        ([name, cards]) => (dealtPile(dealt, moves, name) ?? "") === cards,
      );
      const taken = events.some((/** @type {any} */ { e }) => animations[e]?.takes_piles);
      return impossibleCard(dealt, moves) ?? (stays || taken ? null : "a pile went to another seat");
    }),
  ),
);
