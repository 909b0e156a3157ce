"""Test the clocks of a room whose server stood still: the time in between does not count."""

from datetime import timedelta

import pytest

from app.rooms.log.deadlines import NEXT_DEAL_FOR_ALL_MS
from app.rooms.model import commands as ask
from app.rooms.model.state import to_milliseconds
from app.rooms.views import room_view
from tests.rooms.world import World, four, playing


def seconds_left(world: World) -> float:
    """Return the rest of the turn of the player to act."""
    return (world.room.clocks.turns[world.to_act] - to_milliseconds(world.now)) / 1000


@pytest.mark.parametrize(
    ("turn", "used", "stood", "left"),
    [(60, 20, 20, 40), (60, 55, 20, 10), (60, 55, 3600, 10), (8, 0.5, 20, 8), (8, 7, 3, 8), (60, 0, 20, 60)],
)
def test_a_turn_has_its_rest_after_a_standstill_and_at_least_ten_seconds_or_a_whole_turn(
    turn: float, used: float, stood: float, left: float
) -> None:
    world = playing(clock={"turn": turn})
    world.wait(used)
    world.stand_still(stood)
    assert seconds_left(world) == left
    world.wait(left - 0.001)
    assert [member.missed for member in world.room.members.values()] == [0] * 4
    world.wait(0.001)
    assert [member.missed for member in world.room.members.values()].count(1) == 1
    assert world.restarted() == world.room


def test_a_turn_is_never_longer_than_a_whole_turn() -> None:
    """The next turn began before the standstill was in the log, because the database was away."""
    world = playing(clock={"turn": 30})
    world.now += timedelta(seconds=20)
    world.ok(world.to_act, ask.Act, action=world.choose(world.to_act))
    world.tell(ask.StandstillNoticed(20_000, world.room.seq))
    assert seconds_left(world) == 30


def test_clocks_for_absence_and_patience_move_by_the_standstill() -> None:
    world = playing(clock={"away": 60, "patience": 30})
    world.tell(ask.PersonDisconnected("ana"))
    before = world.room.clocks
    world.wait(20)
    world.stand_still(50)
    after = world.room.clocks
    assert before.host is not None
    assert (after.host, after.away["Ana"]) == (before.host + 50_000, before.away["Ana"] + 50_000)
    assert after.waits == {name: at + 50_000 for name, at in before.waits.items()}
    world.wait(39)
    assert (world.room.host, world.person("Ana")["stand_in"]) == ("Ana", None)
    world.wait(1)
    assert (world.room.host, world.person("Ana")["stand_in"]) == ("Bob", "easy")


@pytest.mark.parametrize("subject", ["pause", "undo"])
def test_a_vote_moves_by_the_standstill(subject: str) -> None:
    world = playing()
    world.ok("Ana", ask.Configure, allow_undo=True)
    asks = "Bob"
    if subject == "undo":
        asks = world.to_act
        world.ok(asks, ask.Act, action=world.choose(asks))
    world.ok(asks, ask.Propose, subject=subject)
    assert world.run.motion is not None
    until = world.run.motion.until
    assert until is not None
    world.wait(5)
    world.stand_still(600)
    assert (world.run.motion.until, world.room.clocks.motion) == (until + 600_000, until + 600_000)
    world.wait((until - to_milliseconds(world.now)) / 1000 + 600)
    assert world.run.motion is None


def test_deals_move_by_the_standstill() -> None:
    world = playing(clock={"pause": 15})
    world.play()
    ended, due = world.run.ended, world.room.clocks.deal
    assert ended is not None
    assert due is not None
    world.stand_still(60)
    assert world.room.clocks.deal == due + 60_000
    assert room_view.build_clocks(world.room)["anyone_may_deal_at"] == ended + NEXT_DEAL_FOR_ALL_MS + 60_000
    assert world.refused("Bob", ask.DealNext) == "not_now"
    world.wait(15)
    assert world.room.phase == "playing"


def test_seeds_of_a_deal_are_awaited_after_the_standstill() -> None:
    world = four()
    world.promise("Ana", "Bob", "Cat", "Dan")
    world.ok("Ana", ask.Start)
    until = world.room.clocks.seeds
    assert until is not None
    world.stand_still(20)
    assert world.room.clocks.seeds == until + 20_000
    world.reveal("Ana", "Bob")
    world.wait(until / 1000 + 19.9 - world.now.timestamp())
    assert world.room.is_waiting_for_seeds
    world.wait(0.1)
    assert (world.room.phase, world.room.chance.missing_seed_givers) == ("playing", ["Cat", "Dan"])


def test_a_pause_ends_with_the_rest_of_the_turn_after_a_standstill() -> None:
    world = playing(clock={"turn": 60})
    world.wait(20)
    world.ok("Ana", ask.Propose, subject="pause")
    world.stand_still(300)
    assert world.room.clocks.turns == {}
    world.ok("Bob", ask.Resume)
    assert seconds_left(world) == 40


def test_nothing_is_written_without_running_clocks_or_if_another_node_went_on() -> None:
    assert four().stand_still(20).append_request is None
    world = playing(clock={"turn": 30})
    noticed = ask.StandstillNoticed(20_000, world.room.seq)
    world.ok(world.to_act, ask.Act, action=world.choose(world.to_act))
    assert world.tell(noticed).append_request is None
    for person in ("ana", "bob", "cat", "dan"):
        world.tell(ask.PersonDisconnected(person))
    assert world.stand_still(20).append_request is None
