"""Test the limits of a room on chat, decrees and hands."""

import pytest

from app.engine.games import GAMES
from app.engine.match.record import FORMAT, replay_record, replay_with_exit_status
from app.rooms.handlers import dealing, match as rules
from app.rooms.model import commands as ask
from app.rooms.ports.facts import HandEnded, MatchStarted
from tests.rooms.world import World, four, playing, through_json


def with_a_king() -> tuple[World, str]:
    """Return four players in their second hand of Ceausescu, and the name of the king."""
    world = four(game="ceausescu")
    world.ok("Ana", ask.Start)
    world.play()
    world.ok("Ana", ask.DealNext)
    assert world.room.match is not None
    return world, world.room.match.hierarchy[0]


def decree(world: World, king: str, **to: str) -> str | None:
    return world.ask(king, ask.Act, action={"do": "decree", "text": "Fetch the snacks", **to}).reply.code


def test_the_number_of_unanswered_decrees_is_limited() -> None:
    world, king = with_a_king()
    codes = [decree(world, king) for _ in range(rules.MAX_WAITING_DECREES + 1)]
    assert codes == [None] * rules.MAX_WAITING_DECREES + ["not_now"]
    others = [name for name in world.names() if name != king]
    for name in others:
        world.ok(name, ask.Act, action={"do": "obey"})
    assert decree(world, king) is None


def test_decrees_in_a_hand_are_limited_but_the_hand_can_be_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each decree is an event of its hand, and all events of a hand are in the view of the next one."""
    monkeypatch.setattr(rules, "MAX_TALK_ACTIONS", 20)
    world, king = with_a_king()
    other = next(name for name in world.names() if name != king)
    for _ in range(10):
        assert decree(world, king, to=other) is None
        world.ok(other, ask.Act, action={"do": "obey"})
    assert decree(world, king) == "not_now"
    world.play()  # actions that continue the hand are always accepted
    assert world.room.phase == "between_hands"


def test_actions_between_hands_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MAX_ACTIONS_BETWEEN_HANDS", 20)
    world, _ = with_a_king()
    world.play()
    assert world.room.match is not None
    king = world.room.match.hierarchy[0]
    for at in range(20):
        world.ok(king, ask.Act, action={"do": "cut", "at": at})
    assert world.refused(king, ask.Act, action={"do": "cut", "at": 20}) == "not_now"
    world.ok("Ana", ask.DealNext)


def test_leaving_or_becoming_a_spectator_twice_is_logged_once() -> None:
    world = playing()
    for kind in (ask.Watch, ask.Leave):
        world.ok("Bob", kind)
        seq = world.room.seq
        world.ok("Bob", kind)
        assert world.room.seq == seq


def test_a_long_match_continues_in_a_new_recorded_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """The match continues without a question to the players. Each part is a record that can be replayed."""
    monkeypatch.setattr(dealing, "MAX_HANDS_PER_VOLUME", 2)
    world = playing(clock={"pause": 1}, options={"preset": "pagat", "start_points": 3})
    world.play()
    for number in range(1, 5):
        if number == 2:
            world.ok("Eve", ask.Join, name="Eve")
        before = world.run
        world.wait(1)
        assert world.run.match.dealt == number + 1
        if number in (2, 4):
            assert (world.run.hand_number, world.run.before) == (0, number)
            assert world.run.first is not None
            assert world.run.match_id != before.match_id
        world.play()
    assert len(world.run.names) == 5
    assert world.room.evening is not None
    assert world.room.evening.hands == 5
    assert len(world.room.evening.matches) == 1, "it is one match still"
    world.ok("Ana", ask.Stop)
    world.restarted()
    started = [fact for fact in world.facts if isinstance(fact, MatchStarted)]
    assert [fact.continues for fact in started] == [None, started[0].match_id, started[1].match_id]
    totals = None
    for fact in started:
        told = [each for each in world.facts if isinstance(each, HandEnded) and each.match_id == fact.match_id]
        assert [each.number for each in told] == list(range(len(told)))
        record = {
            "format": FORMAT,
            "game": fact.game,
            "options": fact.options,
            "players": [name for _, name in fact.players],
            **({} if fact.carried is None else {"carried": fact.carried}),
            "hands": [each.record for each in told],
        }
        assert fact.carried is None or fact.carried["totals"] == totals
        again = replay_record(through_json(record), GAMES)
        assert (again["ok"], again["error"]) == (True, None)
        assert [hand["standing"] for hand in again["hands"]] == [each.result["standing"] for each in told]
        totals = told[-1].totals
        assert again["totals"] == totals
    bare = {"format": FORMAT, "game": "president", "players": ["Ana", "Bob", "Cat"], "hands": []}
    for wrong in ({}, {"seats": 3}, {**(started[1].carried or {}), "seats": ["Zoë"]}, "no object"):
        assert replay_with_exit_status({**bare, "carried": wrong}, GAMES)[1] == 2
