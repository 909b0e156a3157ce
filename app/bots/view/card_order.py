"""What bots ask the rules of a room: the worth of cards and the combinations in a hand. No option is named here."""

from collections import Counter, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any

from msgspec import json

from app.bots.view.card_groups import CombinationIndex
from app.bots.view.seat_view import SeatReader
from app.engine.base.options import Options
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.game import ClimbingGame
from app.engine.games import GAMES

WORTH_LEVELS = 15
"""Number of worth levels: 0 for jokers and wild cards, 1 for the best rank, and higher levels for lower ranks."""
_MOST_COMBINATIONS = 120
"""Limit of combinations of several ranks that are collected, because some hands contain thousands."""
_ANSWERS = 256
"""Cache size: combinations for which the single cards that beat them are cached."""
_HANDS = 16
"""Cache size: combination indexes that a rule set keeps, enough for the players of a few rooms."""


class RuleSet:
    """The rules of a climbing game as bots need them: game, options, and a cache of combinations found in cards."""

    def __init__(self, game: ClimbingGame, options: Options) -> None:
        self.game, self.options = game, options
        # Don't store the built rules: the game frees them when the last room with these options is gone.
        rules = game.build_rules(options)
        self.bars, self.one_round = rules.pass_bars_player, rules.single_round_tricks

        self._combination_indexes = deque[tuple[CardRanking, CombinationIndex]](maxlen=_HANDS)
        """The latest combination indexes, each with the card ranking it was built for."""

    def combination_index(self, order: "CardRanking", cards: tuple[str, ...]) -> CombinationIndex:
        """Return an index of the combinations in a player's cards, to save a new search as cards are played.

        It may be a cached index of these and other cards; else a new one is built.
        """
        left = frozenset(cards)
        for by, whole in self._combination_indexes:
            if by is order and left <= whole.cards:
                return whole
        whole = CombinationIndex(
            cards, self._multi_rank_combinations(cards, inverted=order.inverted), order.level_by_card
        )
        self._combination_indexes.append((order, whole))
        return whole

    def _multi_rank_combinations(self, cards: tuple[str, ...], *, inverted: bool) -> list[Combination]:
        """Return combinations of these cards that are more than sets of one rank, such as straights and flushes."""
        held, mixed = tuple(map(Card, cards)), list[Combination]()
        for looked, readings in enumerate(self.game.combinations_in_hand(self.options, held, inverted=inverted), 1):
            some = readings[0].cards
            if len(some) > 2 and (some[0][0] != some[-1][0] or len({card[0] for card in some}) > 1):
                mixed.append(readings[0])
            if looked == 2 * _MOST_COMBINATIONS or len(mixed) == _MOST_COMBINATIONS:
                break
        return mixed


class SingleCardAnswers:
    """Looks up which single cards of a deck may be played on a lead, according to the rules.

    Only one card of each group of equivalent cards is checked. The checked cards are split into hands without two cards
    of a rank, with each joker and wild card alone. The rules search such hands quickly.
    """

    def __init__(self, rules: RuleSet, deck: Cards, *, inverted: bool) -> None:
        self._rules, self.inverted = rules, inverted
        in_force = rules.game.build_rules(rules.options)
        alike, wild = in_force.equivalence_key, in_force.wild_ranks()
        sorts: dict[Hashable, list[Card]] = {}
        for card in dict.fromkeys(deck):
            sorts.setdefault(alike(card), []).append(card)
        self._cards_by_representative = {str(cards[0]): frozenset(map(str, cards)) for cards in sorts.values()}
        self._representative_by_card = {str(card): str(cards[0]) for cards in sorts.values() for card in cards}
        self._hands = _split_into_rank_distinct_hands(
            [cards[0] for cards in sorts.values()], wild, in_force.card_sort_key
        )
        self._worth = {str(card): in_force.exchange_value(card) for card in deck} if in_force.by_worth else None
        self._cached_single_cards_beating = lru_cache(_ANSWERS)(self._find_single_cards_beating)

    def representative_card(self, card: str) -> str:
        """Return the card that stands for all cards which the rules treat like this one.

        So only one of them is looked up.
        """
        return self._representative_by_card[card]

    def single_cards_beating(self, cards: Sequence[str]) -> frozenset[str]:
        """Return the single cards of the deck that may be played on these cards when they are led; cached.

        The result is empty if these cards do not form a combination.
        """
        return self._cached_single_cards_beating(
            (self._representative_by_card[cards[0]],) if len(cards) == 1 else tuple(cards)
        )

    def _find_single_cards_beating(self, cards: tuple[str, ...]) -> frozenset[str]:
        if self._worth is not None and len(cards) == 1:
            worth = self._worth[cards[0]]
            return frozenset([card for card, other in self._worth.items() if other > worth])
        game, options, inverted = self._rules.game, self._rules.options, self.inverted
        held = tuple(map(Card, cards))
        readings = (one[0] for one in game.combinations_in_hand(options, held, inverted=inverted))
        led = next((one for one in readings if one.size == len(cards)), None)
        if led is None:
            return frozenset()
        found = game.combinations_in_hands(options, self._hands, on=led, inverted=inverted)
        good = [one[0].cards[0] for some in found for one in takewhile(_is_single_card, some)]
        return frozenset[str]().union(*map(self._cards_by_representative.__getitem__, good))


def _split_into_rank_distinct_hands(cards: Sequence[Card], wild: str, order: Callable[[Card], Any]) -> list[Cards]:
    """Split cards into hands without two cards of a rank, with each joker and wild card in a separate hand.

    `wild` has the wild ranks, and `order` gives the key by which cards are sorted. The rules search such hands quickly
    for single cards.
    """
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
            hands[(at + number) % len(some)].append(card)  # mix the suits in each hand
    return [*(tuple(sorted(hand, key=order)) for hand in hands), *alone]


def _is_single_card(readings: Sequence[Combination]) -> bool:
    return len(readings[0].cards) == 1


def rule_set_of(room: Mapping[str, Any]) -> RuleSet | None:
    """Return the rules of a view's `room` for bots; None if it names no game, or one that is not a climbing game."""
    return None if "game" not in room else _load_rule_set(room["game"], room["preset"], json.encode(room["options"]))


@lru_cache(64)
def _load_rule_set(key: str, preset: str, options: bytes) -> RuleSet | None:
    game: object = GAMES[key]
    if not isinstance(game, ClimbingGame):
        return None
    return RuleSet(
        game, game.option_schema.resolve_options({"preset": preset, **json.decode(options)}, already_accepted=True)
    )


class CardRanking:
    """The cards of a deck in levels, by their worth to a bot from the next trick on.

    It also tells which single cards may be played on others.
    """

    def __init__(
        self, deck: Cards, level: Mapping[str, int], best: Mapping[int, str], singles: SingleCardAnswers
    ) -> None:
        self.inverted = singles.inverted
        """Whether the order of ranks is reversed."""
        self.card_counts = dict(Counter(map(str, deck)))
        """Number of copies of each card in the deck."""
        self.level_by_card = level
        """The worth level of each card, from 0 for the best to `WORTH_LEVELS - 1`."""
        self.singles_beating = singles.single_cards_beating
        """Function: the single cards that may be played on the given cards."""
        self._best_card_by_level = best
        self.like_best_of_level = frozenset(
            [
                card
                for card in self.card_counts
                if singles.representative_card(card) == singles.representative_card(best[level[card]])
            ]
        )
        """Cards that the rules treat like the best card of their level."""
        self._beating_by_level = dict[int, frozenset[str] | None]()
        self._beats_every_cache = dict[int, bool]()

    def singles_beating_level(self, level: int) -> frozenset[str] | None:
        """Return the single cards that beat the best card of a level of worth.

        None, the usual case, means all cards of better levels. The deck must have a card of this level.
        """
        if level not in self._beating_by_level:
            found = self.singles_beating((self._best_card_by_level[level],))
            as_usual = found == {card for card in self.card_counts if self.level_by_card[card] < level}
            self._beating_by_level[level] = None if as_usual else found
        return self._beating_by_level[level]

    def beats_every_level(self, level: int) -> bool:
        """Return whether the best card of this level may be played on the best card of every other level."""
        if level not in self._beats_every_cache:
            self._beats_every_cache[level] = all(
                level == other or self._level_beats(level, other) for other in sorted(self._best_card_by_level)
            )
        return self._beats_every_cache[level]

    def _level_beats(self, level: int, target_level: int) -> bool:
        above = self.singles_beating_level(target_level)
        return level < target_level if above is None else self._best_card_by_level[level] in above


def card_ranking_for_seat(rules: RuleSet, seat: SeatReader) -> CardRanking:
    """Return the card ranking that applies at the seat's table now; reversed ranks are taken into account."""
    inverted = bool(seat.table.get("inverted")) != bool(seat.table.get("inverted_for_trick"))
    return _build_card_ranking(rules, len(seat.table["players"]), seat.ranks, seat.strong, seat.wild, inverted)


@lru_cache(256)
def _build_card_ranking(
    rules: RuleSet, player_count: int, ranks: str, strong: frozenset[str], wild: frozenset[str], inverted: bool
) -> CardRanking:
    game, options = rules.game, rules.options
    deck, in_force = game.deck(options, player_count), game.build_rules(options)
    level = dict[str, int]()
    worth = {card: in_force.exchange_value(card) for card in dict.fromkeys(deck)}
    of_rank: dict[str, set[Any]] = {}
    for card, good in worth.items():
        of_rank.setdefault(card[0], set()).add(good)
    steps = {rank: sorted(some) for rank, some in of_rank.items()}
    for card in worth:
        highest = card[0] == "X" or card[0] in wild
        place = len(ranks) - 1 if card in strong else ranks.find(card[0])
        level[card] = 0 if highest else min(len(ranks) - place, WORTH_LEVELS - 1)
    # Where suits count, the best card of a level is the card of the highest suit.
    best = {level[card]: str(card) for card in sorted(worth, key=lambda card: steps[card[0]].index(worth[card]))}
    return CardRanking(deck, level, best, SingleCardAnswers(rules, deck, inverted=inverted))
