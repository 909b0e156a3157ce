"""How far the hard bot trusts the network, against worlds played to their end: as it was measured of a game."""

from functools import lru_cache
from importlib.resources import files

from msgspec import Struct, json

from app.engine.match.match import Match


class Trust(Struct, frozen=True, omit_defaults=True):
    """How much the network's opinion weighs where worlds are played out."""

    now: float = 60.0
    """As many worlds its opinion of an action counts for."""
    later: float = 0.0
    """How much of what a world shows is its opinion there, from 0 to 1. With 1 no world is played to its end."""
    turns: int = 1
    """At which of one's own next turns in a world that opinion is asked; those before it are played by it."""
    clear: float = 1.2
    """How far ahead the best is when no more is asked, over the root of the worlds, the network's included: two and a
    half times as much as one world differs from another about two actions."""
    points: bool = False
    """Whether what comes of a world that is played to its end is told by its points alone, and not mostly by places."""
    by_heart: bool = False
    """Whether the wide network alone decides where it can be asked (large_network.py), and no world is looked at."""
    measured: str = ""
    """Of how many positions."""
    paid: "Trust | None" = None
    """What holds instead where what some gain others lose; None: the same."""


def trust_in(match: Match) -> Trust:
    """What was measured of a match's game and of such a settlement as it has; the usual where nothing was."""
    trust = _measured(match.game.key)
    return trust.paid if trust.paid is not None and match.game.declared.is_zero_sum(match.options) else trust


@lru_cache(16)
def _measured(game: str) -> Trust:
    place = files("app.bots") / "measured" / f"{game}.json"
    return json.decode(place.read_bytes(), type=Trust) if place.is_file() else Trust()
