"""Every shape of the chart by its size, and what beats each: found by asking `beats` about the lowest and the highest
of each shape."""

from functools import cache

from app.engine.base.messages import Said, Sentence
from app.engine.cards.cards import rank_said
from app.engine.climbing.combinations import Combination
from app.engine.climbing.rule_hooks import ONE_CARD
from app.engine.climbing.search_counter import looked_at
from app.engine.climbing.suggestion_data import OfKind, Proposal
from app.engine.games.ceausescu import bombs, patterns, society
from app.engine.games.ceausescu.patterns import Shape

SHAPES = (*patterns.PATTERNS, *bombs.BOMBS)
BY_SIZE = sorted(((size, shape) for shape in SHAPES for size in shape.sizes), key=lambda pair: pair[0])
"""Every shape in each of its sizes, smallest first."""
READERS = {size: tuple(shape for at, shape in BY_SIZE if at == size) for size, _ in BY_SIZE}

A_PAIR = Sentence("what.a_pair", "a pair")
CONSECUTIVE_PAIRS = Sentence("what.consecutive_pairs", "two to five consecutive pairs")
CONSECUTIVE_CARDS = Sentence("what.consecutive_cards", "three to five consecutive cards of one suit")
A_FLUSH = Sentence("what.flush_of_five", "a flush of five")
BOMB_OR_MISSILE = Sentence(
    "what.bomb_or_missile",
    "a bomb or missile (three or four of a kind, a run of them, both jokers, or as many 4s as 7s, two of each at "
    "least)",
)
TO_LEAD: list[Proposal] = [
    OfKind(ONE_CARD(), ("single",)),
    OfKind(A_PAIR(), ("pair",)),
    OfKind(CONSECUTIVE_PAIRS(), ("consecutive_pairs",)),
    OfKind(CONSECUTIVE_CARDS(), ("straight_flush",)),
    OfKind(A_FLUSH(), ("flush",)),
    OfKind(
        BOMB_OR_MISSILE(),
        tuple(bombs.LEVEL),
    ),
]
"""What may be led."""


_AT_LEVEL = {level: tuple(shape for shape in bombs.BOMBS if bombs.LEVEL[shape.kind] == level) for level in bombs.WORDS}
"""The shapes of each step of the ladder; the first has every strength that they may have."""


@cache
def _extremes(shape: Shape, size: int) -> tuple[Combination, Combination]:
    """Return one of the lowest strength and one of the highest that so many cards of this shape may have."""
    found = sorted(shape.samples(size), key=lambda one: one.strength)
    return found[0], found[-1]


def _beat(shape: Shape, size: int, on: Combination) -> tuple[bool, bool]:
    """Return whether all combinations of a shape beat one, and whether any does."""
    lowest, highest = (bombs.beats(one, on) for one in looked_at(_extremes(shape, size)))
    return lowest, highest


ABOVE = Sentence("what.above", "{what} above the {rank}")
ANY_BOMB = Sentence("what.any_bomb", "any bomb or missile")
ANY_MISSILE = Sentence("what.any_missile", "any missile (four of a kind, or three or four 4s with as many 7s)")


def proposals(on: Combination) -> list[OfKind]:
    """What beats a combination: its own kind higher, then bombs and missiles."""
    found: list[OfKind] = []
    own = next(shape for shape in SHAPES if shape.kind == on.kind)
    if own in patterns.PATTERNS and _beat(own, on.size, on)[1]:
        found.append(OfKind(_higher(on), (on.kind,), (on.size,), on.strength))
    whole: list[int] = []
    for level, (shape, *_) in _AT_LEVEL.items():
        all_do, some_do = _beat(shape, shape.sizes[0], on)
        if all_do:
            whole.append(level)
        elif some_do:
            words = ABOVE(what=bombs.WORDS[level](), rank=rank_said(on.rank))
            found.append(OfKind(words, _kinds(level), above=on.strength))
    return [*found, *_together(whole, on)]


def _kinds(*levels: int) -> tuple[str, ...]:
    return tuple(shape.kind for level in levels for shape in _AT_LEVEL[level])


def _is_there(level: int, on: Combination) -> bool:
    """Return whether the pack has a bomb or missile of this step beside the cards of a combination."""
    left = tuple(card for card in society.PACK if card not in on.cards)
    return any(True for shape in _AT_LEVEL[level] for _ in shape.find(left, shape.sizes[0]))


def _together(levels: list[int], on: Combination) -> list[OfKind]:
    """Steps of the ladder that beat whatever their rank: all of them, all missiles, or one by one."""
    if levels == list(bombs.WORDS):
        return [OfKind(ANY_BOMB(), _kinds(*levels))]
    missiles = [level for level in levels if level >= bombs.LOWEST_MISSILE]
    if bombs.LOWEST_MISSILE not in missiles:
        return [OfKind(bombs.WORDS[level](), _kinds(level)) for level in levels if _is_there(level, on)]
    lower = [OfKind(bombs.WORDS[level](), _kinds(level)) for level in levels if level not in missiles]
    return [*lower, OfKind(ANY_MISSILE(), _kinds(*missiles))]


HIGHER = {
    "single": Sentence("what.higher_card", "a higher card"),
    "pair": Sentence("what.higher_pair", "a higher pair"),
    "consecutive_pairs": Sentence(
        "what.higher_consecutive_pairs", {"other": "{count} consecutive pairs with a higher top"}
    ),
    "straight_flush": Sentence(
        "what.higher_consecutive_cards", {"other": "{count} consecutive cards of one suit with a higher top"}
    ),
    "flush": Sentence("what.higher_flush", "a flush whose highest cards are higher"),
}
"""The same kind, higher."""


def _higher(on: Combination) -> Said:
    count = on.size // 2 if on.kind == "consecutive_pairs" else on.size
    return HIGHER[on.kind](count=count) if on.kind in ("consecutive_pairs", "straight_flush") else HIGHER[on.kind]()
