"""Scoring [BIG-22 … BIG-29, BIG-36, BIG-49]: from what is left in people's hands to the ledger.

All of it is arithmetic on a `HandOutcome`; nothing here knows how the hand was played.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations as choose
from typing import TypeAlias

from app.engine.base.messages import Said, Sentence
from app.engine.base.options import (
    Choice,
    Conflict,
    Number,
    NumberOrNone,
    Options,
    Section,
    Steps,
    Switch,
    ZeroSum,
    flag,
)
from app.engine.cards.cards import RANKS, Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.game import lowest_total
from app.engine.climbing.poker import STRAIGHT_FLUSH
from app.engine.climbing.state import Laid
from app.engine.display.point_reasons import Reason, added, because, for_places
from app.engine.match.context import Society

from .combinations import Combinations
from .play import PLAY_ON

COUNT = Switch(
    id="BIG-22",
    also="penalty points 计分 計分",
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
    also="double triple fānbèi 翻倍 加倍 雙炒 三炒",
    key="doubling",
    domain=Steps(),
    default=[[10, 2], [13, 3]],
    sentence="From how many cards left the count is multiplied, and by how much; the highest step reached counts. More "
    "than 13 cards count as 13 here.",
    example="By default nine cards cost 9, ten cost 20 and thirteen 39.",
)

DOUBLING_FOR = Switch(
    id="BIG-24",
    also="翻倍 加倍",
    key="doubling_for",
    domain=Choice({"all": "For everybody", "starter": "Only for who began the hand"}),
    default="all",
    sentence="Whose count is multiplied for many cards left.",
    example="With “starter”, eleven cards cost 22 if you began the hand, otherwise 11.",
)

TWOS_DOUBLE = Switch(
    id="BIG-25",
    also="deuces left 翻倍 加倍",
    key="twos_double",
    domain=flag("Twos cost what other cards do", "Each two left doubles once more"),
    default=False,
    sentence="Whether every two left in one’s hand doubles what one pays.",
    example="8♦ 9♦ 2♥ cost 6.",
)

LAST_TWOS_DOUBLE = Switch(
    id="BIG-26",
    also="winning with a two 翻倍 加倍",
    key="last_twos_double",
    domain=flag("The last play doubles nothing", "A last play of nothing but twos doubles everybody’s penalty"),
    default=False,
    sentence="Whether going out with twos costs the others double.",
    example="Ana goes out with 2♦ 2♥: who has three cards left pays 6.",
)

SETTLEMENT = Switch(
    id="BIG-27",
    also="payment 结算 結算",
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
    also="points 计分 計分",
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
    also="points worth ante 底分 底注",
    key="stake",
    domain=Number(1, 1000),
    default=1,
    sentence="What a point is worth in the ledger.",
    example="With 5, three cards left cost 15.",
)

TARGET = Switch(
    id="BIG-36",
    also="losing score play to 目标分",
    key="target",
    domain=NumberOrNone(1, 10000, none_label="No target"),
    default=None,
    sentence="The match is over after a hand that leaves somebody’s total at this or beyond, above nought or below; "
    "the highest total wins.",
    example="With 101 and penalties the match is over when somebody is at −101.",
    source="common",
)

NEWCOMER_POINTS = Switch(
    id="BIG-49",
    also="late joiners",
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
        TARGET,
        NEWCOMER_POINTS,
    ),
    tells=1,
)

NEWCOMERS: dict[str, Callable[[Society, int], int]] = {"start": lambda match, start: start, "lowest": lowest_total}
"""What a newcomer begins with, given nothing to start with, for each value of `newcomer_points`."""

CONFLICTS = (
    Conflict(
        SCORING,
        PLAY_ON,
        lambda scoring, play_on: scoring == "places" and not play_on,
        "points for places need a hand that is played on until one player has cards.",
    ),
)


@dataclass(frozen=True, slots=True)
class HandOutcome:
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


def step(steps: Sequence[Sequence[int]], cards: int) -> tuple[int, int]:
    """The highest step that so many cards reach: from how many on, and by how much it multiplies.

    >>> step([[10, 2], [13, 3]], 9), step([[10, 2], [13, 3]], 12), step([[10, 2], [13, 3]], 17)
    ((0, 1), (10, 2), (13, 3))
    """
    return max(((at, times) for at, times in steps if at <= min(cards, MOST)), default=(0, 1))


MULTIPLIED_FOR: dict[str, Callable[[HandOutcome, str], bool]] = {
    "all": lambda outcome, name: True,
    "starter": lambda outcome, name: name == outcome.starter,
}
FACTORS_OF_TWOS: dict[bool, Callable[[Cards], int]] = {False: lambda cards: 1, True: lambda cards: 2 ** _twos(cards)}
FACTORS_OF_LAST_TWOS: dict[bool, Callable[[HandOutcome], int]] = {
    False: lambda outcome: 1,
    True: lambda outcome: 2 if outcome.last_play is not None and outcome.last_twos == outcome.last_play.size else 1,
}


CARDS_LEFT = Sentence("big_two.reason.cards_left", {"one": "{count} card left", "other": "{count} cards left"})
DOUBLED = Sentence("big_two.reason.doubled", "Doubled for {least} cards or more")
TREBLED = Sentence("big_two.reason.trebled", "Trebled for {least} cards or more")
MULTIPLIED = Sentence("big_two.reason.multiplied", "{times} times as much for {least} cards or more")
TWOS_DOUBLED = Sentence(
    "big_two.reason.twos_doubled",
    {"one": "Doubled for a two left", "other": "Doubled {count} times for the twos left"},
)
LAST_TWOS_DOUBLED = Sentence("big_two.reason.last_twos_doubled", "Doubled: the last play was nothing but twos")

Worth: TypeAlias = tuple[Said, int]
"""What something is for, and how much it comes to."""


def _times_as_much(least: int, times: int) -> Said:
    if times in (2, 3):
        return (DOUBLED, TREBLED)[times - 2](least=least)
    return MULTIPLIED(least=least, times=times)


def penalty(options: Options, outcome: HandOutcome, name: str) -> tuple[Worth, ...]:
    """What somebody's cards cost, and each thing that makes it more [BIG-22 … BIG-26]."""
    cards = outcome.left[name]
    many = MULTIPLIED_FOR[options[DOUBLING_FOR]](outcome, name)
    least, times = step(options[DOUBLING], len(cards)) if many else (0, 1)
    twos = FACTORS_OF_TWOS[options[TWOS_DOUBLE]](cards)
    factors = (
        (_times_as_much(least, times), times),
        (TWOS_DOUBLED(count=_twos(cards)), twos),
        (LAST_TWOS_DOUBLED(), FACTORS_OF_LAST_TWOS[options[LAST_TWOS_DOUBLE]](outcome)),
    )
    return _multiplied((CARDS_LEFT(count=len(cards)), sum(map(COUNTS[options[COUNT]], cards))), factors)


def _multiplied(first: Worth, factors: Iterable[Worth]) -> tuple[Worth, ...]:
    """What each factor adds to what stands before it."""
    parts, sum_so_far = [first], first[1]
    for said, times in factors:
        parts.append((said, sum_so_far * (times - 1)))
        sum_so_far *= times
    return tuple(part for part in parts if part[1])


def _lost(name: str, parts: Iterable[Worth]) -> Iterator[Reason]:
    return (because(name, said, -cost) for said, cost in parts)


# Settlements ---------------------------------------------------------------------------------------------------------

AGAIN = Sentence(
    "big_two.reason.again", {"one": "The same to one more player", "other": "The same to {count} more players"}
)
FROM = Sentence("big_two.reason.from", "From {name}")
FEWER_CARDS = Sentence(
    "big_two.reason.fewer", {"one": "{count} card fewer than {name}", "other": "{count} cards fewer than {name}"}
)
MORE_CARDS = Sentence(
    "big_two.reason.more", {"one": "{count} card more than {name}", "other": "{count} cards more than {name}"}
)

Reasons: TypeAlias = Iterator[Reason]


def _penalties(options: Options, outcome: HandOutcome) -> Reasons:
    for name in outcome.standing:
        yield from _lost(name, penalty(options, outcome, name))


def _pairs(options: Options, outcome: HandOutcome) -> Reasons:
    """Who pays everybody one's penalty, and gets everybody's, has settled with each."""
    for name in outcome.standing:
        parts = penalty(options, outcome, name)
        cost = sum(part[1] for part in parts)
        others = [other for other in outcome.standing if other != name]
        yield from _lost(name, parts)
        if cost and len(others) > 1:
            yield because(name, AGAIN(count=len(others) - 1), -cost * (len(others) - 1))
        if cost:
            yield from (because(other, FROM(name=name), cost) for other in others)


def _winner_only(options: Options, outcome: HandOutcome) -> Reasons:
    for name in outcome.losers:
        parts = penalty(options, outcome, name)
        yield from _lost(name, parts)
        if cost := sum(part[1] for part in parts):  # who went out after the winner pays nothing
            yield because(outcome.winner, FROM(name=name), cost)


def _pairs_by_difference(options: Options, outcome: HandOutcome) -> Reasons:
    for one, other in choose(outcome.standing, 2):
        fewer, more = sorted((one, other), key=lambda name: len(outcome.left[name]))
        count = len(outcome.left[more]) - len(outcome.left[fewer])
        least, times = step(options[DOUBLING], count)
        factors = ((_times_as_much(least, times), times),)
        for said, cost in _multiplied((MORE_CARDS(count=count, name=fewer), count), factors):
            yield because(more, said, -cost)
        for said, won in _multiplied((FEWER_CARDS(count=count, name=more), count), factors):
            yield because(fewer, said, won)


SETTLEMENTS: dict[str, Callable[[Options, HandOutcome], Reasons]] = {
    "penalties": _penalties,
    "pairs": _pairs,
    "winner_only": _winner_only,
    "pairs_by_difference": _pairs_by_difference,
}

# Scorings ------------------------------------------------------------------------------------------------------------

WON = Sentence("big_two.reason.won", "Won the hand")
DOUBLED_BY_TWOS = Sentence(
    "big_two.reason.doubled_by_twos",
    {"one": "Doubled for a two in the last play", "other": "Doubled {count} times for twos in the last play"},
)
HELD_BACK = Sentence("big_two.reason.held_back", "Held the best card back")
TWOS_LEFT = Sentence("big_two.reason.twos_left", {"one": "A two among them", "other": "{count} twos among them"})
WENT_OUT_WITH_TWOS = Sentence(
    "big_two.reason.out_with_twos", {"one": "Went out with a two", "other": "Went out with {count} twos"}
)
HONOUR_IS_LAST = Sentence("big_two.reason.honour_is_last", "Doubled, as the last play")


def _cards(options: Options, outcome: HandOutcome, combinations: Combinations) -> Reasons:
    return SETTLEMENTS[options[SETTLEMENT]](options, outcome)


def _pusoy_dos(options: Options, outcome: HandOutcome, combinations: Combinations) -> Reasons:
    twos = outcome.last_twos
    for said, won in _multiplied((WON(), 1), ((DOUBLED_BY_TWOS(count=twos), 2**twos),)):
        yield because(outcome.winner, said, won)


PLACES = {4: (5, 3, 1, 0), 3: (5, 3, 0), 2: (5, 0)}


def _places(options: Options, outcome: HandOutcome, combinations: Combinations) -> Reasons:
    yield from for_places(outcome.standing, PLACES[len(outcome.standing)])


def _loser_pays(options: Options, outcome: HandOutcome, combinations: Combinations) -> Reasons:
    yield because(outcome.winner, WON(), 1)
    yield because(_payer(outcome, combinations), HELD_BACK(), -1)


def _payer(outcome: HandOutcome, combinations: Combinations) -> str:
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


def _indonesia(options: Options, outcome: HandOutcome, combinations: Combinations) -> Reasons:
    for name, cards in outcome.left.items():
        yield from _lost(name, _left_in_indonesia(cards))
    twos = outcome.last_twos
    yield because(outcome.winner, WENT_OUT_WITH_TWOS(count=twos) if twos else WON(), LAST_TWO * twos or WIN)
    for laid in outcome.unbeaten:
        # The same cards may come again from a new stock: the last play is that very one.
        is_last = laid.combination is outcome.last_play
        for said, won in _multiplied(_bonus(laid.combination), ((HONOUR_IS_LAST(), 1 + is_last),)):
            yield because(laid.by, said, won)


def _left_in_indonesia(cards: Cards) -> tuple[Worth, ...]:
    """A card costs 1, a two 4 more, and many cards more again."""
    twos, (least, times) = _twos(cards), step(INDONESIAN_STEPS, len(cards))
    parts = ((CARDS_LEFT(count=len(cards)), len(cards)), (TWOS_LEFT(count=twos), 4 * twos))
    more = (_times_as_much(least, times), (len(cards) + 4 * twos) * (times - 1))
    return tuple(part for part in (*parts, more) if part[1])


STRAIGHT_FLUSH_UNBEATEN = Sentence("big_two.reason.straight_flush", "A straight flush that nobody beat")
TWOS_UNBEATEN = Sentence("big_two.reason.four_twos", "Four twos that nobody beat")
FOUR_UNBEATEN = Sentence("big_two.reason.four", "Four of a kind that nobody beat")


def _bonus(honour: Combination) -> Worth:
    if honour.kind == STRAIGHT_FLUSH:
        return STRAIGHT_FLUSH_UNBEATEN(), 40
    return (TWOS_UNBEATEN(), 80) if _twos(honour.cards) == 4 else (FOUR_UNBEATEN(), 20)


SCORINGS: dict[str, Callable[[Options, HandOutcome, Combinations], Reasons]] = {
    "cards": _cards,
    "pusoy_dos": _pusoy_dos,
    "places": _places,
    "loser_pays": _loser_pays,
    "indonesia": _indonesia,
}

ZERO_SUM = ZeroSum(
    "Where the losers pay the winner, one of them does, or each pair settles, what some gain others lose: the points "
    "of a hand add up to nothing.",
    lambda options: (
        options[SCORING] == "loser_pays" or (options[SCORING] == "cards" and options[SETTLEMENT] != "penalties")
    ),
)

OPEN_DOOR = Sentence("big_two.reason.open_door", "{name} left the door open, and takes this over")
TAKES_OVER = Sentence("big_two.reason.takes_over", "Takes over from {name}, for the door left open")


def _taken_over(outcome: HandOutcome, reasons: Sequence[Reason], liable: str) -> Reasons:
    """What all the losers have comes to whoever let the winner win [BIG-19]."""
    for name, points in added(outcome.left, reasons, "points").items():
        if points and name not in (outcome.winner, liable):
            yield because(name, OPEN_DOOR(name=liable), -points)
            yield because(liable, TAKES_OVER(name=name), points)


def reasons_of(options: Options, outcome: HandOutcome, combinations: Combinations) -> tuple[Reason, ...]:
    """What the hand adds to everybody's total, and what for."""
    reasons = tuple(SCORINGS[options[SCORING]](options, outcome, combinations))
    if outcome.liable is not None:
        reasons += tuple(_taken_over(outcome, reasons, outcome.liable))
    return tuple(reason.times(options[STAKE]) for reason in reasons)
