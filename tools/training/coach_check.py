"""Measure the coach (bots/search/analysis.py): agreement with the hard bot's turns, and detection of mistakes.

Both measures are needed. A coach that always says “a close call” agrees with every turn. A coach that always finds
fault misses no mistake.
"""

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import NamedTuple

import click

from app.bots.network import small_network_bot
from app.bots.search import search_bot
from app.bots.search.analysis import ALL_OUT, FIRST, NEARLY_SURE, PLACE, PLAYED, SURE, Hindsight, PastTurn, explain_turn
from app.bots.search.monte_carlo import ActionSummary, Budget, compare_actions
from app.bots.search.worker_job import decode_search_result, run_search_job
from app.bots.view.seat_view import SeatReader, view_of
from app.engine.base.options import Options
from app.engine.cards.action_codec import action_to_json, parse_action
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.game import AnyGame
from app.engine.match.hidden_state import build_seat_knowledge
from app.engine.match.match import Match

NAMES = ("Ana", "Bob", "Cat", "Dan")
COST, COST_IN_FIRSTS = 0.5, 0.1
"""What a planted mistake must cost, in worlds other than the coach's: places on average, or a share of first places."""
WORLDS = 1000
"""Number of worlds in which a planted mistake is checked."""
FAR_ROWS = 0.15
"""Difference in the share of first places that nobody would call equal."""
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

    The answer is right if it prefers another action and gives a reason. The mistake must cost at least `COST` or
    `COST_IN_FIRSTS` in `worlds` worlds (sampled deals). At most two random actions are tried as mistakes.
    """
    veiled, seat = build_seat_knowledge(turn.match, turn.seat, turn.events), SeatReader(turn.view)
    if veiled is None:
        return None
    others = [action for action in seat.legal if not seat.are_equivalent(action, turn.played)]
    for action in rng.sample(others, min(2, len(others))):
        pair = [turn.played, action]
        if _is_costly(compare_actions(veiled, pair, FIRST_LOOK, rng)[1]) and _is_costly(
            compare_actions(veiled, pair, Budget(worlds=worlds), rng)[1]
        ):
            answer = analyse_turn(
                PastTurn(turn.match, turn.seat, turn.events, turn.dealt, action_to_json(parse_action(action)))
            )
            named = not answer.same and not answer.close and any(said.key in REASONS for said in answer.says)
            return CoachedTurn(answer, named)
    return None


def _is_costly(one: ActionSummary) -> bool:
    return one.behind >= COST or one.rarer >= COST_IN_FIRSTS


def contradicts_itself(answer: Hindsight) -> bool:
    """Return whether the sentences of an answer say something else than its rows, as a player reads them."""
    if not answer.lines:
        return False
    rows = [(int(each.comes_to.values["first"]), float(each.comes_to.values["place"])) for each in answer.lines]
    better = [row for row in rows[1:] if row[0] > rows[0][0] and row[1] < rows[0][1]]
    played = [row for row, each in zip(rows, answer.lines, strict=True) if each.what == PLAYED()]
    is_equal = any(said.key.startswith("hindsight.close") for said in answer.says)
    chance = 2 * (0.5 / answer.worlds) ** 0.5
    far = [row for row in played if abs(row[0] - rows[0][0]) > max(FAR_ROWS, chance) * answer.worlds]
    return answer.lines[0].action != answer.action or bool(better and not answer.same) or bool(is_equal and far)


@click.command()
@click.option("--game", default="president", show_default=True, type=click.Choice(sorted(GAMES)))
@click.option("--turns", default=20, show_default=True, help="Number of turns that the hard bot played.")
@click.option("--mistakes", default=20, show_default=True, help="Number of planted mistakes.")
@click.option("--seed", default=1, show_default=True, help="First seed of the hands.")
def coach(game: str, turns: int, mistakes: int, seed: int) -> None:
    """Check what the coach says of turns that the hard bot played, and of planted mistakes."""
    options = GAMES[game].option_schema.resolve_options({})
    budget = Budget(seconds=0.1)
    own, planted, contradictions = list[bool](), list[bool](), 0
    for number in count(seed):
        for turn in play_hard_bot_turns(GAMES[game], options, number, budget):
            checks = [check_agreement(turn)] if len(own) < turns else []
            own += [one.is_right for one in checks]
            wrong = check_planted_mistake(turn, WORLDS, Random(number)) if len(planted) < mistakes else None
            if wrong is not None:
                planted.append(wrong.is_right)
                checks.append(wrong)
            contradictions += sum(contradicts_itself(one.answer) for one in checks)
        click.echo(
            f"hand {number}: agrees or says close in {sum(own)} of {len(own)} turns of Hard, "
            f"names {sum(planted)} of {len(planted)} mistakes, contradicts itself {contradictions} times"
        )
        if len(own) >= turns and len(planted) >= mistakes:
            return
