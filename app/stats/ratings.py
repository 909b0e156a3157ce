"""Ratings of persons in a game, updated by their places in each hand (Plackett–Luce model by Weng and Lin).

A hand counts if at least two persons have a place. Bots are not rated, for two reasons: their strength changes with
each version, and a person who plays only bots could raise the rating without limit.

Of tied persons, the person with the lower rating counts as placed higher (with equal ratings, the lower id). The model
undervalues ties, and a tie is worth more to the weaker player.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from app.stats.counted_hand import FinishedHand, is_person

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

ENOUGH: Final = 20
"""Number of hands after which a rating is established."""
MU: Final = 25.0
"""Rating of a person before the first rated hand."""
SIGMA: Final = MU / 3
"""Standard deviation of that first rating."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A person's estimated strength in one game: mean `mu` with standard deviation `sigma`."""

    mu: float = MU
    sigma: float = SIGMA
    hands: int = 0
    """Number of hands that the rating is based on."""

    @property
    def is_established(self) -> bool:
        """Whether the rating is based on enough hands (`ENOUGH`) to be shown."""
        return self.hands >= ENOUGH


def places_of_rated_players(hand: FinishedHand) -> dict[str, int]:
    """Return the places by which a hand changes ratings, by person; empty if fewer than two persons have a place.

    Bots are not rated.
    """
    places = {seat.player: seat.place for seat in hand.seats if seat.place is not None and is_person(seat.player)}
    return places if len(places) > 1 else {}


def update_ratings(places: Mapping[str, int], before: Mapping[str, Rating]) -> dict[str, Rating]:
    """Return the new ratings of persons after a hand, from their places (1 is best) and their ratings before.

    Persons missing in `before` start with `Rating()`.
    """
    old = {person: before.get(person, Rating()) for person in places}
    order = sorted(places, key=lambda person: (places[person], old[person].mu, person))
    model = _plackett_luce_model()
    # The model takes the order of the list as the places.
    found = model.rate([[model.rating(mu=old[person].mu, sigma=old[person].sigma)] for person in order])
    return {
        person: Rating(new.mu, new.sigma, old[person].hands + 1) for person, [new] in zip(order, found, strict=True)
    }


@cache
def _plackett_luce_model() -> "PlackettLuce":
    from openskill.models import PlackettLuce  # saves 1 MB until the first hand ends

    return PlackettLuce(mu=MU, sigma=SIGMA)
