"""How far the hard bot trusts the network, against worlds played to their end: as it was measured of a game."""

from functools import lru_cache
from importlib.resources import files

from msgspec import Struct, json


class Trust(Struct, frozen=True):
    """How much the network's opinion weighs where worlds are played out."""

    now: float = 60.0
    """As many worlds its opinion of an action counts for."""
    later: float = 0.0
    """How much of what a world shows is its opinion at one's next turn there, from 0 to 1."""
    measured: str = ""
    """Of how many positions."""


@lru_cache(16)
def trust_in(game: str) -> Trust:
    """What was measured of a game; the usual where nothing was."""
    place = files(__package__) / "measured" / f"{game}.json"
    return json.decode(place.read_bytes(), type=Trust) if place.is_file() else Trust()
