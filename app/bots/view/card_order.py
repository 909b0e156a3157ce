"""What a bot asks the rules of its room: what cards are worth, and what a hand has in it. No switch has a name here."""

from collections import Counter, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any

from msgspec import json

from app.bots.view.card_groups import Whole
from app.bots.view.seat_view import SeatReader
from app.engine.base.options import Options
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.game import ClimbingGame
from app.engine.games import GAMES

LEVELS = 15
"""Levels of worth: 0 for jokers and wild cards, 1 for the best rank, and so on downwards."""
_MOST_COMBINATIONS = 120
"""Combinations of several ranks that are looked at: some hands have very many."""
_ANSWERS = 256
"""Combinations of which it is remembered what may be played on them."""
_HANDS = 16
"""Hands of which it is remembered what they have in them: those of a few tables."""


class RulesInForce:
    """A climbing game with its options."""

    def __init__(self, game: ClimbingGame, options: Options) -> None:
        self.game, self.options = game, options
        # What the game makes of its options is asked for, not kept: it goes when the last room that plays by it does.
        rules = game.rules(options)
        self.bars, self.one_round = rules.passing_bars, rules.one_round

        self._wholes = deque[tuple[Order, Whole]](maxlen=_HANDS)
        """What was found in hands, in which order of cards."""

    def inside(self, order: "Order", cards: tuple[str, ...]) -> Whole:
        """A hand in which these cards are, or were, looked through as far as one looks."""
        left = frozenset(cards)
        for by, whole in self._wholes:
            if by is order and left <= whole.cards:
                return whole
        whole = Whole(cards, self._mixed(cards, inverted=order.inverted), order.level)
        self._wholes.append((order, whole))
        return whole

    def _mixed(self, cards: tuple[str, ...], *, inverted: bool) -> list[Combination]:
        """What these cards have in them beside sets of one rank: straights, flushes …"""
        held, mixed = tuple(map(Card, cards)), list[Combination]()
        for looked, readings in enumerate(self.game.in_hand(self.options, held, inverted=inverted), 1):
            some = readings[0].cards
            if len(some) > 2 and (some[0][0] != some[-1][0] or len({card[0] for card in some}) > 1):
                mixed.append(readings[0])
            if looked == 2 * _MOST_COMBINATIONS or len(mixed) == _MOST_COMBINATIONS:
                break
        return mixed


class Singles:
    """Which single cards of a deck may be played on what is led, as the rules answer.

    Of cards that the rules hold to be alike one is asked about. It stands in a hand in which no rank comes twice, and
    jokers and wild cards are alone: what may be played of these is soon found."""

    def __init__(self, rules: RulesInForce, deck: Cards, *, inverted: bool) -> None:
        self._rules, self.inverted = rules, inverted
        in_force = rules.game.rules(rules.options)
        alike, wild = in_force.alike, in_force.wild()
        sorts: dict[Hashable, list[Card]] = {}
        for card in dict.fromkeys(deck):
            sorts.setdefault(alike(card), []).append(card)
        self._stands_for = {str(cards[0]): frozenset(map(str, cards)) for cards in sorts.values()}
        self._like = {str(card): str(cards[0]) for cards in sorts.values() for card in cards}
        self._hands = _apart([cards[0] for cards in sorts.values()], wild, in_force.order)
        self._worth = {str(card): in_force.worth(card) for card in deck} if in_force.by_worth else None
        self._on = lru_cache(_ANSWERS)(self._found)

    def like(self, card: str) -> str:
        """The card that is asked about in place of one that is like it."""
        return self._like[card]

    def on(self, cards: Sequence[str]) -> frozenset[str]:
        """The cards of the deck that alone may be played on these, if these are led; none where they are nothing by
        themselves."""
        return self._on((self._like[cards[0]],) if len(cards) == 1 else tuple(cards))

    def _found(self, cards: tuple[str, ...]) -> frozenset[str]:
        if self._worth is not None and len(cards) == 1:
            worth = self._worth[cards[0]]
            return frozenset([card for card, other in self._worth.items() if other > worth])
        game, options, inverted = self._rules.game, self._rules.options, self.inverted
        held = tuple(map(Card, cards))
        readings = (one[0] for one in game.in_hand(options, held, inverted=inverted))
        led = next((one for one in readings if one.size == len(cards)), None)
        if led is None:
            return frozenset()
        found = game.in_hands(options, self._hands, on=led, inverted=inverted)
        good = [one[0].cards[0] for some in found for one in takewhile(_is_single, some)]
        return frozenset[str]().union(*map(self._stands_for.__getitem__, good))


def _apart(cards: Sequence[Card], wild: str, order: Callable[[Card], Any]) -> list[Cards]:
    """Cards in hands in which no rank comes twice, and jokers and wild cards are alone."""
    hands, alone = list[list[Card]](), list[Cards]()
    of_rank: dict[str, list[Card]] = {}
    for card in cards:
        if card.is_joker or card[0] in wild:
            alone.append((card,))
        else:
            of_rank.setdefault(card[0], []).append(card)
    for number, some in enumerate(of_rank.values()):
        hands += ([] for _ in range(len(some) - len(hands)))
        for at, card in enumerate(some):
            hands[(at + number) % len(some)].append(card)  # of different suits, too
    return [*(tuple(sorted(hand, key=order)) for hand in hands), *alone]


def _is_single(readings: Sequence[Combination]) -> bool:
    return len(readings[0].cards) == 1


def rules_of(room: Mapping[str, Any]) -> RulesInForce | None:
    """The rules that a view's `room` tells of; None where it tells of none, or the game is no climbing game."""
    return None if "game" not in room else _rules(room["game"], room["preset"], json.encode(room["options"]))


@lru_cache(64)
def _rules(key: str, preset: str, options: bytes) -> RulesInForce | None:
    game: object = GAMES[key]
    if not isinstance(game, ClimbingGame):
        return None
    return RulesInForce(game, game.declared.resolve({"preset": preset, **json.decode(options)}, kept=True))


class Order:
    """Every card of a deck by what it is worth from the next trick on."""

    def __init__(self, deck: Cards, level: Mapping[str, int], best: Mapping[int, str], singles: Singles) -> None:
        self.inverted = singles.inverted
        """Whether the ranks are upside down."""
        self.deck = dict(Counter(map(str, deck)))
        """How many there are of each card."""
        self.level = level
        """From 0 for the best to `LEVELS - 1`."""
        self.single_answers = singles.on
        """The cards that alone may be played on some cards."""
        self._best = best
        self.as_best = frozenset([card for card in self.deck if singles.like(card) == singles.like(best[level[card]])])
        """The cards that are alike to the best of their level."""
        self._above = dict[int, frozenset[str] | None]()
        self._anywhere = dict[int, bool]()

    def above(self, at: int) -> frozenset[str] | None:
        """The cards that alone may be played on the best card of a level that the deck has; None if these are those of
        better levels and no others, as where ranks decide."""
        if at not in self._above:
            found = self.single_answers((self._best[at],))
            as_usual = found == {card for card in self.deck if self.level[card] < at}
            self._above[at] = None if as_usual else found
        return self._above[at]

    def is_anywhere(self, at: int) -> bool:
        """Whether a single card of this level may be played on every other."""
        if at not in self._anywhere:
            self._anywhere[at] = all(at == other or self._goes(at, other) for other in sorted(self._best))
        return self._anywhere[at]

    def _goes(self, at: int, on: int) -> bool:
        above = self.above(on)
        return at < on if above is None else self._best[at] in above


def order_of(rules: RulesInForce, seat: SeatReader) -> Order:
    """The order that a seat sees in force."""
    inverted = bool(seat.table.get("inverted")) != bool(seat.table.get("turned"))
    return _order(rules, len(seat.table["players"]), seat.ranks, seat.strong, seat.wild, inverted)


@lru_cache(256)
def _order(
    rules: RulesInForce, count: int, ranks: str, strong: frozenset[str], wild: frozenset[str], inverted: bool
) -> Order:
    game, options = rules.game, rules.options
    deck, in_force = game.deck(options, count), game.rules(options)
    level = dict[str, int]()
    worth = {card: in_force.worth(card) for card in dict.fromkeys(deck)}
    of_rank: dict[str, set[Any]] = {}
    for card, good in worth.items():
        of_rank.setdefault(card[0], set()).add(good)
    steps = {rank: sorted(some) for rank, some in of_rank.items()}
    for card in worth:
        highest = card[0] == "X" or card[0] in wild
        place = len(ranks) - 1 if card in strong else ranks.find(card[0])
        level[card] = 0 if highest else min(len(ranks) - place, LEVELS - 1)
    # Of a level the best is that of the highest suit, where the game tells suits apart.
    best = {level[card]: str(card) for card in sorted(worth, key=lambda card: steps[card[0]].index(worth[card]))}
    return Order(deck, level, best, Singles(rules, deck, inverted=inverted))
