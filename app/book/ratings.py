"""Ratings: how strong somebody plays a game, by whom they were placed above and below (Weng and Lin's Plackett–Luce).

Persons are rated, by the hands in which at least two of them have a place. Bots are left out: a bot is played by the
program of the day, so that it is never the same opponent for long, and who plays only bots could climb as high as they
have patience. Of those who share a place, who was rated lower counts as placed higher (among equals, whose id comes
first): the model takes a tie for less than it is, and a tie is worth more to the weaker.

It is algorithm 4 of theirs (https://jmlr.org/papers/v12/weng11a.html) for players without teams, digit for digit as
`openskill` has it, which copies and numbers all players before it rates them: a tenth of the end of a hand.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import exp, sqrt
from operator import add
from typing import Final

from .hand import Played, is_person

ENOUGH: Final = 20
"""Hands after which a rating says something."""
MU: Final = 25.0
"""What everybody begins with."""
SIGMA: Final = MU / 3
"""And how unsure that is."""
BETA: Final = MU / 6
"""How much somebody's play varies from hand to hand."""
TAU: Final = MU / 300
"""So much less sure of a rating one is with each hand, since people change."""
SUREST: Final = 0.0001
"""The least part of what was unsure that one hand leaves."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of somebody's strength: most likely `mu`, and within two `sigma` of it nearly certainly."""

    mu: float = MU
    sigma: float = SIGMA
    hands: int = 0
    """So many hands it is made of."""

    @property
    def says_something(self) -> bool:
        """Whether it is made of enough hands to be shown."""
        return self.hands >= ENOUGH


def ranked(hand: Played) -> dict[str, int]:
    """Tell the place of each person whose rating a hand changes; of none, if fewer than two persons have a place."""
    places = {seat.player: seat.place for seat in hand.seats if seat.place is not None and is_person(seat.player)}
    return places if len(places) > 1 else {}


def rated(places: Mapping[str, int], before: Mapping[str, Rating]) -> dict[str, Rating]:
    """Rate these persons after a hand that placed them so; who is not in `before` had no rating yet."""
    old = {person: before.get(person, Rating()) for person in places}
    order = sorted(places, key=lambda person: (places[person], old[person].mu, person))
    return dict(zip(order, _after([old[person] for person in order]), strict=True))


def _after(order: Sequence[Rating]) -> list[Rating]:
    """The ratings after a hand of those who were placed in this order, best first."""
    sigmas = [sqrt(rating.sigma * rating.sigma + TAU * TAU) for rating in order]
    unsure = sqrt(_added(sigma**2 + BETA**2 for sigma in sigmas))
    strengths = [exp(rating.mu / unsure) for rating in order]
    # The first wins against all, the second against those who are left, and so on.
    left = [_added(strengths[place:]) for place in range(len(order))]
    found: list[Rating] = []
    for place, (rating, sigma) in enumerate(zip(order, sigmas, strict=True)):
        chances = [strengths[place] / all_left for all_left in left[: place + 1]]
        surprise = _added([*(-chance for chance in chances[:-1]), 1 - chances[-1]])
        learnt = _added(chance * (1 - chance) for chance in chances)
        mu = rating.mu + surprise * (sigma**2 / unsure)
        surer = learnt * (sigma**2 / unsure**2) * (sqrt(sigma**2) / unsure)
        found.append(Rating(mu, sigma * sqrt(max(1 - surer, SUREST)), rating.hands + 1))
    return found


def _added(numbers: Iterable[float]) -> float:
    """Their sum, one after the other: what `sum` makes of fractions is not the same in every version of Python."""
    return reduce(add, numbers)
