"""What a hard bot is told in another process, and what it answers: bytes, made of what its seat may know and nothing
else.

Exchange two cards that the seat can't know, and not a byte of a job is another. `tools/property_checks/worker_jobs.py`
checks that in random matches of every game.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from msgspec import Struct, msgpack

from app.bots.search.monte_carlo import MOST_WORLDS, Budget, Thought, compared, think
from app.bots.view.seat_view import Action, SeatReader, view_of
from app.engine.cards.cards import Cards, parse_cards, show
from app.engine.games import GAMES
from app.engine.match.hidden_state import Veiled, veil
from app.engine.match.match import Match

COMPARING = Budget(worlds=MOST_WORLDS, seconds=3.0)
"""How much a comparison may cost after a choice. The worlds take about a second: only a very slow machine is stopped by
the clock, and may then give the same question two answers."""
UNTRIED = 2.0
"""The gap to an action that was not thought to be worth a try: as far as worths are apart."""


class Job(Struct, frozen=True, array_like=True):
    """One decision that is asked for."""

    veiled: bytes
    """The match as the seat may know it."""
    told: Sequence[Mapping[str, Any]]
    """What the seat has been told since the deal."""
    dealt: str
    """The cards that it was dealt."""
    budget: Budget
    """How much thinking may cost."""
    seed: int
    """The chance by which worlds are drawn."""
    beside: Sequence[Action] | None
    """What the choice is to be compared with afterwards; None: with nothing."""
    comparing: Budget
    """How much that comparison may cost."""


def job_of(
    match: Match,
    seat: str,
    told: Sequence[Mapping[str, Any]],
    dealt: Cards,
    budget: Budget,
    seed: int,
    beside: Sequence[Action] | None = None,
) -> bytes | None:
    """The job for a seat that is to act; None where nothing can be thought ahead.

    With `beside` the tries of the answer are the choice and these, or what was thought of next if there is nothing else
    among them. They are compared in the same worlds, by which nothing was chosen (`search.compared`).
    """
    veiled = veil(match, seat, told)
    if veiled is None:
        return None
    saw = show(match.game.saw(dealt))
    return msgpack.encode(Job(veiled.pack(), told, saw, budget, seed, beside, COMPARING), enc_hook=str)


def done(job: bytes) -> bytes:
    """Do a job; `thought_of` reads what it came to."""
    asked = msgpack.decode(job, type=Job)
    rng, veiled = Random(asked.seed), Veiled.unpack(asked.veiled, GAMES)
    # Whichever world it is, to the seat it looks the same.
    view = view_of(veiled.sample(rng), veiled.seat, asked.told, parse_cards(asked.dealt))
    thought = think(veiled, view, asked.budget, rng)
    if asked.beside is not None and thought.tries:
        seat = SeatReader(view)
        others = [each for each in asked.beside if not seat.alike(each, thought.action)]
        actions = [thought.action, *(others or [each.action for each in thought.tries[1:2]])]
        best = thought.tries[0]
        liked = [
            next((best.worth - one.worth for one in thought.tries if seat.alike(one.action, action)), UNTRIED)
            for action in actions
        ]
        tries = compared(veiled, actions, asked.comparing, rng)
        tries = tuple(one._replace(gap=gap) for one, gap in zip(tries, liked, strict=True))
        thought = thought._replace(tries=tries)
    return msgpack.encode(thought)


def thought_of(answer: bytes) -> Thought:
    """What a job came to; `msgspec.MsgspecError` of other bytes."""
    return msgpack.decode(answer, type=Thought)
