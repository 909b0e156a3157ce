"""Sets of equal rank, wild cards included: what some cards may be read as, and all choices that may be a set."""

from collections.abc import Iterator

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
    if faces.wild_alone == "highest":
        return (WILD,)
    return tuple(reversed(faces.order(inverted=inverted)))


def candidates(faces: Faces, held: Cards, sizes: range) -> Iterator[Cards]:
    """Every different choice of held cards that is a set of one of these sizes, smallest first."""
    wild = tuple(card for card in held if faces.is_wild(card))
    groups: dict[str, list[Card]] = {}
    for card in held:
        if not faces.is_wild(card):
            groups.setdefault(faces.rank(card), []).append(card)
    for size in sizes:
        for rank, cards in groups.items():
            joinable = rank != HIGH and not faces.is_joker_rank(rank) and size <= faces.largest
            for stand_ins in range(min(len(wild), size - 1) + 1 if joinable else 1):
                if size - stand_ins > len(cards):
                    continue
                for natural in choices(tuple(cards), size - stand_ins):
                    for rest in choices(wild, stand_ins):
                        yield natural + rest
        if size <= faces.largest:
            yield from choices(wild, size) if wild else ()
