"""What a room refuses because it would never end: talk, decrees, hands."""

import pytest

from app.rooms import commands as ask
from app.rooms import pictures, room
from app.rooms import playing as rules
from tests.rooms.world import World, four, playing


def with_a_king() -> tuple[World, str]:
    """Four at Ceausescu in their second hand, and who is king."""
    world = four(game="ceausescu")
    world.ok("Ana", ask.Start)
    world.play()
    world.ok("Ana", ask.Next)
    assert world.room.match is not None
    return world, world.room.match.hierarchy[0]


def decree(world: World, king: str, **to: str) -> str | None:
    return world.ask(king, ask.Act, action={"do": "decree", "text": "Fetch the snacks", **to}).answer.code


def test_nobody_has_to_remember_very_many_decrees() -> None:
    world, king = with_a_king()
    codes = [decree(world, king) for _ in range(rules.MOST_DECREES + 1)]
    assert codes == [None] * rules.MOST_DECREES + ["not_now"]
    others = [name for name in world.names() if name != king]
    for name in others:
        world.ok(name, ask.Act, action={"do": "obey"})
    assert decree(world, king) is None


def test_talk_in_a_hand_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each decree is an event of the hand, and events of a hand are in every picture of the next."""
    monkeypatch.setattr(rules, "MOST_TALK", 20)
    world, king = with_a_king()
    other = next(name for name in world.names() if name != king)
    for _ in range(10):
        assert decree(world, king, to=other) is None
        world.ok(other, ask.Act, action={"do": "obey"})
    assert decree(world, king) == "not_now"
    world.play()  # what brings the hand on is never refused
    assert world.room.phase == "pause"


def test_talk_between_hands_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MOST_BETWEEN", 20)
    world, _ = with_a_king()
    world.play()
    assert world.room.match is not None
    king = world.room.match.hierarchy[0]
    for at in range(20):
        world.ok(king, ask.Act, action={"do": "cut", "at": at})
    assert world.refused(king, ask.Act, action={"do": "cut", "at": 20}) == "not_now"
    world.ok("Ana", ask.Next)


def test_going_twice_is_written_down_once() -> None:
    world = playing()
    for kind in (ask.Watch, ask.Leave):
        world.ok("Bob", kind)
        seq = world.room.seq
        world.ok("Bob", kind)
        assert world.room.seq == seq


def test_a_match_has_so_many_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (rules, room):
        monkeypatch.setattr(module, "MOST_HANDS", 2)
    world = playing(clock={"pause": 1})
    world.play()
    world.wait(1)
    world.play()
    assert world.room.clocks.deal is None
    assert world.refused("Ana", ask.Next) == "not_now"
    shown = pictures.room(world.room)
    assert (shown["can_start"], shown["why_not"]) == (False, "This match has had 2 hands: begin another one.")
    world.ok("Ana", ask.Stop)
    world.ok("Ana", ask.Start)
    assert world.room.phase == "playing"
