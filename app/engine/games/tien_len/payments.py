"""Payments [TIEN-17 … TIEN-21]: from the places, chops and cards left of a hand to the ledger.

Each payment goes from one player to another, so a hand adds up to zero. Nothing here depends on how the hand was
played.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Choice, Conflict, Option, Options, Section, ZeroSum
from app.engine.cards.cards import Cards, describe_cards
from app.engine.climbing.combinations import Combination
from app.engine.display.point_reasons import PointReason, PointTransfer, transfer_reasons

from .chops import FOUR_OF_A_KIND, FOUR_PAIRS, THREE_PAIRS, chop_level
from .combinations import TienLenCombinations
from .hand_memory import Chop
from .held_chops import find_held_chops
from .play import PLAY_ON

SCORE_SHEETS = "Vietnamese score sheets"

PAYMENTS = Option(
    id="TIEN-17",
    also="points đếm lá nhất ăn tất",
    key="payments",
    label="Payments for places",
    domain=Choice(
        {
            "places": "The last pays the first 2 points; of four, the third pays the second 1",
            "winner": "Each pays the first 1 point",
            "cards": "Each pays the first 1 point for each card left",
        }
    ),
    default="places",
    sentence="Decides what players pay for their places at the end of a hand.",
    example="With “Each pays the first 1 point for each card left”, a player with five cards left pays the "
    "winner 5 points.",
    source=SCORE_SHEETS,
    short={
        "places": "The last pays the first 2 points; of four, the third pays the second 1.",
        "winner": "Each player pays the first 1 point.",
        "cards": "Each card left costs a point, paid to the first.",
    },
)

CHOP_POINTS = Option(
    id="TIEN-18",
    also="heo đen heo đỏ payment",
    key="chop_points",
    label="Points for chops",
    domain=Choice(
        {
            "common": "Black two 1, red two 2, three pairs 3, four of a kind 4, four pairs 6",
            "low": "Black two 1, red two 2, three pairs 2, four of a kind 3, four pairs 4",
            "northern": "Black two 1, red two 2, three pairs 3, four of a kind 4, four pairs 4",
        }
    ),
    default="common",
    sentence="Sets the points for twos and chops that are chopped or held. More than four pairs count as four.",
    example="Three pairs in a row beat 2♠: its player pays 1 point.",
    source=SCORE_SHEETS,
)

CHAINS = Option(
    id="TIEN-19",
    also="chặt chồng payment",
    key="chains",
    label="Chains of chops",
    domain=Choice({"last_pays": "The player chopped last pays for all", "each": "Each chop is paid separately"}),
    default="last_pays",
    sentence="Decides which player pays if a chop is chopped itself.",
    example="Bob chops Ana’s 2♥ with three pairs, and Cat chops these with four of a kind: by default Bob pays "
    "Cat 5 points.",
    source=SCORE_SHEETS,
)

CARDS_HELD = Option(
    id="TIEN-20",
    also="thối heo thúi rotten twos",
    key="cards_held",
    label="Twos and chops held",
    domain=Choice(
        {
            "to_first": "Paid to the first",
            "to_next": "Paid to the player one place above",
            "free": "They cost nothing",
        }
    ),
    default="to_first",
    sentence="Decides whether players who have cards at the end pay for their twos and chops, and to whom. Each "
    "card counts once, in the way that costs most.",
    example="With 2♠ 2♦ 6♣ left, the last player pays 3 points.",
    source=SCORE_SHEETS,
)

NO_PLAY = Option(
    id="TIEN-21",
    also="cóng cháy frozen",
    key="no_play",
    label="Players without a play",
    domain=Choice({"double": "They pay double", "plain": "They pay the same as others"}),
    default="double",
    sentence="Decides whether players who have played nothing when the first is out pay double, for the place "
    "and for cards held.",
    example="Dan never played and is last: by default Dan pays the first 4 points instead of 2.",
    source=SCORE_SHEETS,
)

SECTION = Section("payments", "Payments", (PAYMENTS, CHOP_POINTS, CHAINS, CARDS_HELD, NO_PLAY), importance=1)

CONFLICTS = (
    Conflict(
        PAYMENTS,
        PLAY_ON,
        lambda payments, play_on: payments == "places" and not play_on,
        "Payments between places need hands that go on until one player has cards.",
    ),
    Conflict(
        PAYMENTS,
        PLAY_ON,
        lambda payments, play_on: payments == "cards" and play_on,
        "Payments for cards left need hands that end when the first player is out.",
    ),
    Conflict(
        CARDS_HELD,
        PLAY_ON,
        lambda held, play_on: held == "to_next" and not play_on,
        "Payments to the player one place above need hands that go on until one player has cards.",
    ),
)

ZERO_SUM = ZeroSum("The points of each hand add up to zero, because players pay each other.")


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """The end of a hand of Tien Len, as the input of scoring."""

    standing: Sequence[str]
    """The order of finish, the winner first."""
    cards_left: Mapping[str, Cards]
    chops: Sequence[Chop]
    idle: Sequence[str]
    """Players without a play when the first player went out."""

    @property
    def winner(self) -> str:
        """Return the player who was out first in the hand."""
        return self.standing[0]


Payments: TypeAlias = Iterator[PointTransfer]

FROM = MessageTemplate("tien_len.reason.from", "From {name}")
PLACE = MessageTemplate("tien_len.reason.place", "Place {place}: paid to {name}")
CARDS_LEFT = MessageTemplate(
    "tien_len.reason.cards_left",
    {"one": "{count} card left: paid to {name}", "other": "{count} cards left: paid to {name}"},
)
CHOPPED = MessageTemplate("tien_len.reason.chopped", "{cards} chopped by {name}")
HELD = MessageTemplate("tien_len.reason.held", "{cards} held: paid to {name}")
NEVER_PLAYED = MessageTemplate("tien_len.reason.never_played", "Doubled: no play before the first was out")
INSTANT_WIN = MessageTemplate("tien_len.reason.instant_win", "{name} won at once")

# Chops ---------------------------------------------------------------------------------------------------------------

POINTS_BY_OPTION: dict[str, Mapping[int, int]] = {
    "common": {THREE_PAIRS: 3, FOUR_OF_A_KIND: 4, FOUR_PAIRS: 6},
    "low": {THREE_PAIRS: 2, FOUR_OF_A_KIND: 3, FOUR_PAIRS: 4},
    "northern": {THREE_PAIRS: 3, FOUR_OF_A_KIND: 4, FOUR_PAIRS: 4},
}
"""The points for each level of chops, for each value of `chop_points`; higher levels count as four pairs."""
BLACK_TWO_POINTS, RED_TWO_POINTS = 1, 2


def worth(options: Options, combination: Combination) -> int:
    """Return the points for twos or a chop that were chopped or held."""
    level = chop_level(combination)
    if level:
        return POINTS_BY_OPTION[options[CHOP_POINTS]][min(level, FOUR_PAIRS)]
    return sum(RED_TWO_POINTS if card.is_red else BLACK_TWO_POINTS for card in combination.cards)


def _symbols(combination: Combination) -> str:
    """Return the cards for a line of the ledger, which is the same text in all languages."""
    return str(describe_cards(combination.cards))


def _last_pays(chops: Sequence[Chop]) -> Iterator[tuple[Chop, Chop]]:
    """Yield each chop with the last chop of its chain, whose victim pays for it."""
    for place, chop in enumerate(chops):
        later = chops[place + 1 :]
        length = next((steps for steps, one in enumerate(later) if not one.in_chain), len(later))
        yield chop, later[length - 1] if length else chop


def _each_pays(chops: Sequence[Chop]) -> Iterator[tuple[Chop, Chop]]:
    return ((chop, chop) for chop in chops)


CHAINS_BY_OPTION: dict[str, Callable[[Sequence[Chop]], Iterator[tuple[Chop, Chop]]]] = {
    "last_pays": _last_pays,
    "each": _each_pays,
}
"""Returns each chop with the chop whose victim pays for it, for each value of `chains`."""


def _chop_payments(options: Options, finished: PlayedHand) -> Payments:
    for chop, paid in CHAINS_BY_OPTION[options[CHAINS]](finished.chops):
        said = CHOPPED(cards=_symbols(chop.chopped), name=chop.by)
        yield PointTransfer(paid.victim, paid.by, said, worth(options, chop.chopped))


# Places --------------------------------------------------------------------------------------------------------------

LAST_TO_FIRST, THIRD_TO_SECOND = 2, 1


def _pay_by_places(finished: PlayedHand) -> Payments:
    first, *others, last = finished.standing
    yield PointTransfer(last, first, PLACE(place=len(finished.standing), name=first), LAST_TO_FIRST)
    if len(others) == 2:
        second, third = others
        yield PointTransfer(third, second, PLACE(place=3, name=second), THIRD_TO_SECOND)


def _pay_winner(finished: PlayedHand) -> Payments:
    for place, name in enumerate(finished.standing[1:], 2):
        yield PointTransfer(name, finished.winner, PLACE(place=place, name=finished.winner), 1)


def _pay_by_cards(finished: PlayedHand) -> Payments:
    for name in finished.standing[1:]:
        count = len(finished.cards_left[name])
        yield PointTransfer(name, finished.winner, CARDS_LEFT(count=count, name=finished.winner), count)


PAYMENTS_BY_OPTION: dict[str, Callable[[PlayedHand], Payments]] = {
    "places": _pay_by_places,
    "winner": _pay_winner,
    "cards": _pay_by_cards,
}

# Cards held ----------------------------------------------------------------------------------------------------------


RECEIVER_BY_OPTION: dict[str, Callable[[Sequence[str], str], str | None]] = {
    "to_first": lambda standing, name: standing[0],
    "to_next": lambda standing, name: standing[standing.index(name) - 1],
    "free": lambda standing, name: None,
}
"""Returns who is paid for twos and chops held by a player, for each value of `cards_held`."""


def _payments_for_held(options: Options, finished: PlayedHand, rules: TienLenCombinations) -> Payments:
    for name in finished.standing:
        receiver = RECEIVER_BY_OPTION[options[CARDS_HELD]](finished.standing, name)
        if receiver is not None:
            for one in find_held_chops(finished.cards_left[name], rules, POINTS_BY_OPTION[options[CHOP_POINTS]]):
                said = HELD(cards=_symbols(one), name=receiver)
                yield PointTransfer(name, receiver, said, worth(options, one))


# The ledger ----------------------------------------------------------------------------------------------------------


def _doubled(payments: Payments, idle: Sequence[str]) -> Payments:
    """Yield the payments, and each a second time if its payer made no play in time [TIEN-21]."""
    for payment in payments:
        yield payment
        if payment.payer in idle:
            yield PointTransfer(payment.payer, payment.receiver, NEVER_PLAYED(), payment.points)


def point_reasons(options: Options, finished: PlayedHand, rules: TienLenCombinations) -> tuple[PointReason, ...]:
    """Return the ledger lines for all payments of a hand that was played."""
    idle = finished.idle if options[NO_PLAY] == "double" else ()
    at_the_end = chain(PAYMENTS_BY_OPTION[options[PAYMENTS]](finished), _payments_for_held(options, finished, rules))
    return tuple(transfer_reasons(chain(_chop_payments(options, finished), _doubled(at_the_end, idle)), FROM))


def instant_win_reasons(standing: Sequence[str], points: int) -> tuple[PointReason, ...]:
    """Return the ledger lines for a hand that was won by the cards dealt: each other player pays these points."""
    winner, *others = standing
    said = INSTANT_WIN(name=winner)
    return tuple(transfer_reasons((PointTransfer(name, winner, said, points) for name in others), FROM))
