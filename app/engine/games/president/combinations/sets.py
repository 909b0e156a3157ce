"""Sets of equal rank, including wild cards: read them, and find them among a player's cards."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import KIND_OF_SET, Combination, cached_choices, distinct_choices
from app.engine.games.president.combinations.cards import HIGH, LOWEST, WILD, CardMeanings

_LARGEST = len(KIND_OF_SET) - 1
"""Number of cards in the largest set."""


def find_set_readings(faces: CardMeanings, cards: Cards, inverted: bool) -> tuple[Combination, ...]:
    """Return every set (cards of one rank) that these cards can be, strongest first; wild cards may stand for ranks.

    `faces` tells the meaning of each card. Empty if they form no set.
    """
    ranks = _possible_set_ranks(faces, cards, inverted=inverted)
    kind = KIND_OF_SET[len(cards)] if ranks else ""
    return tuple([Combination(kind, cards, (faces.rank_level(rank, inverted=inverted),), rank) for rank in ranks])


def _possible_set_ranks(faces: CardMeanings, cards: Cards, *, inverted: bool) -> tuple[str, ...]:
    if len(cards) > _LARGEST:
        return ()
    rank_of, is_wild = faces.rank_of, faces.is_wild
    natural = {rank_of(card) for card in cards if not is_wild(card)}
    if len(natural) > 1:
        return ()
    if not faces.has_wild(cards):
        return tuple(natural)
    if len(cards) > faces.max_wild_set_size:
        return ()
    if natural:
        # Wild cards can't join high cards or jokers that have a rank.
        (rank,) = natural
        return () if rank == HIGH or faces.is_joker_rank(rank) else (rank,)
    if faces.joker_role == "wild_only" and all(card.is_joker for card in cards):
        return (LOWEST,)
    return ranks_of_wild_sets(faces, inverted=inverted)


def ranks_of_wild_sets(faces: CardMeanings, *, inverted: bool = False) -> tuple[str, ...]:
    """Return the ranks that a set of only wild cards may have, best first; an option gives it one or any.

    `faces` tells the meaning of each card, and so the option. `inverted`: ranks are upside down now.
    """
    return (WILD,) if faces.wild_alone == "highest" else tuple(reversed(faces.ranks_low_to_high(inverted=inverted)))


RedCount: TypeAlias = int | None
"""The required number of red cards in a set; None: any number."""

AllowedRedCounts = Callable[[str, int, bool], tuple[RedCount, ...]]
"""Returns which sets of a rank and size, with or without wild cards, are wanted, as numbers of red cards.

An empty result: none are wanted.
"""


Candidate: TypeAlias = tuple[Cards, str, int]
"""Cards that may be a set, the rank of the natural ones (empty if all are wild), and the number of wild cards."""


def find_candidate_sets(
    faces: CardMeanings, held: Cards, sizes: range, allowed_red_counts: AllowedRedCounts, must: Card | None = None
) -> Iterator[Candidate]:
    """Yield every different choice of held cards that is a wanted set of one of these sizes, smallest first.

    Each comes with its rank and number of wild cards; `allowed_red_counts` tells which to build. If `must` is
    given, each choice contains it. With many wild cards there are very many choices, so unwanted ones are never built.
    """
    wild, groups = faces.split_wild_and_ranks(held)
    if must is not None:
        groups = tuple([(rank, cards) for rank, cards in groups if rank == faces.rank_of(must)])
    elif not wild:
        yield from _candidate_sets_without_wild(groups, sizes, allowed_red_counts)
        return
    alone = ranks_of_wild_sets(faces) if wild else ()
    each = [
        (rank, cards, 0 if rank == HIGH or faces.is_joker_rank(rank) else len(wild), len(cards))
        for rank, cards in groups
    ]
    for size in sizes:
        for rank, cards, joining, count in each:
            if size > count + joining:
                continue
            most = min(joining, size - 1) if size <= faces.max_wild_set_size else 0
            for stand_ins in range(max(0, size - count), most + 1):
                for reds in allowed_red_counts(rank, size, stand_ins > 0):
                    for natural in cached_choices(cards, size - stand_ins):
                        if must is not None and must not in natural:
                            continue
                        if not stand_ins and reds is None:
                            yield natural, rank, 0
                            continue
                        for rest in _choices_with_red_count(
                            wild, stand_ins, None if reds is None else reds - count_red(natural)
                        ):
                            yield natural + rest, rank, stand_ins
        if wild and must is None and size <= faces.max_wild_set_size:
            found = {reds for rank in alone for reds in allowed_red_counts(rank, size, True)}
            for reds in {None} if None in found else found:
                for cards in _choices_with_red_count(wild, size, reds):
                    yield cards, "", size


def _candidate_sets_without_wild(
    groups: Iterable[tuple[str, Cards]], sizes: range, allowed_red_counts: AllowedRedCounts
) -> Iterator[Candidate]:
    """Yield the wanted sets among cards without wild cards: the usual case in most games, and faster.

    Each comes with its rank and 0, the number of wild cards. `allowed_red_counts` tells the numbers of red cards that
    are wanted.
    """
    for size in sizes:
        for rank, cards in groups:
            if len(cards) >= size:
                for reds in allowed_red_counts(rank, size, False):
                    for some in cached_choices(cards, size):
                        if reds is None or count_red(some) == reds:
                            yield some, rank, 0


def count_red(cards: Cards) -> int:
    """Return the number of red cards, which count where colours decide between equal ranks."""
    return sum(card.is_red for card in cards)


def _choices_with_red_count(cards: Cards, size: int, reds: RedCount) -> Iterator[Cards]:
    """Yield every different choice of `size` cards, `reds` of them red, or any number with None."""
    if not size:
        yield from () if reds else ((),)
    elif reds is None:
        yield from distinct_choices(cards, size)
    elif 0 <= reds <= size:
        black = tuple(card for card in cards if not card.is_red)
        for red in distinct_choices((card for card in cards if card.is_red), reds):
            for rest in distinct_choices(black, size - reds):
                yield red + rest
