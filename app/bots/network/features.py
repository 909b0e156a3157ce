"""A turn, measured: what a seat sees and has been told, as features that are there or not.

A feature is a number below `FEATURES`; the position is the set of those that are true of it. Most are questions about
one's own cards: how many turns would they take, how many of those would be beaten, what higher cards has nobody seen
yet. All of it goes by the table and by what the rules answer (card_order.py), so that a new switch needs nothing here.

What is true of the moment is measured once (`Glimpse.moment`), what an action would change for each (`Glimpse.of`).
Whoever changes what a feature means counts `VERSION` up, and trains anew. What comes after all others needs neither: a
network that was trained before it thinks nothing of it.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple
from zlib import crc32

from app.bots.view.card_groups import Planned
from app.bots.view.card_order import LEVELS, Order, RulesInForce, order_of
from app.bots.view.seat_view import Action, SeatReader, cards_in
from app.engine.cards.cards import Card
from app.engine.climbing.combinations import Combination

VERSION = 1

_COUNTS = 4
"""Of more cards of a level no more is made."""
_SIZES = 5
"""Nor of combinations of more cards."""
_HELD = 14
_TURNS, _LOSERS, _LONE = 9, 7, 6
_FEW = (0, 1, 2, 3, 4, 5, 5, 6, 6, 6)
"""How many cards somebody has, in 8 steps; 7 from ten on."""
_BEATEN = (0, 1, 2, 3, 3, 4, 4, 4, 4)
"""How many might beat it, in 6 steps; 5 from nine on."""
_KINDS, _SORTS = 24, 16
"""Kinds of combinations by a hash of their names: two that meet share a feature."""
_WINNER = 1
"""A single card below so few is likely to win its trick."""
_LAST_TURNS = 2
"""With so few turns left one looks whether they can be made one after the other."""


class Block(NamedTuple):
    """A group of features of which one is true: a number of steps, or two numbers together."""

    first: int
    rows: int
    steps: int


BLOCKS: list[Block] = []
"""All groups, in order. Neighbouring numbers mean much the same; tools/training/small_network.py uses that."""


def _block(steps: int, rows: int = 1) -> int:
    """The first feature of a new group of so many."""
    first = BLOCKS[-1].first + BLOCKS[-1].rows * BLOCKS[-1].steps if BLOCKS else 0
    BLOCKS.append(Block(first, rows, steps))
    return first


# The moment.
_UNSEEN = _block(_COUNTS + 1, LEVELS)
_LEADS = _block(1)
_ON_SIZE = _block(_SIZES + 1)
_ON_TOP = _block(LEVELS)
_ON_MIXED = _block(1)
_OWNER = _block(8)
_MINE = _block(_HELD + 1)
_NEXT = _block(8)
_FEWEST = _block(8)
_IN = _block(6)
_ALL = _block(12)
_AWAITED = _block(5)
_OUT = _block(5)
_INVERTED = _block(1)
_BARS = _block(1)
_ONE_ROUND = _block(1)
_NOW = _block(_LOSERS, _TURNS)
# One's cards, before or after.
_HOLDS = _block(_COUNTS + 1, LEVELS)
# What is done.
_PASSES = _block(1)
_GIVES = _block(1)
_TOP = _block(_SIZES + 1, LEVELS)
_KIND = _block(_KINDS)
_HIGHER = _block(6, 3)
_LEFT = _block(_LOSERS, _TURNS)
_LEFT_LONE = _block(_LONE)
_SAVED = _block(6)
_REST = _block(_HELD + 1)
_KEEPS = _block(5)
_SPENDS = _block(4)
_NEXT_GOES = _block(6)
_FITS = _block(1)
_TOO_BIG = _block(1)
_TEARS = _block(1)
_STRANDS = _block(1)
# Combinations of several ranks: what is played, what lies there, how many one has left, and the best of these.
_MADE = _block(LEVELS, _SORTS)
_ON_MADE = _block(LEVELS, _SORTS)
_STILL = _block(4)
_STILL_BEST = _block(LEVELS, _SORTS)
# Who could play as many cards as such a combination has, and what the others hold, each by where they sit.
_WHOLE = _block(4)
_AFTER_NEXT = _block(8)
_LAST = _block(8)

FEATURES = BLOCKS[-1].first + BLOCKS[-1].rows * BLOCKS[-1].steps

Plan = tuple[int, int, int]
"""Turns that some cards would take, how many of them would likely be beaten, how many are low cards alone."""
_NONE: Plan = (0, 0, 0)


class _Rest(NamedTuple):
    """What there is once some cards have gone."""

    used: Mapping[int, int]
    """How many have gone of each level."""
    plan: Plan
    """What the rest would take."""
    whole: Sequence[Combination]
    """The combinations of several ranks that it is planned with."""


class Glimpse:
    """What one seat may go by when it plays, passes or gives."""

    def __init__(
        self, seat: SeatReader, told: Sequence[Mapping[str, Any]], rules: RulesInForce, features: int = FEATURES
    ) -> None:
        """`features`: how many the network knows that is to be asked. Those behind are not looked for where it takes
        time."""
        self.seat = seat
        self._rules, self._order = rules, order_of(rules, seat)
        self._features = features
        level, held = self._order.level, seat.cards
        self._unseen = _unseen(self._order, held, told)
        levels = [0] * LEVELS
        for card, count in self._unseen.items():
            levels[level[card]] += count
        self._levels, self._total = levels, max(1, sum(levels))
        self._sets = _above(levels)
        self._mine = [0] * LEVELS
        for card in held:
            self._mine[level[card]] += 1
        self._singles = [0, *accumulate(levels[:-1])]
        """By level, how many cards might beat a single one; of levels that one holds."""
        for at, count in enumerate(self._mine):
            if count and (above := self._order.above(at)) is not None:
                self._singles[at] = sum(map(self._unseen.__getitem__, above))
        # A card is a control if no card that nobody has seen beats it, or only one does.
        self._controls = frozenset([at for at, count in enumerate(self._singles) if count <= _WINNER])
        self._controlling = sum([self._mine[at] for at in self._controls])
        self._costs = [self._cost(at, count) if count else (_NONE,) for at, count in enumerate(self._mine)]
        self._sum = _added([costs[-1] for costs in self._costs])
        self._known = dict[tuple[str, ...], int]()
        self._rests = dict[str, _Rest]()
        self._look_inside(rules, held)
        now, self._whole = self._planned(self._sum, self._all)
        self._now = now
        self._measure_table(rules)

    def _look_inside(self, rules: RulesInForce, held: Sequence[str]) -> None:
        """The combinations of several ranks that are worth planning with, and one's cards as bits, if there are any."""
        self._inside = rules.inside(self._order, tuple(held)) if len(set(held)) == len(held) > 2 else None
        self._plans: Sequence[Planned] = () if self._inside is None else self._inside.planned(frozenset(held))
        self._bit: Mapping[str, int] = self._inside.bits if self._inside is not None and self._plans else {}
        self._all, masks = 0, dict[int, int]()
        for card in held if self._plans else ():
            at, bit = self._order.level[card], self._bit[card]
            self._all |= bit
            masks[at] = masks.get(at, 0) | bit
        self._masks = [*masks.items()]
        """By level, which of these cards are one's own."""

    # What is true whatever is done -----------------------------------------------------------------------------------

    def _measure_table(self, rules: RulesInForce) -> None:
        seat, table = self.seat, self.seat.table
        players: Mapping[str, Mapping[str, Any]] = table["players"]
        names: list[str] = [*players]
        at = names.index(seat.name)
        others = (names[at + 1 :] + names[:at])[:: table.get("direction", 1)]
        counts = [players[name]["cards"] for name in others if players[name]["cards"]] or [0]
        self._counts, self._next, self._most = counts, counts[0], max(counts)
        trick: Mapping[str, Any] = table.get("trick") or {}
        plays: Sequence[Mapping[str, Any]] = trick.get("plays", ())
        on = plays[-1] if plays else None
        silent = {*trick.get("passed", ()), *trick.get("barred", ()), on["by"] if on else seat.name}
        awaited = sum(players[name]["cards"] > 0 for name in others if name not in silent)
        found = [_UNSEEN + at * (_COUNTS + 1) + min(count, _COUNTS) for at, count in enumerate(self._levels)]
        found += (
            _MINE + min(len(seat.cards), _HELD),
            _NEXT + _few(counts[0]),
            _FEWEST + _few(min(counts)),
            _IN + min(len(counts), 5),
            _ALL + min(sum(counts) // 5, 11),
            _AWAITED + min(awaited, 4),
            _OUT + min(sum(not one["cards"] for one in players.values()), 4),
            _NOW + min(self._now[0], _TURNS - 1) * _LOSERS + min(self._now[1], _LOSERS - 1),
        )
        if on is None:
            found.append(_LEADS)
        else:
            cards: list[str] = on["cards"].split()
            found.append(_ON_SIZE + min(len(cards), _SIZES))
            found.append(_ON_TOP + min(self._order.level.get(card, 0) for card in cards))
            found.append(_OWNER + _few(players[on["by"]]["cards"] if on["by"] in players else 0))
            if len({card[0] for card in cards}) > 1:
                found.append(_ON_MIXED)
                found.append(_ON_MADE + self._made(on.get("kind"), tuple(cards)))
        found.append(_WHOLE + min(sum(count >= _SIZES for count in counts), 3))
        if len(counts) > 1:
            found.append(_LAST + _few(counts[-1]))
        if len(counts) > 2:
            found.append(_AFTER_NEXT + _few(counts[1]))
        if table.get("inverted"):
            found.append(_INVERTED)
        if rules.bars:
            found.append(_BARS)
        if rules.one_round:
            found.append(_ONE_ROUND)
        held = [_HOLDS + at * (_COUNTS + 1) + min(count, _COUNTS) for at, count in enumerate(self._mine)]
        self.moment: list[int] = found + held
        """The features of the moment, with all one's cards still in hand."""

    # What one of the actions would change ----------------------------------------------------------------------------

    def of(self, action: Action) -> tuple[list[int], list[int]]:
        """What an action makes of the moment: the features that are true with it, and those that are no more."""
        do, seat = action["do"], self.seat
        if do == "pass":
            turns, losers, lone = self._now
            left = min(turns, _TURNS - 1) * _LOSERS + min(losers, _LOSERS - 1)
            return [_PASSES, _LEFT + left, _LEFT_LONE + min(lone, _LONE - 1), *self._still(self._whole)], []
        cards = cards_in(action)
        used, (turns, losers, lone), whole = self._after(action, cards)
        found, gone = list[int](), list[int]()
        spent = torn = 0
        for at, count in used.items():
            had, first = self._mine[at], _HOLDS + at * (_COUNTS + 1)
            gone.append(first + min(had, _COUNTS))
            found.append(first + min(had - count, _COUNTS))
            torn += had > count
            if at in self._controls:
                spent += count
        size = len(cards)
        found += (
            _LEFT + min(turns, _TURNS - 1) * _LOSERS + min(losers, _LOSERS - 1),
            _LEFT_LONE + min(lone, _LONE - 1),
            _REST + min(len(seat.cards) - size, _HELD),
            _KEEPS + min(self._controlling - spent, 4),
            _SPENDS + min(spent, 3),
            _SAVED + max(0, min(self._now[0] - turns + 2, 5)),
        )
        if self._plans:
            found += self._still(whole)
        if torn:
            found.append(_TEARS)
        if do == "give":
            found.append(_GIVES)
            return found, gone
        found.append(_TOP + min(used) * (_SIZES + 1) + min(size, _SIZES))
        if len(used) > 1:
            kind = None if self._inside is None else self._inside.kind(cards)
            found.append(_KIND + (crc32(kind.encode()) % _KINDS if kind else 0))
            if self._features > _MADE:
                found.append(_MADE + self._made(kind, tuple(cards)))
        beaten, sort = self._beaten(cards, used)
        steps = _BEATEN[beaten] if beaten < len(_BEATEN) else 5
        found.append(_HIGHER + sort * 6 + steps)
        if size == 1 and self._next == 1:
            found.append(_NEXT_GOES + steps)
        if size in self._counts:
            found.append(_FITS)
        if size > self._most:
            found.append(_TOO_BIG)
        if seat.not_last and seat.strands(cards):
            found.append(_STRANDS)
        return found, gone

    def _after(self, action: Action, cards: Sequence[str]) -> _Rest:
        """What there is after an action with these cards."""
        named: str | None = action.get("cards")
        if named is not None and (known := self._rests.get(named)) is not None:
            return known
        level, used, left, rest = self._order.level, dict[int, int](), self._all, self._sum
        for card in cards:
            at = level[card]
            used[at] = used.get(at, 0) + 1
        for at, count in used.items():
            had = self._mine[at]
            rest = _instead(rest, self._costs[at][had], self._costs[at][had - count])
        if left:
            for card in cards:
                left &= ~self._bit[card]
        found = _Rest(used, *self._planned(rest, left))
        if named is not None:
            self._rests[named] = found
        return found

    def is_sure(self, action: Action) -> bool:
        """Whether nothing of their like that nobody has seen beats these cards, and the others go out next."""
        if self._now[0] > _LAST_TURNS or action["do"] != "play":
            return False
        cards = cards_in(action)
        if len(cards) == len(self.seat.cards):
            return False
        if self.seat.not_last and self.seat.strands(cards):
            return False
        used, plan, _ = self._after(action, cards)
        return plan[0] <= 1 and self._beaten(cards, used)[0] == 0 and (len(cards) == 1 or not self._answering(cards))

    def may_be_beaten(self, action: Action) -> bool:
        """Return whether anything at all among the cards that nobody has seen could beat a play, bombs included."""
        cards = cards_in(action)
        game, options, inverted = self._rules.game, self._rules.options, self._order.inverted
        held = tuple(map(Card, cards))
        led = (one[0] for one in game.in_hand(options, held, inverted=inverted))
        on = next((one for one in led if one.size == len(cards)), None)
        if on is None:
            return True
        unseen = [Card(card) for card, count in self._unseen.items() for _ in range(count)]
        left = tuple(sorted(unseen, key=game.rules(options).order))
        return any(len(one[0].cards) <= self._most for one in game.in_hand(options, left, on=on, inverted=inverted))

    def _beaten(self, cards: Sequence[str], used: Mapping[int, int]) -> tuple[int, int]:
        """How many might beat these cards, and of what sort: cards, sets, or cards that are above the best of them."""
        if len(cards) == 1:
            return self._single(cards[0]), 0
        if len(used) == 1:
            return self._sets[min(len(cards), _COUNTS)][min(used)], 1
        return self._singles[min(used)], 2

    # One's own plan --------------------------------------------------------------------------------------------------

    def _single(self, card: str) -> int:
        """How many cards that nobody has seen may be played on a single one of one's own."""
        order = self._order
        return self._singles[order.level[card]] if card in order.as_best else self._answering((card,))

    def _answering(self, cards: Sequence[str]) -> int:
        """How many cards that nobody has seen may alone be played on these."""
        return sum(map(self._unseen.__getitem__, self._order.single_answers(cards)))

    def _cost(self, at: int, most: int) -> Sequence[Plan]:
        """What it takes to be rid of none, one, two … cards of a level, of which one has so many."""
        if at == 0:
            return [_NONE] * (most + 1)  # they go along with others
        # What may be played on anything needs no lead of its own.
        share = 0.0 if self._order.is_anywhere(at) else self._singles[at] / self._total
        alone = (1, int(share > 0.1), int(share > 0.4))
        sets = [(1, int(self._sets[min(count, _COUNTS)][at] > 1), 0) for count in range(2, most + 1)]
        return [_NONE, alone, *sets]

    def _still(self, whole: Sequence[Combination]) -> list[int]:
        """What is left of combinations of several ranks: how many, one after the other, and the best of them."""
        if not self._plans or self._features <= _STILL:
            return []
        if not whole:
            return [_STILL]
        best = max(whole, key=lambda one: one.strength)
        return [_STILL + min(len(whole), 3), _STILL_BEST + self._made(best.kind, best.cards)]

    def _made(self, kind: str | None, cards: tuple[str, ...]) -> int:
        """A combination of several ranks by its kind and what it goes by: the rank that comes most often, and the best
        of these."""
        if cards not in self._known:
            levels = [self._order.level.get(card, 0) for card in cards]
            most = min(levels, key=lambda at: (-levels.count(at), at))
            self._known[cards] = (crc32(kind.encode()) % _SORTS if kind else 0) * LEVELS + most
        return self._known[cards]

    def _planned(self, sets: Plan, left: int) -> tuple[Plan, Sequence[Combination]]:
        """For cards that take so much as sets: that, or what combinations of several ranks make of them; and which."""
        whole, losers, rest = list[Combination](), 0, left
        for mask, top, one in self._plans:
            if mask & rest == mask:
                rest ^= mask
                whole.append(one)
                losers += self._singles[top] * 3 > self._total
        if not whole:
            return sets, whole
        plan, gone = sets, left ^ rest
        for at, mask in self._masks:
            if mask & gone:
                costs = self._costs[at]
                plan = _instead(plan, costs[(mask & left).bit_count()], costs[(mask & rest).bit_count()])
        return min(sets, (len(whole) + plan[0], losers + plan[1], plan[2])), whole


def _unseen(order: Order, held: Iterable[str], told: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many there are of each card of the deck that are neither held nor were laid open."""
    left = dict(order.deck)
    for card in held:
        left[card] -= 1
    for event in told:
        if event["e"] in _LAID_OPEN and "cards" in event:
            for card in event["cards"].split():
                if left.get(card):
                    left[card] -= 1
    return left


_LAID_OPEN = frozenset(("played", "discarded", "bombed"))
"""Events by which cards leave the game for all to see."""


def _above(levels: Sequence[int]) -> list[list[int]]:
    """By size and level, of how many better levels there is a set."""
    return [[0, *accumulate([count >= size for count in levels[:-1]])] for size in range(_COUNTS + 1)]


def _added(plans: Iterable[Plan]) -> Plan:
    turns = losers = lone = 0
    for plan in plans:
        turns += plan[0]
        losers += plan[1]
        lone += plan[2]
    return turns, losers, lone


def _instead(plan: Plan, before: Plan, after: Plan) -> Plan:
    return plan[0] - before[0] + after[0], plan[1] - before[1] + after[1], plan[2] - before[2] + after[2]


def _few(count: int) -> int:
    return _FEW[count] if count < len(_FEW) else 7
