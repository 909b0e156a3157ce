"""Cards, packs and their text form.

A card is two characters: rank `3 4 5 6 7 8 9 T J Q K A 2`, then suit `c d h s`; jokers are `Xb` (black)
and `Xr` (red). A `Card` *is* that text, so it is its own notation, hashes fast and goes into JSON as it is.

>>> hand = parse_cards("7c 7d Xr")
>>> hand[0].rank, hand[0].suit, hand[2].is_joker
('7', 'c', True)
>>> show(hand)
'7c 7d Xr'
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from app.engine.base.errors import RuleError
from app.engine.base.messages import Listed, Said, Sentence, beside

RANKS = "3456789TJQKA2"
"""Natural ranks in the order of most climbing games, from low."""

SUITS = "cdhs"
"""Suits in the order of the notation; most games do not rank them."""

JOKER = "X"
"""The rank of both jokers; their suits are `b` and `r`."""

RANK_NAMES = {
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
    "2": "two",
    "X": "joker",
}


class Card(str):
    """One card, as text: `Card("3c")`. Use `card()` to read one that may be wrong."""

    __slots__ = ()

    @property
    def rank(self) -> str:
        """`3` … `2`, or `X` for a joker."""
        return self[0]

    @property
    def suit(self) -> str:
        """`c d h s`, or `b` and `r` for jokers."""
        return self[1]

    @property
    def is_joker(self) -> bool:
        """Whether this is one of the two jokers."""
        return self[0] == JOKER

    @property
    def is_red(self) -> bool:
        """Diamonds, hearts and the red joker."""
        return self[1] in "dhr"


JOKERS = (Card("Xb"), Card("Xr"))
NATURAL = tuple(Card(rank + suit) for rank in RANKS for suit in SUITS)
MOST_CARDS = 108
"""The most that anybody can name: two packs with two jokers each."""
_KNOWN = {str(card): card for card in (*NATURAL, *JOKERS)}

Cards: TypeAlias = tuple[Card, ...]


def is_card(text: str) -> bool:
    """Whether there is a card of this name."""
    return text in _KNOWN


NO_SUCH_CARD = Sentence(
    "refused.no_such_card",
    "There is no card “{text}”: a card is a rank (3 … 9 T J Q K A 2) and a suit (c d h s).",
)


def card(text: str) -> Card:
    """The card with this name; `bad_card` if there is none."""
    found = _KNOWN.get(text)
    if found is None:
        raise RuleError("bad_card", NO_SUCH_CARD(text=text[:20]))
    return found


CARDS_ARE_TEXT = Sentence("refused.cards_are_text", 'Cards are text such as "7c 7d", or a list of such names.')


def named_cards(value: object) -> Cards:
    """What `"7c 7d"` or `["7c", "7d"]` names, unchecked: whether there are such cards comes after phase and turn."""
    words: Sequence[Any] = (
        value.split() if isinstance(value, str) else value if isinstance(value, list | tuple) else [0]
    )
    if len(words) <= MOST_CARDS and (isinstance(value, str) or all(isinstance(word, str) for word in words)):
        return tuple([_KNOWN.get(word) or Card(word) for word in words])
    raise RuleError("bad_action", CARDS_ARE_TEXT())


def parse_cards(value: object) -> Cards:
    """Cards from `"7c 7d"` or `["7c", "7d"]`, in the order given; `bad_card` or `bad_action`."""
    return tuple([card(name) for name in named_cards(value)])


ONLY_YOUR_OWN_CARDS = Sentence(
    "refused.only_your_own_cards",
    "You can only use cards of your own, each once: {cards}.",
)
HOLDS_NONE = Sentence("refused.holds_none", "You can only use cards of your own, and you have none.")


def check_held(held: Cards, wanted: Cards) -> None:
    """`bad_card` or `not_your_cards` unless all of `wanted` can be taken from `held`."""
    if not holds(held, wanted):
        for name in wanted:
            card(name)
        raise RuleError("not_your_cards", ONLY_YOUR_OWN_CARDS(cards=in_words(held)) if held else HOLDS_NONE())


def show(cards: Iterable[Card]) -> str:
    """The text of some cards, in the order given."""
    return " ".join(cards)


def holds(held: Cards, wanted: Cards) -> bool:
    """Whether `wanted` can be taken from `held`, counting cards that occur twice."""
    if len(wanted) == 1:
        return wanted[0] in held
    if len(different := set(wanted)) == len(wanted):
        return different.issubset(held)
    have = Counter(held)
    return all(have[card] >= count for card, count in Counter(wanted).items())


def without(held: Cards, taken: Iterable[Card]) -> Cards:
    """`held` less `taken`, in the same order. Every taken card must be there."""
    rest = list(held)
    for each in taken:
        rest.remove(each)
    return tuple(rest)


_RANKS_SAID = {rank: Sentence(f"rank.{rank}", name) for rank, name in RANK_NAMES.items()}


def rank_said(rank: str) -> Said:
    """A rank for a sentence, such as “seven”."""
    return _RANKS_SAID[rank]()


SUITS_SAID = {
    "c": Sentence("suit.c", "clubs"),
    "d": Sentence("suit.d", "diamonds"),
    "h": Sentence("suit.h", "hearts"),
    "s": Sentence("suit.s", "spades"),
}
"""Suits for a sentence."""

_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_PRINTED = {"T": "10"}
_JOKERS = {"Xb": Sentence("joker.b", "black joker"), "Xr": Sentence("joker.r", "red joker")}


def printed(rank: str) -> str:
    """A natural rank as it is printed on cards: 10 for T."""
    return _PRINTED.get(rank, rank)


def in_words(cards: Iterable[Card]) -> Listed:
    """Cards for a sentence: `7♣ 7♦`, jokers by name."""
    return beside(_JOKERS[c]() if c in _JOKERS else printed(c[0]) + _SIGNS[c[1]] for c in cards)


@lru_cache(64)
def pack(jokers: int = 0, *, packs: int = 1, strip: str = "") -> Cards:
    """A pack (or two) in a fixed order, ready to be shuffled; one joker means the red one."""
    one = tuple(c for c in NATURAL if c[0] not in strip) + JOKERS[2 - jokers :][:jokers]
    return one * packs
