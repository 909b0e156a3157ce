"""Lives and similar units that a match counts apart from points.

Functions count the lives left after each hand, find streaks on the last life, and follow a losing card from player to
player. Lost lives come from the reasons in a hand's result. A reset event gives all players the starting number again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.engine.display.events import SWAPPED, GameEventType
from app.engine.display.point_reasons import AMOUNTS, Unit
from app.stats.hand_story import StoredHand


class HandWithRecord(Protocol):
    """A hand of a match, with the fields that counting lives needs."""

    @property
    def number(self) -> int:
        """Return the number of the hand in its match, from 0."""
        ...

    @property
    def stored(self) -> StoredHand:
        """Return the stored data of the hand: its actions, events and result."""
        ...


@dataclass(frozen=True, slots=True)
class LivesLeft:
    """The lives (or another unit counted apart from points) that each player has left after a hand of a match."""

    unit: Unit | None
    """The unit counted, or None if the match counts only points so far."""
    starting_count: int
    """Number that each player had at the last reset."""
    by_player: Mapping[str, int]
    """Lives left, by name. Players who left the match are included only if they had 0."""


NO_LIVES = LivesLeft(None, 0, {})


def count_lives_left(hands: Sequence[HandWithRecord]) -> list[LivesLeft]:
    """Return the lives (or another unit) that players have left after each hand of a match, one result for each hand.

    Stories of matches use it. Before a match counts lives, the results have no unit and no players.
    """
    counted: list[LivesLeft] = []
    now = NO_LIVES
    for hand in hands:
        now = _lives_after_hand(now, hand.stored)
        counted.append(now)
    return counted


def _lives_after_hand(before: LivesLeft, stored: StoredHand) -> LivesLeft:
    playing = stored.record["cards"]
    unit, first = before.unit, before.starting_count
    have = {name: count for name, count in before.by_player.items() if name in playing or not count}
    for event in stored.events:
        if (anew := GameEventType.unit_reset_by(event["e"])) is not None:
            unit, first = anew, int(event[anew])
            have = dict.fromkeys(playing, first)
    for reason in stored.result.get("reasons", ()):
        if reason["unit"] in AMOUNTS and reason["name"] in have:
            have[reason["name"]] += reason["amount"]
    return LivesLeft(unit, first, have)


def streaks_on_last_life(
    hands: Sequence[HandWithRecord], counted: Sequence[LivesLeft]
) -> Iterator[tuple[int, str, int]]:
    """Yield streaks of hands that a player began with one life, in games that began with several lives each.

    `counted` has the lives after each hand. A hand with a reset ends all streaks. Each item is the number of hands in a
    row so far, the player's name and the number of the current hand; every hand of a streak yields one.
    """
    rows: dict[str, int] = {}
    for before, hand in zip((NO_LIVES, *counted), hands, strict=False):
        anew = any(GameEventType.unit_reset_by(event["e"]) for event in hand.stored.events)
        alone = {
            name
            for name in hand.stored.record["cards"]
            if before.by_player.get(name) == 1 and before.starting_count > 1
        }
        rows = {} if anew else {name: rows.get(name, 0) + 1 for name in alone}
        yield from ((count, name, hand.number) for name, count in rows.items())


def passed_losing_cards(stored: StoredHand) -> Iterator[tuple[tuple[str, ...], str, int]]:
    """Yield each losing card that was swapped on: its holders in order, the card, and the last move that passed it.

    The first player was dealt the card, and the last player lost by it. Cards that came back to the first player are
    left out.
    """
    for lost in stored.events:
        card = lost.get("cards")
        if not GameEventType.is_decisive(lost["e"]) or not isinstance(card, str):
            continue
        hands = [name for name, cards in stored.record["cards"].items() if card in cards.split()]
        move = 0
        for event in stored.events:
            if event["e"] == SWAPPED.name and hands and hands[-1] in (event["by"], event["to"]):
                hands.append(event["to"] if hands[-1] == event["by"] else event["by"])
                move = event["n"]
        if len(hands) > 1 and hands[-1] == lost["by"] != hands[0]:
            yield tuple(hands), card, move
