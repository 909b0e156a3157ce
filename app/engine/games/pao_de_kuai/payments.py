"""Payments [PDK-16 … PDK-18]: from the cards left and the bombs of a hand to the ledger.

Each payment goes from one player to another, so a hand adds up to zero. Nothing here depends on how the hand was
played.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Choice, Option, Options, Section, ZeroSum
from app.engine.cards.cards import Card, Cards, describe_cards
from app.engine.display.point_reasons import PointReason, PointTransfer, transfer_reasons

from .bombs import paid_bombs
from .hand_memory import PlayedBomb
from .table import ONLINE_ROOMS

ONE_LEFT = Option(
    id="PDK-16",
    also="保本 报单不输 剩一张不输分 one card left",
    key="one_left",
    label="One card left",
    domain=Choice({"free": "It costs nothing", "paid": "It costs 1 point"}),
    default="free",
    sentence="Decides whether a player with only one card left pays for it.",
    example="Ana is out, Bob has one card, Cat six. By default Bob pays nothing, Cat 6 points.",
    source="ac.qq.com",
)

SPRING = Option(
    id="PDK-17",
    also="春天 全关 關牌 shut out",
    key="spring",
    label="Players without a play",
    domain=Choice({"double": "They pay double", "plain": "They pay the same as others"}),
    default="double",
    sentence="Decides whether a player without a play in the hand pays double for cards left.",
    example="Cat never played and has 16 cards at the end. By default Cat pays 32 points.",
    source="hackmd.io",
    short={"double": "Without a play, you pay double."},
)

HEART_TEN = Option(
    id="PDK-18",
    also="红桃10扎鸟 扎鸟 ten of hearts bird",
    key="heart_ten",
    label="The ten of hearts",
    domain=Choice({"plain": "It is an ordinary card", "double": "Payments of and to its player count double"}),
    default="plain",
    sentence="Decides whether payments for cards left count double if one of the two players was dealt the ten of "
    "hearts.",
    example="Ana wins and was dealt 10♥: all others pay double. If Bob was dealt it, only Bob pays double.",
    source=ONLINE_ROOMS,
    short={"double": "Payments of and to the player who was dealt 10♥ count double."},
)

SECTION = Section("payments", "Payments", (ONE_LEFT, SPRING, HEART_TEN), importance=1)

ZERO_SUM = ZeroSum("The points of each hand add up to zero, because players pay each other.")
TEN_OF_HEARTS = Card("Th")


@dataclass(frozen=True, slots=True)
class HandToPay:
    """The end of a hand of Pao De Kuai, as the input of scoring."""

    standing: Sequence[str]
    """The order of finish, the winner first."""
    cards_left: Mapping[str, Cards]
    played: Sequence[str]
    """Players who have made a play."""
    bombs: Sequence[PlayedBomb]
    ten_by: str | None
    """The player who played the ten of hearts."""
    liable: str | None
    """The player who pays for all."""

    @property
    def winner(self) -> str:
        """Return the player who was out first."""
        return self.standing[0]

    @property
    def ten_dealt_to(self) -> str | None:
        """Return the player who was dealt the ten of hearts; None if it stayed out of the hand."""
        holder = next((name for name, cards in self.cards_left.items() if TEN_OF_HEARTS in cards), None)
        return self.ten_by or holder


Payments: TypeAlias = Iterator[PointTransfer]

FROM = MessageTemplate("pao_de_kuai.reason.from", "From {name}")
CARDS_LEFT = MessageTemplate(
    "pao_de_kuai.reason.cards_left",
    {"one": "{count} card left: paid to {name}", "other": "{count} cards left: paid to {name}"},
)
FOR_ANOTHER = MessageTemplate(
    "pao_de_kuai.reason.for_another",
    {"one": "Paid for {name}: {count} card left", "other": "Paid for {name}: {count} cards left"},
)
NEVER_PLAYED = MessageTemplate("pao_de_kuai.reason.never_played", "Doubled: {name} had no play")
TEN_DEALT = MessageTemplate("pao_de_kuai.reason.ten", "Doubled: {name} was dealt {card}")
BOMBED = MessageTemplate("pao_de_kuai.reason.bomb", "Bomb {cards} of {name}")


def _bomb_payments(options: Options, finished: HandToPay) -> Payments:
    """Yield what each other player pays for each bomb [PDK-12, PDK-13]."""
    for bomb, points in paid_bombs(options, finished.bombs):
        said = BOMBED(cards=str(describe_cards(bomb.cards)), name=bomb.by)
        others = (name for name in finished.standing if name != bomb.by)
        yield from (PointTransfer(name, bomb.by, said, points) for name in others)


def _card_payments(options: Options, finished: HandToPay) -> Payments:
    """Yield what is paid to the winner for cards left, with each doubling [PDK-16 … PDK-18]."""
    winner, ten = finished.winner, finished.ten_dealt_to if options[HEART_TEN] == "double" else None
    for name in finished.standing[1:]:
        payer, count = finished.liable or name, len(finished.cards_left[name])
        points = 0 if count == 1 and options[ONE_LEFT] == "free" else count
        said = CARDS_LEFT(count=count, name=winner) if payer == name else FOR_ANOTHER(count=count, name=name)
        yield PointTransfer(payer, winner, said, points)
        if name not in finished.played and options[SPRING] == "double":
            yield PointTransfer(payer, winner, NEVER_PLAYED(name=name), points)
            points *= 2
        if ten is not None and ten in (name, winner):
            said = TEN_DEALT(name=ten, card=str(describe_cards((TEN_OF_HEARTS,))))
            yield PointTransfer(payer, winner, said, points)


def point_reasons(options: Options, finished: HandToPay) -> tuple[PointReason, ...]:
    """Return the ledger lines for all payments of a hand."""
    paid = chain(_bomb_payments(options, finished), _card_payments(options, finished))
    return tuple(transfer_reasons(paid, FROM))
