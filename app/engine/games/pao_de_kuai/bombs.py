"""Bombs [PDK-11 … PDK-13]: which cards are bombs, which plays bombs beat, and the points that they earn."""

from collections.abc import Iterable, Iterator

from app.engine.base.options import Choice, Number, Option, Options, Section, on_off_choice
from app.engine.cards.cards import RANKS, Cards
from app.engine.climbing.combinations import FOUR, Combination, cached_choices, declare_kind, group_by_rank

from .hand_memory import PlayedBomb
from .table import ONLINE_ROOMS

ACE_BOMB = Option(
    id="PDK-11",
    also="三A炸弹 AAA炸 three aces bomb",
    key="ace_bomb",
    label="Three aces",
    domain=on_off_choice("They are an ordinary triple", "They are a bomb"),
    default=False,
    sentence="Decides whether three aces alone are a bomb, as high as four aces.",
    example="As a bomb, A♣ A♦ A♥ beats K♠ K♣ K♦ K♥.",
    source=ONLINE_ROOMS,
    short={True: "Three aces are a bomb, too."},
)

BOMB_POINTS = Option(
    id="PDK-12",
    also="炸弹分 炸弹加分 bomb payment",
    key="bomb_points",
    label="Points for bombs",
    domain=Number(0, 100),
    default=10,
    sentence="Sets the points that each other player pays for a bomb.",
    example="With three players, a bomb brings 20 points by default.",
    source="hackmd.io",
)

BEATEN_BOMBS = Option(
    id="PDK-13",
    also="炸弹被压无分 beaten bombs",
    key="beaten_bombs",
    label="Beaten bombs",
    domain=Choice({"paid": "They are paid, too", "nothing": "They cost nothing"}),
    default="paid",
    sentence="Decides whether a bomb that a higher bomb beats is paid.",
    example="Ana’s four sixes are beaten by Bob’s four nines. With “They cost nothing” only Bob’s bomb is paid.",
    source=ONLINE_ROOMS,
)

SECTION = Section("bombs", "Bombs", (ACE_BOMB, BOMB_POINTS, BEATEN_BOMBS), importance=2)

THREE_ACES = declare_kind("three_aces", "three aces")
BOMB_SIZE = 4


def is_bomb(combination: Combination) -> bool:
    """Return whether a combination is a bomb."""
    return combination.kind in (FOUR, THREE_ACES)


def paid_bombs(options: Options, played: Iterable[PlayedBomb]) -> Iterator[tuple[PlayedBomb, int]]:
    """Yield the bombs of a hand that are paid, each with the points that every other player pays [PDK-12, PDK-13]."""
    return ((bomb, options[BOMB_POINTS]) for bomb in played if not bomb.beaten or options[BEATEN_BOMBS] == "paid")


class BombRules:
    """The bombs in one match of Pao De Kuai: it reads them and finds them among cards."""

    def __init__(self, options: Options) -> None:
        self._aces_are_bomb = options[ACE_BOMB]

    def read(self, cards: Cards) -> Combination | None:
        """Return cards as a bomb, or None if they are another play. The cards must be different."""
        size, rank = len(cards), cards[0][0]
        if size not in (BOMB_SIZE, BOMB_SIZE - 1) or any(card[0] != rank for card in cards):
            return None
        if size == BOMB_SIZE:
            return Combination(FOUR, cards, (RANKS.index(rank),), rank)
        return (
            Combination(THREE_ACES, cards, (RANKS.index(rank),), rank) if rank == "A" and self._aces_are_bomb else None
        )

    def find(self, held: Cards, above: int = -1) -> Iterator[Combination]:
        """Yield the bombs among the held cards whose rank has an index above a number, the lowest first."""
        groups = group_by_rank(sorted(held))
        for rank in RANKS[above + 1 :]:
            for size in (BOMB_SIZE - 1, BOMB_SIZE):
                found = (self.read(cards) for cards in cached_choices(tuple(groups.get(rank, ())), size))
                yield from (bomb for bomb in found if bomb is not None)
