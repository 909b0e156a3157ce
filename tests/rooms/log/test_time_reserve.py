"""Test the time reserve: what a player has for turns that take longer than the turn clock."""

from datetime import timedelta
from typing import Any

import pytest

from app.rooms.errors import RoomError
from app.rooms.model import commands as ask
from app.rooms.model.settings import RoomSettings, read_clock
from app.rooms.model.state import to_milliseconds
from app.rooms.seats.stand_ins import stand_in_wait_times
from app.rooms.views import room_view
from tests.rooms.world import World, four, playing

CLOCK = {"turn": 20, "reserve": 60}
NO_EXCHANGE = {"exchange": "none"}


def left(world: World, name: str) -> float:
    """Return the seconds left of a player's reserve, as the public view has them."""
    return room_view.build_clocks(world.room)["reserves"][name] / 1000


def act(world: World) -> str:
    """Let the player act whose turn it is, and return the name."""
    name = world.to_act
    world.ok(name, ask.Act, action=world.choose(name))
    return name


def test_the_reserve_runs_after_the_turn_and_what_was_used_is_gone() -> None:
    world = playing(clock=CLOCK)
    first, began = world.to_act, to_milliseconds(world.now)
    clocks = room_view.build_clocks(world.room)
    assert (clocks["deadlines"], clocks["reserve_from"]) == ({first: began + 80_000}, {first: began + 20_000})
    own = room_view.build_turn(world.room, world.room.members[first])
    assert (own["deadline"], own["reserve_from"]) == (began + 80_000, began + 20_000)
    world.wait(19)
    act(world)
    assert left(world, first) == 60, "the turn was long enough"
    second = world.to_act
    world.wait(45)
    act(world)
    assert (left(world, first), left(world, second)) == (60, 35)
    assert world.restarted() == world.room


def test_a_turn_ends_when_its_reserve_is_used_up_and_the_next_turn_has_none() -> None:
    world = playing(clock={"turn": 20, "reserve": 30})
    first = world.to_act
    world.wait(49.999)
    assert world.room.members[first].missed == 0
    world.wait(0.001)
    assert (world.room.members[first].missed, left(world, first)) == (1, 0)
    while world.to_act != first:
        act(world)
    world.wait(20)
    assert world.room.members[first].missed == 2


def test_a_play_that_arrives_just_after_the_end_counts_until_the_timer_fires() -> None:
    world = playing(clock={"turn": 20, "reserve": 30})
    first = world.to_act
    world.now += timedelta(seconds=50.3)
    act(world)
    assert (world.room.members[first].missed, left(world, first)) == (0, 0)


def test_a_hand_adds_seconds_up_to_the_first_size() -> None:
    world = playing(clock={"turn": 20, "reserve": 60, "reserve_gain": 10}, options=NO_EXCHANGE)
    first = world.to_act
    world.wait(25)
    act(world)
    second = world.to_act
    world.wait(50)
    act(world)
    assert (left(world, first), left(world, second)) == (55, 30)
    world.play()
    world.ok("Ana", ask.DealNext)
    assert (left(world, first), left(world, second)) == (60, 40)


def test_a_newcomer_has_a_whole_reserve_and_a_changed_reserve_waits_for_the_next_match() -> None:
    world = playing(clock=CLOCK, options=NO_EXCHANGE)
    world.ok("Ana", ask.Configure, clock={"reserve": 120})
    world.wait(50)
    act(world)
    world.join("Eve")
    world.play()
    world.ok("Ana", ask.DealNext)
    assert left(world, "Eve") == 60
    world.ok("Ana", ask.Stop)
    world.ok("Ana", ask.Rematch)
    assert room_view.build_clocks(world.room)["reserves"] == {}
    world.ok("Ana", ask.Start)
    assert {left(world, name) for name in world.room.seated_names()} == {120}


def test_the_reserve_stands_still_during_a_pause() -> None:
    world = playing(clock=CLOCK)
    first = world.to_act
    world.wait(30)
    world.ok("Ana", ask.Propose, subject="pause")
    assert world.run.rest is not None
    world.wait(3600)
    assert left(world, first) == 50
    world.ok("Ana", ask.Resume)
    world.wait(10)
    act(world)
    assert left(world, first) == 40


def test_players_use_their_reserves_at_once_in_an_exchange_which_shows_nobody_how_much() -> None:
    world = four(clock=CLOCK)
    world.ok("Ana", ask.Configure, options={"exchange": "two_one", "exchange_order": "blind"})
    world.ok("Ana", ask.Start)
    world.play()
    world.ok("Ana", ask.DealNext)
    assert world.run.match.phase == "exchange"
    began, waits = to_milliseconds(world.now), stand_in_wait_times(world.room)
    [one, other, *_] = world.run.match.to_act
    world.wait(30)
    world.ok(one, ask.Act, action=world.choose(one))
    assert world.run.match.phase == "exchange"
    clocks = room_view.build_clocks(world.room)
    assert set(clocks["deadlines"].values()) == {began + 80_000}
    assert (clocks["reserves"], stand_in_wait_times(world.room)) == ({}, waits)
    world.wait(10)
    while world.run.match.phase == "exchange":
        act(world)
    assert (left(world, one), left(world, other)) == (50, 40)


def test_an_undo_gives_back_what_the_play_took() -> None:
    world = playing(clock=CLOCK, allow_undo=True)
    act(world)
    name = world.to_act
    world.wait(50)
    act(world)
    assert left(world, name) == 30
    world.wait(5)
    world.ok(name, ask.Propose, subject="undo")
    for each in world.room.seated_names():
        if world.run.motion is not None and each != name:
            world.ok(each, ask.CastVote, yes=True)
    assert world.to_act == name
    assert left(world, name) == 60
    assert world.restarted() == world.room


def test_a_bot_that_stands_in_uses_nothing_and_its_player_has_what_was_left() -> None:
    world = playing(clock={**CLOCK, "away": 25})
    name = world.to_act
    world.tell(ask.PersonDisconnected(name.lower()))
    world.wait(25)
    assert world.room.members[name].active_bot is not None
    world.wait(600)
    world.tell(ask.PersonConnected(name.lower()))
    assert left(world, name) == 55


def test_after_a_crash_only_the_time_until_the_last_entry_counts() -> None:
    world = playing(clock=CLOCK)
    name = world.to_act
    world.wait(30)
    other = next(each for each in world.room.seated_names() if each != name)
    world.tell(ask.PersonDisconnected(other.lower()))
    world.wait(20)
    world.tell(ask.RoomLoaded())
    assert not world.room.clocks.are_running
    for person in ("ana", "bob", "cat", "dan"):
        world.tell(ask.PersonConnected(person))
    assert left(world, name) == 50
    assert world.room.clocks.turns[name] == to_milliseconds(world.now) + 70_000
    assert world.restarted() == world.room


def test_in_an_empty_room_no_reserve_runs_and_none_is_refilled() -> None:
    world = playing(clock=CLOCK)
    name = world.to_act
    world.wait(30)
    for person in ("ana", "bob", "cat", "dan"):
        world.tell(ask.PersonDisconnected(person))
    assert not world.room.clocks.are_running
    world.wait(3600)
    assert world.tell(ask.StandstillNoticed(5000, world.room.seq)).append_request is None
    world.tell(ask.PersonConnected("ana"))
    assert left(world, name) == 50


@pytest.mark.parametrize(("used", "stood", "rest"), [(5, 20, 75), (18, 20, 70), (30, 20, 60), (75, 300, 15)])
def test_a_standstill_gives_back_its_time(used: float, stood: float, rest: float) -> None:
    """The turn has at least ten seconds afterwards, and then comes the reserve that was left before."""
    world = playing(clock=CLOCK)
    name = world.to_act
    world.wait(used)
    world.stand_still(stood)
    assert world.room.clocks.turns[name] == to_milliseconds(world.now) + rest * 1000
    assert world.restarted() == world.room


def test_a_connected_player_can_use_up_the_reserve_before_others_let_a_bot_play() -> None:
    world = playing(clock={**CLOCK, "patience": 5})
    name = world.to_act
    other = next(each for each in world.room.seated_names() if each != name)
    world.wait(79)
    assert world.refused(other, ask.LetBotPlay, name=name) == "not_now"
    waits = stand_in_wait_times(world.room)
    assert {*waits["host"].values(), *waits["players"].values()} == {80_000}
    world.tell(ask.PersonDisconnected(name.lower()))
    assert stand_in_wait_times(world.room)["host"].get(name, 0) == 0


@pytest.mark.parametrize(
    ("clock", "refused"),
    [({"reserve": 30}, True), ({"turn": None}, True), ({"turn": None, "reserve": None}, False), ({"pause": 5}, False)],
)
def test_a_reserve_needs_a_turn_clock(clock: dict[str, Any], refused: bool) -> None:
    settings = RoomSettings.parse({"clock": CLOCK if "turn" in clock else {}})
    if refused:
        with pytest.raises(RoomError, match="needs a time limit"):
            settings.with_changes(clock=read_clock(clock))
    else:
        settings.with_changes(clock=read_clock(clock))
