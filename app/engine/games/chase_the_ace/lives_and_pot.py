"""Dimes, the pot, and their state from deal to deal [ACE-01, 02, 06, 08].

`LivesAndPot` can be stored as JSON. Nothing here depends on turns or swaps.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Choice, FixedRule, Number, Option, Options, Section, ZeroSum
from app.engine.cards.cards import NATURAL_CARDS, Card, Cards
from app.engine.cards.shuffling import shuffled
from app.engine.display.events import CUT, OUT, GameEvent, GameEventType
from app.engine.display.point_reasons import PointReason, Unit, point_reason
from app.engine.match.hand import Standing

Names: TypeAlias = tuple[str, ...]

RANKS = "A23456789TJQK"
"""Ranks from low to high; suits do not matter."""

DECK: Cards = tuple(sorted(NATURAL_CARDS, key=lambda card: RANKS.index(card.rank)))

DIMES = Option(
    id="ACE-01",
    also="lives coins chips",
    key="dimes",
    domain=Number(1, 10),
    default=3,
    sentence="Sets the number of dimes each player has at the start of a game. Dimes are lives, not money.",
    example="With 3, you are out the third time you have the lowest card.",
)

MATCHING = Option(
    id="ACE-02",
    also="ties pairs",
    key="matching",
    label="Equal ranks",
    domain=Choice(
        {
            "cancel": "Equal ranks are safe: the lowest card without a match loses",
            "all_lose": "All players with the lowest card lose a dime",
        }
    ),
    default="cancel",
    sentence="Decides what happens when several players hold cards of the same rank.",
    example="A♣ A♦ 5♥ 9♠: by default the player with the five loses a dime. With the other value both "
    "players with aces lose one.",
    short={
        "cancel": "Cards of equal rank are safe. The lowest other card costs a dime.",
        "all_lose": "The lowest cards cost their players a dime each.",
    },
)

LAST_TIE = Option(
    id="ACE-06",
    also="draw",
    key="last_tie",
    domain=Choice(
        {
            "split": "They share the pot; the rest stays in it",
            "replay": "They keep their last dime and play another hand",
            "cut": "Each player cuts a card, and the highest card wins the pot",
            "carry_and_stake": "The pot goes to the next game, and each player pays a stake again",
            "carry": "The pot goes to the next game, and nobody pays a stake",
        }
    ),
    default="split",
    sentence="Decides what happens when all players left have one dime and hold the same rank.",
    example="Ana and Bob have one dime each and hold 5♣ and 5♦: nobody can lose alone.",
)

LEDGER = FixedRule(
    id="ACE-08",
    name="Points",
    sentence="At the start of a game each player pays one point per dime into the pot, so the pot holds "
    "everyone’s dimes. The winner takes the pot. A pot that is carried over, and the rest of a "
    "split, stays on the table.",
    example="Three players with 3 dimes pay 3 points each: the winner gets 9.",
)

LIVES = Section("lives", "Dimes", (DIMES, MATCHING), importance=1)
POT = Section("pot", "Pot", (LAST_TIE,), (LEDGER,))


@dataclass(frozen=True, slots=True)
class LivesAndPot:
    """The state of Chase the Ace that lasts from hand to hand: dimes (lives), pot, and players who are out."""

    dimes: Mapping[str, int] = field(default_factory=dict[str, int])
    """Dimes of each player of the current or last game; 0 if out. Newcomers who wait are not included."""
    fallen: tuple[Names, ...] = ()
    """Groups of players who are out, the latest first; players who fell together form one group."""
    pot: int = 0
    """All stakes of the game, plus the amount carried into it."""
    free: bool = False
    """Whether the next game costs no stake (`last_tie: carry`)."""
    decided: bool = True
    """Whether the next deal starts a new game."""
    after: str | None = None
    """The player at the left of this seat deals next; None before the first deal."""

    @classmethod
    def from_memory(cls, memory: Mapping[str, Any]) -> "LivesAndPot":
        """Return the lives and pot of Chase the Ace from a match's memory, which is empty before the first hand."""
        values = {**memory, "fallen": tuple(tuple(group) for group in memory.get("fallen", ()))}
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """Return the lives and pot as JSON, for a match's memory; `from_memory` reads it."""
        return {
            "dimes": dict(self.dimes),
            "fallen": [list(group) for group in self.fallen],
            "pot": self.pot,
            "free": self.free,
            "decided": self.decided,
            "after": self.after,
        }

    def players_with_dimes(self, seats: Names) -> Names:
        """Return the players among `seats` who have dimes (lives) left, and so are still in the game."""
        return tuple(name for name in seats if self.dimes.get(name, 0) > 0)

    def start_game(self, seats: Names, dimes: int) -> tuple["LivesAndPot", int]:
        """Return the state of a new game of Chase the Ace with all these players, and the stake that each pays.

        The stake, one point for each dime (life), goes into the pot. It is 0 if the last game left the pot to a free
        one.
        """
        stake = 0 if self.free else dimes
        pot = self.pot + stake * len(seats)
        return replace(self, dimes=dict.fromkeys(seats, dimes), fallen=(), pot=pot, free=False, decided=False), stake

    def take_dimes(self, losers: Names) -> tuple["LivesAndPot", Names]:
        """Return the state with one dime (life) less for each loser, and the losers who now have none and are out."""
        dimes = {name: left - (name in losers) for name, left in self.dimes.items()}
        out = tuple(name for name in losers if dimes[name] == 0)
        return replace(self, dimes=dimes, fallen=(out, *self.fallen) if out else self.fallen), out

    def end_game(self, *, pot: int = 0, free: bool = False) -> "LivesAndPot":
        """Return the state of Chase the Ace after a game is decided; `pot` is the amount carried into the next game.

        `free`: players need not pay a stake for the next game.
        """
        return replace(self, pot=pot, free=free, decided=True)

    def without_player(self, leaver: str, seats: Names) -> "LivesAndPot":
        """Return the state of Chase the Ace without a player who leaves; their stake stays in the pot.

        `seats` are those before they left.
        """
        dimes = {name: left for name, left in self.dimes.items() if name != leaver}
        groups = (tuple(name for name in group if name != leaver) for group in self.fallen)
        # If the next deal was counted from the leaver, count from the seat at their right: the dealer stays the same.
        after = seats[seats.index(leaver) - 1] if leaver == self.after else self.after
        return replace(self, dimes=dimes, fallen=tuple(group for group in groups if group), after=after)


def build_standing(*groups: Names) -> Standing:
    """Return a standing from groups of players, best first: a group of several players shares a place."""
    return tuple(group[0] if len(group) == 1 else group for group in groups)


def _holders_of_lowest_unmatched(held: Mapping[str, Card]) -> Names:
    """Return the holder of the lowest card whose rank nobody else holds, who loses by this option; () if all match."""
    count = Counter(card.rank for card in held.values())
    alone = {name: card for name, card in held.items() if count[card.rank] == 1}
    return _holders_of_lowest_rank(alone)


def _holders_of_lowest_rank(held: Mapping[str, Card]) -> Names:
    """Return all holders of the lowest rank, who by this option each lose a dime (life) in Chase the Ace."""
    lowest = min((RANKS.index(card.rank) for card in held.values()), default=None)
    return tuple(name for name, card in held.items() if RANKS.index(card.rank) == lowest)


LOSERS_BY_OPTION: dict[str, Callable[[Mapping[str, Card]], Names]] = {
    "cancel": _holders_of_lowest_unmatched,
    "all_lose": _holders_of_lowest_rank,
}
"""Returns the losers of a deal, in the order of the cards given, for each value of `matching`."""


TIED = GameEventType("tied", "{people} tie: all remaining players have equal cards.")
DIME_GONE = GameEventType(
    "dime_lost",
    "{by} loses a dime.",
    you="You lose a dime.",
    cards="{by} loses a dime with the {cards}.",
    you_cards="You lose a dime with the {cards}.",
    stood_out="dime lost",
    highlighted=False,
    decides=True,
)
OUT_OF_DIMES = OUT.as_notable("out")
POT_TAKEN = GameEventType(
    "pot_won",
    "{by} wins the pot of {points}.",
    you="You win the pot of {points}.",
    tone="great",
    stood_out="pot won",
    celebrated="triumph",
)
POT_SPLIT = GameEventType("pot_split", "{people} share the pot, {points} each.", stood_out="pot split")
POT_CARRIED = GameEventType(
    "pot_carried", "Nobody wins: the pot of {points} goes to the next game.", stood_out="pot carried"
)


@dataclass(frozen=True, slots=True)
class ComparedHand:
    """The outcome of comparing all cards at the end of a hand of Chase the Ace.

    `lives_and_pot` is the state afterwards, and `standing` has the places of players who are out.
    """

    lives_and_pot: LivesAndPot
    standing: Standing
    reasons: tuple[PointReason, ...] = ()
    """Payments from the pot and lost dimes."""
    losers: Names = ()
    """Players who lost a dime."""
    cuts: tuple[tuple[str, Card], ...] = ()
    """Cards cut to decide a tie, in order (`last_tie: cut`)."""
    stock: Cards | None = None
    """The rest of the stock if cards were cut, else None."""
    events: tuple[GameEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class LastTie:
    """A tie of all remaining players with their last dimes (lives) in Chase the Ace.

    `held` are all players' cards, and `seed` is that of the hand. Five functions, one for each value of the option
    `last_tie`, resolve it.
    """

    lives_and_pot: LivesAndPot
    tied_players: Names
    """In order of seats."""
    cutters: Names
    """The same players, from the dealer's left."""
    held: Cards
    stock: Cards
    seed: int | None


def _split_pot(tie: LastTie) -> ComparedHand:
    each, rest = divmod(tie.lives_and_pot.pot, len(tie.tied_players))
    return ComparedHand(
        tie.lives_and_pot.end_game(pot=rest),
        build_standing(tie.tied_players, *tie.lives_and_pot.fallen),
        reasons=tuple(point_reason(name, POT_SHARED(), each, UNIT) for name in tie.tied_players if each),
        events=(POT_SPLIT(None, LAST_TIE.id, people=list(tie.tied_players), points=each, left=rest),),
    )


def _replay_tie(tie: LastTie) -> ComparedHand:
    return ComparedHand(
        tie.lives_and_pot,
        build_standing(*tie.lives_and_pot.fallen),
        events=(TIED(None, people=list(tie.tied_players)),),
    )


def _cut_for_pot(tie: LastTie) -> ComparedHand:
    stock, highest = tie.stock, tie.cutters
    cuts: list[tuple[str, Card]] = []
    rebuilt = 0
    while len(highest) > 1:
        this_round: list[tuple[str, Card]] = []
        for name in highest:
            if not stock:
                on_the_table = {*tie.held, *(card for _, card in this_round)}
                rest = tuple(card for card in DECK if card not in on_the_table)
                stock = shuffled(rest, tie.seed or 0, rebuilt)
                rebuilt += 1
            this_round.append((name, stock[0]))
            stock = stock[1:]
        cuts += this_round
        best = max(RANKS.index(card.rank) for _, card in this_round)
        highest = tuple(name for name, card in this_round if RANKS.index(card.rank) == best)
    winner = highest[0]
    others = tuple(name for name in tie.tied_players if name != winner)
    return ComparedHand(
        tie.lives_and_pot.end_game(),
        build_standing((winner,), others, *tie.lives_and_pot.fallen),
        reasons=(pot_won_reason(winner, tie.lives_and_pot.pot),),
        cuts=tuple(cuts),
        stock=stock,
        events=(
            *(CUT(name, cards=card) for name, card in cuts),
            pot_won_event(winner, tie.lives_and_pot.pot, LAST_TIE.id),
        ),
    )


def _carry_pot(tie: LastTie, *, free: bool) -> ComparedHand:
    pot = tie.lives_and_pot.pot
    return ComparedHand(
        tie.lives_and_pot.end_game(pot=pot, free=free),
        build_standing(tie.tied_players, *tie.lives_and_pot.fallen),
        events=(POT_CARRIED(None, LAST_TIE.id, points=pot, free=free),),
    )


TIE_RESOLUTIONS: dict[str, Callable[[LastTie], ComparedHand]] = {
    "split": _split_pot,
    "replay": _replay_tie,
    "cut": _cut_for_pot,
    "carry_and_stake": lambda tie: _carry_pot(tie, free=False),
    "carry": lambda tie: _carry_pot(tie, free=True),
}
"""Resolves the last tie, for each value of `last_tie`."""


ZERO_SUM = ZeroSum("All points and the pot together add up to zero.")
UNIT: Unit = "stakes"
"""The unit of totals; dimes are counted separately."""
STAKE_PAID = MessageTemplate("chase.reason.stake", "Stake for a new game")
POT_WON = MessageTemplate("chase.reason.pot", "Won the pot")
POT_SHARED = MessageTemplate("chase.reason.share", "Share of the pot")
DIME_LOST = MessageTemplate("chase.reason.dime", "Had the lowest card")


def stake_reasons(names: Names, stake: int) -> tuple[PointReason, ...]:
    """Return ledger lines for the stakes that players pay for a new game of Chase the Ace; empty if it is free."""
    return tuple(point_reason(name, STAKE_PAID(), -stake, UNIT) for name in names if stake)


def pot_won_reason(winner: str, pot: int) -> PointReason:
    """Return the ledger line for winning the whole pot of Chase the Ace."""
    return point_reason(winner, POT_WON(), pot, UNIT)


def pot_won_event(winner: str, points: int, cause: str | None = None) -> GameEvent:
    """Return the event that a player wins the whole pot of Chase the Ace.

    `cause`: the id of the rule, if a rule did it.
    """
    return POT_TAKEN(winner, cause, points=points)


@dataclass(frozen=True, slots=True)
class DealComparison:
    """How the cards are compared at the end of a hand of Chase the Ace, as the options want it.

    `find_losers` returns the players who lose a dime, given each player's card. `resolve_tie` decides when all
    remaining players lose their last dimes together.
    """

    find_losers: Callable[[Mapping[str, Card]], Names]
    resolve_tie: Callable[[LastTie], ComparedHand]

    @classmethod
    def for_options(cls, options: Options) -> "DealComparison":
        """Return the way to compare cards that these options of Chase the Ace ask for."""
        return cls(LOSERS_BY_OPTION[options[MATCHING]], TIE_RESOLUTIONS[options[LAST_TIE]])

    def decide_deal(
        self, balance: LivesAndPot, held: Mapping[str, Card], order: Names, stock: Cards, seed: int | None
    ) -> ComparedHand:
        """Compare all cards and return the outcome of a hand of Chase the Ace.

        It tells who loses a dime (life), and whether the game ends. `balance`: dimes and pot before. `held` is in
        order of seats; `order` begins at the dealer's left. The stock and the hand's seed are for cuts.
        """
        losers = self.find_losers(held)
        everybody = tuple(held)
        if len({card.rank for card in held.values()}) == 1 and all(balance.dimes[name] == 1 for name in everybody):
            tie = LastTie(balance, everybody, order, tuple(held.values()), stock, seed)
            return self.resolve_tie(tie)
        balance, out = balance.take_dimes(losers)
        lost = tuple(point_reason(name, DIME_LOST(), -1, "dimes") for name in losers)
        events = tuple(DIME_GONE(name, left=balance.dimes[name], cards=held[name]) for name in losers)
        events += tuple(OUT_OF_DIMES(name) for name in out)
        left = balance.players_with_dimes(everybody)
        if len(left) > 1:
            return ComparedHand(balance, build_standing(*balance.fallen), reasons=lost, losers=losers, events=events)
        pot = balance.pot
        return ComparedHand(
            balance.end_game(),
            build_standing(left, *balance.fallen),
            reasons=(*lost, pot_won_reason(left[0], pot)),
            losers=losers,
            events=(*events, pot_won_event(left[0], pot)),
        )
