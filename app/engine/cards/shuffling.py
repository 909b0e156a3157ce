"""Reproducible shuffles: cards and a seed give an order.

They are used for record files and for decks that are reshuffled within a hand. The order looks random to anyone who
does not know the seed, but it is not secret. Agreeing on a fair deal is the task of the rooms.

>>> from .cards import format_cards, parse_cards
>>> format_cards(shuffled(parse_cards("3c 4c 5c"), 1)) == format_cards(shuffled(parse_cards("3c 4c 5c"), 1))
True
"""

from collections.abc import Iterator
from hashlib import sha256

from app.engine.cards.cards import Cards


def shuffled(cards: Cards, seed: int, nth: int = 0) -> Cards:
    """Return these cards in an order that depends only on the seed; `nth` numbers the shuffles of one hand.

    Anybody who knows the seed can check the order later.
    """
    order = list(cards)
    words = _hashed_numbers(f"{seed}/{nth}")
    for last in range(len(order) - 1, 0, -1):
        other = _number_below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _hashed_numbers(key: str) -> Iterator[int]:
    """Yield an endless sequence of numbers below 2**32, derived from the key by hashing; a shuffle uses them."""
    block = 0
    while True:
        digest = sha256(f"{key}/{block}".encode()).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, len(digest), 4))
        block += 1


def _number_below(limit: int, words: Iterator[int]) -> int:
    """Return a random number below `limit`, each equally likely, from the numbers in `words`, for a shuffle.

    Numbers from the incomplete last interval below 2**32 are skipped.
    """
    fair = 2**32 - 2**32 % limit
    return next(word for word in words if word < fair) % limit
