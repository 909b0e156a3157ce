"""Ratings: how strong somebody plays a game, by whom they were placed above and below (Weng and Lin's Plackett–Luce).

Persons are rated, by the hands in which at least two of them have a place. Bots are left out: a bot is played by the
program of the day, so that it is never the same opponent for long, and who plays only bots could climb as high as they
have patience. Of those who share a place, who was rated lower counts as placed higher (among equals, whose id comes
first): the model takes a tie for less than it is, and a tie is worth more to the weaker.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from openskill.models import PlackettLuce

from app.stats.counted_hand import Played, is_person

ENOUGH: Final = 20
"""Hands after which a rating says something."""
MU: Final = 25.0
"""What everybody begins with."""
SIGMA: Final = MU / 3
"""And how unsure that is."""


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
    model = _model()
    # In this order they count as placed: no ranks need be said.
    found = model.rate([[model.rating(mu=old[person].mu, sigma=old[person].sigma)] for person in order])
    return {
        person: Rating(new.mu, new.sigma, old[person].hands + 1) for person, [new] in zip(order, found, strict=True)
    }


@cache
def _model() -> PlackettLuce:
    return PlackettLuce(mu=MU, sigma=SIGMA)
