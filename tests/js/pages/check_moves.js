// @ts-check
// Checks hands with the page's own code, and prints for each whether a card came to a player in an impossible way. The
// standard input is JSON: `animations` by event, and `hands` with the dealt `cards`, the `stock` and the public `events`.

import { readFileSync } from "node:fs";

import { impossibleCard, movesOf } from "../../../static/js/replay/card_moves.js";

const { animations, hands } = JSON.parse(readFileSync(0, "utf8"));
console.log(
  JSON.stringify(
    hands.map((/** @type {any} */ { events, ...dealt }) => impossibleCard(dealt, movesOf(events, animations))),
  ),
);
