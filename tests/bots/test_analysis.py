"""What a hard bot would have done: the same answer each time, in words, from what the seat knew and nothing else."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from app.bots.search import analysis, worker_job
from app.bots.search.analysis import Hindsight, TurnThen
from app.bots.search.monte_carlo import Budget, Thought, Try, compared
from app.bots.search.worker_job import done, thought_of
from app.bots.simple import greedy
from app.bots.view.seat_view import view_of
from app.engine.cards.action_codec import action_json, parse_action
from app.engine.display.events import Event
from app.engine.games import GAMES
from app.engine.match import views
from app.engine.match.hidden_state import veil
from app.engine.match.match import Match
from tools.property_checks.information_leaks import known, renamed

NAMES = ("Ana", "Bob", "Cat", "Dan")


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "WORLDS", 3)
    monkeypatch.setattr(worker_job, "COMPARING", Budget(worlds=3))


def turns(game: str, seed: int, most: int = 40) -> Iterator[tuple[TurnThen, tuple[Event, ...]]]:
    """The first turns of a hand that easy bots play, and what had happened before each."""
    rng = Random(seed)
    match = Match.start(GAMES[game], GAMES[game].declared.resolve({}), NAMES, NAMES)
    deal = match.deal(tuple(rng.sample(match.deck(), len(match.deck()))), 1)
    step = match.begin(deal)
    told = tuple(step.events)
    for _ in range(most):
        match = step.match
        if not match.running:
            return
        by = match.to_act[0]
        heard, dealt = views.events_for(told, by), deal.cards[by]
        played = parse_action(dict(greedy.choose(view_of(match, by, heard, dealt), rng)))
        yield TurnThen(match, by, heard, dealt, action_json(played)), told
        step = match.act(by, played)
        told += step.events


def answered(turn: TurnThen) -> Hindsight:
    job = turn.job()
    return analysis.hindsight(turn, None if job is None else thought_of(done(job)))


@pytest.mark.parametrize("game", GAMES)
def test_it_is_a_legal_action_with_its_reason_and_hidden_cards_change_nothing_of_it(game: str) -> None:
    rng, kinds = Random(2), set[str]()
    for turn, told in list(turns(game, 3, 24))[::6]:
        found = answered(turn)
        kinds.add(found.by)
        assert found.action in turn.view["you"]["legal"]
        assert len(found.says) >= 2
        assert not any("{" in text for text in (*found.says, *(line.comes_to for line in found.lines)))
        assert found == answered(turn)
        keep = known(turn.match, told, turn.seat).union(turn.match.game.saw(turn.dealt))
        other = replace(turn, match=renamed(turn.match, keep, rng))
        assert repr(answered(other)) == repr(found)
    assert kinds == ({"steady"} if game == "chase_the_ace" else {"hard"})


def test_it_is_compared_with_what_was_played_and_with_passing_in_the_same_worlds() -> None:
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
        assert each.same == (each.close or each.says[0].endswith(", too."))


def a_turn() -> TurnThen:
    """A turn of somebody who may pass or play a pair, and who has played neither."""
    return next(
        turn
        for turn, _ in turns("president", 3)
        if turn.played["do"] == "pass" and any(one["do"] == "play" for one in turn.view["you"]["legal"])
    )


def said_of(turn: TurnThen, *, behind: float, error: float, gap: float = 0.5, first: float = 0.2) -> Hindsight:
    """What is said where what was played is so many places behind the choice."""
    play = next(one for one in turn.view["you"]["legal"] if one["do"] == "play")
    rarer = (0.5 - first, 0.05)
    chosen = Try(play, 0.3, 200, 2.0, 5.0, 0.5, 0.5, 0.0)
    played = Try(turn.played, 0.1, 200, 2.0 + behind, 3.0, 0.1, first, 0.0, behind, error, *rarer, gap)
    return analysis.hindsight(turn, Thought(play, 200, (chosen, played)))


def keys(found: Hindsight) -> list[str]:
    return [said.key for said in found.says]


def test_a_difference_beyond_chance_is_a_reason() -> None:
    turn = a_turn()
    assert keys(said_of(turn, behind=0.8, error=0.1)) == ["hindsight.would.play", "hindsight.first", "hindsight.worlds"]
    assert "hindsight.place" in keys(said_of(turn, behind=0.8, error=0.1, first=0.5))


@pytest.mark.parametrize(
    ("behind", "error", "gap"), [(0.8, 0.5, 0.5), (0.2, 0.01, 0.5), (0.8, 0.1, 0.01), (-0.1, 0.2, 0.5)]
)
def test_what_chance_may_have_made_is_a_close_call(behind: float, error: float, gap: float) -> None:
    found = said_of(a_turn(), behind=behind, error=error, gap=gap)
    assert found.close
    assert found.says[0].startswith("A close call")
    assert keys(found) == ["hindsight.close.play", "hindsight.worlds"]


def test_what_comes_to_more_in_other_worlds_is_what_hard_would_have_done() -> None:
    turn = a_turn()
    found = said_of(turn, behind=-0.8, error=0.1)
    assert found.action == turn.played
    assert keys(found) == ["hindsight.too.pass", "hindsight.worlds"]


def test_fewer_turns_and_more_tricks_are_no_reason() -> None:
    """The choice wins the trick, and needs fewer turns: but it loses either way."""
    turn = a_turn()
    found = said_of(turn, behind=0.0, error=0.05, first=0.5)
    assert {"hindsight.turns", "hindsight.trick"}.isdisjoint(keys(found))
    assert found.close


def test_differences_are_paired_in_the_same_worlds() -> None:
    turn = a_turn()
    veiled = veil(turn.match, turn.seat, turn.told)
    assert veiled is not None
    actions = [turn.view["you"]["legal"][0], turn.played]
    one, other = compared(veiled, actions, Budget(worlds=40), Random(5))
    assert one.worlds == other.worlds == 40
    assert other.behind == pytest.approx(other.place - one.place)
    assert other.rarer == pytest.approx(one.first - other.first)
    assert compared(veiled, actions, Budget(worlds=40), Random(5)) == (one, other)
