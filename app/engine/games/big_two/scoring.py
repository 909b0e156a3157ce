"""Scoring [BIG-22 … BIG-29, BIG-49]: from what is left in people's hands to the ledger.

All of it is arithmetic on an `Outcome`; nothing here knows how the hand was played.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations as choose

from app.engine.cards import RANKS, Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.game import lowest_total
from app.engine.climbing.poker import STRAIGHT_FLUSH
from app.engine.climbing.state import Laid
from app.engine.options import Choice, Conflict, Number, Options, Section, Steps, Switch, flag
from app.engine.society import Society

from .combinations import Combinations

COUNT = Switch(
    id="BIG-22",
    key="count",
    domain=Choice(
        {
            "cards": "Every card 1",
            "faces": "3 to 10 count 1, J Q K 2, A 3, a two 4",
            "ladder": "A three 1, a four 2 … an ace 12, a two 13",
        }
    ),
    default="cards",
    sentence="What a card left in one’s hand counts.",
    example="Q♣ K♣ 3♣ cost 3 by cards, 5 by faces, 22 by the ladder.",
)

DOUBLING = Switch(
    id="BIG-23",
    key="doubling",
    domain=Steps(),
    default=[[10, 2], [13, 3]],
    sentence="From how many cards left the count is multiplied, and by how much; the highest step reached counts. More "
    "than 13 cards count as 13 here.",
    example="By default nine cards cost 9, ten cost 20 and thirteen 39.",
)

DOUBLING_FOR = Switch(
    id="BIG-24",
    key="doubling_for",
    domain=Choice({"all": "For everybody", "starter": "Only for who began the hand"}),
    default="all",
    sentence="Whose count is multiplied for many cards left.",
    example="With “starter”, eleven cards cost 22 if you began the hand, otherwise 11.",
)

TWOS_DOUBLE = Switch(
    id="BIG-25",
    key="twos_double",
    domain=flag("Twos cost what other cards do", "Each two left doubles once more"),
    default=False,
    sentence="Whether every two left in one’s hand doubles what one pays.",
    example="8♦ 9♦ 2♥ cost 6.",
)

LAST_TWOS_DOUBLE = Switch(
    id="BIG-26",
    key="last_twos_double",
    domain=flag("The last play doubles nothing", "A last play of nothing but twos doubles everybody’s penalty"),
    default=False,
    sentence="Whether going out with twos costs the others double.",
    example="Ana goes out with 2♦ 2♥: who has three cards left pays 6.",
)

SETTLEMENT = Switch(
    id="BIG-27",
    key="settlement",
    domain=Choice(
        {
            "penalties": "Everybody’s penalty is written down",
            "pairs": "Each pair settles the difference of their penalties",
            "winner_only": "The losers pay the winner",
            "pairs_by_difference": "Each pair settles the difference of their cards, multiplied as for so many",
        }
    ),
    default="penalties",
    sentence="Who pays whom.",
    example="Penalties 0, 3 and 5: in pairs the winner gets 8, the one with 3 loses 1, the one with 5 loses 7.",
)

SCORING = Switch(
    id="BIG-28",
    key="scoring",
    domain=Choice(
        {
            "cards": "By the cards left",
            "pusoy_dos": "1 for the winner, doubled for each two in the last play",
            "places": "5, 3, 1, 0 for the places",
            "loser_pays": "One loser pays the winner 1: whoever held the best card back (Taiwan)",
            "indonesia": "Cards left, and bonuses for the winner, fours and straight flushes",
        }
    ),
    default="cards",
    sentence="What the points are for. All but the first leave the other switches of scoring out, except the stake.",
    example="Going out with 2♥ 2♣ wins 4 in “pusoy_dos”, 20 in “indonesia”.",
)

STAKE = Switch(
    id="BIG-29",
    key="stake",
    domain=Number(1, 1000),
    default=1,
    sentence="What a point is worth in the ledger.",
    example="With 5, three cards left cost 15.",
)

NEWCOMER_POINTS = Switch(
    id="BIG-49",
    key="newcomer_points",
    domain=Choice({"start": "Nothing", "lowest": "The lowest total at the table, if that is below nothing"}),
    default="start",
    sentence="What somebody begins with who joins between hands, so that nobody wins by having come late. Who comes "
    "back has the points they left with.",
    example="Bob has −2 and Ana 0: with “lowest” Cat begins with −2.",
    source="house rule",
)

SECTION = Section(
    "scoring",
    "Scoring",
    (
        COUNT,
        DOUBLING,
        DOUBLING_FOR,
        TWOS_DOUBLE,
        LAST_TWOS_DOUBLE,
        SETTLEMENT,
        SCORING,
        STAKE,
        NEWCOMER_POINTS,
    ),
)

NEWCOMERS: dict[str, Callable[[Society, int], int]] = {"start": lambda match, start: start, "lowest": lowest_total}
"""What a newcomer begins with, given nothing to start with, for each value of `newcomer_points`."""

CONFLICTS = (
    Conflict(
        ("scoring", "play_on"),
        lambda scoring, play_on: scoring == "places" and not play_on,
        "points for places need a hand that is played on until one player has cards.",
    ),
)

Ledger = dict[str, int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a hand ended."""

    standing: Sequence[str]
    """The winner first."""
    left: Mapping[str, Cards]
    starter: str | None
    last_play: Combination | None
    """The winner's; None after a dragon."""
    unbeaten: Sequence[Laid]
    """Honours that nobody beat."""
    liable: str | None

    @property
    def winner(self) -> str:
        """Who was out first."""
        return self.standing[0]

    @property
    def losers(self) -> Sequence[str]:
        """Everybody else."""
        return self.standing[1:]

    @property
    def last_twos(self) -> int:
        """How many twos the winner's last play held."""
        return 0 if self.last_play is None else _twos(self.last_play.cards)


def _twos(cards: Cards) -> int:
    return sum(card.rank == "2" for card in cards)


# Penalties -----------------------------------------------------------------------------------------------------------

COUNTS: dict[str, Callable[[Card], int]] = {
    "cards": lambda card: 1,
    "faces": lambda card: {"J": 2, "Q": 2, "K": 2, "A": 3, "2": 4}.get(card.rank, 1),
    "ladder": lambda card: RANKS.index(card.rank) + 1,
}
MOST = 13
"""With more cards left the factor of 13 counts."""


def factor(steps: Sequence[Sequence[int]], cards: int) -> int:
    """By how much so many cards are multiplied: the highest step reached.

    >>> factor([[10, 2], [13, 3]], 9), factor([[10, 2], [13, 3]], 12), factor([[10, 2], [13, 3]], 17)
    (1, 2, 3)
    """
    return max(((at, times) for at, times in steps if at <= min(cards, MOST)), default=(0, 1))[1]


MULTIPLIED_FOR: dict[str, Callable[[Outcome, str], bool]] = {
    "all": lambda outcome, name: True,
    "starter": lambda outcome, name: name == outcome.starter,
}
FACTORS_OF_TWOS: dict[bool, Callable[[Cards], int]] = {False: lambda cards: 1, True: lambda cards: 2 ** _twos(cards)}
FACTORS_OF_LAST_TWOS: dict[bool, Callable[[Outcome], int]] = {
    False: lambda outcome: 1,
    True: lambda outcome: 2 if outcome.last_play is not None and outcome.last_twos == outcome.last_play.size else 1,
}


def penalties(options: Options, outcome: Outcome) -> Ledger:
    """What everybody's cards cost [BIG-22 … BIG-26]."""
    count = COUNTS[options["count"]]
    multiplied, twos = MULTIPLIED_FOR[options.doubling_for], FACTORS_OF_TWOS[options.twos_double]
    for_all = FACTORS_OF_LAST_TWOS[options.last_twos_double](outcome)

    def penalty(name: str) -> int:
        cards = outcome.left[name]
        times = factor(options.doubling, len(cards)) if multiplied(outcome, name) else 1
        return sum(map(count, cards)) * times * twos(cards) * for_all

    return {name: penalty(name) for name in outcome.standing}


# Settlements ---------------------------------------------------------------------------------------------------------


def _penalties(options: Options, outcome: Outcome) -> Ledger:
    return {name: -penalty for name, penalty in penalties(options, outcome).items()}


def _pairs(options: Options, outcome: Outcome) -> Ledger:
    owed = penalties(options, outcome)
    return {name: sum(owed.values()) - len(owed) * own for name, own in owed.items()}


def _winner_only(options: Options, outcome: Outcome) -> Ledger:
    ledger = _penalties(options, outcome)
    ledger[outcome.winner] = -sum(ledger[name] for name in outcome.losers)
    return ledger


def _pairs_by_difference(options: Options, outcome: Outcome) -> Ledger:
    ledger = dict.fromkeys(outcome.standing, 0)
    for one, other in choose(outcome.standing, 2):
        difference = len(outcome.left[other]) - len(outcome.left[one])
        paid = difference * factor(options.doubling, abs(difference))
        ledger[one] += paid
        ledger[other] -= paid
    return ledger


SETTLEMENTS: dict[str, Callable[[Options, Outcome], Ledger]] = {
    "penalties": _penalties,
    "pairs": _pairs,
    "winner_only": _winner_only,
    "pairs_by_difference": _pairs_by_difference,
}

# Scorings ------------------------------------------------------------------------------------------------------------


def _cards(options: Options, outcome: Outcome, combinations: Combinations) -> Ledger:
    return SETTLEMENTS[options.settlement](options, outcome)


def _pusoy_dos(options: Options, outcome: Outcome, combinations: Combinations) -> Ledger:
    return dict.fromkeys(outcome.standing, 0) | {outcome.winner: 2**outcome.last_twos}


PLACES = {4: (5, 3, 1, 0), 3: (5, 3, 0), 2: (5, 0)}


def _places(options: Options, outcome: Outcome, combinations: Combinations) -> Ledger:
    return dict(zip(outcome.standing, PLACES[len(outcome.standing)], strict=True))


def _loser_pays(options: Options, outcome: Outcome, combinations: Combinations) -> Ledger:
    payer = _payer(outcome, combinations)
    return dict.fromkeys(outcome.standing, 0) | {outcome.winner: 1, payer: -1}


def _payer(outcome: Outcome, combinations: Combinations) -> str:
    """Who held most back: the highest honour, two or ace, else most cards, of these the highest card."""
    held = {name: outcome.left[name] for name in outcome.losers if outcome.left[name]}
    honours = {
        name: honour for name, cards in held.items() if (honour := combinations.highest_honour(cards)) is not None
    }
    if honours:
        return max(honours, key=honours.__getitem__)
    order = combinations.order
    highest = {name: order.highest(cards) for name, cards in held.items()}
    values = {name: order.value[card] for name, card in highest.items()}
    best = max(values, key=values.__getitem__)
    if highest[best].rank in "A2":
        return best
    return max(held, key=lambda name: (len(held[name]), values[name]))


INDONESIAN_STEPS = ((11, 2), (13, 3))
WIN, LAST_TWO = 5, 10


def _indonesia(options: Options, outcome: Outcome, combinations: Combinations) -> Ledger:
    ledger = {
        name: -(len(cards) + 4 * _twos(cards)) * factor(INDONESIAN_STEPS, len(cards))
        for name, cards in outcome.left.items()
    }
    ledger[outcome.winner] += LAST_TWO * outcome.last_twos or WIN
    for laid in outcome.unbeaten:
        # The same cards may come again from a new stock: the last play is that very one.
        ledger[laid.by] += _bonus(laid.combination) * (2 if laid.combination is outcome.last_play else 1)
    return ledger


def _bonus(honour: Combination) -> int:
    if honour.kind == STRAIGHT_FLUSH:
        return 40
    return 80 if _twos(honour.cards) == 4 else 20


SCORINGS: dict[str, Callable[[Options, Outcome, Combinations], Ledger]] = {
    "cards": _cards,
    "pusoy_dos": _pusoy_dos,
    "places": _places,
    "loser_pays": _loser_pays,
    "indonesia": _indonesia,
}


def ledger_of(options: Options, outcome: Outcome, combinations: Combinations) -> Ledger:
    """What the hand adds to everybody's total."""
    ledger = SCORINGS[options.scoring](options, outcome, combinations)
    if outcome.liable is not None:
        owed = sum(ledger[name] for name in outcome.losers)
        ledger |= dict.fromkeys(outcome.losers, 0) | {outcome.liable: owed}
    return {name: ledger[name] * options.stake for name in outcome.left}
