"""Cards, packs and their text form.

A card is two characters: rank `3 4 5 6 7 8 9 T J Q K A 2`, then suit `c d h s`; jokers are `Xb` (black)
and `Xr` (red). A `Card` *is* that text, so it is its own notation, hashes fast and goes into JSON as it is.

>>> hand = parse_cards("7c 7d Xr")
>>> hand[0].rank, hand[0].suit, hand[2].is_joker
('7', 'c', True)
>>> format_cards(hand)
'7c 7d Xr'
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageList, MessageTemplate, TranslatableMessage, join_with_spaces

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
    """One card, as text of rank and suit: `Card("3c")`. Use `parse_card` for a text that may be invalid."""

    __slots__ = ()

    @property
    def rank(self) -> str:
        """Return the card's rank: `3` … `9`, `T`, `J`, `Q`, `K`, `A`, `2`, or `X` for a joker."""
        return self[0]

    @property
    def suit(self) -> str:
        """Return the card's suit: `c`, `d`, `h` or `s`, or for jokers `b` (black) and `r` (red)."""
        return self[1]

    @property
    def is_joker(self) -> bool:
        """Return whether the card is a joker."""
        return self[0] == JOKER

    @property
    def is_red(self) -> bool:
        """Return whether the card is a diamond, a heart or the red joker."""
        return self[1] in "dhr"


JOKERS = (Card("Xb"), Card("Xr"))
NATURAL_CARDS = tuple(Card(rank + suit) for rank in RANKS for suit in SUITS)
MAX_CARDS = 108
"""The most cards that an action can name: two decks with two jokers each."""
_CARDS_BY_NAME = {str(card): card for card in (*NATURAL_CARDS, *JOKERS)}

Cards: TypeAlias = tuple[Card, ...]


def is_card_name(text: str) -> bool:
    """Return whether this text names a card."""
    return text in _CARDS_BY_NAME


NO_SUCH_CARD = MessageTemplate(
    "refused.no_such_card",
    "The card “{text}” does not exist. A card is a rank (3 … 9 T J Q K A 2) and a suit (c d h s).",
)


def parse_card(text: str) -> Card:
    """Return the card with this name; raise `RuleError` (`bad_card`) for an unknown name."""
    found = _CARDS_BY_NAME.get(text)
    if found is None:
        raise RuleError("bad_card", NO_SUCH_CARD(text=text[:20]))
    return found


CARDS_ARE_TEXT = MessageTemplate(
    "refused.cards_are_text", 'Cards must be a text such as "7c 7d", or a list of card names.'
)


def parse_card_names(value: object) -> Cards:
    """Return the cards named by `"7c 7d"` or `["7c", "7d"]` without checking that they exist.

    Phase and turn are checked first, so that players see those errors before unknown cards. Raises `RuleError`
    (`bad_action`) for other types and for too many cards.
    """
    words: Sequence[Any] = (
        value.split() if isinstance(value, str) else value if isinstance(value, list | tuple) else [0]
    )
    if len(words) <= MAX_CARDS and (isinstance(value, str) or all(isinstance(word, str) for word in words)):
        return tuple([_CARDS_BY_NAME.get(word) or Card(word) for word in words])
    raise RuleError("bad_action", CARDS_ARE_TEXT())


def parse_cards(value: object) -> Cards:
    """Return the cards in `"7c 7d"` or `["7c", "7d"]`, in the order given.

    Raises `RuleError` (`bad_card` or `bad_action`).
    """
    return tuple([parse_card(name) for name in parse_card_names(value)])


ONLY_YOUR_OWN_CARDS = MessageTemplate(
    "refused.only_your_own_cards",
    "You don’t have these cards. Choose from your own cards.",
)
HOLDS_NONE = MessageTemplate("refused.holds_none", "You have no cards to play.")


def check_held(held: Cards, cards: Cards) -> None:
    """Raise `RuleError` unless `held` contains all of `cards`.

    The code is `bad_card` if a wanted card does not exist, else `not_your_cards`.
    """
    if not contains_cards(held, cards):
        for name in cards:
            parse_card(name)
        raise RuleError("not_your_cards", ONLY_YOUR_OWN_CARDS(cards=describe_cards(held)) if held else HOLDS_NONE())


def format_cards(cards: Iterable[Card]) -> str:
    """Return the names of these cards, separated by spaces, in the order given."""
    return " ".join(cards)


def contains_cards(held: Cards, cards: Cards) -> bool:
    """Return whether `held` contains all of `cards`, counting duplicates."""
    if len(cards) == 1:
        return cards[0] in held
    if len(different := set(cards)) == len(cards):
        return different.issubset(held)
    have = Counter(held)
    return all(have[card] >= count for card, count in Counter(cards).items())


def remove_cards(held: Cards, taken: Iterable[Card]) -> Cards:
    """Return `held` without `taken`, in the same order. Raises ValueError unless every taken card is there."""
    rest = list(held)
    for each in taken:
        rest.remove(each)
    return tuple(rest)


_RANKS_SAID = {rank: MessageTemplate(f"rank.{rank}", name) for rank, name in RANK_NAMES.items()}


def rank_message(rank: str) -> TranslatableMessage:
    """Return the name of a rank for a sentence, such as “seven”."""
    return _RANKS_SAID[rank]()


SUIT_NAMES = {
    "c": MessageTemplate("suit.c", "clubs"),
    "d": MessageTemplate("suit.d", "diamonds"),
    "h": MessageTemplate("suit.h", "hearts"),
    "s": MessageTemplate("suit.s", "spades"),
}
"""Names of suits for a sentence."""

SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
"""Signs of suits, as printed on cards."""
_PRINTED = {"T": "10"}
_JOKERS = {"Xb": MessageTemplate("joker.b", "black joker"), "Xr": MessageTemplate("joker.r", "red joker")}


def printed_rank(rank: str) -> str:
    """Return a natural rank as printed on cards: 10 for T."""
    return _PRINTED.get(rank, rank)


def describe_cards(cards: Iterable[Card]) -> MessageList:
    """Return cards as text for a sentence: `7♣ 7♦`, jokers by name."""
    return join_with_spaces(_JOKERS[c]() if c in _JOKERS else printed_rank(c[0]) + SUIT_SIGNS[c[1]] for c in cards)


@lru_cache(64)
def build_deck(jokers: int = 0, *, deck_count: int = 1, removed_ranks: str = "") -> Cards:
    """Return `deck_count` decks in one tuple, in a fixed order, not shuffled.

    Each deck has `jokers` jokers (one joker means the red one), and no cards of `removed_ranks`.
    """
    one = tuple(c for c in NATURAL_CARDS if c[0] not in removed_ranks) + JOKERS[2 - jokers :][:jokers]
    return one * deck_count
