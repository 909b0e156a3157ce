// A small card game on boardgame.io, as in its documentation: the server checks moves, playerView hides other players'
// cards, and matches are kept in memory. Four players hold thirteen cards. The player in turn plays one and draws
// another. The game belongs to this project; boardgame.io is by Nicolo John Davis and its contributors, under the MIT
// licence.
"use strict";

const { INVALID_MOVE, PlayerView } = require("boardgame.io/core");
const { Server } = require("boardgame.io/server");

const PLAYERS = 4;
const HAND = 13;
const SUITS = "CDHS";
const DECK = [..."23456789TJQKA"].flatMap((rank) => [...SUITS].map((suit) => rank + suit));

const table = {
  name: "table",
  minPlayers: PLAYERS,
  maxPlayers: PLAYERS,
  disableUndo: true,
  setup: ({ random }) => {
    const deck = random.Shuffle([...DECK, ...DECK]);
    const players = {};
    for (let player = 0; player < PLAYERS; player++) players[player] = { hand: deck.splice(0, HAND) };
    return {
      seq: 0,
      pile: [],
      counts: Array(PLAYERS).fill(HAND),
      deck: deck.length,
      scores: Array(PLAYERS).fill(0),
      names: ["Ana", "Bob", "Cat", "Dan"],
      last: null,
      players,
      secret: { deck, used: [] },
    };
  },
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { play },
  playerView: PlayerView.STRIP_SECRETS,
};

function play({ G, random, playerID }, card) {
  const { hand } = G.players[playerID];
  const at = hand.indexOf(card);
  if (at < 0) return INVALID_MOVE;
  hand.splice(at, 1);
  if (!G.secret.deck.length) {
    G.secret.deck = random.Shuffle(G.secret.used);
    G.secret.used = [];
  }
  hand.push(G.secret.deck.pop());
  G.secret.used.push(card);
  G.deck = G.secret.deck.length;
  const top = G.pile.at(-1);
  if (top?.[1] === card[1]) G.scores[playerID]++;
  G.pile.push(card);
  if (G.pile.length > PLAYERS) G.pile.shift();
  G.last = { seat: Number(playerID), card };
  G.seq++;
}

const port = { host: "127.0.0.1", port: Number(process.argv[2]), backlog: 4096 };
Server({ games: [table], origins: ["http://127.0.0.1"] }).run({ port });
