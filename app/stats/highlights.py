"""The moves of a hand that its story tells and its replay leads to: what people will speak of, and what decided it.

They are found among the public events as they were kept, so that a hand of a room, of a variation and of a file has
the same. Who goes out first, and with whose trick the way was free, nobody tells at the table: everybody sees it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from app.engine.climbing.hand import PLAYED, TRICK_OVER
from app.engine.display.events import OUT, EventJson, EventType

OUT_FIRST = EventType("out_first", "{by} is out first.")
CLEARED = EventType("cleared_the_way", "That ends the trick, and {by} goes out first with the next lead.")
ESCAPED = EventType("escaped", "That ends the trick, {by} goes out with the next lead, and {last} is last.")

MOST: Final = 6
"""Moves of one hand. Where more are notable, the kinds that come most often give way, the earlier ones first."""

Move = TypeVar("Move")
Moments: TypeAlias = list[tuple[int | None, EventJson]]
"""What is told, each with its move."""


def spoken_of(events: Iterable[EventJson], result: Mapping[str, Any]) -> Moments:
    """Find what people will speak of."""
    notable = frozenset(result["events"])
    return [(event["n"], event) for event in events if EventType.is_moment(event["e"], notable=event["e"] in notable)]


def highlights(spoken: Moments, events: Sequence[EventJson], result: Mapping[str, Any], players: int) -> Moments:
    """Add to what people will speak of what decided the hand, and leave so many moves of it all as one wants to see."""
    found = sorted((*spoken, *_decided(events, result["standing"], players)), key=lambda moment: moment[0] or 0)
    kept = rarest(((n, event["e"]) for n, event in found), MOST)
    return [(n, event) for n, event in found if n in kept]


def rarest(moments: Iterable[tuple[Move, str]], most: int) -> frozenset[Move]:
    """Choose so many moves, in whose order and with what came of them: those of which the rarest came.

    Of two that are as rare the later one is nearer to the end.
    """
    found = list(moments)
    kinds = Counter(what for _, what in found)
    moves: dict[Move, int] = {}
    for move, what in found:
        moves[move] = min(moves.get(move, len(found)), kinds[what])
    later_first = list(reversed(moves))
    return frozenset(sorted(later_first, key=lambda move: moves[move])[:most])


def _decided(events: Sequence[EventJson], standing: Sequence[Any], players: int) -> Iterator[tuple[int, EventJson]]:
    """Tell what a hand turned on: what says so of itself, who was out first, and which tricks let somebody out."""
    yield from ((event["n"], event) for event in events if EventType.decides(event["e"]))
    plays = {event["n"]: event["by"] for event in events if event["e"] == PLAYED.name}
    went = ((event["by"], event["n"]) for event in events if event["e"] == OUT.name)
    outs = {name: n for name, n in went if plays.get(n) == name}
    placed = [each if isinstance(each, str) else None for each in standing]
    if placed and placed[0] in outs:
        first = placed[0]
        for n in _freed(outs[first], plays, events):
            yield n, CLEARED(first).to_json()
        yield outs[first], OUT_FIRST(first).to_json()
    if len(placed) == players > 2 and placed[-2] in outs:
        for n in _freed(outs[placed[-2]], plays, events):
            yield n, ESCAPED(placed[-2], last=placed[-1]).to_json()


def _freed(out: int, plays: Mapping[int, str], events: Sequence[EventJson]) -> Iterator[int]:
    """The play just before the one with which somebody went out, if it was theirs, too, and ended the trick at once."""
    before = max((n for n in plays if n < out), default=None)
    if before is not None and plays[before] == plays[out]:
        yield from (event["n"] for event in events if event["e"] == TRICK_OVER.name and event["n"] == before)
