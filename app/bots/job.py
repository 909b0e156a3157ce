"""What a hard bot is told in another process, and what it answers: bytes, made of what its seat may know and nothing
else.

Exchange two cards that the seat can't know, and not a byte of a job is another: `soak/door.py` holds every random match
of every game to it.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from msgspec import Struct, msgpack

from app.engine.cards import Cards, parse_cards, show
from app.engine.games import GAMES
from app.engine.match import Match
from app.engine.veil import Veiled, veil

from .search import Budget, Thought, think
from .seat import view_of


class Job(Struct, frozen=True, array_like=True):
    """One decision that is asked for."""

    veiled: bytes
    """The match as the seat may know it."""
    told: Sequence[Mapping[str, Any]]
    """What the seat has been told since the deal."""
    dealt: str
    """The cards that it was dealt."""
    seconds: float
    """How much thinking may cost, of a processor's time."""
    seed: int
    """The chance by which worlds are drawn."""


def job_of(
    match: Match, seat: str, told: Sequence[Mapping[str, Any]], dealt: Cards, seconds: float, seed: int
) -> bytes | None:
    """The job for a seat that is to act, at most so many seconds of a processor long; None where nothing can be thought
    ahead."""
    veiled = veil(match, seat, told)
    if veiled is None:
        return None
    saw = show(match.game.saw(dealt))
    return msgpack.encode(Job(veiled.pack(), told, saw, seconds, seed), enc_hook=str)


def done(job: bytes) -> bytes:
    """Do a job; `thought_of` reads what it came to."""
    asked = msgpack.decode(job, type=Job)
    rng, veiled = Random(asked.seed), Veiled.unpack(asked.veiled, GAMES)
    # Whichever world it is, to the seat it looks the same.
    view = view_of(veiled.sample(rng), veiled.seat, asked.told, parse_cards(asked.dealt))
    return msgpack.encode(think(veiled, view, Budget(seconds=asked.seconds), rng))


def thought_of(answer: bytes) -> Thought:
    """What a job came to; `msgspec.MsgspecError` of other bytes."""
    return msgpack.decode(answer, type=Thought)
