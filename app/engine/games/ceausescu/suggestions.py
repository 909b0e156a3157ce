"""Suggestions of what beats a combination, found by testing the weakest and strongest of each kind."""

from functools import cache

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.cards.cards import rank_message
from app.engine.climbing.combinations import Combination
from app.engine.climbing.rule_hooks import ONE_CARD
from app.engine.climbing.search_counter import count_each
from app.engine.climbing.suggestion_data import KindSuggestion, Suggestion
from app.engine.games.ceausescu import bombs, patterns, society
from app.engine.games.ceausescu.patterns import CombinationKind

SHAPES = (*patterns.PATTERNS, *bombs.BOMBS)
BY_SIZE = sorted(((size, shape) for shape in SHAPES for size in shape.sizes), key=lambda pair: pair[0])
"""Every kind in each of its sizes, smallest first."""
READERS = {size: tuple(shape for at, shape in BY_SIZE if at == size) for size, _ in BY_SIZE}

A_PAIR = MessageTemplate("what.a_pair", "a pair")
CONSECUTIVE_PAIRS = MessageTemplate("what.consecutive_pairs", "pairs in a row")
CONSECUTIVE_CARDS = MessageTemplate("what.consecutive_cards", "a straight flush")
A_FLUSH = MessageTemplate("what.flush_of_five", "a flush")
BOMB_OR_MISSILE = MessageTemplate(
    "what.bomb_or_missile",
    "a bomb or missile",
)
LEAD_SUGGESTIONS: list[Suggestion] = [
    KindSuggestion(ONE_CARD(), ("single",)),
    KindSuggestion(A_PAIR(), ("pair",)),
    KindSuggestion(CONSECUTIVE_PAIRS(), ("consecutive_pairs",)),
    KindSuggestion(CONSECUTIVE_CARDS(), ("straight_flush",)),
    KindSuggestion(A_FLUSH(), ("flush",)),
    KindSuggestion(
        BOMB_OR_MISSILE(),
        tuple(bombs.LEVEL_BY_KIND),
    ),
]
"""Everything that may be led."""


_KINDS_BY_LEVEL = {
    level: tuple(shape for shape in bombs.BOMBS if bombs.LEVEL_BY_KIND[shape.kind] == level)
    for level in bombs.LEVEL_NAMES
}
"""The kinds of each level of bombs; the first kind of a level covers all its strengths."""


@cache
def _weakest_and_strongest(shape: CombinationKind, size: int) -> tuple[Combination, Combination]:
    """Return a combination of the lowest and one of the highest strength of this kind and size in Ceausescu; cached.

    `shape` is the kind.
    """
    found = sorted(shape.sample_combinations(size), key=lambda one: one.strength)
    return found[0], found[-1]


def _whether_all_and_any_beat(shape: CombinationKind, size: int, on: Combination) -> tuple[bool, bool]:
    """Return whether all combinations of a kind (`shape`) and size beat `on` in Ceausescu, and whether any does.

    It tests only the weakest and the strongest. Suggestions after a refused play use it.
    """
    lowest, highest = (bombs.beats(one, on) for one in count_each(_weakest_and_strongest(shape, size)))
    return lowest, highest


ABOVE = {
    level: MessageTemplate(f"what.above.{level}", f"{name.english} above rank {{rank}}")
    for level, name in bombs.LEVEL_NAMES.items()
}
ANY_BOMB = MessageTemplate("what.any_bomb", "any bomb or missile")
ANY_MISSILE = MessageTemplate("what.any_missile", "any missile")


def find_suggestions(on: Combination) -> list[KindSuggestion]:
    """Return suggestions of what beats a combination in Ceausescu, for a refused player.

    Higher ones of its pattern come first, then bombs and missiles.
    """
    found: list[KindSuggestion] = []
    own = next(shape for shape in SHAPES if shape.kind == on.kind)
    if own in patterns.PATTERNS and _whether_all_and_any_beat(own, on.size, on)[1]:
        found.append(KindSuggestion(_describe_higher(on), (on.kind,), (on.size,), on.strength))
    whole: list[int] = []
    for level, (shape, *_) in _KINDS_BY_LEVEL.items():
        all_do, some_do = _whether_all_and_any_beat(shape, shape.sizes[0], on)
        if all_do:
            whole.append(level)
        elif some_do:
            words = ABOVE[level](rank=rank_message(on.rank))
            found.append(KindSuggestion(words, _kinds_at_levels(level), above=on.strength))
    return [*found, *_merge_levels(whole, on)]


def _kinds_at_levels(*levels: int) -> tuple[str, ...]:
    return tuple(shape.kind for level in levels for shape in _KINDS_BY_LEVEL[level])


def _is_level_still_in_pack(level: int, on: Combination) -> bool:
    """Return whether the deck without the cards of `on` contains a bomb or missile of this level.

    A suggestion of bombs that can't exist would mislead.
    """
    left = tuple(card for card in society.PACK if card not in on.cards)
    return any(True for shape in _KINDS_BY_LEVEL[level] for _ in shape.find(left, shape.sizes[0]))


def _merge_levels(levels: list[int], on: Combination) -> list[KindSuggestion]:
    """Return suggestions for those levels of bombs and missiles that beat `on` with any rank.

    They are worded as all bombs and missiles, all missiles, or single levels.
    """
    if levels == list(bombs.LEVEL_NAMES):
        return [KindSuggestion(ANY_BOMB(), _kinds_at_levels(*levels))]
    missiles = [level for level in levels if level >= bombs.LOWEST_MISSILE]
    if bombs.LOWEST_MISSILE not in missiles:
        return [
            KindSuggestion(bombs.LEVEL_NAMES[level](), _kinds_at_levels(level))
            for level in levels
            if _is_level_still_in_pack(level, on)
        ]
    lower = [
        KindSuggestion(bombs.LEVEL_NAMES[level](), _kinds_at_levels(level)) for level in levels if level not in missiles
    ]
    return [*lower, KindSuggestion(ANY_MISSILE(), _kinds_at_levels(*missiles))]


HIGHER = {
    "single": MessageTemplate("what.higher_card", "a higher card"),
    "pair": MessageTemplate("what.higher_pair", "a higher pair"),
    "consecutive_pairs": MessageTemplate("what.higher_consecutive_pairs", {"other": "{count} higher pairs in a row"}),
    "straight_flush": MessageTemplate("what.higher_consecutive_cards", {"other": "a higher straight flush of {count}"}),
    "flush": MessageTemplate("what.higher_flush", "a higher flush"),
}
"""Texts for higher combinations of the same kind."""


def _describe_higher(on: Combination) -> TranslatableMessage:
    count = on.size // 2 if on.kind == "consecutive_pairs" else on.size
    return HIGHER[on.kind](count=count) if on.kind in ("consecutive_pairs", "straight_flush") else HIGHER[on.kind]()
