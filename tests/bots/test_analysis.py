"""Test the analysis of a turn: the same texts each time, from the knowledge of the seat alone."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from app.bots.search import analysis, worker_job
from app.bots.search.analysis import Hindsight, PastTurn
from app.bots.search.monte_carlo import ActionSummary, Budget, SearchResult, compare_actions
from app.bots.search.worker_job import decode_search_result, run_search_job
from app.bots.simple import easy_bot
from app.bots.view.seat_view import view_of
from app.engine.cards.action_codec import action_to_json, parse_action
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.hidden_state import build_seat_knowledge
from app.engine.match.match import Match
from tools.property_checks.information_leaks import cards_known_to, swap_hidden_cards
from tools.training.coach_check import contradicts_itself

NAMES = ("Ana", "Bob", "Cat", "Dan")


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "WORLDS", 3)
    monkeypatch.setattr(worker_job, "COMPARING", Budget(worlds=3))


def turns(game: str, seed: int, most: int = 40) -> Iterator[tuple[PastTurn, tuple[GameEvent, ...]]]:
    """Yield the first turns of a hand of easy bots, each with the events before it."""
    rng = Random(seed)
    match = Match.start(GAMES[game], GAMES[game].option_schema.resolve_options({}), NAMES, NAMES)
    deal = match.deal(tuple(rng.sample(match.deck(), len(match.deck()))), 1)
    step = match.begin_hand(deal)
    told = tuple(step.events)
    for _ in range(most):
        match = step.match
        if not match.is_hand_running:
            return
        by = match.to_act[0]
        heard, dealt = views.visible_events(told, by), deal.cards[by]
        played = parse_action(dict(easy_bot.choose(view_of(match, by, heard, dealt), rng)))
        yield PastTurn(match, by, heard, dealt, action_to_json(played)), told
        step = match.apply_action(by, played)
        told += step.events


def answered(turn: PastTurn) -> Hindsight:
    job = turn.search_job()
    return analysis.explain_turn(turn, None if job is None else decode_search_result(run_search_job(job)))


@pytest.mark.parametrize("game", GAMES)
def test_analysis_suggests_a_legal_action_with_reasons_and_ignores_hidden_cards(game: str) -> None:
    rng, kinds = Random(2), set[str]()
    for turn, told in list(turns(game, 3, 24))[::6]:
        found = answered(turn)
        kinds.add(found.by)
        assert found.action in turn.view["you"]["legal"]
        assert len(found.says) >= 2
        assert not any("{" in text for text in (*found.says, *(line.comes_to for line in found.lines)))
        assert found == answered(turn)
        keep = cards_known_to(turn.match, told, turn.seat).union(turn.match.game.cards_seen_at_deal(turn.dealt))
        other = replace(turn, match=swap_hidden_cards(turn.match, keep, rng))
        assert repr(answered(other)) == repr(found)
    assert kinds == ({"medium"} if game == "chase_the_ace" else {"hard"})


def test_analysis_compares_the_choice_with_the_play_made_and_with_passing() -> None:
    found = [(turn, answered(turn)) for turn, _ in list(turns("president", 3))[:32:2]]
    compared = [(turn, each) for turn, each in found if each.lines]
    assert any(each.same for _, each in compared)
    assert any(each.close for _, each in compared)
    for turn, each in compared:
        assert each.worlds == 3
        assert len(each.lines) >= 2
        assert each.lines[0].action == each.action
        does = [line.action for line in each.lines]
        passes = [action for action in turn.view["you"]["legal"] if action["do"] == "pass"]
        assert all(action in does for action in passes)
        assert turn.played in does
        assert not contradicts_itself(each)


def a_turn() -> PastTurn:
    """Return a turn on which the player passed but could have played."""
    return next(
        turn
        for turn, _ in turns("president", 3)
        if turn.played["do"] == "pass" and any(one["do"] == "play" for one in turn.view["you"]["legal"])
    )


def said_of(turn: PastTurn, *, behind: float, error: float, rarer: float, chosen: bool = False) -> Hindsight:
    """Return the analysis for a play that ends `behind` places behind the one made, with `rarer` fewer first places.

    `chosen`: the hard bot chose what the player played, and the play is another row.
    """
    play = next(one for one in turn.view["you"]["legal"] if one["do"] == "play")
    played = ActionSummary(turn.played, 0.1, 200, 2.0, 3.0, 0.1, 0.3, 0.0)
    other = ActionSummary(play, 0.3, 200, 2.0 + behind, 5.0, 0.5, 0.3 - rarer, 0.0, behind, error, rarer, 0.02)
    return analysis.explain_turn(turn, SearchResult(turn.played if chosen else play, 200, (played, other)))


def keys(found: Hindsight) -> list[str]:
    return [said.key.removeprefix("hindsight.") for said in found.says[:-1]]


def labels(found: Hindsight) -> list[str]:
    return [line.what.key.removeprefix("hindsight.") for line in found.lines]


@pytest.mark.parametrize(
    ("behind", "rarer", "says", "rows"),
    [
        (-0.8, -0.2, ["would.play", "first"], ["choice", "played"]),
        (-0.8, 0.0, ["would.play", "place"], ["choice", "played"]),
        (0.0, -0.2, ["would.play", "first"], ["choice", "played"]),
        (-0.25, 0.0, ["slightly.play", "place"], ["choice", "played"]),
        (0.0, -0.05, ["slightly.play", "first"], ["choice", "played"]),
        (-0.1, -0.03, ["close.play"], ["choice", "played"]),
        (0.8, 0.2, ["worse.play"], ["choice", "played"]),
    ],
)
def test_the_words_fit_the_difference_between_the_choice_and_the_play_made(
    behind: float, rarer: float, says: list[str], rows: list[str]
) -> None:
    found = said_of(a_turn(), behind=behind, error=0.1, rarer=rarer)
    assert (keys(found), labels(found)) == (says, rows)
    assert found.lines[0].action == found.action
    assert found.same == (says[0] != "would.play")
    assert found.close == found.same


@pytest.mark.parametrize(
    ("behind", "rarer", "says", "rows"),
    [
        (-0.8, -0.2, ["too.pass", "better.play", "first"], ["best", "choice"]),
        (-0.5, -0.1, ["too.pass"], ["choice", "next"]),
        (0.5, 0.1, ["too.pass"], ["choice", "next"]),
    ],
)
def test_a_far_better_row_is_named_although_the_bot_chose_the_same(
    behind: float, rarer: float, says: list[str], rows: list[str]
) -> None:
    found = said_of(a_turn(), behind=behind, error=0.1, rarer=rarer, chosen=True)
    assert (keys(found), labels(found)) == (says, rows)
    assert found.same == (len(says) == 1)


def test_actions_are_compared_in_the_same_sampled_worlds() -> None:
    turn = a_turn()
    veiled = build_seat_knowledge(turn.match, turn.seat, turn.events)
    assert veiled is not None
    actions = [turn.view["you"]["legal"][0], turn.played]
    one, other = compare_actions(veiled, actions, Budget(worlds=40), Random(5))
    assert one.worlds == other.worlds == 40
    assert other.behind == pytest.approx(other.place - one.place)
    assert other.rarer == pytest.approx(one.first - other.first)
    assert compare_actions(veiled, actions, Budget(worlds=40), Random(5)) == (one, other)
