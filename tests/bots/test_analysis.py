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
        assert each.same or turn.played in does
        assert each.same == (each.close or "would also have" in each.says[0])


def a_turn() -> PastTurn:
    """Return a turn on which the player passed but could have played."""
    return next(
        turn
        for turn, _ in turns("president", 3)
        if turn.played["do"] == "pass" and any(one["do"] == "play" for one in turn.view["you"]["legal"])
    )


def said_of(turn: PastTurn, *, behind: float, error: float, gap: float = 0.5, first: float = 0.2) -> Hindsight:
    """Return the analysis for a play that ends `behind` places behind the choice."""
    play = next(one for one in turn.view["you"]["legal"] if one["do"] == "play")
    rarer = (0.5 - first, 0.05)
    chosen = ActionSummary(play, 0.3, 200, 2.0, 5.0, 0.5, 0.5, 0.0)
    played = ActionSummary(turn.played, 0.1, 200, 2.0 + behind, 3.0, 0.1, first, 0.0, behind, error, *rarer, gap)
    return analysis.explain_turn(turn, SearchResult(play, 200, (chosen, played)))


def keys(found: Hindsight) -> list[str]:
    return [said.key for said in found.says]


def test_a_significant_difference_is_given_as_a_reason() -> None:
    turn = a_turn()
    assert keys(said_of(turn, behind=0.8, error=0.1)) == ["hindsight.would.play", "hindsight.first", "hindsight.worlds"]
    assert "hindsight.place" in keys(said_of(turn, behind=0.8, error=0.1, first=0.5))


@pytest.mark.parametrize(
    ("behind", "error", "gap"), [(0.8, 0.5, 0.5), (0.2, 0.01, 0.5), (0.8, 0.1, 0.01), (-0.1, 0.2, 0.5)]
)
def test_a_difference_within_the_error_is_called_close(behind: float, error: float, gap: float) -> None:
    found = said_of(a_turn(), behind=behind, error=error, gap=gap)
    assert found.close
    assert found.says[0].startswith("Close call")
    assert keys(found) == ["hindsight.close.play", "hindsight.worlds"]


def test_analysis_agrees_with_the_play_made_if_it_scores_better() -> None:
    turn = a_turn()
    found = said_of(turn, behind=-0.8, error=0.1)
    assert found.action == turn.played
    assert keys(found) == ["hindsight.too.pass", "hindsight.worlds"]


def test_fewer_turns_and_more_tricks_are_not_given_as_a_reason() -> None:
    """The choice wins the trick and needs fewer turns, but loses the hand like the play."""
    turn = a_turn()
    found = said_of(turn, behind=0.0, error=0.05, first=0.5)
    assert {"hindsight.turns", "hindsight.trick"}.isdisjoint(keys(found))
    assert found.close


def test_actions_are_compared_in_the_same_sampled_worlds() -> None:
    turn = a_turn()
    veiled = build_seat_knowledge(turn.match, turn.seat, turn.told)
    assert veiled is not None
    actions = [turn.view["you"]["legal"][0], turn.played]
    one, other = compare_actions(veiled, actions, Budget(worlds=40), Random(5))
    assert one.worlds == other.worlds == 40
    assert other.behind == pytest.approx(other.place - one.place)
    assert other.rarer == pytest.approx(one.first - other.first)
    assert compare_actions(veiled, actions, Budget(worlds=40), Random(5)) == (one, other)
