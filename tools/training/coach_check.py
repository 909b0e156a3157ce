"""Measure the coach (bots/search/analysis.py): does it agree with Hard's own turns, and does it find planted mistakes?

The two belong together. A coach that always says “a close call” agrees with everybody, and one that always finds fault
misses no mistake.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from app.bots.network import small_network_bot
from app.bots.search import search_bot
from app.bots.search.analysis import ALL_OUT, FIRST, NEARLY_SURE, PLACE, SURE, Hindsight, TurnThen, hindsight
from app.bots.search.monte_carlo import Budget, compared
from app.bots.search.worker_job import done, thought_of
from app.bots.view.seat_view import SeatReader, view_of
from app.engine.base.options import Options
from app.engine.cards.action_codec import action_json, parse_action
from app.engine.match import views
from app.engine.match.game import AnyGame
from app.engine.match.hidden_state import veil
from app.engine.match.match import Match

NAMES = ("Ana", "Bob", "Cat", "Dan")
COST = 0.5
"""Places that a planted mistake costs, on the average of other worlds."""
FIRST_LOOK = Budget(worlds=60)
"""How many worlds tell whether something might be such a mistake."""
REASONS = frozenset(said.key for said in (FIRST, PLACE, SURE, NEARLY_SURE, ALL_OUT))


class CoachedTurn(NamedTuple):
    """A turn that the coach was asked about."""

    answer: Hindsight
    right: bool
    """Whether it said what it should."""


def turns(game: AnyGame, options: Options, seed: int, budget: Budget) -> Iterator[TurnThen]:
    """Yield the turns with a choice of one hard bot among medium ones, in one hand."""
    rng = Random(seed)
    match = Match.start(game, options, NAMES, NAMES)
    deal = match.deal(tuple(rng.sample(match.deck(), len(match.deck()))), seed)
    step = match.begin(deal)
    told, me = tuple(step.events), NAMES[seed % len(NAMES)]
    while step.match.running:
        match, by = step.match, step.match.to_act[0]
        heard, dealt = views.events_for(told, by), deal.cards[by]
        view = view_of(match, by, heard, dealt)
        if by == me:
            played = search_bot.choose({**view, "veiled": veil(match, by, heard)}, rng, budget)
            if len(view["you"]["legal"]) > 1:
                yield TurnThen(match, by, heard, dealt, played)
        else:
            played = small_network_bot.choose(view, rng)
        step = match.act(by, parse_action(dict(played)))
        told += step.events


def asked(turn: TurnThen) -> Hindsight:
    """Ask the coach about a turn."""
    job = turn.job()
    return hindsight(turn, None if job is None else thought_of(done(job)))


def agrees(turn: TurnThen) -> CoachedTurn:
    """Ask about a turn that Hard itself has played: right is the same, or a close call."""
    answer = asked(turn)
    return CoachedTurn(answer, answer.same or answer.close)


def planted(turn: TurnThen, worlds: int, rng: Random) -> CoachedTurn | None:
    """Ask about a turn with a mistake in the place of what Hard played; None if no mistake is found to plant.

    Right is that it is named, with a reason that the answer's own numbers bear out. `worlds` says in how many other
    worlds the mistake has to cost `COST` places.
    """
    veiled, seat = veil(turn.match, turn.seat, turn.told), SeatReader(turn.view)
    if veiled is None:
        return None
    others = [action for action in seat.legal if not seat.alike(action, turn.played)]
    for action in rng.sample(others, min(2, len(others))):
        pair = [turn.played, action]
        if compared(veiled, pair, FIRST_LOOK, rng)[1].behind < COST:
            continue
        if compared(veiled, pair, Budget(worlds=worlds), rng)[1].behind >= COST:
            answer = asked(TurnThen(turn.match, turn.seat, turn.told, turn.dealt, action_json(parse_action(action))))
            named = not answer.same and not answer.close and any(said.key in REASONS for said in answer.says)
            return CoachedTurn(answer, named)
    return None
