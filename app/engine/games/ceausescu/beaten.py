"""Every shape of the chart by its size, and what beats each: found by asking `beats` about one of each strength."""

from functools import cache

from app.engine.cards import RANK_NAMES
from app.engine.climbing.combinations import Combination
from app.engine.proposals import OfKind, Proposal

from . import bombs, patterns
from .patterns import Shape

SHAPES = (*patterns.PATTERNS, *bombs.BOMBS)
BY_SIZE = sorted(((size, shape) for shape in SHAPES for size in shape.sizes), key=lambda pair: pair[0])
"""Every shape in each of its sizes, smallest first."""
READERS = {size: tuple(shape for at, shape in BY_SIZE if at == size) for size, _ in BY_SIZE}

TO_LEAD: list[Proposal] = [
    OfKind("one card", ("single",)),
    OfKind("a pair", ("pair",)),
    OfKind("two to five consecutive pairs", ("consecutive_pairs",)),
    OfKind("three to five consecutive cards of one suit", ("straight_flush",)),
    OfKind("a flush of five", ("flush",)),
    OfKind(
        "a bomb or missile (three or four of a kind, a run of them, both jokers, or as many 4s as 7s, two of each at "
        "least)",
        tuple(bombs.LEVEL),
    ),
]
"""What may be led."""


_AT_LEVEL = {level: tuple(shape for shape in bombs.BOMBS if bombs.LEVEL[shape.kind] == level) for level in bombs.WORDS}
"""The shapes of each step of the ladder; the first has every strength that they may have."""


@cache
def _samples(shape: Shape, size: int) -> tuple[Combination, ...]:
    return tuple(shape.samples(size))


def proposals(on: Combination) -> list[Proposal]:
    """What beats a combination: its own kind higher, then bombs and missiles."""
    found: list[Proposal] = []
    own = next(shape for shape in SHAPES if shape.kind == on.kind)
    if own in patterns.PATTERNS and any(bombs.beats(one, on) for one in _samples(own, on.size)):
        found.append(OfKind(_higher(on), (on.kind,), (on.size,), on.strength))
    whole: list[int] = []
    for level, (shape, *_) in _AT_LEVEL.items():
        beating = [bombs.beats(one, on) for one in _samples(shape, shape.sizes[0])]
        if all(beating):
            whole.append(level)
        elif any(beating):
            words = f"{bombs.WORDS[level]} above the {RANK_NAMES[on.rank]}"
            found.append(OfKind(words, _kinds(level), above=on.strength))
    return [*found, *_together(whole)]


def _kinds(*levels: int) -> tuple[str, ...]:
    return tuple(shape.kind for level in levels for shape in _AT_LEVEL[level])


def _together(levels: list[int]) -> list[Proposal]:
    """Steps of the ladder that beat whatever their rank: all of them, all missiles, or one by one."""
    if levels == list(bombs.WORDS):
        return [OfKind("any bomb or missile", _kinds(*levels))]
    missiles = [level for level in levels if level >= bombs.LOWEST_MISSILE]
    if bombs.LOWEST_MISSILE not in missiles:
        return [OfKind(bombs.WORDS[level], _kinds(level)) for level in levels]
    lower = [OfKind(bombs.WORDS[level], _kinds(level)) for level in levels if level not in missiles]
    return [*lower, OfKind("any missile (four of a kind, or three or four 4s with as many 7s)", _kinds(*missiles))]


def _higher(on: Combination) -> str:
    return {
        "single": "a higher card",
        "pair": "a higher pair",
        "consecutive_pairs": f"{on.size // 2} consecutive pairs with a higher top",
        "straight_flush": f"{on.size} consecutive cards of one suit with a higher top",
        "flush": "a flush whose highest cards are higher",
    }[on.kind]
