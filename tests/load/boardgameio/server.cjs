// A mini game of cards on boardgame.io, as its documentation has it: the server judges, playerView hides other hands,
// matches are kept in memory. Four players hold thirteen cards; who is to move plays one and draws another. The game is
// ours; boardgame.io is Nicolo John Davis’s and its contributors’, under the MIT licence.
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
