"""Test that a process notices a standstill, and that its rooms then move their clocks before anything else."""

import random
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any

import pytest

from app.bots import BOTS
from app.rooms.live.room_actor import RoomActor
from app.rooms.live.standstill import StandstillWatch
from app.rooms.model import commands as ask
from app.rooms.ports.storage import NewEvent, StorageUnavailable
from app.rooms.views.room_view import build_bot_view
from tests.rooms.live.test_room_actor import Deaf, Held, House, Moved, opened, until
from tests.rooms.memory_log import MemoryLog
from tests.rooms.world import START, asked


@pytest.mark.parametrize(
    ("wall", "loop", "seen"),
    [
        (0.5, 0.5, 0),
        (2.4, 2.4, 0),
        (20, 20, 20),  # the process was paused
        (3600, 0.5, 3600),  # the computer slept, or its clock was set
        (0.5, 20, 20),  # paused, and the clock was set back
        (-3600, 0.5, 0),
    ],
)
def test_a_standstill_is_seen_by_the_clock_that_moved_further(wall: float, loop: float, seen: int) -> None:
    watch, now = StandstillWatch(START, 100), START + timedelta(seconds=wall)
    assert watch.tick(now, 100 + loop) == seen
    assert watch.tick(now, 100 + loop) == 0


@pytest.fixture
async def house() -> AsyncIterator[House]:
    made = House()
    yield made
    for registry in made.registries:
        await registry.close()


def kinds(house: House, runner: RoomActor, after: int = 0) -> list[str]:
    """Return the kinds of the room's entries after this one, repeats once: a slow machine may stand still itself."""
    return [kind for kind, _ in groupby(entry.kind for entry in house.log.entries[runner.id][after:])]


async def playing(house: House, clock: Moved, **settings: float) -> RoomActor:
    """Open a room in which Ana and Bob play with a bot, on a node with this clock."""
    runner = await opened(house.node(clock=clock, node="n1", live_nodes=frozenset({"n1", "n2"})), clock=settings)
    for person in ("ana", "bob", "cat"):
        runner.connect(person)
    for name in ("Bob", "Cat"):
        assert (await runner.handle(ask.Join(name.lower(), "j", name))).ok
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    return runner


def turn_of(runner: RoomActor) -> tuple[str, int]:
    """Return the person to act, and the deadline."""
    ((name, until),) = runner.room.clocks.turns.items()
    return name.lower(), until


async def test_a_room_moves_its_clocks_before_the_next_command_and_after_a_tick(house: House) -> None:
    clock = Moved()
    runner = await playing(house, clock, turn=30)
    person, before = turn_of(runner)
    seq = runner.room.seq
    clock.ahead += timedelta(seconds=3600)
    assert (await runner.handle(ask.AllowChat("ana", "c", False))).ok
    assert kinds(house, runner, seq)[:2] == ["stood_still", "settings_changed"]
    assert turn_of(runner)[1] >= before + 3_580_000, "a turn has at least ten of its thirty seconds left"
    clock.ahead += timedelta(seconds=3600)
    await until(lambda: turn_of(runner)[1] >= before + 7_180_000)
    assert turn_of(runner)[0] == person
    assert [member.missed for member in runner.room.members.values()] == [0, 0, 0]


async def test_a_play_that_was_being_stored_comes_before_the_standstill(house: House) -> None:
    house.log = log = Held()
    clock = Moved()
    runner = await playing(house, clock, turn=30)
    log.holds, seq = True, runner.room.seq
    person, _ = turn_of(runner)
    answers: list[bool] = []
    action = BOTS["easy"](build_bot_view(runner.room, person.capitalize()), random.Random(1))
    runner.submit(asked(runner.room, ask.Act, person, "a", action), lambda reply: answers.append(reply.ok))
    await until(lambda: log.held)
    clock.ahead += timedelta(seconds=3600)
    runner.submit(ask.AllowChat("ana", "c", False), lambda reply: answers.append(reply.ok))
    log.let_go()
    await until(lambda: len(answers) == 2)
    assert answers == [True, True]
    assert kinds(house, runner, seq)[:3] == ["acted", "stood_still", "settings_changed"]


class LostOnce(MemoryLog):
    """A log whose connection to the database breaks while the computer sleeps."""

    def append(self, room: str, expected: int, entries: Sequence[NewEvent], *more: Any) -> int:
        if entries[0].kind == "stood_still" and self.generation == 0:
            self.generation = 1
            raise StorageUnavailable("the connection is lost")
        return super().append(room, expected, entries, *more)


async def test_no_deadline_fires_before_the_standstill_is_stored(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.rooms.live.timers.MOST_GRACE", 0)
    house.log = LostOnce()
    clock = Moved()
    runner = await playing(house, clock, turn=0.2)
    seq = runner.room.seq
    clock.ahead += timedelta(seconds=3600)
    await until(lambda: "acted" in kinds(house, runner, seq))
    assert kinds(house, runner, seq)[:2] == ["stood_still", "acted"]


async def test_decisions_of_a_living_node_stay(house: House) -> None:
    """One of two nodes stands still. The other goes on, so its deadlines are true."""
    clock = Moved()
    runner = await playing(house, clock, turn=30)
    other = await house.node(Deaf(), node="n2", live_nodes=frozenset({"n1", "n2"})).get_or_load(runner.id)
    assert other is not None
    seq = runner.room.seq
    assert (await other.handle(ask.AllowChat("ana", "c", False))).ok
    clock.ahead += timedelta(seconds=3600)
    assert (await runner.handle(ask.AllowChat("ana", "d", True))).ok
    assert kinds(house, runner, seq)[0] == "settings_changed"
    assert runner.room.clocks == other.room.clocks


async def test_the_other_nodes_follow_a_standstill_and_count_it_once(house: House) -> None:
    """Both nodes are on the computer that slept."""
    clock = Moved()
    runner = await playing(house, clock, turn=30)
    other = await house.node(clock=clock, node="n2", live_nodes=frozenset({"n1", "n2"})).get_or_load(runner.id)
    assert other is not None
    other.connect("a guest")
    clock.ahead += timedelta(seconds=3600)
    for node, command in ((runner, "c"), (other, "d")):
        assert (await node.handle(ask.AllowChat("ana", command, command == "d"))).ok
    stood = [entry.data["ms"] for entry in house.log.entries[runner.id] if entry.kind == "stood_still"]
    assert 3600_000 <= sum(stood) < 2 * 3600_000
    await until(lambda: runner.room.seq == other.room.seq)
    assert runner.room.clocks == other.room.clocks
