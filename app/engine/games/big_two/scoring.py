"""Scoring [BIG-22 … BIG-29, BIG-36, BIG-49]: from the cards left at the end of a hand to the ledger.

All functions compute from a `HandToScore`. Nothing here depends on how the hand was played.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations as choose
from typing import TypeAlias

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.base.options import (
    Choice,
    Conflict,
    MultiplierSteps,
    Number,
    NumberOrNone,
    Option,
    Options,
    Section,
    ZeroSum,
    on_off_choice,
)
from app.engine.cards.cards import RANKS, Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.game import lowest_total
from app.engine.climbing.poker import STRAIGHT_FLUSH
from app.engine.climbing.state import PlayedCombination
from app.engine.display.point_reasons import PointReason, placement_reasons, point_reason, sum_points
from app.engine.match.context import MatchContext

from .combinations import BigTwoCombinations
from .play import PLAY_ON

COUNT = Option(
    id="BIG-22",
    also="penalty points 计分 計分",
    key="count",
    label="Card count",
    domain=Choice(
        {
            "cards": "Every card 1",
            "faces": "3 to 10 count 1, J Q K count 2, A counts 3, a two counts 4",
            "ladder": "A three counts 1, a four 2 … an ace 12, a two 13",
        }
    ),
    default="cards",
    sentence="Sets the penalty for each card left.",
    example="Q♣ K♣ 3♣ cost 3 by cards, 5 by faces, 22 by the ladder.",
)

DOUBLING = Option(
    id="BIG-23",
    also="double triple fānbèi 翻倍 加倍 雙炒 三炒",
    key="doubling",
    domain=MultiplierSteps(),
    default=[[10, 2], [13, 3]],
    sentence="Sets the numbers of cards left from which the penalty is multiplied, and the factors. Only the "
    "highest step reached counts. More than 13 cards count as 13.",
    example="By default nine cards cost 9, ten cost 20 and thirteen 39.",
)

DOUBLING_FOR = Option(
    id="BIG-24",
    also="翻倍 加倍",
    key="doubling_for",
    label="Players with doubling",
    domain=Choice({"all": "All players", "starter": "Only the player who began the hand"}),
    default="all",
    sentence="Decides which players pay a multiplied penalty.",
    example="With “the player who began”, eleven cards cost 22 if you began the hand, otherwise 11.",
)

TWOS_DOUBLE = Option(
    id="BIG-25",
    also="deuces left 翻倍 加倍",
    key="twos_double",
    domain=on_off_choice("Twos cost the same as other cards", "Each two left doubles once more"),
    default=False,
    sentence="Decides whether each two left doubles the penalty.",
    example="8♦ 9♦ 2♥ cost 6.",
    short={True: "Each two left doubles the penalty."},
)

LAST_TWOS_DOUBLE = Option(
    id="BIG-26",
    also="winning with a two 翻倍 加倍",
    key="last_twos_double",
    domain=on_off_choice("The last play doubles nothing", "A last play of only twos doubles all penalties"),
    default=False,
    sentence="Decides whether the others pay double if the winner finishes with twos.",
    example="Ana finishes with 2♦ 2♥: a player with three cards left pays 6.",
    short={True: "A last play of twos doubles all penalties."},
)

SETTLEMENT = Option(
    id="BIG-27",
    also="payment 结算 結算",
    key="settlement",
    domain=Choice(
        {
            "penalties": "Each player’s penalty is written down",
            "pairs": "Each pair settles the difference of their penalties",
            "winner_only": "The losers pay the winner",
            "pairs_by_difference": "Each pair settles the difference of their cards, multiplied by its factor",
        }
    ),
    default="penalties",
    sentence="Decides which players pay each other.",
    example="Penalties are 0, 3 and 5. In pairs, the winner gets 8, the player with 3 loses 1, the player "
    "with 5 loses 7.",
)

SCORING = Option(
    id="BIG-28",
    also="points 计分 計分",
    key="scoring",
    domain=Choice(
        {
            "cards": "By the cards left",
            "pusoy_dos": "1 for the winner, doubled for each two in the last play",
            "places": "5, 3, 1, 0 points by place",
            "loser_pays": "One loser pays the winner 1: the player who kept the best card (Taiwan)",
            "indonesia": "Cards left, and bonuses for the winner, fours and straight flushes",
        }
    ),
    default="cards",
    sentence="Decides what the points are for. With all values except the first, the other scoring options "
    "except the stake have no effect.",
    example="Finishing with 2♥ 2♣ wins 4 points in Pusoy Dos, and 20 points in Indonesia.",
    short={
        "pusoy_dos": "The winner gets 1 point, doubled for each two in the last play.",
        "places": "Places score 5, 3, 1 and 0 points.",
        "loser_pays": "The loser left with the best four of a kind or straight flush (else highest 2 or A, else most "
        "cards) pays the winner 1 point.",
        "indonesia": "Each card left costs 1 point, a 2 costs 5; 2× from 11 cards, 3× with 13. The winner gets 5; if "
        "unbeaten, four of a kind gets 20, a straight flush 40.",
    },
)

STAKE = Option(
    id="BIG-29",
    also="points worth ante 底分 底注",
    key="stake",
    domain=Number(1, 1000),
    default=1,
    sentence="Multiplies all points by this number.",
    example="With 5, three cards left cost 15.",
)

TARGET = Option(
    id="BIG-36",
    also="losing score play to 目标分",
    key="target",
    domain=NumberOrNone(1, 10000, none_label="No target"),
    default=None,
    sentence="The match ends when a player’s total reaches this number, positive or negative. The highest total wins.",
    example="With 101 and penalties, the match ends when a player is at −101.",
    source="common",
    short="The match ends at {value} points.",
)

NEWCOMER_POINTS = Option(
    id="BIG-49",
    also="late joiners",
    key="newcomer_points",
    label="Points of new players",
    domain=Choice({"start": "Nothing", "lowest": "The lowest total at the table, if it is below zero"}),
    default="start",
    sentence="Sets the points of a player who joins between hands, so that nobody gains by joining late. A "
    "player who comes back has the points they left with.",
    example="Bob has −2 and Ana 0: with “lowest total”, Cat begins with −2.",
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
    importance=1,
)

NEWCOMER_POINTS_BY_OPTION: dict[str, Callable[[MatchContext, int], int]] = {
    "start": lambda match, start: start,
    "lowest": lowest_total,
}
"""Returns a newcomer's points, given the match and the starting points, for each value of `newcomer_points`."""

CONFLICTS = (
    Conflict(
        SCORING,
        PLAY_ON,
        lambda scoring, play_on: scoring == "places" and not play_on,
        "Points for places need hands that go on until one player has cards.",
    ),
)


@dataclass(frozen=True, slots=True)
class HandToScore:
    """The end of a hand of Big Two, as the input of scoring.

    `starter` made the first lead. `liable_player` let the winner win and has to pay; None if nobody did.
    """

    standing: Sequence[str]
    """The order of finish, the winner first."""
    cards_left: Mapping[str, Cards]
    starter: str | None
    last_play: Combination | None
    """The winner's last play; None after a dragon."""
    unbeaten_honours: Sequence[PlayedCombination]
    """Honours that nobody beat."""
    liable_player: str | None

    @property
    def winner(self) -> str:
        """Return the player of Big Two who was out first in the hand."""
        return self.standing[0]

    @property
    def losers(self) -> Sequence[str]:
        """Return all players of the hand except the winner, best first."""
        return self.standing[1:]

    @property
    def twos_in_last_play(self) -> int:
        """Return the number of twos in the winner's last play; some scorings pay for them."""
        return 0 if self.last_play is None else _count_twos(self.last_play.cards)


def _count_twos(cards: Cards) -> int:
    return sum(card.rank == "2" for card in cards)


# Penalties -----------------------------------------------------------------------------------------------------------

CARD_COST_BY_OPTION: dict[str, Callable[[Card], int]] = {
    "cards": lambda card: 1,
    "faces": lambda card: {"J": 2, "Q": 2, "K": 2, "A": 3, "2": 4}.get(card.rank, 1),
    "ladder": lambda card: RANKS.index(card.rank) + 1,
}
HIGHEST_STEP = 13
"""More cards left than this count as this number for the factor."""


def step(steps: Sequence[Sequence[int]], cards: int) -> tuple[int, int]:
    """Return the highest step that this number of cards left reaches: (least number of cards, factor).

    `steps` are pairs of that form, from an option. Below the lowest step the result is (0, 1). Numbers of cards above
    `HIGHEST_STEP` count like it.

    >>> step([[10, 2], [13, 3]], 9), step([[10, 2], [13, 3]], 12), step([[10, 2], [13, 3]], 17)
    ((0, 1), (10, 2), (13, 3))
    """
    return max(((at, times) for at, times in steps if at <= min(cards, HIGHEST_STEP)), default=(0, 1))


MULTIPLIED_FOR: dict[str, Callable[[HandToScore, str], bool]] = {
    "all": lambda finished, name: True,
    "starter": lambda finished, name: name == finished.starter,
}
FACTORS_OF_TWOS: dict[bool, Callable[[Cards], int]] = {
    False: lambda cards: 1,
    True: lambda cards: 2 ** _count_twos(cards),
}
FACTORS_OF_LAST_TWOS: dict[bool, Callable[[HandToScore], int]] = {
    False: lambda finished: 1,
    True: lambda finished: (
        2 if finished.last_play is not None and finished.twos_in_last_play == finished.last_play.size else 1
    ),
}


CARDS_LEFT = MessageTemplate("big_two.reason.cards_left", {"one": "{count} card left", "other": "{count} cards left"})
DOUBLED = MessageTemplate("big_two.reason.doubled", "Doubled: {least} cards or more left")
TREBLED = MessageTemplate("big_two.reason.trebled", "Tripled: {least} cards or more left")
MULTIPLIED = MessageTemplate("big_two.reason.multiplied", "Times {times}: {least} cards or more left")
TWOS_DOUBLED = MessageTemplate(
    "big_two.reason.twos_doubled",
    {"one": "Doubled for a two left", "other": "Doubled {count} times for the twos left"},
)
LAST_TWOS_DOUBLED = MessageTemplate("big_two.reason.last_twos_doubled", "Doubled: only twos in the last play")

LabelledAmount: TypeAlias = tuple[TranslatableMessage, int]
"""A reason and its amount."""


def _multiplier_text(least: int, times: int) -> TranslatableMessage:
    if times in (2, 3):
        return (DOUBLED, TREBLED)[times - 2](least=least)
    return MULTIPLIED(least=least, times=times)


def penalty_parts(options: Options, finished: HandToScore, player: str) -> tuple[LabelledAmount, ...]:
    """Return the parts of a player's penalty in Big Two, each with its text, for the ledger [BIG-22 … BIG-26].

    `finished` is the end of the hand. Amounts are positive. The first is the cost of the cards left; others are what
    each factor adds.
    """
    cards = finished.cards_left[player]
    many = MULTIPLIED_FOR[options[DOUBLING_FOR]](finished, player)
    least, times = step(options[DOUBLING], len(cards)) if many else (0, 1)
    twos = FACTORS_OF_TWOS[options[TWOS_DOUBLE]](cards)
    factors = (
        (_multiplier_text(least, times), times),
        (TWOS_DOUBLED(count=_count_twos(cards)), twos),
        (LAST_TWOS_DOUBLED(), FACTORS_OF_LAST_TWOS[options[LAST_TWOS_DOUBLE]](finished)),
    )
    return _apply_factors((CARDS_LEFT(count=len(cards)), sum(map(CARD_COST_BY_OPTION[options[COUNT]], cards))), factors)


def _apply_factors(base: LabelledAmount, factors: Iterable[LabelledAmount]) -> tuple[LabelledAmount, ...]:
    """Return the base amount and what each factor adds to the sum so far, without zero amounts.

    The ledger then shows each doubling as a line with its own text.
    """
    parts, sum_so_far = [base], base[1]
    for said, times in factors:
        parts.append((said, sum_so_far * (times - 1)))
        sum_so_far *= times
    return tuple(part for part in parts if part[1])


def _loss_reasons(player: str, parts: Iterable[LabelledAmount]) -> Iterator[PointReason]:
    return (point_reason(player, said, -cost) for said, cost in parts)


# Settlements ---------------------------------------------------------------------------------------------------------

AGAIN = MessageTemplate(
    "big_two.reason.again", {"one": "The same to one more player", "other": "The same to {count} more players"}
)
FROM = MessageTemplate("big_two.reason.from", "From {name}")
FEWER_CARDS = MessageTemplate(
    "big_two.reason.fewer", {"one": "{count} card fewer than {name}", "other": "{count} cards fewer than {name}"}
)
MORE_CARDS = MessageTemplate(
    "big_two.reason.more", {"one": "{count} card more than {name}", "other": "{count} cards more than {name}"}
)

Reasons: TypeAlias = Iterator[PointReason]


def _own_penalty_reasons(options: Options, finished: HandToScore) -> Reasons:
    for name in finished.standing:
        yield from _loss_reasons(name, penalty_parts(options, finished, name))


def _pairwise_penalty_reasons(options: Options, finished: HandToScore) -> Reasons:
    """Yield ledger lines by which each player of Big Two pays their penalty to every other player.

    The effect is that each pair settles the difference of its penalties.
    """
    for name in finished.standing:
        parts = penalty_parts(options, finished, name)
        cost = sum(part[1] for part in parts)
        others = [other for other in finished.standing if other != name]
        yield from _loss_reasons(name, parts)
        if cost and len(others) > 1:
            yield point_reason(name, AGAIN(count=len(others) - 1), -cost * (len(others) - 1))
        if cost:
            yield from (point_reason(other, FROM(name=name), cost) for other in others)


def _penalties_to_winner_reasons(options: Options, finished: HandToScore) -> Reasons:
    for name in finished.losers:
        parts = penalty_parts(options, finished, name)
        yield from _loss_reasons(name, parts)
        if cost := sum(part[1] for part in parts):  # players who went out later have no penalty
            yield point_reason(finished.winner, FROM(name=name), cost)


def _pairwise_difference_reasons(options: Options, finished: HandToScore) -> Reasons:
    for one, other in choose(finished.standing, 2):
        fewer, more = sorted((one, other), key=lambda name: len(finished.cards_left[name]))
        count = len(finished.cards_left[more]) - len(finished.cards_left[fewer])
        least, times = step(options[DOUBLING], count)
        factors = ((_multiplier_text(least, times), times),)
        for said, cost in _apply_factors((MORE_CARDS(count=count, name=fewer), count), factors):
            yield point_reason(more, said, -cost)
        for said, won in _apply_factors((FEWER_CARDS(count=count, name=more), count), factors):
            yield point_reason(fewer, said, won)


SETTLEMENTS: dict[str, Callable[[Options, HandToScore], Reasons]] = {
    "penalties": _own_penalty_reasons,
    "pairs": _pairwise_penalty_reasons,
    "winner_only": _penalties_to_winner_reasons,
    "pairs_by_difference": _pairwise_difference_reasons,
}

# Scorings ------------------------------------------------------------------------------------------------------------

WON = MessageTemplate("big_two.reason.won", "Won the hand")
DOUBLED_BY_TWOS = MessageTemplate(
    "big_two.reason.doubled_by_twos",
    {"one": "Doubled for a two in the last play", "other": "Doubled {count} times for twos in the last play"},
)
HELD_BACK = MessageTemplate("big_two.reason.held_back", "Kept the best card")
TWOS_LEFT = MessageTemplate(
    "big_two.reason.twos_left",
    {"one": "{count} two among the cards left", "other": "{count} twos among the cards left"},
)
WENT_OUT_WITH_TWOS = MessageTemplate(
    "big_two.reason.out_with_twos", {"one": "Finished with a two", "other": "Finished with {count} twos"}
)
HONOUR_IS_LAST = MessageTemplate("big_two.reason.honour_is_last", "Doubled: finished with an honour")


def _score_by_cards(options: Options, finished: HandToScore, combinations: BigTwoCombinations) -> Reasons:
    return SETTLEMENTS[options[SETTLEMENT]](options, finished)


def _score_pusoy_dos(options: Options, finished: HandToScore, combinations: BigTwoCombinations) -> Reasons:
    twos = finished.twos_in_last_play
    for said, won in _apply_factors((WON(), 1), ((DOUBLED_BY_TWOS(count=twos), 2**twos),)):
        yield point_reason(finished.winner, said, won)


POINTS_BY_PLACE = {4: (5, 3, 1, 0), 3: (5, 3, 0), 2: (5, 0)}


def _score_by_places(options: Options, finished: HandToScore, combinations: BigTwoCombinations) -> Reasons:
    yield from placement_reasons(finished.standing, POINTS_BY_PLACE[len(finished.standing)])


def _score_one_loser_pays(options: Options, finished: HandToScore, combinations: BigTwoCombinations) -> Reasons:
    yield point_reason(finished.winner, WON(), 1)
    yield point_reason(_find_paying_loser(finished, combinations), HELD_BACK(), -1)


def _find_paying_loser(finished: HandToScore, combinations: BigTwoCombinations) -> str:
    """Return the loser who held the best cards back, and who alone pays by one scoring of Big Two.

    The highest honour (four of a kind or straight flush) decides, then the highest two or ace, then most cards, then
    the highest card.
    """
    held = {name: finished.cards_left[name] for name in finished.losers if finished.cards_left[name]}
    honours = {
        name: honour
        for name, cards in held.items()
        if (honour := combinations.highest_honour_strength(cards)) is not None
    }
    if honours:
        return max(honours, key=honours.__getitem__)
    order = combinations.card_order
    highest = {name: order.highest_card(cards) for name, cards in held.items()}
    values = {name: order.index_by_card[card] for name, card in highest.items()}
    best = max(values, key=values.__getitem__)
    if highest[best].rank in "A2":
        return best
    return max(held, key=lambda name: (len(held[name]), values[name]))


INDONESIAN_STEPS = ((11, 2), (13, 3))
WIN_POINTS, LAST_TWO_POINTS = 5, 10


def _score_indonesian(options: Options, finished: HandToScore, combinations: BigTwoCombinations) -> Reasons:
    for name, cards in finished.cards_left.items():
        yield from _loss_reasons(name, _indonesian_penalty_parts(cards))
    twos = finished.twos_in_last_play
    yield point_reason(
        finished.winner, WENT_OUT_WITH_TWOS(count=twos) if twos else WON(), LAST_TWO_POINTS * twos or WIN_POINTS
    )
    for laid in finished.unbeaten_honours:
        # Compare identity: the same cards may be played again from a refilled stock.
        is_last = laid.combination is finished.last_play
        for said, won in _apply_factors(_unbeaten_honour_bonus(laid.combination), ((HONOUR_IS_LAST(), 1 + is_last),)):
            yield point_reason(laid.by, said, won)


def _indonesian_penalty_parts(cards: Cards) -> tuple[LabelledAmount, ...]:
    """Return the parts of a penalty in Indonesian scoring: 1 for each card left and 4 more for each two.

    The sum is doubled from 11 cards on, trebled from 13.
    """
    twos, (least, times) = _count_twos(cards), step(INDONESIAN_STEPS, len(cards))
    parts = ((CARDS_LEFT(count=len(cards)), len(cards)), (TWOS_LEFT(count=twos), 4 * twos))
    more = (_multiplier_text(least, times), (len(cards) + 4 * twos) * (times - 1))
    return tuple(part for part in (*parts, more) if part[1])


STRAIGHT_FLUSH_UNBEATEN = MessageTemplate("big_two.reason.straight_flush", "Unbeaten straight flush")
TWOS_UNBEATEN = MessageTemplate("big_two.reason.four_twos", "Unbeaten four twos")
FOUR_UNBEATEN = MessageTemplate("big_two.reason.four", "Unbeaten four of a kind")


def _unbeaten_honour_bonus(honour: Combination) -> LabelledAmount:
    if honour.kind == STRAIGHT_FLUSH:
        return STRAIGHT_FLUSH_UNBEATEN(), 40
    return (TWOS_UNBEATEN(), 80) if _count_twos(honour.cards) == 4 else (FOUR_UNBEATEN(), 20)


SCORINGS: dict[str, Callable[[Options, HandToScore, BigTwoCombinations], Reasons]] = {
    "cards": _score_by_cards,
    "pusoy_dos": _score_pusoy_dos,
    "places": _score_by_places,
    "loser_pays": _score_one_loser_pays,
    "indonesia": _score_indonesian,
}

ZERO_SUM = ZeroSum(
    "If the losers pay the winner, one loser pays, or each pair settles, the points of each hand add up to zero.",
    lambda options: (
        options[SCORING] == "loser_pays" or (options[SCORING] == "cards" and options[SETTLEMENT] != "penalties")
    ),
)

OPEN_DOOR = MessageTemplate("big_two.reason.open_door", "Paid by {name}, who let the winner finish")
TAKES_OVER = MessageTemplate("big_two.reason.takes_over", "Paid for {name}, after letting the winner finish")


def _liability_transfer_reasons(finished: HandToScore, reasons: Sequence[PointReason], liable: str) -> Reasons:
    """Yield ledger lines by which the player who let the winner win takes over all other losers' points [BIG-19].

    `liable` is that player, and `reasons` are the lines so far. Each other loser's points are cancelled and given to
    `liable`.
    """
    for name, points in sum_points(finished.cards_left, reasons, "points").items():
        if points and name not in (finished.winner, liable):
            yield point_reason(name, OPEN_DOOR(name=liable), -points)
            yield point_reason(liable, TAKES_OVER(name=name), points)


def point_reasons(options: Options, finished: HandToScore, combinations: BigTwoCombinations) -> tuple[PointReason, ...]:
    """Return the ledger lines for all points of a hand of Big Two, multiplied by the stake.

    `finished` is the end of the hand. `combinations` compares the losers' cards, where an option needs that.
    """
    reasons = tuple(SCORINGS[options[SCORING]](options, finished, combinations))
    if finished.liable_player is not None:
        reasons += tuple(_liability_transfer_reasons(finished, reasons, finished.liable_player))
    return tuple(reason.multiplied_by(options[STAKE]) for reason in reasons)
