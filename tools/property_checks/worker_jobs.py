"""Whether what goes to the processes that think for bots tells more than a seat knows."""

from collections.abc import Iterable
from random import Random

from app.bots.search.search_bot import USUAL
from app.bots.search.worker_job import job_of
from app.engine.cards.cards import Cards
from app.engine.display.events import Event
from app.engine.match import views
from app.engine.match.match import Match

from .errors import Broken
from .information_leaks import known, renamed


def check_job(match: Match, told: Iterable[Event], dealt: Cards, seat: str, rng: Random) -> None:
    """`Broken` if a byte of this seat's job is another when cards that it can't know change places. `told`: the events
    of the hand so far, `dealt`: what the seat was dealt."""
    told = tuple(told)
    heard = views.events_for(told, seat)
    other = renamed(match, known(match, told, seat).union(match.game.saw(dealt)), rng)
    if job_of(match, seat, heard, dealt, USUAL, 1) != job_of(other, seat, heard, dealt, USUAL, 1):
        raise Broken(f"what {seat} would have thought about elsewhere tells hidden cards")
