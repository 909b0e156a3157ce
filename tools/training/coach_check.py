"""Measure the coach (bots/search/analysis.py): agreement with the hard bot's turns, and detection of mistakes.

Both measures are needed. A coach that always says “a close call” agrees with every turn. A coach that always finds
fault misses no mistake.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from app.bots.network import small_network_bot
from app.bots.search import search_bot
from app.bots.search.analysis import ALL_OUT, FIRST, NEARLY_SURE, PLACE, SURE, Hindsight, PastTurn, explain_turn
from app.bots.search.monte_carlo import Budget, compare_actions
from app.bots.search.worker_job import decode_search_result, run_search_job
from app.bots.view.seat_view import SeatReader, view_of
from app.engine.base.options import Options
from app.engine.cards.action_codec import action_to_json, parse_action
from app.engine.match import views
from app.engine.match.game import AnyGame
from app.engine.match.hidden_state import build_seat_knowledge
from app.engine.match.match import Match

NAMES = ("Ana", "Bob", "Cat", "Dan")
COST = 0.5
"""Average number of places that a planted mistake must cost, in worlds other than the coach's."""
FIRST_LOOK = Budget(worlds=60)
"""Budget of the quick check for whether an action may be such a mistake."""
REASONS = frozenset(said.key for said in (FIRST, PLACE, SURE, NEARLY_SURE, ALL_OUT))


class CoachedTurn(NamedTuple):
    """The coach's answer about a turn (what a hard bot would have done), and whether a check finds it right.

    `is_right`: the coach agreed with a good action, or named a planted mistake.
    """

    answer: Hindsight
    is_right: bool
    """Whether the answer is as expected: agreement, or a named mistake."""


def play_hard_bot_turns(game: AnyGame, options: Options, seed: int, budget: Budget) -> Iterator[PastTurn]:
    """Yield the turns with a choice of one hard bot among medium ones, in one hand; the coach is checked with them.

    `budget` limits the hard bot's search.
    """
    rng = Random(seed)
    match = Match.start(game, options, NAMES, NAMES)
    deal = match.deal(tuple(rng.sample(match.deck(), len(match.deck()))), seed)
    step = match.begin_hand(deal)
    told, me = tuple(step.events), NAMES[seed % len(NAMES)]
    while step.match.is_hand_running:
        match, by = step.match, step.match.to_act[0]
        heard, dealt = views.visible_events(told, by), deal.cards[by]
        view = view_of(match, by, heard, dealt)
        if by == me:
            played = search_bot.choose({**view, "veiled": build_seat_knowledge(match, by, heard)}, rng, budget)
            if len(view["you"]["legal"]) > 1:
                yield PastTurn(match, by, heard, dealt, played)
        else:
            played = small_network_bot.choose(view, rng)
        step = match.apply_action(by, parse_action(dict(played)))
        told += step.events


def analyse_turn(turn: PastTurn) -> Hindsight:
    """Run the coach on a past turn and return what it says a hard bot would have done."""
    job = turn.search_job()
    return explain_turn(turn, None if job is None else decode_search_result(run_search_job(job)))


def check_agreement(turn: PastTurn) -> CoachedTurn:
    """Run the coach on a turn that the hard bot played; the same choice or a close call is right."""
    answer = analyse_turn(turn)
    return CoachedTurn(answer, answer.same or answer.close)


def check_planted_mistake(turn: PastTurn, worlds: int, rng: Random) -> CoachedTurn | None:
    """Replace the hard bot's action at a turn by a mistake, and run the coach; None if no mistake is found to plant.

    The answer is right if it prefers another action and gives a reason. The mistake must cost at least `COST` places on
    average in `worlds` worlds (sampled deals). At most two random actions are tried as mistakes.
    """
    veiled, seat = build_seat_knowledge(turn.match, turn.seat, turn.told), SeatReader(turn.view)
    if veiled is None:
        return None
    others = [action for action in seat.legal if not seat.are_equivalent(action, turn.played)]
    for action in rng.sample(others, min(2, len(others))):
        pair = [turn.played, action]
        if compare_actions(veiled, pair, FIRST_LOOK, rng)[1].behind < COST:
            continue
        if compare_actions(veiled, pair, Budget(worlds=worlds), rng)[1].behind >= COST:
            answer = analyse_turn(
                PastTurn(turn.match, turn.seat, turn.told, turn.dealt, action_to_json(parse_action(action)))
            )
            named = not answer.same and not answer.close and any(said.key in REASONS for said in answer.says)
            return CoachedTurn(answer, named)
    return None
