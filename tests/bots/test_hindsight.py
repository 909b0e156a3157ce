"""What a hard bot would have done: the same answer each time, in words, from what the seat knew and nothing else."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from app.bots import greedy, hindsight
from app.bots.hindsight import Hindsight, TurnThen
from app.bots.job import done, thought_of
from app.bots.seat import view_of
from app.engine import views
from app.engine.actions import action_json, parse_action
from app.engine.events import Event
from app.engine.games import GAMES
from app.engine.match import Match
from app.soak.leaks import known, renamed

NAMES = ("Ana", "Bob", "Cat", "Dan")


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hindsight, "WORLDS", 3)


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
    return hindsight.hindsight(turn, None if job is None else thought_of(done(job)))


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
    assert any(not each.same for _, each in compared)
    for turn, each in compared:
        assert each.worlds == 3
        assert len(each.lines) >= 2
        assert each.lines[0].action == each.action
        does = [line.action for line in each.lines]
        passes = [action for action in turn.view["you"]["legal"] if action["do"] == "pass"]
        assert all(action in does for action in passes)
        assert each.same or turn.played in does
        assert each.same == each.says[0].endswith(", too.")
