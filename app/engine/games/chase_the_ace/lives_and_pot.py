"""Who loses a dime, who wins the pot, and the books that last from deal to deal [ACE-01, 02, 06, 08].

`Books` are a value that JSON can hold. Nothing here knows whose turn it is or how a card came to its holder.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from app.engine.base.messages import Sentence
from app.engine.base.options import Choice, Number, Options, Rule, Section, Switch, ZeroSum
from app.engine.cards.cards import NATURAL, Card, Cards
from app.engine.cards.shuffling import shuffled
from app.engine.display.events import CUT, OUT, Event, EventType
from app.engine.display.point_reasons import Reason, Unit, because
from app.engine.match.hand import Standing

Names: TypeAlias = tuple[str, ...]

RANKS = "A23456789TJQK"
"""From low; suits don't matter."""

DECK: Cards = tuple(sorted(NATURAL, key=lambda card: RANKS.index(card.rank)))

DIMES = Switch(
    id="ACE-01",
    also="lives coins chips",
    key="dimes",
    domain=Number(1, 10),
    default=3,
    sentence="How many dimes, that is lives, everybody has at the start of a game.",
    example="With 3, the third time that you are left with the lowest card puts you out.",
)

MATCHING = Switch(
    id="ACE-02",
    also="ties pairs",
    key="matching",
    domain=Choice(
        {
            "cancel": "Cards that match are safe: the lowest card that nobody matches loses",
            "all_lose": "All who hold the lowest card lose a dime",
        }
    ),
    default="cancel",
    sentence="What happens when several people hold cards of the same rank.",
    example="A♣ A♦ 5♥ 9♠: “cancel” costs the five’s holder a dime, “all_lose” costs both aces’ holders one.",
)

LAST_TIE = Switch(
    id="ACE-06",
    also="draw",
    key="last_tie",
    domain=Choice(
        {
            "split": "They share the pot; what does not divide stays in it",
            "replay": "They keep their last dime and play another deal",
            "cut": "Each cuts a card, and the highest takes the pot",
            "carry_and_stake": "The pot goes on to the next game, where everybody pays a stake again",
            "carry": "The pot goes on to the next game, which costs nobody a stake",
        }
    ),
    default="split",
    sentence="What happens when all who are left have one dime and hold the same rank.",
    example="Ana and Bob have one dime each and hold 5♣ and 5♦: nobody can lose alone.",
)

LEDGER = Rule(
    id="ACE-08",
    name="The ledger",
    sentence="At the start of a game everybody pays a stake of as many points as they have dimes; whoever wins the "
    "game gets all of it. A pot that is carried, and what a split leaves, belongs to the table.",
    example="Three players with 3 dimes pay 3 points each: the winner gets 9.",
)

LIVES = Section("lives", "Dimes", (DIMES, MATCHING), tells=1)
POT = Section("pot", "The pot", (LAST_TIE,), (LEDGER,))


@dataclass(frozen=True, slots=True)
class Books:
    """What lasts from deal to deal."""

    dimes: Mapping[str, int] = field(default_factory=dict[str, int])
    """Of everybody in the game that runs, or has just ended; 0 for those who are out. Newcomers wait outside."""
    fallen: tuple[Names, ...] = ()
    """Who is out, the latest first; those who fell together stand together."""
    pot: int = 0
    """All stakes of the game, and what was carried into it."""
    free: bool = False
    """Whether the next game costs no stake (`last_tie: carry`)."""
    decided: bool = True
    """Whether the next deal starts a new game."""
    after: str | None = None
    """The deal passes to the left of this seat; None before the first deal."""

    @classmethod
    def read(cls, memory: Mapping[str, Any]) -> "Books":
        """The books from a match's memory, which is empty before the first deal."""
        kept = {**memory, "fallen": tuple(tuple(group) for group in memory.get("fallen", ()))}
        return cls(**kept)

    def to_json(self) -> dict[str, Any]:
        """Its fields by name, as a match's memory keeps them."""
        return {
            "dimes": dict(self.dimes),
            "fallen": [list(group) for group in self.fallen],
            "pot": self.pot,
            "free": self.free,
            "decided": self.decided,
            "after": self.after,
        }

    def still_in(self, seats: Names) -> Names:
        """Of these people, those who have dimes."""
        return tuple(name for name in seats if self.dimes.get(name, 0) > 0)

    def open_game(self, seats: Names, dimes: int) -> tuple["Books", int]:
        """A new game with everybody, and what it costs each."""
        stake = 0 if self.free else dimes
        pot = self.pot + stake * len(seats)
        return replace(self, dimes=dict.fromkeys(seats, dimes), fallen=(), pot=pot, free=False, decided=False), stake

    def lose(self, losers: Names) -> tuple["Books", Names]:
        """A dime less for each of these, and who of them is out now."""
        dimes = {name: left - (name in losers) for name, left in self.dimes.items()}
        out = tuple(name for name in losers if dimes[name] == 0)
        return replace(self, dimes=dimes, fallen=(out, *self.fallen) if out else self.fallen), out

    def close_game(self, *, pot: int = 0, free: bool = False) -> "Books":
        """The game is decided, or given up; so much of its pot goes on to the next."""
        return replace(self, pot=pot, free=free, decided=True)

    def without(self, leaver: str, seats: Names) -> "Books":
        """As if they had never been in the game, but for their stake. `seats` are those before they left."""
        dimes = {name: left for name, left in self.dimes.items() if name != leaver}
        groups = (tuple(name for name in group if name != leaver) for group in self.fallen)
        # If it was their turn to hand the deal on, whoever sits at their right does it: so it comes to the same person.
        after = seats[seats.index(leaver) - 1] if leaver == self.after else self.after
        return replace(self, dimes=dimes, fallen=tuple(group for group in groups if group), after=after)


def standing(*groups: Names) -> Standing:
    """Places from the best: who shares one stands in an inner tuple."""
    return tuple(group[0] if len(group) == 1 else group for group in groups)


def _lowest_unmatched(held: Mapping[str, Card]) -> Names:
    """Who holds the lowest card that nobody matches; nobody, if everything matches."""
    count = Counter(card.rank for card in held.values())
    alone = {name: card for name, card in held.items() if count[card.rank] == 1}
    return _lowest(alone)


def _lowest(held: Mapping[str, Card]) -> Names:
    """All who hold the lowest rank."""
    lowest = min((RANKS.index(card.rank) for card in held.values()), default=None)
    return tuple(name for name, card in held.items() if RANKS.index(card.rank) == lowest)


LOSERS: dict[str, Callable[[Mapping[str, Card]], Names]] = {"cancel": _lowest_unmatched, "all_lose": _lowest}
"""Who loses, by the value of `matching`; in the order in which the cards come."""


TIED = EventType("tied", "All who are left tie: {people}.")
DIME_GONE = EventType(
    "dime_lost",
    "{by} loses a dime.",
    you="You lose a dime.",
    cards="{by} loses a dime with the {cards}.",
    you_cards="You lose a dime with the {cards}.",
    stood_out="dime lost",
    moment=False,
    decides=True,
)
OUT_OF_DIMES = OUT.marked("out")
POT_TAKEN = EventType(
    "pot_won",
    "{by} wins the pot of {points}.",
    you="You win the pot of {points}.",
    tone="great",
    stood_out="pot won",
    celebrated="triumph",
)
POT_SPLIT = EventType("pot_split", "{people} share the pot, {points} each.", stood_out="pot split")
POT_CARRIED = EventType(
    "pot_carried", "Nobody wins: the pot of {points} waits for the next game.", stood_out="pot carried"
)


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison of all cards came to."""

    books: Books
    standing: Standing
    reasons: tuple[Reason, ...] = ()
    """What the pot paid out, and who lost a dime."""
    lost: Names = ()
    """Who lost a dime."""
    cuts: tuple[tuple[str, Card], ...] = ()
    """What each cut, in order (`last_tie: cut`)."""
    stock: Cards | None = None
    """What is left of the stock, if cards were cut."""
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Tie:
    """The last tie: what its five ways out look at."""

    books: Books
    tied: Names
    """In order of seats."""
    cutters: Names
    """The same people from the dealer's left."""
    held: Cards
    stock: Cards
    seed: int | None


def _split(tie: Tie) -> Compared:
    each, rest = divmod(tie.books.pot, len(tie.tied))
    return Compared(
        tie.books.close_game(pot=rest),
        standing(tie.tied, *tie.books.fallen),
        reasons=tuple(because(name, POT_SHARED(), each, UNIT) for name in tie.tied if each),
        events=(POT_SPLIT(None, LAST_TIE.id, people=list(tie.tied), points=each, left=rest),),
    )


def _replay(tie: Tie) -> Compared:
    return Compared(tie.books, standing(*tie.books.fallen), events=(TIED(None, people=list(tie.tied)),))


def _cut(tie: Tie) -> Compared:
    stock, highest = tie.stock, tie.cutters
    cuts: list[tuple[str, Card]] = []
    made_anew = 0
    while len(highest) > 1:
        this_round: list[tuple[str, Card]] = []
        for name in highest:
            if not stock:
                on_the_table = {*tie.held, *(card for _, card in this_round)}
                rest = tuple(card for card in DECK if card not in on_the_table)
                stock = shuffled(rest, tie.seed or 0, made_anew)
                made_anew += 1
            this_round.append((name, stock[0]))
            stock = stock[1:]
        cuts += this_round
        best = max(RANKS.index(card.rank) for _, card in this_round)
        highest = tuple(name for name, card in this_round if RANKS.index(card.rank) == best)
    winner = highest[0]
    others = tuple(name for name in tie.tied if name != winner)
    return Compared(
        tie.books.close_game(),
        standing((winner,), others, *tie.books.fallen),
        reasons=(pot_to(winner, tie.books.pot),),
        cuts=tuple(cuts),
        stock=stock,
        events=(*(CUT(name, cards=card) for name, card in cuts), pot_won(winner, tie.books.pot, LAST_TIE.id)),
    )


def _carried(tie: Tie, *, free: bool) -> Compared:
    pot = tie.books.pot
    return Compared(
        tie.books.close_game(pot=pot, free=free),
        standing(tie.tied, *tie.books.fallen),
        events=(POT_CARRIED(None, LAST_TIE.id, points=pot, free=free),),
    )


WAYS_OUT: dict[str, Callable[[Tie], Compared]] = {
    "split": _split,
    "replay": _replay,
    "cut": _cut,
    "carry_and_stake": lambda tie: _carried(tie, free=False),
    "carry": lambda tie: _carried(tie, free=True),
}
"""What becomes of the last tie, by the value of `last_tie`."""


ZERO_SUM = ZeroSum("What some gain others have paid: all points and the pot together add up to nothing.")
UNIT: Unit = "stakes"
"""In which totals are kept; dimes count apart."""
STAKE_PAID = Sentence("chase.reason.stake", "Stake for a new game")
POT_WON = Sentence("chase.reason.pot", "Won the pot")
POT_SHARED = Sentence("chase.reason.share", "A share of the pot")
DIME_LOST = Sentence("chase.reason.dime", "Left with the lowest card")


def stakes_paid(names: Names, stake: int) -> tuple[Reason, ...]:
    """What a new game costs everybody, if it costs anything."""
    return tuple(because(name, STAKE_PAID(), -stake, UNIT) for name in names if stake)


def pot_to(winner: str, pot: int) -> Reason:
    """The whole pot for the last one in."""
    return because(winner, POT_WON(), pot, UNIT)


def pot_won(winner: str, points: int, cause: str | None = None) -> Event:
    """The last one in takes it all."""
    return POT_TAKEN(winner, cause, points=points)


@dataclass(frozen=True, slots=True)
class Comparing:
    """What decides a deal when nobody has a turn any more."""

    losers: Callable[[Mapping[str, Card]], Names]
    way_out: Callable[[Tie], Compared]

    @classmethod
    def of(cls, options: Options) -> "Comparing":
        """Make the comparison that the options say."""
        return cls(LOSERS[options[MATCHING]], WAYS_OUT[options[LAST_TIE]])

    def compare(self, books: Books, held: Mapping[str, Card], order: Names, stock: Cards, seed: int | None) -> Compared:
        """All cards are shown: `held` in order of seats, `order` from the dealer's left."""
        losers = self.losers(held)
        everybody = tuple(held)
        if len({card.rank for card in held.values()}) == 1 and all(books.dimes[name] == 1 for name in everybody):
            tie = Tie(books, everybody, order, tuple(held.values()), stock, seed)
            return self.way_out(tie)
        books, out = books.lose(losers)
        lost = tuple(because(name, DIME_LOST(), -1, "dimes") for name in losers)
        events = tuple(DIME_GONE(name, left=books.dimes[name], cards=held[name]) for name in losers)
        events += tuple(OUT_OF_DIMES(name) for name in out)
        left = books.still_in(everybody)
        if len(left) > 1:
            return Compared(books, standing(*books.fallen), reasons=lost, lost=losers, events=events)
        pot = books.pot
        return Compared(
            books.close_game(),
            standing(left, *books.fallen),
            reasons=(*lost, pot_to(left[0], pot)),
            lost=losers,
            events=(*events, pot_won(left[0], pot)),
        )
