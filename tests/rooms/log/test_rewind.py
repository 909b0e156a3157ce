"""Test a log that goes back, because the database lost its last entries while two nodes had the room open."""

import asyncio
import itertools
import math
import random
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from app.bots import BOTS
from app.rooms.live.registry import Registry
from app.rooms.live.room_actor import RoomActor
from app.rooms.model import commands as ask
from app.rooms.model.state import Room
from app.rooms.ports.storage import StoredEvent
from app.rooms.views.room_view import build_bot_view
from tests.rooms.live.test_room_actor import House, newest, until
from tests.rooms.memory_log import MemoryLog
from tests.rooms.world import asked


@pytest.fixture
async def house() -> AsyncIterator[House]:
    made = House()
    yield made
    for registry in made.registries:
        await registry.close()


class Evening:
    """Ana at one node and Bob at another play in one room with two bots."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.counted: list[str] = []
        self.count = 0

    async def begin(self) -> None:
        nodes = {"n1", "n2"}
        self.nodes: list[Registry] = [
            self.house.node(
                node=name, live_nodes=frozenset(nodes), log_check_interval=0.05, count_failure=self.counted.append
            )
            for name in sorted(nodes)
        ]
        room = await self.nodes[0].create(ask.Visitor("ana", "Ana"), {"game": "president", "bots_delay": 0})
        found = [await node.get_or_load(room.id) for node in self.nodes]
        self.runners: list[RoomActor] = [runner for runner in found if runner is not None]
        self.ana, self.bob = self.runners[0].connect("ana"), self.runners[1].connect("bob")
        await self.ok("bob", ask.Join("bob", self.id(), "Bob"))
        for _ in range(2):
            await self.ok("ana", ask.AddBot("ana", self.id()))

    def id(self) -> str:
        self.count += 1
        return f"e{self.count}"

    def of(self, person: str) -> RoomActor:
        return self.runners[0 if person == "ana" else 1]

    async def ok(self, person: str, command: ask.ClientCommand) -> None:
        answer = await self.of(person).handle(command)
        assert answer.ok, answer

    @property
    def room(self) -> Room:
        return max((runner.room for runner in self.runners), key=lambda room: (room.rewinds, room.seq))

    async def play(self, done: Callable[[Room], object]) -> None:
        """Let Ana and Bob act until this condition holds."""
        rng = random.Random(1)
        async with asyncio.timeout(60):
            while not done(self.room):
                for person, name in (("ana", "Ana"), ("bob", "Bob")):
                    room = self.of(person).room
                    if room.phase == "between_hands" and person == "ana":
                        await self.of(person).handle(asked(self.of(person).room, ask.DealNext, person, self.id()))
                    elif room.match is not None and room.match.is_hand_running and name in room.match.to_act:
                        action = BOTS["easy"](build_bot_view(room, name), rng)
                        await self.of(person).handle(asked(self.of(person).room, ask.Act, person, self.id(), action))
                await asyncio.sleep(0.002)

    async def lose(self, last: int) -> tuple[Room, str]:
        """Delete all entries after this one, and return the room before that, with its commitment."""
        await until(lambda: len({runner.room.seq for runner in self.runners}) == 1)
        before = self.room
        self.house.log.cut(before.id, last)
        self.house.log.generation += 1  # the connection was lost
        return before, before.chance.commitment

    async def agree(self) -> None:
        """Wait until both nodes have the same room again, after one rewind."""
        await until(lambda: all(runner.room.rewinds == 1 for runner in self.runners))
        await until(lambda: len({runner.room.seq for runner in self.runners}) == 1)
        log = self.house.log.entries[self.room.id]
        assert [entry.kind for entry in log].count("rewound") == 1
        assert [entry.seq for entry in log] == [*range(1, len(log) + 1)]


def at(house: House, room: Room, kind: str) -> int:
    """Return the seq before the last entry of this kind."""
    return max(entry.seq for entry in house.log.entries[room.id] if entry.kind == kind) - 1


@pytest.fixture
async def evening(house: House) -> Evening:
    made = Evening(house)
    await made.begin()
    await made.ok("ana", asked(made.room, ask.Start, "ana", made.id()))
    return made


def hands(room: Room) -> int:
    return 0 if room.run is None else len(room.run.hands)


async def test_entries_lost_during_play_rewind_the_room_and_keep_the_cards(house: House, evening: Evening) -> None:
    await evening.play(lambda room: room.run is not None and len(room.run.hand.actions) >= 9)
    await newest(evening.ana)
    before, commitment = await evening.lose(evening.room.seq - 6)
    await evening.agree()
    assert evening.room.chance.commitment == commitment, "the hand goes on with its cards"
    rewound = next(entry for entry in house.log.entries[before.id] if entry.kind == "rewound")
    assert rewound.data["moves"] > 0
    told, seen = list[str](), dict[str, Any]()
    while "rewound" not in told:
        seen = await newest(evening.ana)
        told += [event["e"] for event in seen["events"]]
    assert seen["room"]["rewinds"] == 1
    await evening.play(lambda room: hands(room) >= 2)
    assert set(evening.counted) == {"rewind"}


async def test_a_lost_deal_is_replaced_by_a_new_deal_with_a_new_commitment(house: House, evening: Evening) -> None:
    await evening.play(lambda room: hands(room) == 1 and room.phase == "playing")
    before, commitment = await evening.lose(at(house, evening.room, "dealt"))
    cards = before.run.hand.dealt  # type: ignore[union-attr]
    await evening.agree()
    await evening.play(lambda room: room.phase == "playing")
    assert evening.room.chance.commitment != commitment, "people have seen cards of the lost deal"
    assert evening.room.run is not None
    assert evening.room.run.hand.dealt != cards
    await evening.play(lambda room: hands(room) >= 2)


async def test_an_entry_lost_during_the_exchange_does_not_stop_the_room(house: House, evening: Evening) -> None:
    await evening.play(lambda room: hands(room) == 1 and room.match is not None and room.match.phase == "exchange")
    await evening.lose(evening.room.seq - 1)
    await evening.agree()
    await evening.play(lambda room: hands(room) >= 2)


async def test_a_lost_match_and_lost_members_are_created_again(house: House, evening: Evening) -> None:
    await evening.play(lambda room: room.run is not None and len(room.run.hand.actions) >= 3)
    first = next(entry.seq for entry in house.log.entries[evening.room.id] if entry.data.get("name") == "Bob")
    before, _ = await evening.lose(first - 1)
    await evening.agree()
    await evening.play(lambda room: hands(room) >= 1)
    assert evening.room.run is not None
    assert before.run is not None
    assert evening.room.run.match_id != before.run.match_id
    member = evening.room.find_member("bob")
    assert member is not None
    assert member.name in evening.room.run.match.seats


async def test_an_action_for_a_position_lost_from_the_log_is_refused(house: House, evening: Evening) -> None:
    await evening.play(lambda room: room.run is not None and len(room.run.hand.actions) >= 5)
    await evening.play(lambda room: room.match is not None and "Ana" in room.match.to_act)
    await evening.lose(evening.room.seq - 4)
    action = BOTS["easy"](build_bot_view(evening.runners[0].room, "Ana"), random.Random(1))
    answer = await evening.runners[0].handle(asked(evening.runners[0].room, ask.Act, "ana", "undone", action))
    assert (answer.ok, answer.code) == (False, "not_now")
    await evening.agree()
    await evening.play(lambda room: hands(room) >= 1)


class SlowReader(MemoryLog):
    """A view of another log, which can be blocked by a gate or lag behind like a standby."""

    def __init__(self, log: MemoryLog) -> None:
        self.__dict__ = log.__dict__
        self.standby_has: float = math.inf
        """The last seq that reads return."""
        self.gate = asyncio.Event()
        self.gate.set()

    async def read(self, room: str, after: int) -> list[StoredEvent]:
        """See `LogStore.read`."""
        await self.gate.wait()
        return [entry for entry in await super().read(room, after) if entry.seq <= self.standby_has]


@pytest.mark.parametrize("lost", [True, False], ids=["entries are lost", "nothing is lost"])
async def test_a_node_that_reads_the_log_only_after_the_next_deal_catches_up(house: House, *, lost: bool) -> None:
    """The newest snapshot is newer than all that the slow node has read of the log."""
    slow, counted = SlowReader(house.log), list[str]()
    here = house.node(node="n1", live_nodes=frozenset({"n1", "n2"}), log_check_interval=0.05)
    there = house.node(
        log=slow, node="n2", live_nodes=frozenset({"n1", "n2"}), log_check_interval=0.05, count_failure=counted.append
    )
    room = (await here.create(ask.Visitor("ana", "Ana"), {"game": "president", "bots_delay": 0})).id
    one, other = await here.get_or_load(room), await there.get_or_load(room)
    assert one is not None
    assert other is not None
    bob = other.connect("bob")  # as a spectator, so that the hand does not wait for his node
    one.connect("ana")
    number = itertools.count()

    async def ana(command: Any, *given: Any) -> None:
        await one.handle(asked(one.room, command, "ana", f"a{next(number)}", *given))

    async def play(done: Callable[[Room], object]) -> None:
        async with asyncio.timeout(60):
            while not done(one.room):
                if one.room.phase == "between_hands":
                    await ana(ask.DealNext)
                elif one.room.match is not None and "Ana" in one.room.match.to_act:
                    await ana(ask.Act, BOTS["easy"](build_bot_view(one.room, "Ana"), random.Random(1)))
                await asyncio.sleep(0.002)

    for _ in range(3):
        assert (await one.handle(ask.AddBot("ana", f"a{next(number)}"))).ok
    await ana(ask.Start)
    await play(lambda room: room.run is not None and len(room.run.hand.actions) >= 8)
    await until(lambda: other.room.seq == one.room.seq)
    await newest(bob)
    slow.gate.clear()
    if lost:
        house.log.cut(room, one.room.seq - 3)
        house.log.generation += 1
        await until(lambda: one.room.rewinds == 1)
    await play(lambda room: hands(room) == 1 and room.phase == "playing")
    assert house.log.snapshots[room][0] > other.room.seq
    if not lost:
        slow.standby_has = other.room.seq - 1
    slow.gate.set()
    await until(lambda: other.room.seq == one.room.seq)
    assert other.room.rewinds == int(lost)
    assert counted == ["rewind"] * lost
    if lost:
        told = list[str]()
        while "rewound" not in told:
            told += [event["e"] for event in (await newest(bob))["events"]]


@pytest.mark.parametrize("further", [0, 60])
async def test_a_log_that_goes_back_to_an_older_history_counts_a_further_loss(
    house: House, evening: Evening, further: int
) -> None:
    """A failover switches to a copy of the database and back. The first copy has fewer or more entries by then."""
    await evening.play(lambda room: room.run is not None and len(room.run.hand.actions) >= 6)
    room, start = evening.room.id, evening.room.seq
    await evening.play(lambda now: now.seq >= start + further)
    older = [*house.log.entries[room]]
    await evening.lose(start - 3)
    await evening.agree()
    await evening.play(lambda now: now.seq >= start + 12)
    await until(lambda: len({runner.room.seq for runner in evening.runners}) == 1)
    assert (len(older) > evening.room.seq) == bool(further)
    house.log.entries[room] = [*older]
    house.log.generation += 1
    await until(lambda: all(runner.room.rewinds == 2 for runner in evening.runners))
    await until(lambda: len({runner.room.seq for runner in evening.runners}) == 1)
    log = house.log.entries[room]
    assert log[: len(older)] == older, "the database is right"
    assert [entry.kind for entry in log].count("rewound") == 1
    while (await newest(evening.ana))["room"]["rewinds"] < 2:  # pages ignore a lower number
        pass
    begun = hands(evening.room)
    await evening.play(lambda now: hands(now) > begun)
    assert set(evening.counted) == {"rewind"}
