"""Table of all combinations in a deck: how high each combination is, and which kinds may be played on which.

The rules are asked once; later answers come from the table. A set of cards is an integer with one bit per card, lowest
card first. A combination has a sort (a number for its kind) and a level (higher is stronger). The table works for games
with one deck of 13 ranks with four cards each. No option is named here.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar
from zlib import crc32

from app.bots.view.card_order import RuleSet
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.state import ClimbingHand
from app.engine.games import GAMES
from app.engine.match.match import Match

SORTS = 12
"""Number of sorts: a combination's kind is mapped to a sort by a hash of its name."""
STEPS = 16
"""Number of steps in which the height of a combination is measured."""
CARDS, SUITS = 52, 4
_NAMES = ("1", "2", "3", "4")
_DEAREST = 2
_MOST = 24_000
"""Largest number of combinations for a table; building a larger table would take too long."""


_Group = TypeVar("_Group", str, int)


class RankedCombination(NamedTuple):
    """A combination with its cards as a bitmask, its strength, and how high it is among similar combinations.

    `sort` numbers its kind and size, and `size` is its number of cards.
    """

    mask: int
    """The cards, one bit each (`CombinationTable.index_by_card`)."""
    level: int
    """Strength; higher beats lower."""
    sort: int
    size: int
    step: int
    """Height among the combinations of the same kind, from 0 to `STEPS - 1`."""
    grade: int
    """Height among the combinations with the same number of cards, from 0 to `STEPS - 1`."""


class CombinationTable:
    """All combinations of a deck under a rule set, with lookups by cards and by sort, for the large network."""

    def __init__(self, rules: RuleSet, cards: Cards, found: Sequence[Combination]) -> None:
        """Build the table from the cards, lowest first, and all combinations found in them."""
        self._rules, in_force = rules, rules.game.build_rules(rules.options)
        self.index_by_card: Mapping[str, int] = {card: at for at, card in enumerate(cards)}
        levels = {strength: level for level, strength in enumerate(sorted({one.strength for one in found}))}
        steps = _quantile_steps([(one.kind, levels[one.strength]) for one in found])
        grades = _quantile_steps([(one.size, levels[one.strength]) for one in found])
        sorts = {kind: crc32(kind.encode()) % SORTS for kind in dict.fromkeys([one.kind for one in found])}
        self.all: Sequence[RankedCombination] = []
        """Every combination, in the order in which the rules list them."""
        for one in found:
            level = levels[one.strength]
            known = RankedCombination(
                self.bitmask_of(one.cards),
                level,
                sorts[one.kind],
                one.size,
                steps[one.kind, level],
                grades[one.size, level],
            )
            self.all.append(known)
        self.by_mask: Mapping[int, RankedCombination] = {known.mask: known for known in self.all}
        self.by_sort_strongest_first: dict[int, list[RankedCombination]] = {sort: [] for sort in sorts.values()}
        """The combinations of each sort, the strongest first."""
        for known in sorted(self.all, key=lambda known: -known.level):
            self.by_sort_strongest_first[known.sort].append(known)
        self.size_by_sort: Mapping[int, int] = {
            sort: some[0].size for sort, some in self.by_sort_strongest_first.items()
        }
        """Number of cards in a combination of each sort."""
        self.playable_on: Mapping[int, Sequence[int]] = self._playable_on_by_sort(found, sorts)
        """For each sort, the sorts that may be played on it if they are higher."""

        self.passing_bars, self.is_zero_sum = (
            in_force.pass_bars_player,
            rules.game.option_schema.is_zero_sum(rules.options),
        )
        """Whether a player who passes is out of the trick, and whether losers pay the winner."""
        self.costs = self._penalty_by_cards_left(cards)
        """Penalty by number of cards left (the index), in units of the penalty for one card.

        If the penalty does not depend on the cards left, the values are the numbers of cards themselves.
        """
        self.card_cost_steepness = max(0, min(round(self.costs[-1] / (len(self.costs) - 1)) - 1, _DEAREST))
        """How steeply the penalty per card rises for a full hand: 0 if constant, at most `_DEAREST`."""

    def bitmask_of(self, cards: Iterable[str]) -> int:
        """Return the cards as an integer with one bit per card."""
        return sum([1 << self.index_by_card[card] for card in cards])

    def combinations_in_hand(self, held: Sequence[str]) -> list[RankedCombination]:
        """Return every combination in the given cards, with its place in the table, in the order of the rules.

        The cards must be of the table's deck.
        """
        found = self._rules.game.combinations_in_hand(self._rules.options, tuple(map(Card, held)))
        return [self.by_mask[self.bitmask_of(readings[0].cards)] for readings in found]

    def _penalty_by_cards_left(self, cards: Cards) -> list[float]:
        match = Match.start(GAMES[self._rules.game.key], self._rules.options, _NAMES, _NAMES)
        hand = match.begin_hand(match.deal(cards, 0)).match.hand
        assert isinstance(hand, ClimbingHand)
        winner, loser, *others = _NAMES
        each = len(cards) // len(_NAMES)
        held = {name: cards[at * each : at * each + 1] for at, name in enumerate(others, 1)}
        found = [0]
        for many in range(1, each + 1):
            over = hand.replace(phase="over", out=(winner,), cards={winner: (), **held, loser: cards[:many]}, to_act=())
            found.append(-self._rules.game.finish_hand(match, over).result.ledger[loser])
        rises = found[1] > 0 and found[-1] >= each * found[1]
        return [cost / found[1] for cost in found] if rises else [float(many) for many in range(each + 1)]

    def _playable_on_by_sort(self, found: Sequence[Combination], sorts: Mapping[str, int]) -> dict[int, list[int]]:
        highest, lowest = dict[str, Combination](), dict[str, Combination]()
        for one in sorted(found, key=lambda one: one.strength):
            lowest.setdefault(one.kind, one)
            highest[one.kind] = one
        game, options = self._rules.game, self._rules.options
        return {
            sorts[old]: [
                sorts[new]
                for new in sorts
                if any(
                    one[0].kind == new for one in game.combinations_in_hand(options, highest[new].cards, on=lowest[old])
                )
            ]
            for old in sorts
        }


def _quantile_steps(group_levels: Iterable[tuple[_Group, int]]) -> dict[tuple[_Group, int], int]:
    """Return, for each level of a group, its position among the levels of that group, from 0 to `STEPS - 1`."""
    groups: dict[_Group, set[int]] = {}
    for group, level in group_levels:
        groups.setdefault(group, set()).add(level)
    return {
        (group, level): STEPS * at // len(levels)
        for group, levels in groups.items()
        for at, level in enumerate(sorted(levels))
    }


def build_combination_table(rules: RuleSet, players: int) -> CombinationTable | None:
    """Build the table of all combinations in a game's deck, for the large network; None if the game does not suit it.

    A table needs four players, one deck of 13 ranks with four cards each, no wild cards, and at most `_MOST`
    combinations.
    """
    in_force, deck = rules.game.build_rules(rules.options), rules.game.deck(rules.options, players)
    cards = tuple(sorted(dict.fromkeys(deck), key=in_force.exchange_value))
    ranks = ["".join({card[0] for card in cards[at : at + SUITS]}) for at in range(0, len(cards), SUITS)]
    plain = len(cards) == len(deck) == CARDS and players == len(_NAMES) and all(len(rank) == 1 for rank in ranks)
    if not plain or in_force.wild_ranks():
        return None
    found = [readings[0] for readings in islice(rules.game.combinations_in_hand(rules.options, cards), _MOST + 1)]
    return None if len(found) > _MOST else CombinationTable(rules, cards, found)
