"""Weights of the network's values against sampled deals (worlds) in the hard bot's search, measured by game."""

from functools import lru_cache
from importlib.resources import files

from msgspec import Struct, json

from app.engine.match.match import Match


class BlendWeights(Struct, frozen=True, omit_defaults=True):
    """Weights of the network's values against outcomes of played-out worlds (sampled deals), for one game.

    The hard bot's search uses them.
    """

    now: float = 60.0
    """Number of worlds that the network's value of an action counts for."""
    later: float = 0.0
    """Share of the network's value in a world's outcome, from 0 to 1. With 1, no world is played to its end."""
    turns: int = 1
    """At which of the player's next turns in a world the network is asked for that value.

    The network also chooses the player's actions at the turns before.
    """
    clear: float = 1.2
    """Lead of the best action at which the search stops early, times the square root of the number of worlds.

    The worlds that the network counts for are included in that number. The usual value is 2.5 times the spread of the
    difference between two actions from world to world.
    """
    points: bool = False
    """Whether the outcome of a world played to its end is its points alone, instead of mostly the place."""
    by_heart: bool = False
    """Whether the large network alone decides where it can (large_network.py), without playing out worlds."""
    measured: str = ""
    """The measurement that the weights come from, with the number of positions."""
    paid: "BlendWeights | None" = None
    """Weights for zero-sum settlements, in which losers pay winners; None if they are the same."""


def load_blend_weights(match: Match) -> BlendWeights:
    """Return the hard bot's weights measured for the match's game, or the defaults if nothing was measured.

    If losers pay the winner, weights measured for that come first.
    """
    trust = _read_measured_weights(match.game.key)
    return trust.paid if trust.paid is not None and match.game.option_schema.is_zero_sum(match.options) else trust


@lru_cache(16)
def _read_measured_weights(game: str) -> BlendWeights:
    place = files("app.bots") / "measured" / f"{game}.json"
    return json.decode(place.read_bytes(), type=BlendWeights) if place.is_file() else BlendWeights()
