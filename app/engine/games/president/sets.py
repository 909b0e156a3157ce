"""Sets of equal rank, wild cards included: what some cards may be read as, and all choices that may be a set."""

from collections.abc import Callable, Iterator

from app.engine.cards import Card, Cards
from app.engine.climbing.combinations import KIND_OF_SET, Combination, choices

from .cards import HIGH, LOWEST, WILD, Faces


def readings(faces: Faces, cards: Cards, *, inverted: bool) -> list[Combination]:
    """Every set that these cards make, strongest first."""
    return [
        Combination(KIND_OF_SET[len(cards)], cards, faces.level(rank, inverted=inverted), rank)
        for rank in _ranks(faces, cards, inverted=inverted)
    ]


def _ranks(faces: Faces, cards: Cards, *, inverted: bool) -> tuple[str, ...]:
    if len(cards) >= len(KIND_OF_SET):
        return ()
    natural = {faces.rank(card) for card in cards if not faces.is_wild(card)}
    if len(natural) > 1:
        return ()
    if not any(map(faces.is_wild, cards)):
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


def wild_ranks(faces: Faces, *, inverted: bool = False) -> tuple[str, ...]:
    """What sets made only of wild cards may count as, best first."""
    return (WILD,) if faces.wild_alone == "highest" else tuple(reversed(faces.order(inverted=inverted)))


def candidates(
    faces: Faces, held: Cards, sizes: range, worth_trying: Callable[[str, int], bool], must: Card | None = None
) -> Iterator[Cards]:
    """Every different choice of held cards that is a set of one of these sizes, smallest first.

    Only ranks and sizes that are worth trying, and only with the card that it must have.
    """
    wild = tuple(card for card in held if faces.is_wild(card))
    groups: dict[str, list[Card]] = {}
    for card in held:
        if not faces.is_wild(card) and (must is None or faces.rank(card) == faces.rank(must)):
            groups.setdefault(faces.rank(card), []).append(card)
    alone = wild_ranks(faces)
    for size in sizes:
        for rank, cards in groups.items():
            if not worth_trying(rank, size):
                continue
            joinable = rank != HIGH and not faces.is_joker_rank(rank) and size <= faces.largest
            for stand_ins in range(min(len(wild), size - 1) + 1 if joinable else 1):
                for natural in choices(cards, size - stand_ins):
                    if must is not None and must not in natural:
                        continue
                    for rest in choices(wild, stand_ins):
                        yield natural + rest
        if wild and must is None and size <= faces.largest and any(worth_trying(rank, size) for rank in alone):
            yield from choices(wild, size)
