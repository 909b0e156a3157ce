"""Encode, run and decode the search jobs that hard bots send to workers, as bytes.

A job contains only knowledge of the bot's seat. If two cards that the seat can't know are exchanged, the job's bytes
stay the same. `tools/property_checks/worker_jobs.py` checks that in random matches of every game.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from msgspec import Struct, msgpack

from app.bots.search.monte_carlo import MOST_WORLDS, Budget, SearchResult, compare_actions, search_action
from app.bots.view.seat_view import Action, SeatReader, view_of
from app.engine.cards.cards import Cards, format_cards, parse_cards
from app.engine.games import GAMES
from app.engine.match.hidden_state import SeatKnowledge, build_seat_knowledge
from app.engine.match.match import Match

COMPARING = Budget(worlds=MOST_WORLDS, seconds=3.0)
"""Budget of a comparison after a choice. Its worlds take about one second.

The time limit only stops very slow machines. On these, the same job may give different answers.
"""


class SearchJob(Struct, frozen=True, array_like=True):
    """A search job for a worker process: a hard bot's decision, and optionally a comparison of actions afterwards."""

    veiled: bytes
    """The match as the seat knows it, an encoded `SeatKnowledge`."""
    events: Sequence[Mapping[str, Any]]
    """Events that the seat has seen since the deal."""
    dealt: str
    """The dealt cards that the seat saw."""
    budget: Budget
    """Budget of the search for a choice."""
    seed: int
    """Seed for sampling worlds."""
    beside: Sequence[Action] | None
    """Actions to compare the choice with afterwards; None for no comparison."""
    comparing: Budget
    """Budget of that comparison."""


def encode_search_job(
    match: Match,
    seat: str,
    events: Sequence[Mapping[str, Any]],
    dealt: Cards,
    budget: Budget,
    seed: int,
    compare_with: Sequence[Action] | None = None,
) -> bytes | None:
    """Encode a search job for the bot in a seat that is to act, as bytes for a worker.

    `events` are what the seat has seen since the deal, `dealt` its dealt cards, and `seed` fixes the sampled
    deals. None if the hand can't be searched. With `compare_with`, the `tries` of the result are these actions and the
    choice. If they all equal the choice, the second-best action is added. They are compared with the first of them, in
    the same new worlds (`compare_actions`).
    """
    veiled = build_seat_knowledge(match, seat, events)
    if veiled is None:
        return None
    saw = format_cards(match.game.cards_seen_at_deal(dealt))
    return msgpack.encode(
        SearchJob(veiled.to_bytes(), events, saw, budget, seed, compare_with, COMPARING), enc_hook=str
    )


def run_search_job(job: bytes) -> bytes:
    """Run an encoded search job in a worker, and return the encoded result, for `decode_search_result`."""
    request = msgpack.decode(job, type=SearchJob)
    rng, veiled = Random(request.seed), SeatKnowledge.from_bytes(request.veiled, GAMES)
    # Every sampled world gives the seat the same view.
    view = view_of(veiled.sample_match(rng), veiled.seat, request.events, parse_cards(request.dealt))
    thought = search_action(veiled, view, request.budget, rng)
    if request.beside is not None and thought.tries:
        seat = SeatReader(view)
        second = [each.action for each in thought.tries[1:2]]
        actions = list[Action]()
        for action in (*request.beside, thought.action):
            if not any(seat.are_equivalent(action, other) for other in actions):
                actions.append(action)
        thought = thought._replace(
            tries=compare_actions(veiled, actions if len(actions) > 1 else actions + second, request.comparing, rng)
        )
    return msgpack.encode(thought)


def decode_search_result(answer: bytes) -> SearchResult:
    """Decode the result of a search job that a worker ran; raise `msgspec.MsgspecError` for other bytes."""
    return msgpack.decode(answer, type=SearchResult)
