"""A turn with every card told apart: what the wide network looks at, as features that are there or not.

Each card in hand, each that nobody has seen, what lies there, what the others hold and have passed on; and how one's
cards would go out. An action is measured by what it leaves behind. `tools/training/fast_simulator.c` has the same
features in the same order, to play many hands a second: a test compares them. If you change what a feature means, count
`VERSION` up.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.bots.view.combinations import CARDS, SORTS, STEPS, SUITS, Pack, Possible
from app.bots.view.seat_view import Action, SeatReader, cards_in

VERSION = 1

_OTHERS, _RANKS = 3, CARDS // SUITS
_WHOLE_HAND = _RANKS
_STEP_OF = (0, 1, 2, 3, 4, 4, 5, 5, 5, 5, *[6] * 6, *[7] * 37)
"""Of how many something is, in 8 steps."""
_OUTER = 5
"""So many of one's lowest and highest cards are looked at by how many unseen ones are above them."""
_FEW, _FIVE = 3, 5
_TURNS, _LOSERS = 9, 7

_HAND = 0
_HELD = _HAND + CARDS
_UNSEEN = _HELD + CARDS
_LEFT = _UNSEEN + CARDS
_COUNT = _LEFT + CARDS
_MINE = _COUNT + _OTHERS * 14
_ON_SINGLE = _MINE + 14
_ON = _ON_SINGLE + CARDS
_AWAITED = _ON + SORTS * STEPS
_SILENT = _AWAITED + 16
_PASSED = _SILENT + _OTHERS
_SKIPPED = _PASSED + 3 * _OTHERS * STEPS
_PAID = _SKIPPED + 2 * _OTHERS * _RANKS
_BARS = _PAID + 1
_DEAR = _BARS + 1
_PLAN = _DEAR + 3
_MANY = _PLAN + 80
_FIRST = _MANY + 3
_SECOND = _FIRST + SORTS * STEPS
_SINGLES = _SECOND + SORTS
_PAIRS = _SINGLES + 8
_TRIPLES = _PAIRS + 7
_TOP = _TRIPLES + 5
_BOTTOM = _TOP + _OUTER * 8
_DOES = _BOTTOM + _OUTER * 8
_SURE = _DOES + SORTS + 1
_HIGHER = _SURE + SORTS
_THERE = _HIGHER + 8
_WINS = _THERE + SORTS

FEATURES = _WINS + 64


class Plan(NamedTuple):
    """How some cards would go out: the fewest turns and turns that might be beaten, together."""

    turns: int
    losers: int
    whole: Sequence[Possible]
    """Combinations of five cards or more, the highest first."""
    singles: int
    pairs: int
    triples: int

    @property
    def cost(self) -> tuple[int, int]:
        """What is least of the best plan."""
        return self.turns + self.losers, self.turns


class Survey:
    """What one seat may go by when it plays or passes."""

    def __init__(self, seat: SeatReader, told: Sequence[Mapping[str, Any]], pack: Pack) -> None:
        self._pack, self._mine = pack, pack.mask(seat.cards)
        table: Mapping[str, Any] = seat.table
        names = [*table["players"]]
        at = names.index(seat.name)
        self._others = [*names[at + 1 :], *names[:at]][:: table.get("direction", 1)]
        """The others, in the order in which their turns come."""
        counts = [table["players"][name]["cards"] for name in self._others]
        self._read_trick(seat)
        self._hear(told)
        self._best = {
            sort: level
            for sort, size in pack.sizes.items()
            if size <= max(counts) and (level := self._best_unseen(sort)) is not None
        }
        """The level of the highest of a sort that others might have."""
        self._above = self._sets_above(max(counts))
        self._plans = dict[int, Plan]()
        found = [_UNSEEN + card for card in _bits(self._unseen)] + _by_rank(self._unseen, _LEFT)
        places = {name: place for place, name in enumerate(self._others)}
        found += [_COUNT + 14 * place + min(count, _WHOLE_HAND) for place, count in enumerate(counts)]
        for (name, slot), low in self._passed.items():
            if name in places:
                found.append(_PASSED + (_OTHERS * slot + places[name]) * STEPS + low)
        for (name, slot), left_out in self._skipped.items():
            if name in places:
                first = _SKIPPED + (_OTHERS * slot + places[name]) * _RANKS
                found += [first + rank for rank in _bits(left_out)]
        found += [_THERE + sort for sort in self._best]
        found.append(_DEAR + pack.dear)
        if pack.paid:
            found.append(_PAID)
        if pack.bars:
            found.append(_BARS)
        self.moment = found
        """The features that are true whatever is done."""
        self._fives = [
            (known.mask, self._beatable(known), known)
            for known in (pack.inside(seat.cards) if len(seat.cards) >= _FIVE else ())
            if known.size >= _FIVE
        ]

    def _read_trick(self, seat: SeatReader) -> None:
        trick: Mapping[str, Any] = seat.table.get("trick") or {}
        plays: Sequence[Mapping[str, Any]] = trick.get("plays", ())
        by = plays[-1]["by"] if plays else seat.name
        self._owner = self._others.index(by) + 1 if by in self._others else 0
        """Whose is what lies there: 0 is oneself, 1 the next."""
        self._on = self._pack.known[self._pack.mask(plays[-1]["cards"].split())] if plays else None
        self._barred = {*trick.get("barred", ())}

    def _hear(self, told: Sequence[Mapping[str, Any]]) -> None:
        """Note what has gone. What each passed on that was lowest: single cards, pairs, and more; and which ranks each
        left out who played higher single cards or pairs."""
        gone, on, silent = 0, None, set[str]()
        self._passed = passed = dict[tuple[str, int], int]()
        self._skipped = skipped = dict[tuple[str, int], int]()
        for event in told:
            if event["e"] == "played":
                mask = self._pack.mask(event["cards"].split())
                play = self._pack.known.get(mask)
                if play is not None and play.size < _FEW and (on is None or on.size == play.size):
                    above = 0 if on is None else _lowest(on.mask) // SUITS + 1
                    left_out = (1 << _lowest(mask) // SUITS) - 1 & ~((1 << above) - 1)
                    one = event["by"], play.size - 1
                    skipped[one] = skipped.get(one, 0) | left_out
                gone, on = gone | mask, play
                silent.clear()
            elif event["e"] == "trick_over":
                on = None
            elif event["e"] == "passed" and on is not None:
                slot = event["by"], min(on.size, 3) - 1
                silent.add(event["by"])
                passed[slot] = min(on.grade, passed.get(slot, STEPS))
        self._unseen = (1 << CARDS) - 1 & ~gone & ~self._mine
        self._silent = silent | self._barred

    def _best_unseen(self, sort: int) -> int | None:
        seen = ~self._unseen
        return next((known.level for known in self._pack.highest[sort] if not known.mask & seen), None)

    def _sets_above(self, most: int) -> list[int]:
        """By how many cards, the highest rank of which others might have so many; -1 if there is none."""
        counts = [(self._unseen >> at & 15).bit_count() for at in range(0, CARDS, SUITS)]
        return [
            max((rank for rank, count in enumerate(counts) if count >= size), default=-1) if size <= most else -1
            for size in range(SUITS + 1)
        ]

    def _beatable(self, known: Possible) -> bool:
        best = self._best
        return any(best.get(sort, -1) > known.level for sort in self._pack.goes_on[known.sort])

    # An action -------------------------------------------------------------------------------------------------------

    def of(self, action: Action) -> list[int]:
        """What is true once it is done, besides `moment`: of a play, or a pass."""
        found, hand, others, unseen = list[int](), self._mine, self._others, self._unseen
        if action["do"] == "pass":
            found.append(_DOES + SORTS)
            owner, silent, on = self._owner, self._silent, self._on
            awaited = sum(name not in silent for place, name in enumerate(others, 1) if place != owner)
            on = on if awaited else None
        else:
            on = self._pack.known[self._pack.mask(cards_in(action))]
            hand &= ~on.mask
            owner, silent = 0, self._barred
            awaited = sum(name not in silent for name in others)
            found.append(_DOES + on.sort)
            if not self._beatable(on):
                found.append(_SURE + on.sort)
            if on.size == 1:
                found.append(_HIGHER + _STEP_OF[(unseen & -on.mask).bit_count()])
        found.append(_AWAITED + 4 * owner + awaited)
        if on is not None:
            found += [_SILENT + place for place, name in enumerate(others) if name in silent]
            found.append(_ON + STEPS * on.sort + on.step)
            if on.size == 1:
                found.append(_ON_SINGLE + on.mask.bit_length() - 1)
        cards = _bits(hand)
        found.append(_MINE + len(cards))
        found += [_HAND + card for card in cards]
        steps = [_STEP_OF[(unseen >> card).bit_count()] for card in cards]
        found += [_BOTTOM + 8 * at + step for at, step in enumerate(steps[:_OUTER])]
        found += [_TOP + 8 * at + step for at, step in enumerate(steps[: -_OUTER - 1 : -1])]
        found += _by_rank(hand, _HELD)
        plan = self.plan(hand)
        found += (
            _PLAN + 8 * min(plan.turns, _TURNS) + min(plan.losers, _LOSERS),
            _WINS + 16 * owner + 4 * min(plan.losers, 3) + awaited,
            _MANY + len(plan.whole),
            _SINGLES + min(plan.singles, 7),
            _PAIRS + min(plan.pairs, 6),
            _TRIPLES + min(plan.triples, 4),
        )
        if plan.whole:
            found.append(_FIRST + STEPS * plan.whole[0].sort + plan.whole[0].step)
        if len(plan.whole) > 1:
            found.append(_SECOND + plan.whole[1].sort)
        return found

    def plan(self, hand: int) -> Plan:
        """How these cards of one's own would go out best: none, one or two combinations of five or more, the rest in
        sets of a rank."""
        if hand not in self._plans:
            self._plans[hand] = self._planned(hand)
        return self._plans[hand]

    def _planned(self, hand: int) -> Plan:
        best = self._sets(hand, (), 0)
        there = [one for one in self._fives if not one[0] & ~hand]
        for at, (mask, beatable, known) in enumerate(there):
            left = hand & ~mask
            best = min(best, self._sets(left, (known,), beatable), key=_cost)
            if left.bit_count() >= _FIVE:
                for other_mask, other_beatable, other in there[:at]:
                    if not other_mask & ~left:
                        both = (known, other) if known.level > other.level else (other, known)
                        plan = self._sets(left & ~other_mask, both, beatable + other_beatable)
                        best = min(best, plan, key=_cost)
        return best

    def _sets(self, left: int, whole: Sequence[Possible], losers: int) -> Plan:
        turns, unseen, above = len(whole), self._unseen, self._above
        counts = [0, 0, 0, 0, 0]
        for rank, at in enumerate(range(0, CARDS, SUITS)):
            some = left >> at & 15
            if some:
                many = some.bit_count()
                counts[many] += 1
                turns += 1
                losers += bool(unseen >> at + some.bit_length() - 1) if many == 1 else above[many] > rank
        return Plan(turns, losers, whole, counts[1], counts[2], counts[3] + counts[4])


def _cost(plan: Plan) -> tuple[int, int]:
    return plan.cost


def _bits(mask: int) -> list[int]:
    """The cards that are there, from the lowest."""
    found = list[int]()
    while mask:
        found.append(_lowest(mask))
        mask &= mask - 1
    return found


def _lowest(mask: int) -> int:
    """The lowest card."""
    return (mask & -mask).bit_length() - 1


def _by_rank(mask: int, first: int) -> list[int]:
    """Of each rank that is there how many there are."""
    return [first + at + many - 1 for at in range(0, CARDS, SUITS) if (many := (mask >> at & 15).bit_count())]
