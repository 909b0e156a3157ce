"""Sets of equal rank, wild cards included: what some cards may be read as, and all choices that may be a set."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import KIND_OF_SET, Combination, choices, chosen
from app.engine.games.president.combinations.cards import HIGH, LOWEST, WILD, CardMeanings

_LARGEST = len(KIND_OF_SET) - 1
"""Cards in the largest set that has a name."""


def readings(faces: CardMeanings, cards: Cards, inverted: bool) -> tuple[Combination, ...]:
    """Every set that these cards make, strongest first."""
    ranks = _ranks(faces, cards, inverted=inverted)
    kind = KIND_OF_SET[len(cards)] if ranks else ""
    return tuple([Combination(kind, cards, (faces.level(rank, inverted=inverted),), rank) for rank in ranks])


def _ranks(faces: CardMeanings, cards: Cards, *, inverted: bool) -> tuple[str, ...]:
    if len(cards) > _LARGEST:
        return ()
    rank_of, is_wild = faces.rank, faces.is_wild
    natural = {rank_of(card) for card in cards if not is_wild(card)}
    if len(natural) > 1:
        return ()
    if not faces.has_wild(cards):
        return tuple(natural)
    if len(cards) > faces.largest:
        return ()
    if natural:
        # High cards make sets with each other only, and ranking jokers have no other rank to be joined.
        (rank,) = natural
        return () if rank == HIGH or faces.is_joker_rank(rank) else (rank,)
    if faces.joker_role == "wild_only" and all(card.is_joker for card in cards):
        return (LOWEST,)
    return wild_ranks(faces, inverted=inverted)


def wild_ranks(faces: CardMeanings, *, inverted: bool = False) -> tuple[str, ...]:
    """What sets made only of wild cards may count as, best first."""
    return (WILD,) if faces.wild_alone == "highest" else tuple(reversed(faces.order(inverted=inverted)))


Reds: TypeAlias = int | None
"""How many red cards a set has to have; None: any number."""

Wanted = Callable[[str, int, bool], tuple[Reds, ...]]
"""Which sets of a rank and size, with or without wild cards, are wanted: none, or those with so many red cards."""


Candidate: TypeAlias = tuple[Cards, str, int]
"""Held cards that may be a set; the rank of those that are not wild, empty where all are; how many are wild."""


def candidates(
    faces: CardMeanings, held: Cards, sizes: range, wanted: Wanted, must: Card | None = None
) -> Iterator[Candidate]:
    """Every different choice of held cards that is a wanted set of one of these sizes, smallest first.

    Only with the card that it must have. Of many wild cards very many choices can be made, so none is made in vain.
    """
    wild, groups = faces.grouped(held)
    if must is not None:
        groups = tuple([(rank, cards) for rank, cards in groups if rank == faces.rank(must)])
    elif not wild:
        yield from _natural(groups, sizes, wanted)
        return
    alone = wild_ranks(faces) if wild else ()
    each = [
        (rank, cards, 0 if rank == HIGH or faces.is_joker_rank(rank) else len(wild), len(cards))
        for rank, cards in groups
    ]
    for size in sizes:
        for rank, cards, joining, count in each:
            if size > count + joining:
                continue
            most = min(joining, size - 1) if size <= faces.largest else 0
            for stand_ins in range(max(0, size - count), most + 1):
                for reds in wanted(rank, size, stand_ins > 0):
                    for natural in chosen(cards, size - stand_ins):
                        if must is not None and must not in natural:
                            continue
                        if not stand_ins and reds is None:
                            yield natural, rank, 0
                            continue
                        for rest in _coloured(wild, stand_ins, None if reds is None else reds - count_red(natural)):
                            yield natural + rest, rank, stand_ins
        if wild and must is None and size <= faces.largest:
            found = {reds for rank in alone for reds in wanted(rank, size, True)}
            for reds in {None} if None in found else found:
                for cards in _coloured(wild, size, reds):
                    yield cards, "", size


def _natural(groups: Iterable[tuple[str, Cards]], sizes: range, wanted: Wanted) -> Iterator[Candidate]:
    """The same of cards of which none is wild: most holdings of most games."""
    for size in sizes:
        for rank, cards in groups:
            if len(cards) >= size:
                for reds in wanted(rank, size, False):
                    for some in chosen(cards, size):
                        if reds is None or count_red(some) == reds:
                            yield some, rank, 0


def count_red(cards: Cards) -> int:
    """How many of these cards are red."""
    return sum(card.is_red for card in cards)


def _coloured(cards: Cards, size: int, reds: Reds) -> Iterator[Cards]:
    """Every different choice of so many cards, so many of them red."""
    if not size:
        yield from () if reds else ((),)
    elif reds is None:
        yield from choices(cards, size)
    elif 0 <= reds <= size:
        black = tuple(card for card in cards if not card.is_red)
        for red in choices((card for card in cards if card.is_red), reds):
            for rest in choices(black, size - reds):
                yield red + rest
