"""Check that search jobs for workers contain only what the bot's seat knows."""

from collections.abc import Iterable
from random import Random

from app.bots.search.search_bot import DEFAULT_BUDGET
from app.bots.search.worker_job import encode_search_job
from app.engine.cards.cards import Cards
from app.engine.display.events import GameEvent
from app.engine.match import views
from app.engine.match.match import Match

from .errors import PropertyViolation
from .information_leaks import cards_known_to, swap_hidden_cards


def check_search_job(match: Match, events: Iterable[GameEvent], dealt: Cards, seat: str, rng: Random) -> None:
    """Check that the search job that a seat's bot would send to a worker tells nothing of hidden cards.

    Raises `PropertyViolation` if its bytes depend on cards that the seat can't know. `events`: those of the hand so
    far. `dealt`: the cards dealt to the seat.
    """
    events = tuple(events)
    heard = views.visible_events(events, seat)
    other = swap_hidden_cards(
        match, cards_known_to(match, events, seat).union(match.game.cards_seen_at_deal(dealt)), rng
    )
    if encode_search_job(match, seat, heard, dealt, DEFAULT_BUDGET, 1) != encode_search_job(
        other, seat, heard, dealt, DEFAULT_BUDGET, 1
    ):
        raise PropertyViolation(f"what {seat} would have thought about elsewhere tells hidden cards")
