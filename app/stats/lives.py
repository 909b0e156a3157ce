"""What a match counts apart from points, such as lives: how many everybody has left after each hand, who held out with
the last, and how a card went round until somebody lost one by it.

A hand's reasons tell who lost how many, and an event says that all begin anew.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.engine.display.events import SWAPPED, EventType
from app.engine.display.point_reasons import AMOUNTS, Unit
from app.stats.hand_story import KeptHand


class OneHand(Protocol):
    """A hand of a match, as far as this needs it."""

    @property
    def number(self) -> int:
        """Count it from 0."""
        ...

    @property
    def kept(self) -> KeptHand:
        """What is kept of it."""
        ...


@dataclass(frozen=True, slots=True)
class Left:
    """What everybody has left after a hand."""

    unit: Unit | None
    """None where nothing is counted apart, or not yet."""
    first: int
    """So many each began with."""
    of: Mapping[str, int]
    """By name; of those who have gone, only who had none left."""


NOTHING = Left(None, 0, {})


def left(hands: Sequence[OneHand]) -> list[Left]:
    """Count after each of these hands what everybody has left."""
    counted: list[Left] = []
    now = NOTHING
    for hand in hands:
        now = _after(now, hand.kept)
        counted.append(now)
    return counted


def _after(before: Left, kept: KeptHand) -> Left:
    playing = kept.record["cards"]
    unit, first = before.unit, before.first
    have = {name: count for name, count in before.of.items() if name in playing or not count}
    for event in kept.events:
        if (anew := EventType.begins_anew(event["e"])) is not None:
            unit, first = anew, int(event[anew])
            have = dict.fromkeys(playing, first)
    for reason in kept.result.get("reasons", ()):
        if reason["unit"] in AMOUNTS and reason["name"] in have:
            have[reason["name"]] += reason["amount"]
    return Left(unit, first, have)


def on_the_last(hands: Sequence[OneHand], counted: Sequence[Left]) -> Iterator[tuple[int, str, int]]:
    """List who played how many hands in a row with one left, of several they had, and the number of the last of these.

    Each hand of such a row is listed, as if it were over with it.
    """
    rows: dict[str, int] = {}
    for before, hand in zip((NOTHING, *counted), hands, strict=False):
        anew = any(EventType.begins_anew(event["e"]) for event in hand.kept.events)
        alone = {name for name in hand.kept.record["cards"] if before.of.get(name) == 1 and before.first > 1}
        rows = {} if anew else {name: rows.get(name, 0) + 1 for name in alone}
        yield from ((count, name, hand.number) for name, count in rows.items())


def handed_on(kept: KeptHand) -> Iterator[tuple[tuple[str, ...], str, int]]:
    """List the cards with which somebody lost something, by whose hands they went until then: the first was dealt the
    card, and the last lost by it. With each, the card and the move with which it came there."""
    for lost in kept.events:
        card = lost.get("cards")
        if not EventType.decides(lost["e"]) or not isinstance(card, str):
            continue
        hands = [name for name, cards in kept.record["cards"].items() if card in cards.split()]
        move = 0
        for event in kept.events:
            if event["e"] == SWAPPED.name and hands and hands[-1] in (event["by"], event["to"]):
                hands.append(event["to"] if hands[-1] == event["by"] else event["by"])
                move = event["n"]
        if len(hands) > 1 and hands[-1] == lost["by"] != hands[0]:
            yield tuple(hands), card, move
