"""Who owes whom: what a hand is worth to everybody, and the fewest payments that make all even. Pure arithmetic.

>>> settle((5, -3, -2))
(Payment(payer=1, payee=0, points=3), Payment(payer=2, payee=0, points=2))
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

MOST_EXACT = 13
"""For more people than so many, who can't be paired off, the fewest payments are not looked for but come close to."""


def dues(ledger: Mapping[str, int], *, zero_sum: bool) -> dict[str, int]:
    """What a hand is worth to each of its players, where every point is to be paid for.

    Where what some gain others lose, that is the ledger itself. Else everybody settles with everybody: who has more
    points in the hand gets the difference from who has fewer.

    >>> dues({"Ana": 2, "Bob": 1, "Cat": 0}, zero_sum=False)
    {'Ana': 3, 'Bob': 0, 'Cat': -3}
    """
    if zero_sum:
        return dict(ledger)
    everything, players = sum(ledger.values()), len(ledger)
    return {name: points * players - everything for name, points in ledger.items()}


def shared(pot: int, totals: Sequence[int]) -> tuple[int, ...]:
    """A pot that nobody has won, given back to those with these totals in equal parts; what does not divide goes to
    whoever has least, a point each.

    >>> shared(7, (-3, 2, -6))
    (2, 2, 3)
    """
    each, odd = divmod(pot, len(totals))
    poorest = sorted(range(len(totals)), key=lambda place: totals[place])[:odd]
    return tuple(each + (place in poorest) for place in range(len(totals)))


def with_match(balances: Mapping[str, int], brought: Mapping[str, int], staying: Sequence[str]) -> dict[str, int]:
    """What everybody has after a match as well, which brought them so much; what its hands left in a pot is given back
    to those who stayed to its end, and what they took out of one that was there before, they paid into it.

    >>> with_match({"Ana": 3, "Bob": -3}, {"Ana": -1, "Cat": -1}, ("Ana", "Cat"))
    {'Ana': 3, 'Bob': -3, 'Cat': 0}
    """
    found = {name: balances.get(name, 0) + brought.get(name, 0) for name in (*balances, *brought)}
    parts = shared(-sum(brought.values()), [found[name] for name in staying])
    return found | {name: found[name] + part for name, part in zip(staying, parts, strict=True)}


class Payment(NamedTuple):
    """Who pays whom how many points, by their places in the list that is settled."""

    payer: int
    payee: int
    points: int


@lru_cache(maxsize=256)
def settle(balances: tuple[int, ...]) -> tuple[Payment, ...]:
    """The fewest payments that make all even, of balances that add up to nothing.

    Some who are even among themselves need one payment less than they are many: so the fewest payments come of the
    most such groups. Two who owe just as much as they are owed are always one of them.
    """
    assert sum(balances) == 0, f"what some are owed others owe: {balances}"
    groups, left = _pairs(balances)
    groups += _groups(left, balances) if len(left) <= MOST_EXACT else [left]
    return tuple(payment for group in groups for payment in _paid(group, balances))


def _pairs(balances: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """The pairs that are even by themselves, and who is left."""
    waiting: dict[int, list[int]] = {}
    pairs: list[list[int]] = []
    for place, points in enumerate(balances):
        if (others := waiting.get(-points)) and points:
            pairs.append([others.pop(), place])
        elif points:
            waiting.setdefault(points, []).append(place)
    return pairs, sorted(place for places in waiting.values() for place in places)


def _groups(places: Sequence[int], balances: Sequence[int]) -> list[list[int]]:
    """These places in the most groups of which each is even.

    Sets are bits. Put in some order, people are even as often as their sum so far is nothing: `most` says how often at
    best, for every set, and `last` who stands last in such an order.
    """
    points = [balances[place] for place in places]
    sums, most, last = [0], [0], [0]
    for group in range(1, 1 << len(points)):
        low = (group & -group).bit_length() - 1
        sums.append(sums[group & (group - 1)] + points[low])
        best = max((bit for bit in range(len(points)) if group >> bit & 1), key=lambda bit: most[group ^ 1 << bit])
        last.append(best)
        most.append(most[group ^ 1 << best] + (sums[group] == 0))
    groups: list[list[int]] = []
    left = len(sums) - 1
    while left:
        if sums[left] == 0:
            groups.append([])
        groups[-1].append(places[last[left]])
        left ^= 1 << last[left]
    return groups


def _paid(group: Sequence[int], balances: Sequence[int]) -> Iterator[Payment]:
    """Payments within a group that is even: who owes most pays whoever is owed most, as long as anybody owes."""
    left = {place: balances[place] for place in group}
    while any(left.values()):
        payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        points = min(-left[payer], left[payee])
        left[payer] += points
        left[payee] -= points
        yield Payment(payer, payee, points)
