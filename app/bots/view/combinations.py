"""A pack of cards, looked through: every combination that the rules allow, how high it is, and what goes on what.

It is asked of the rules once, and from then on answered from tables: sets of cards are whole numbers with a bit for
each card, from the lowest, and combinations are told apart by a sort, which is a number, and a level, which is higher
for what is stronger. It is for games with one pack of thirteen ranks of four cards each; no switch has a name here.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar
from zlib import crc32

from app.bots.view.card_order import RulesInForce
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.state import State
from app.engine.games import GAMES
from app.engine.match.match import Match

SORTS = 12
"""Kinds of combinations by a hash of their names."""
STEPS = 16
"""Steps in which it is told how high something is."""
CARDS, SUITS = 52, 4
_NAMES = ("1", "2", "3", "4")
_DEAREST = 2
_MOST = 24_000
"""Of a pack with more combinations in it no table is made: it would take too long."""


_Group = TypeVar("_Group", str, int)


class Possible(NamedTuple):
    """A combination."""

    mask: int
    """Its cards."""
    level: int
    """Higher is stronger."""
    sort: int
    size: int
    step: int
    """How high it is among those of its sort."""
    grade: int
    """How high it is among those of as many cards."""


class Pack:
    """What a pack has in it, by the rules that are in force."""

    def __init__(self, rules: RulesInForce, cards: Cards, found: Sequence[Combination]) -> None:
        """`cards`: from the lowest. `found`: all that is in them."""
        self._rules, in_force = rules, rules.game.rules(rules.options)
        self.place: Mapping[str, int] = {card: at for at, card in enumerate(cards)}
        levels = {strength: level for level, strength in enumerate(sorted({one.strength for one in found}))}
        steps = _in_steps([(one.kind, levels[one.strength]) for one in found])
        grades = _in_steps([(one.size, levels[one.strength]) for one in found])
        sorts = {kind: crc32(kind.encode()) % SORTS for kind in dict.fromkeys([one.kind for one in found])}
        self.all: Sequence[Possible] = []
        """Every combination, in the order in which rules find them."""
        for one in found:
            level = levels[one.strength]
            known = Possible(
                self.mask(one.cards),
                level,
                sorts[one.kind],
                one.size,
                steps[one.kind, level],
                grades[one.size, level],
            )
            self.all.append(known)
        self.known: Mapping[int, Possible] = {known.mask: known for known in self.all}
        self.highest: dict[int, list[Possible]] = {sort: [] for sort in sorts.values()}
        """Those of a sort, the highest first."""
        for known in sorted(self.all, key=lambda known: -known.level):
            self.highest[known.sort].append(known)
        self.sizes: Mapping[int, int] = {sort: some[0].size for sort, some in self.highest.items()}
        """How many cards a sort has."""
        self.goes_on: Mapping[int, Sequence[int]] = self._goes_on(found, sorts)
        """The sorts that may be played on one, where they are higher."""

        self.bars, self.paid = in_force.passing_bars, rules.game.declared.is_zero_sum(rules.options)
        """Whether who passes is out of the trick, and whether losers pay the winner."""
        self.costs = self._costs(cards)
        """What so many cards left over cost, one being 1; as many as they are, where it does not go by cards."""
        self.dear = max(0, min(round(self.costs[-1] / (len(self.costs) - 1)) - 1, _DEAREST))
        """How much dearer each card is of a whole hand, from 0."""

    def mask(self, cards: Iterable[str]) -> int:
        """Cards as bits."""
        return sum([1 << self.place[card] for card in cards])

    def inside(self, held: Sequence[str]) -> list[Possible]:
        """Every combination in some cards, in the order in which rules find them."""
        found = self._rules.game.in_hand(self._rules.options, tuple(map(Card, held)))
        return [self.known[self.mask(readings[0].cards)] for readings in found]

    def _costs(self, cards: Cards) -> list[float]:
        match = Match.start(GAMES[self._rules.game.key], self._rules.options, _NAMES, _NAMES)
        hand = match.begin(match.deal(cards, 0)).match.hand
        assert isinstance(hand, State)
        winner, loser, *others = _NAMES
        each = len(cards) // len(_NAMES)
        held = {name: cards[at * each : at * each + 1] for at, name in enumerate(others, 1)}
        found = [0]
        for many in range(1, each + 1):
            over = hand.but(phase="over", out=(winner,), cards={winner: (), **held, loser: cards[:many]}, to_act=())
            found.append(-self._rules.game.finish(match, over).result.ledger[loser])
        rises = found[1] > 0 and found[-1] >= each * found[1]
        return [cost / found[1] for cost in found] if rises else [float(many) for many in range(each + 1)]

    def _goes_on(self, found: Sequence[Combination], sorts: Mapping[str, int]) -> dict[int, list[int]]:
        highest, lowest = dict[str, Combination](), dict[str, Combination]()
        for one in sorted(found, key=lambda one: one.strength):
            lowest.setdefault(one.kind, one)
            highest[one.kind] = one
        game, options = self._rules.game, self._rules.options
        return {
            sorts[old]: [
                sorts[new]
                for new in sorts
                if any(one[0].kind == new for one in game.in_hand(options, highest[new].cards, on=lowest[old]))
            ]
            for old in sorts
        }


def _in_steps(some: Iterable[tuple[_Group, int]]) -> dict[tuple[_Group, int], int]:
    """For each level of a group its place among the levels there, in steps."""
    groups: dict[_Group, set[int]] = {}
    for group, level in some:
        groups.setdefault(group, set()).add(level)
    return {
        (group, level): STEPS * at // len(levels)
        for group, levels in groups.items()
        for at, level in enumerate(sorted(levels))
    }


def pack_of(rules: RulesInForce, players: int) -> Pack | None:
    """The pack of a game; None where it is none of thirteen ranks of four different cards, for four, or has too much in
    it."""
    in_force, deck = rules.game.rules(rules.options), rules.game.deck(rules.options, players)
    cards = tuple(sorted(dict.fromkeys(deck), key=in_force.worth))
    ranks = ["".join({card[0] for card in cards[at : at + SUITS]}) for at in range(0, len(cards), SUITS)]
    plain = len(cards) == len(deck) == CARDS and players == len(_NAMES) and all(len(rank) == 1 for rank in ranks)
    if not plain or in_force.wild():
        return None
    found = [readings[0] for readings in islice(rules.game.in_hand(rules.options, cards), _MOST + 1)]
    return None if len(found) > _MOST else Pack(rules, cards, found)
