"""Shuffles that anybody can repeat: cards and a number in, an order out.

For record files and for packs made anew within a hand. It is chance for those who don't know the number, and no secret:
how a fair deal is agreed on is the rooms' business.

>>> from .cards import parse_cards, show
>>> show(shuffled(parse_cards("3c 4c 5c 6c"), 1)) == show(shuffled(parse_cards("3c 4c 5c 6c"), 1))
True
"""

from collections.abc import Iterator
from hashlib import sha256

from app.engine.cards.cards import Cards


def shuffled(cards: Cards, seed: int, nth: int = 0) -> Cards:
    """These cards in an order that goes by the seed; `nth` counts the shuffles of one hand."""
    order = list(cards)
    words = _words(f"{seed}/{nth}")
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _words(key: str) -> Iterator[int]:
    """Numbers below 2**32, without end."""
    block = 0
    while True:
        digest = sha256(f"{key}/{block}".encode()).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, len(digest), 4))
        block += 1


def _below(limit: int, words: Iterator[int]) -> int:
    """A number below `limit`, each as likely as the next: words from the uneven rest at the top are passed over."""
    fair = 2**32 - 2**32 % limit
    return next(word for word in words if word < fair) % limit
