"""Settle points: the value of a hand for each player, and the fewest payments. Pure arithmetic.

>>> fewest_payments((5, -3, -2))
(Payment(payer=1, payee=0, points=3), Payment(payer=2, payee=0, points=2))
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

MOST_EXACT = 13
"""Up to this number of unpaired people the optimum is computed. For more people, an approximation is used."""


def points_to_settle(ledger: Mapping[str, int], *, zero_sum: bool) -> dict[str, int]:
    """Return the points that each player receives (or pays, if negative) for a hand, by name. They add up to zero.

    If the hand's points add up to zero, they are returned unchanged. Otherwise every two players settle: the player
    with more points receives the difference from the other player.

    >>> points_to_settle({"Ana": 2, "Bob": 1, "Cat": 0}, zero_sum=False)
    {'Ana': 3, 'Bob': 0, 'Cat': -3}
    """
    if zero_sum:
        return dict(ledger)
    everything, players = sum(ledger.values()), len(ledger)
    return {name: points * players - everything for name, points in ledger.items()}


def split_pot(pot: int, totals: Sequence[int]) -> tuple[int, ...]:
    """Split a pot that nobody has won into equal parts. The players with the lowest totals get the remainder.

    Returns the parts in the order of `totals`.

    >>> split_pot(7, (-3, 2, -6))
    (2, 2, 3)
    """
    each, odd = divmod(pot, len(totals))
    poorest = sorted(range(len(totals)), key=lambda place: totals[place])[:odd]
    return tuple(each + (place in poorest) for place in range(len(totals)))


def add_match_balances(
    balances: Mapping[str, int], match_points: Mapping[str, int], staying: Sequence[str]
) -> dict[str, int]:
    """Return each player's balance after a match, by name: `balances` before it plus the points of the match.

    Points left in a pot are returned to the players who stayed to the end. If they won a pot from before the match,
    its points are charged to them.

    >>> add_match_balances({"Ana": 3, "Bob": -3}, {"Ana": -1, "Cat": -1}, ("Ana", "Cat"))
    {'Ana': 3, 'Bob': -3, 'Cat': 0}
    """
    found = {name: balances.get(name, 0) + match_points.get(name, 0) for name in (*balances, *match_points)}
    parts = split_pot(-sum(match_points.values()), [found[name] for name in staying])
    return found | {name: found[name] + part for name, part in zip(staying, parts, strict=True)}


class Payment(NamedTuple):
    """A payment of points that settles debts. Payer and payee are indexes into the list of balances."""

    payer: int
    payee: int
    points: int


@lru_cache(maxsize=256)
def fewest_payments(balances: tuple[int, ...]) -> tuple[Payment, ...]:
    """Return the fewest payments of points that settle these balances, which must add up to zero.

    A group whose balances add up to zero needs one payment less than it has people. So the fewest payments need the
    largest number of such groups. Two people with opposite balances always form a group. For more than `MOST_EXACT`
    unpaired people, the number of payments is only close to the minimum.
    """
    assert sum(balances) == 0, f"what some are owed others owe: {balances}"
    groups, left = _settled_pairs(balances)
    groups += _zero_sum_groups(left, balances) if len(left) <= MOST_EXACT else [left]
    return tuple(payment for group in groups for payment in _payments_within_group(group, balances))


def _settled_pairs(balances: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """Return pairs of people with opposite balances, who settle with one payment, and the other people who owe.

    People are indexes into `balances`; those with a balance of 0 are in neither list.
    """
    waiting: dict[int, list[int]] = {}
    pairs: list[list[int]] = []
    for place, points in enumerate(balances):
        if (others := waiting.get(-points)) and points:
            pairs.append([others.pop(), place])
        elif points:
            waiting.setdefault(points, []).append(place)
    return pairs, sorted(place for places in waiting.values() for place in places)


def _zero_sum_groups(places: Sequence[int], balances: Sequence[int]) -> list[list[int]]:
    """Split people (indexes in `places`) into the largest number of groups whose balances add up to zero.

    Sets of people are bit masks. Adding people one by one, each partial sum of zero ends a group. `most` is the
    largest number of such sums for each set, and `last` the person added last in the best order.
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


def _payments_within_group(group: Sequence[int], balances: Sequence[int]) -> Iterator[Payment]:
    """Yield payments that settle a group of people: the largest debtor pays the largest creditor, until nobody owes.

    The balances of the group must add up to zero.
    """
    left = {place: balances[place] for place in group}
    while any(left.values()):
        payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        points = min(-left[payer], left[payee])
        left[payer] += points
        left[payee] -= points
        yield Payment(payer, payee, points)
