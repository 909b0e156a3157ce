"""What a bot asks the rules of its room: what cards are worth, and what a hand has in it. No switch has a name here."""

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import takewhile
from typing import Any

from msgspec import json

from app.engine.cards import Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.game import ClimbingGame
from app.engine.games import GAMES
from app.engine.options import Options

from .seat import SeatReader

LEVELS = 15
"""Levels of worth: 0 for jokers and wild cards, 1 for the best rank, and so on downwards."""
_SUITS = 16
"""More than there are cards of a rank that are worth different."""
_MOST_COMBINATIONS = 120
"""Combinations of several ranks that are looked at: some hands have very many."""
_HANDS = 16
"""Hands of which it is remembered what they have in them: those of a few tables."""


class RulesInForce:
    """A climbing game with its options."""

    def __init__(self, game: ClimbingGame, options: Options) -> None:
        self.game, self.options = game, options
        rules = game.rules(options)
        self.bars, self.one_round = rules.passing_bars, rules.one_round

        self.mixed = lru_cache(64)(self._mixed)
        self._found = deque[tuple[bool, frozenset[str], list[Combination]]](maxlen=_HANDS)
        """What was found in hands of which all was looked at."""

    def _mixed(self, cards: tuple[str, ...], inverted: bool) -> list[Combination]:
        """What these cards have in them beside sets of one rank, as far as one looks: straights, flushes …

        What is left of a hand has what the whole hand had and is still there: then nothing is looked for."""
        left = frozenset(cards)
        for turned, hand, known in self._found:
            if turned == inverted and left <= hand:
                return [one for one in known if left.issuperset(one.cards)]
        held, mixed = tuple(map(Card, cards)), list[Combination]()
        for looked, (one, *_) in enumerate(self.game.in_hand(self.options, held, inverted=inverted), 1):
            if len(one.cards) > 2 and len({card[0] for card in one.cards}) > 1:
                mixed.append(one)
            if looked == 2 * _MOST_COMBINATIONS or len(mixed) == _MOST_COMBINATIONS:
                return mixed
        self._found.append((inverted, left, mixed))
        return mixed

    def apart(self, deck: Cards) -> list[Cards]:
        """The cards of a deck in hands in which no rank comes twice, and jokers and wild cards are alone: what may be
        played of these is soon found."""
        rules = self.game.rules(self.options)
        wild, hands, alone = rules.wild(), list[list[Card]](), list[Cards]()
        of_rank: dict[str, list[Card]] = {}
        for card in dict.fromkeys(deck):
            if card.is_joker or card[0] in wild:
                alone.append((card,))
            else:
                of_rank.setdefault(card[0], []).append(card)
        for number, cards in enumerate(of_rank.values()):
            hands += ([] for _ in range(len(cards) - len(hands)))
            for at, card in enumerate(cards):
                hands[(at + number) % len(cards)].append(card)  # of different suits, too
        return [*(tuple(sorted(hand, key=rules.order)) for hand in hands), *alone]

    def single_answers(self, hands: Sequence[Cards], cards: Sequence[str], *, inverted: bool) -> frozenset[str]:
        """The cards of these hands (`apart`) that alone may be played on these cards, if these are led."""
        held = tuple(map(Card, cards))
        readings = (one[0] for one in self.game.in_hand(self.options, held, inverted=inverted))
        led = next((one for one in readings if one.size == len(cards)), None)
        if led is None:
            return frozenset()
        found = (self.game.in_hand(self.options, hand, on=led, inverted=inverted) for hand in hands)
        return frozenset(str(one[0].cards[0]) for some in found for one in takewhile(_is_single, some))


def _is_single(readings: Sequence[Combination]) -> bool:
    return readings[0].size == 1


def rules_of(room: Mapping[str, Any]) -> RulesInForce | None:
    """The rules that a view's `room` tells of; None where it tells of none, or the game is no climbing game."""
    return None if "game" not in room else _rules(room["game"], room["preset"], json.encode(room["options"]))


@lru_cache(64)
def _rules(key: str, preset: str, options: bytes) -> RulesInForce | None:
    game: object = GAMES[key]
    if not isinstance(game, ClimbingGame):
        return None
    return RulesInForce(game, game.declared.resolve({"preset": preset, **json.decode(options)}))


class Order:
    """Every card of a deck by what it is worth from the next trick on."""

    def __init__(
        self,
        deck: tuple[str, ...],
        level: Mapping[str, int],
        value: Mapping[str, int],
        answers: Callable[[tuple[str, ...]], frozenset[str]],
    ) -> None:
        self.deck = dict(Counter(deck))
        """How many there are of each card."""
        self.level = level
        """From 0 for the best to `LEVELS - 1`."""
        self.value = value
        """Higher is better: by level, then by suit where the game tells suits apart."""
        self.suited = len(set(value.values())) > len(set(level.values()))
        self._answers = lru_cache(256)(answers)
        best = {level[card]: card for card in sorted(deck, key=lambda card: value[card])}
        self.beaten_by = [self.single_answers((best[at],)) if at in best else frozenset[str]() for at in range(LEVELS)]
        """By level, the cards that alone may be played on the best card of it."""
        better = [{card for card in deck if level[card] < at} for at in range(LEVELS)]
        self.by_level = all(self.beaten_by[at] == better[at] for at in best)
        """Whether what beats a single card is what is of a better level, and nothing else."""
        self.anywhere = frozenset(
            at for at, card in best.items() if all(at == other or card in self.beaten_by[other] for other in best)
        )
        """The levels of which a single card may be played on every other."""

    def single_answers(self, cards: Sequence[str]) -> frozenset[str]:
        """The cards that alone may be played on these, if these are led; none where they are nothing by themselves."""
        return self._answers(tuple(cards))


def order_of(rules: RulesInForce, seat: SeatReader) -> Order:
    """The order that a seat sees in force."""
    inverted = bool(seat.table.get("inverted")) != bool(seat.table.get("turned"))
    return _order(rules, len(seat.table["players"]), seat.ranks, seat.strong, seat.wild, inverted)


@lru_cache(256)
def _order(
    rules: RulesInForce, count: int, ranks: str, strong: frozenset[str], wild: frozenset[str], inverted: bool
) -> Order:
    game, options = rules.game, rules.options
    pack = game.deck(options, count)
    deck = tuple(map(str, pack))
    level, value = dict[str, int](), dict[str, int]()
    of_rank: dict[str, set[Any]] = {}
    for card in deck:
        of_rank.setdefault(card[0], set()).add(game.worth(options, Card(card)))
    for card in deck:
        best = card[0] == "X" or card[0] in wild
        worth = len(ranks) - 1 if card in strong else ranks.find(card[0])
        level[card] = 0 if best else min(len(ranks) - worth, LEVELS - 1)
        suit = sorted(of_rank[card[0]]).index(game.worth(options, Card(card)))
        value[card] = (LEVELS - level[card]) * _SUITS + suit
    return Order(deck, level, value, partial(rules.single_answers, rules.apart(pack), inverted=inverted))
