"""Runners and the registry: durable before visible, two processes on one log, sleeping, waking and slow lines."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from datetime import datetime, timedelta
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from app.bots import BOTS
from app.rooms.errors import RoomError
from app.rooms.live.connections import Connection, RoomClosed
from app.rooms.live.registry import Registry, SystemClock
from app.rooms.live.room_actor import BESIDE_UPDATES, Runner
from app.rooms.log import snapshots
from app.rooms.log.deadlines import wishes
from app.rooms.model import commands as ask
from app.rooms.model.decision import Verdict
from app.rooms.ports.addresses import Address, Lead
from app.rooms.ports.bus import LOOK, MemoryBus
from app.rooms.ports.facts import Readdressed
from app.rooms.ports.storage import AddressTaken, Loaded, NewEntry, StoredEntry
from app.rooms.views.room_view import for_bot
from tests.rooms.memory_log import MemoryLog
from tests.rooms.world import asked
from tools.local_server.client_view import merged

HOST = ask.Visitor("ana", "Ana")


class Deaf(MemoryBus):
    """A bus that loses every hint."""

    def publish(self, code: str, seq: int) -> None:
        return


class Broken(MemoryLog):
    """A log that can't be written while `broken`."""

    broken = False

    def append(self, *entries: Any) -> int:
        if self.broken:
            raise OSError("disk full")
        return super().append(*entries)


class Held(MemoryLog):
    """A log that writes nothing while it `holds`, until it is to let go."""

    def __init__(self) -> None:
        super().__init__()
        self.holds = False
        self.held: list[Callable[[], None]] = []

    def submit(self, *entries: Any, **more: Any) -> None:
        if self.holds:
            self.held.append(lambda: super(Held, self).submit(*entries, **more))
        else:
            super().submit(*entries, **more)

    def let_go(self) -> None:
        self.holds, held, self.held = False, self.held, []
        for write in held:
            write()


class Asked(MemoryLog):
    """A log that remembers what it was asked for, and opens no room while it is `slow`."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[set[str]] = []
        self.read_from: list[str] = []
        self.slow: asyncio.Event | None = None
        self.waits = False

    async def heads(self, rooms: Collection[str]) -> dict[str, int]:
        self.asked.append(set(rooms))
        return await super().heads(rooms)

    async def read(self, room: str, after: int) -> list[StoredEntry]:
        self.read_from.append(room)
        return await super().read(room, after)

    async def load(self, room: str, *, at_most: int | None = None) -> Loaded | None:
        found = await super().load(room, at_most=at_most)
        if self.slow is not None:
            self.waits = True
            await self.slow.wait()
        return found


class House:
    """Registries on one log, closed at the end of a test."""

    def __init__(self) -> None:
        self.log = MemoryLog()
        self.bus = MemoryBus()
        self.registries: list[Registry] = []

    def node(self, bus: MemoryBus | None = None, log: MemoryLog | None = None, **options: Any) -> Registry:
        draw = random.Random(len(self.registries)).randbytes
        made = Registry(log or self.log, bus or self.bus, SystemClock(), draw, **{"blink": 0, **options})
        self.registries.append(made)
        return made


@pytest.fixture
async def house() -> AsyncIterator[House]:
    made = House()
    yield made
    for registry in made.registries:
        await registry.close()


async def opened(registry: Registry, **settings: Any) -> Runner:
    room = await registry.create(HOST, {"game": "president", "bots_delay": 0, **settings})
    runner = await registry.find(room.code)
    assert runner is not None
    return runner


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0.001)


async def frame(connection: Connection) -> bytes:
    """The newest update, as soon as there is one that was not taken."""
    while (taken := connection.take()) is None:
        told = asyncio.Event()
        connection.news = told.set
        await told.wait()
    return taken.text


pictures: WeakKeyDictionary[Connection, dict[str, Any]] = WeakKeyDictionary()


async def newest(connection: Connection) -> dict[str, Any]:
    """The newest picture, as soon as there is one that was not taken, with what happened since."""
    async with asyncio.timeout(5):
        told = json.loads(await frame(connection))
    seen = pictures[connection] = merged(pictures.get(connection), told)
    return seen


async def play(runners: Sequence[Runner], person: str, connection: Connection, hands: int = 1) -> dict[str, Any]:
    """One person plays through a socket against bots; each action goes to another of the runners."""
    rng, count = random.Random(1), 0
    while True:
        seen = await newest(connection)
        assert seen["t"] == "update"
        if seen["room"]["phase"] in ("pause", "finished"):
            return seen
        if seen["you"].get("legal"):
            count += 1
            action = BOTS["greedy"](seen, rng)
            act = ask.Act(person, f"a{seen['seq']}", action, seen["you"]["request"])
            await runners[count % len(runners)].handle(act)


def hands(runner: Runner) -> int:
    """How many hands are over."""
    return 0 if runner.room.run is None else len(runner.room.run.hands)


async def test_a_room_is_found_by_its_code_and_its_invitation(house: House) -> None:
    registry = house.node()
    room = await registry.create(HOST, {"game": "president"})
    code, invite = room.code, room.invite
    assert len(code) == 6
    assert len(invite) == 22
    assert len(room.id) == 16
    assert await registry.by_invite(invite) == await registry.by_code(code) == Lead(room.id, code, current=True)
    assert await registry.wake(room.id) is await registry.find(code)
    assert await registry.find(room.id) is None
    assert await registry.find(code.lower()) is await registry.find(code)
    assert await registry.find("NOSUCH") is None
    assert await registry.find("x" * 1000) is None


async def test_an_old_code_leads_to_the_new_one(house: House) -> None:
    registry = house.node()
    runner = await opened(registry)
    before = runner.code
    assert await registry.by_code(before) == Lead(runner.id, before, current=True)
    assert (await runner.handle(ask.Renew("ana", "r"))).ok
    assert await registry.by_code(before) == Lead(runner.id, runner.code, current=False)
    assert await registry.by_code(runner.code) == Lead(runner.id, runner.code, current=True)


@pytest.mark.parametrize(
    "settings", [{"game": "poker"}, {"bots": "greedy"}, {"bots": ["genius"]}, {"stakes": 5}, {"bots": ["greedy"] * 9}]
)
async def test_a_room_that_cannot_be_is_refused(house: House, settings: dict[str, Any]) -> None:
    with pytest.raises(RoomError):
        await house.node().create(HOST, settings)
    assert not house.log.entries


async def test_a_code_that_is_taken_is_drawn_again(house: House) -> None:
    class Taken(MemoryLog):
        refused = 2

        async def create(
            self, room: str, address: Address, first: Sequence[NewEntry], facts: Any = (), *, host: str | None = None
        ) -> None:
            if self.refused:
                self.refused -= 1
                raise AddressTaken(address.code)
            await super().create(room, address, first, facts, host=host)

    house.log = Taken()
    room = await house.node().create(HOST)
    assert room.id in house.log.entries


async def test_a_new_code_that_is_taken_is_drawn_again(house: House) -> None:
    class Taken(MemoryLog):
        refused = 2

        def append(self, room: str, expected: int, entries: Any, facts: Any = (), snapshot: Any = None) -> int:
            if any(isinstance(fact, Readdressed) for fact in facts) and self.refused:
                self.refused -= 1
                raise AddressTaken(room)
            return super().append(room, expected, entries, facts, snapshot)

    house.log = Taken()
    runner = await opened(house.node())
    before = runner.code
    assert (await runner.handle(ask.Renew("ana", "r"))).ok
    assert house.log.addresses[runner.id] == [
        Address(before, house.log.addresses[runner.id][0].invite),
        Address(runner.code, runner.room.invite),
    ]


async def test_every_process_knows_a_room_by_its_new_code(house: House) -> None:
    here, there = house.node(), house.node()
    runner = await opened(here)
    other = await there.find(runner.code)
    assert other is not None
    other.connect("ana")
    before = runner.code
    assert (await runner.handle(ask.Renew("ana", "r"))).ok
    await until(lambda: other.code == runner.code)
    assert runner.code != before
    assert await there.find(before) is await here.find(before) is None
    assert await there.find(runner.code) is other
    assert await there.by_code(before) == Lead(runner.id, runner.code, current=False)


async def test_a_hand_against_bots(house: House) -> None:
    runner = await opened(house.node(), bots=["greedy", "random", "greedy"])
    connection = runner.connect("ana")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    seen = await play([runner], "ana", connection)
    assert seen["table"]["last"]["standing"]
    assert seen["room"]["can_start"]
    assert [type(fact).__name__ for fact in house.log.facts] == ["MatchStarted", "HandBegan", "HandEnded"]


async def test_bots_break_in_though_it_is_not_their_turn(house: House) -> None:
    options = {"burn": "any_time", "exchange": "none", "target": None}
    runner = await opened(house.node(), bots=["random"] * 3, bots_delay=0.005, options=options)
    connection, rng, told = runner.connect("ana"), random.Random(1), list[dict[str, Any]]()
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    while not told:
        seen = await newest(connection)
        told = [event for event in seen["events"] if event["e"] == "burned" and "turn" in event]
        if seen["room"]["phase"] == "pause":
            await runner.handle(asked(runner.room, ask.Next, "ana", f"n{seen['seq']}"))
        elif "Ana" in seen["table"]["to_act"]:
            await runner.handle(asked(runner.room, ask.Act, "ana", f"a{seen['seq']}", BOTS["greedy"](seen, rng)))
    (burned,) = told
    assert burned["by"] not in ("Ana", burned["turn"])


async def test_nobody_hears_of_what_is_not_in_the_log(house: House) -> None:
    house.log = log = Held()
    runner = await opened(house.node())
    connection = runner.connect("ana")
    await until(lambda: runner.room.anybody_here)
    await newest(connection)
    log.holds = True
    answer = asyncio.create_task(runner.handle(ask.AddBot("ana", "b")))
    next_frame = asyncio.create_task(frame(connection))
    await asyncio.sleep(0.02)
    assert not answer.done()
    assert not next_frame.done()
    log.let_go()
    assert (await answer).ok
    assert len(json.loads(await next_frame)["changed"]["room"]["people"]) == 2


async def test_what_could_not_be_kept_was_never_done_and_can_be_tried_again(house: House) -> None:
    house.log = log = Broken()
    runner = await opened(house.node())
    log.broken = True
    answer = await runner.handle(ask.AddBot("ana", "b"))
    assert not answer.ok
    assert answer.code == "unavailable"
    assert len(runner.room.members) == 1
    log.broken = False
    assert (await runner.handle(ask.AddBot("ana", "b"))).ok
    assert len(runner.room.members) == 2


async def test_each_is_answered_once_and_in_order_whatever_becomes_of_it(house: House) -> None:
    """Kept, refused, repeated, decided again because another process was faster, and lost with the disk."""
    house.log = log = Broken()
    one = await opened(house.node(Deaf()))
    two = await house.node(Deaf()).find(one.code)
    assert two is not None
    assert (await two.handle(ask.AddBot("ana", "first"))).ok
    given: list[tuple[str, Verdict]] = []

    async def answered(*commands: ask.Asked) -> list[tuple[str, str | None]]:
        given.clear()
        for command in commands:
            one.submit(command, lambda verdict, of=command.id: given.append((of, verdict)))  # type: ignore[misc]
        await until(lambda: len(given) >= len(commands) and one.is_idle)
        return [(of, verdict.code) for of, verdict in given]

    add, begin = ask.AddBot("ana", "a"), asked(one.room, ask.Start, "bob", "b")
    said = await answered(add, add, begin, begin, ask.AddBot("ana", "c"))
    assert said == [("a", None), ("a", None), ("b", "not_a_member"), ("b", "not_a_member"), ("c", None)]
    assert [verdict.ok for _, verdict in given] == [True, True, False, False, True]
    assert given[0] == given[1]
    assert sum(entry.kind == "bot_came" for entry in house.log.entries[one.id]) == 3
    log.broken = True
    assert await answered(ask.AddBot("ana", "d"), add) == [("d", "unavailable"), ("a", None)]


async def test_closing_waits_for_what_the_log_still_writes(house: House) -> None:
    house.log = log = Held()
    registry = house.node()
    runner = await opened(registry)
    log.holds = True
    given: list[Verdict] = []
    for command in (ask.AddBot("ana", "a"), ask.AddBot("ana", "b")):
        runner.submit(command, given.append)
    closing = asyncio.create_task(registry.close())
    await until(lambda: runner._closed)
    assert not closing.done()
    assert given == []
    runner.submit(ask.AddBot("ana", "c"), given.append)
    assert [verdict.code for verdict in given] == ["unavailable"]
    log.let_go()
    await closing
    assert [verdict.ok for verdict in given] == [False, True, True]
    assert sum(entry.kind == "bot_came" for entry in house.log.entries[runner.id]) == 2


async def test_one_who_cannot_be_told_holds_up_neither_the_room_nor_the_others(house: House) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("no ears")

    runner = await opened(house.node())
    told = list[int]()
    for news in (fails, lambda: told.append(runner.room.seq), fails):
        runner.connect("ana").news = news
    runner.submit(ask.AddBot("ana", "a"), fails)
    runner.submit(asked(runner.room, ask.Start, "bob", "b"), fails)
    assert (await runner.handle(ask.AddBot("ana", "c"))).ok
    assert len(runner.room.members) == 3
    assert told[-1] == runner.room.seq


async def test_presence_is_told_even_if_the_log_was_away(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.rooms.live.room_actor.TROUBLE_PAUSE", 0.01)
    house.log = log = Broken()
    runner = await opened(house.node(), bots=["greedy"] * 3)
    log.broken = True
    connection = runner.connect("ana")
    await asyncio.sleep(0.05)
    assert not runner.room.anybody_here
    log.broken = False
    await until(lambda: runner.room.anybody_here)
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    log.broken = True
    await asyncio.sleep(0.05)
    log.broken = False
    await until(lambda: "Ana" in runner.room.match.to_act)  # type: ignore[union-attr]
    connection.close()


async def test_a_bot_that_leads_again_is_asked_again_whatever_clock_runs(house: House) -> None:
    runner = await opened(house.node(), bots=["greedy"] * 3, clock={"away": 1000})
    runner.connect("ana")
    assert (await runner.handle(ask.Join("bob", "j", "Bob"))).ok
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    assert (await runner.handle(ask.Leave("ana", "l"))).ok
    assert (await runner.handle(ask.Watch("bob", "w"))).ok
    await until(lambda: hands(runner))


async def test_refusals_are_remembered_while_the_room_is_awake(house: House) -> None:
    runner = await opened(house.node())
    refused = await runner.handle(asked(runner.room, ask.Start, "ana", "s1"))
    assert refused.code == "bad_player_count"
    for n in range(3):
        assert (await runner.handle(ask.AddBot("ana", f"b{n}"))).ok
    assert await runner.handle(asked(runner.room, ask.Start, "ana", "s1")) == refused
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s2"))).ok


# Errors after the commit --------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", Runner.update_parts)
async def test_an_error_in_any_part_of_an_update_stops_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """The action is answered, bots take their turns, and the hand is played to its end, whatever part is broken."""
    counted: list[str] = []
    runner = await opened(house.node(failed=counted.append), bots=["greedy"] * 3)
    runner.connect("ana")

    def broken(*_: object) -> None:
        raise ZeroDivisionError(part)

    monkeypatch.setattr(Runner, "update_parts", {**Runner.update_parts, part: broken})
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await play_blindly(runner)
    assert hands(runner) == 1
    assert set(counted) == {part}


@pytest.mark.parametrize("part", BESIDE_UPDATES)
async def test_one_error_beside_the_update_stops_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    monkeypatch.setattr("app.rooms.live.timers.TROUBLE_PAUSE", 0.01)
    monkeypatch.setattr("app.rooms.live.room_actor.TROUBLE_PAUSE", 0.01)
    counted: list[str] = []
    runner = await opened(house.node(failed=counted.append, call=lambda call: None), bots=["greedy"] * 3)
    runner.connect("ana")
    await until(lambda: runner.room.anybody_here)
    attempt, times = runner._attempt, 0

    def once(name: str, *work: Any) -> bool:
        nonlocal times
        if name == part and not times:
            times += 1
            return attempt(name, lambda: 1 / 0)
        return attempt(name, *work)

    monkeypatch.setattr(runner, "_attempt", once)
    if part == "presence":
        runner._put(ask.Woken(frozenset({""})))
        await until(lambda: counted)
    if part == "answer":
        runner.submit(asked(runner.room, ask.Start, "ana", "s"), lambda verdict: None)
    else:
        assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await play_blindly(runner)
    assert hands(runner) == 1
    assert counted == [part]


async def test_a_picture_that_failed_halfway_is_shown_whole_by_the_next(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = await opened(house.node(), bots=["greedy"] * 2)
    connection = runner.connect("ana")
    await until(lambda: runner.room.anybody_here)
    await newest(connection)
    with monkeypatch.context() as patch:
        patch.setattr("app.rooms.views.room_view.company", lambda *_: 1 / 0)
        assert (await runner.handle(ask.AddBot("ana", "b"))).ok
        with pytest.raises(ZeroDivisionError):
            connection.take()
    connection.wake()
    assert len((await newest(connection))["room"]["people"]) == 4


async def play_blindly(runner: Runner) -> None:
    """Play one hand for Ana without looking at updates."""
    rng, count, before = random.Random(1), 0, hands(runner)
    async with asyncio.timeout(30):
        while hands(runner) == before:
            match = runner.room.match
            if match is not None and match.running and "Ana" in match.to_act:
                count += 1
                action = BOTS["greedy"](for_bot(runner.room, "Ana"), rng)
                assert (await runner.handle(asked(runner.room, ask.Act, "ana", f"blind{count}", action))).ok
            await asyncio.sleep(0.001)


# Two processes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deaf", [False, True])
async def test_two_processes_serve_one_room_and_nobody_loses_anything(house: House, deaf: bool) -> None:
    bus, reread = (Deaf(), 0.05) if deaf else (None, None)
    here, there = house.node(bus, reread=reread), house.node(bus, reread=reread)
    one = await opened(here, bots=["greedy", "greedy"])
    two = await there.find(one.code)
    assert two is not None
    assert two is not one
    ana = one.connect("ana")
    answers = await asyncio.gather(
        *(runner.handle(ask.Join(f"p{n}", "j", f"P{n}")) for n, runner in enumerate([one, two, one, two]))
    )
    assert all(answer.ok for answer in answers)
    assert {"P0", "P1", "P2", "P3"} <= set(snapshots.from_log(await loaded(house, one.id)).members)
    assert (await two.handle(asked(two.room, ask.Start, "ana", "s"))).ok
    for n in range(4):
        # These have no sockets: bots play for them.
        assert (await two.handle(ask.Leave(f"p{n}", "l"))).ok
    seen = await play([one, two], "ana", ana)
    assert seen["room"]["phase"] in ("pause", "finished")
    log = house.log.entries[one.id]
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    two.hint(len(log))
    await until(lambda: two.room == one.room)
    assert snapshots.from_log(Loaded(None, tuple(log))) == one.room


async def ana_here_bob_there(house: House) -> tuple[Runner, Runner, Registry]:
    """A room at two nodes, n1 with Ana's socket and n2 with Bob's; and the registry of n2."""
    here, there = (house.node(Deaf(), node=node, living=frozenset({"n1", "n2"})) for node in ("n1", "n2"))
    one = await opened(here)
    two = await there.find(one.code)
    assert two is not None
    one.connect("ana")
    await until(lambda: one.room.members["Ana"].present)
    two.connect("bob")
    assert (await two.handle(ask.Join("bob", "j", "Bob"))).ok
    return one, two, there


async def test_a_first_socket_at_another_node_makes_nobody_absent(house: House) -> None:
    one, two, _ = await ana_here_bob_there(house)
    assert {name: member.nodes for name, member in two.room.members.items()} == {"Ana": ("n1",), "Bob": ("n2",)}
    assert not {"woke", "went_away"} & {entry.kind for entry in house.log.entries[one.id]}


async def test_nobody_sits_at_a_node_that_died_and_its_host_does_not_stay_host(house: House) -> None:
    _, two, there = await ana_here_bob_there(house)
    there.living(frozenset({"n1", "n2"}))
    there.living(frozenset({"n2"}))
    await until(lambda: two.room.clocks.host is not None)
    assert not two.room.members["Ana"].present
    assert two.room.members["Bob"].present


async def test_who_has_sockets_at_two_nodes_is_here_until_both_are_gone(house: House) -> None:
    one, two, _ = await ana_here_bob_there(house)
    second = two.connect("ana")
    await until(lambda: two.room.members["Ana"].nodes == ("n1", "n2"))
    second.close()
    await until(lambda: two.room.members["Ana"].nodes == ("n1",))
    assert two.room.members["Ana"].present
    for connection in tuple(one._attendance._connections):
        connection.close()
    await until(lambda: not one.room.members["Ana"].present)


async def test_a_node_that_was_taken_for_dead_says_who_is_there(house: House) -> None:
    one, two, there = await ana_here_bob_there(house)
    there.living(frozenset({"n2"}))
    await until(lambda: not two.room.members["Ana"].present)
    one.hint(two.room.seq)
    await until(lambda: one.room.members["Ana"].present)


async def test_a_room_that_is_opened_where_only_dead_nodes_had_it_owes_no_time(house: House) -> None:
    one, _, _ = await ana_here_bob_there(house)
    three = await house.node(Deaf(), node="n3", living=frozenset({"n3"})).find(one.code)
    assert three is not None
    three.connect("ana")
    await until(lambda: three.room.members["Ana"].nodes == ("n3",))
    assert not three.room.members["Bob"].present
    assert "woke" in {entry.kind for entry in house.log.entries[one.id]}


async def test_lost_hints_are_made_up_for_with_one_question_for_all_rooms(house: House) -> None:
    log = house.log = Asked()
    here, there = house.node(Deaf()), house.node(Deaf(), reread=0.05)
    rooms = [await opened(here) for _ in range(5)]
    theirs = [await there.find(room.code) for room in rooms]
    for runner in theirs:
        assert runner is not None
        await newest(runner.connect(None))
    log.asked.clear()
    log.read_from.clear()
    assert (await rooms[3].handle(ask.AddBot("ana", "b"))).ok
    await until(lambda: theirs[3] is not None and theirs[3].room.seq == rooms[3].room.seq)
    assert log.read_from == [rooms[3].id]
    assert log.asked[-1] == {room.id for room in rooms}


async def test_a_room_that_is_being_opened_misses_no_hint(house: House) -> None:
    """It hears of its room soon, not at once: from then on it looks itself."""
    log = house.log = Asked()
    one = await opened(house.node(Deaf()))
    bus = MemoryBus()
    there = house.node(bus)
    log.slow = asyncio.Event()
    finding = asyncio.create_task(there.wake(one.id))
    await until(lambda: log.waits)
    assert (await one.handle(ask.AddBot("ana", "b"))).ok
    bus.publish(one.id, LOOK)
    log.slow.set()
    two = await finding
    assert two is not None
    await until(lambda: two.room.seq == one.room.seq)


async def loaded(house: House, code: str) -> Loaded:
    found = await house.log.load(code)
    assert found is not None
    return found


async def test_nothing_is_refused_for_what_a_process_has_not_heard_of(house: House) -> None:
    one = await opened(house.node(Deaf()))
    two = await house.node(Deaf()).find(one.code)
    assert two is not None
    for n in range(3):
        assert (await one.handle(ask.AddBot("ana", f"b{n}"))).ok
    assert (await two.handle(asked(two.room, ask.Start, "ana", "s"))).ok


async def test_the_same_command_at_two_processes_acts_once(house: House) -> None:
    here, there = house.node(Deaf()), house.node(Deaf())
    one = await opened(here)
    two = await there.find(one.code)
    assert two is not None
    first, second = await asyncio.gather(one.handle(ask.AddBot("ana", "b")), two.handle(ask.AddBot("ana", "b")))
    assert first.ok
    assert first == second
    assert sum(entry.kind == "bot_came" for entry in house.log.entries[one.id]) == 1


async def test_a_hint_brings_the_news_to_the_other_process(house: House) -> None:
    one = await opened(house.node())
    two = await house.node().find(one.code)
    assert two is not None
    watcher = two.connect(None)
    await newest(watcher)
    assert (await one.handle(ask.AddBot("ana", "b"))).ok
    async with asyncio.timeout(5):
        while len((await newest(watcher))["room"]["people"]) < 2:
            pass


async def test_presence_is_told_again_by_whoever_has_the_socket(house: House) -> None:
    one = await opened(house.node())
    one.connect("ana")
    await until(lambda: one.room.anybody_here)
    two = await house.node().find(one.code)
    assert two is not None
    two.connect(None)  # wakes the room, so all count as gone
    await until(lambda: sum(e.kind == "came_back" for e in house.log.entries[one.id]) == 2)
    await until(lambda: two.room.anybody_here)


# Sockets ------------------------------------------------------------------------------------------------------


async def test_a_slow_connection_gets_the_newest_and_hears_what_it_missed(house: House) -> None:
    runner = await opened(house.node())
    slow, quick = runner.connect("ana"), runner.connect(None)
    await until(lambda: runner.room.anybody_here)
    first = await newest(slow)
    assert first["events"] == []
    for n in range(3):
        assert (await runner.handle(ask.AddBot("ana", f"b{n}"))).ok
    seen = await newest(slow)
    assert seen["seq"] == runner.room.seq
    assert [event["e"] for event in seen["events"]].count("bot_came") == 3
    assert (await newest(quick))["events"] == []
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(frame(slow), 0.01)


async def test_presence_follows_sockets_and_a_reload_is_nobodys_business(house: House) -> None:
    runner = await opened(house.node(blink=0.03))
    one = runner.connect("ana")
    await until(lambda: runner.room.members["Ana"].present)
    seq = runner.room.seq
    two = runner.connect("ana")
    one.close()
    await asyncio.sleep(0.05)
    assert runner.room.members["Ana"].present
    two.close()
    again = runner.connect("ana")
    await asyncio.sleep(0.05)
    assert runner.room.seq == seq
    again.close()
    await until(lambda: not runner.room.members["Ana"].present)


async def test_who_soon_has_a_name_is_never_told_as_a_watcher(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.rooms.live.connections.CROWD_PAUSE", 0.02)
    runner = await opened(house.node())
    ana = runner.connect("ana")
    await until(lambda: runner.room.anybody_here)
    bob = runner.connect("bob")
    assert (await runner.handle(ask.Join("bob", "j", "Bob"))).ok
    assert (await newest(ana))["room"]["watchers"] == 0
    await until(lambda: runner._attendance._crowd_timer is None)
    assert ana.take() is None
    runner.connect("cat")
    assert (await newest(bob))["room"]["watchers"] == 0
    assert (await newest(bob))["room"]["watchers"] == 1


async def test_watchers_are_counted_and_see_no_cards(house: House) -> None:
    runner = await opened(house.node(), bots=["greedy"] * 2)
    runner.connect("ana")
    runner.connect(None)
    watcher = runner.connect("somebody")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    seen = await newest(watcher)
    async with asyncio.timeout(5):
        while seen["room"]["watchers"] != 2 or seen["table"] is None:
            seen = await newest(watcher)
    assert seen["you"] == {
        "person": True,
        "name": None,
        "role": None,
        "host": False,
        "shut": None,
        "seat_given": None,
        "requests": None,
    }


async def test_a_clock_acts_in_real_time(house: House) -> None:
    runner = await opened(house.node(), bots=["greedy"] * 2, clock={"turn": 0.05, "pause": 0.05})
    runner.connect("ana")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await until(lambda: hands(runner))
    assert runner.room.members["Ana"].stand_in == "greedy"
    assert (await runner.handle(ask.Back("ana", "b"))).ok
    await until(lambda: hands(runner) >= 2)


class Moved(SystemClock):
    """A clock that may be moved."""

    ahead = timedelta()

    def now(self) -> datetime:
        return super().now() + self.ahead


async def test_a_log_that_stands_still_costs_nobody_their_turn(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """An action is kept ten seconds after it was decided: whose turn begins with it has their time from then on."""
    monkeypatch.setattr("app.rooms.live.timers.MOST_GRACE", 0)
    house.log = log = Held()
    clock = Moved()
    registry = Registry(log, house.bus, clock, random.Random(1).randbytes, blink=0)
    house.registries.append(registry)
    runner = await opened(registry, clock={"turn": 5})
    connections = {name: runner.connect(name.lower()) for name in ("Ana", "Bob", "Cat")}
    for name in ("Bob", "Cat"):
        assert (await runner.handle(ask.Join(name.lower(), "j", name))).ok
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok

    def to_act() -> str:
        assert runner.room.match is not None
        return runner.room.match.to_act[0]

    for turn in range(3):
        name, log.holds = to_act(), True
        legal = (await newest(connections[name]))["you"]["legal"]
        answer = asyncio.create_task(runner.handle(asked(runner.room, ask.Act, name.lower(), f"a{turn}", legal[-1])))
        await until(lambda: log.held)
        clock.ahead += timedelta(seconds=10)
        log.let_go()
        assert (await answer).ok
        await asyncio.sleep(0.05)  # a clock that looked at the deadline alone would act at once
        assert [member.missed for member in runner.room.members.values()] == [0, 0, 0]
        assert to_act() != name


# Sleeping, waking, stopping -----------------------------------------------------------------------------------


async def test_a_room_that_was_opened_here_is_awake_as_its_log_has_it(house: House) -> None:
    """Where there are several processes its host may come to another: there it sleeps until somebody comes."""
    several = house.node(reread=60, living=frozenset({"n2"}))
    for registry, awake in ((house.node(), True), (house.node(reread=60), True), (several, False)):
        room = await registry.create(HOST, {"game": "president", "bots": ["greedy"]})
        assert [runner.id for runner in registry.awake()] == [room.id] * awake
        loaded = await house.log.load(room.id)
        assert loaded is not None
        runner = await registry.find(room.code)
        assert runner is not None
        assert runner.room == snapshots.from_log(loaded)


async def test_an_idle_room_sleeps_and_wakes_where_it_was(house: House) -> None:
    registry = house.node(idle=0.05)
    runner = await opened(registry, bots=["greedy"] * 3, clock={"turn": 60})
    connection = runner.connect("ana")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await until(lambda: "Ana" in runner.room.match.to_act)  # type: ignore[union-attr]
    connection.close()
    await until(lambda: not registry.awake())
    with pytest.raises(RoomClosed):
        runner.connect("ana")
    assert not (await runner.handle(ask.Leave("ana", "l"))).ok
    again = await registry.find(runner.code)
    assert again is not None
    assert again is not runner
    assert wishes(again.room) == ()
    seen = await newest(again.connect("ana"))
    assert seen["you"]["legal"]
    await until(lambda: again.room.clocks.turns)


async def test_a_killed_process_costs_nobody_a_card(house: House) -> None:
    runner = await opened(house.node(), bots=["greedy"] * 3)
    connection = runner.connect("ana")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await until(lambda: "Ana" in runner.room.match.to_act)  # type: ignore[union-attr]
    before = await newest(connection)
    while "legal" not in before["you"] or not before["you"]["legal"]:
        before = await newest(connection)
    # No farewell: a second process opens what the log has.
    other = house.node(Deaf())
    woken = await other.find(runner.code)
    assert woken is not None
    seen = await newest(woken.connect("ana"))
    assert seen["you"]["cards"] == before["you"]["cards"]
    assert seen["table"] == before["table"]
    again = asked(woken.room, ask.Start, "ana", "s")
    assert await woken.handle(again) == await runner.handle(again)


async def test_who_only_looks_wakes_nobody_and_no_clock_fires_before_people_are_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.rooms.live.timers.MOST_GRACE", 0)
    runner = await opened(house.node(), bots=["greedy"] * 3, clock={"turn": 0.2})
    runner.connect("ana")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await until(lambda: "Ana" in runner.room.match.to_act)  # type: ignore[union-attr]
    log = MemoryLog()
    log.entries = {code: list(entries) for code, entries in house.log.entries.items()}
    log.snapshots = dict(house.log.snapshots)
    log.addresses = house.log.addresses
    clock = Moved()
    clock.ahead = timedelta(seconds=10)  # long after the deadline
    registry = Registry(log, MemoryBus(), clock, random.Random(1).randbytes, blink=0)
    house.registries.append(registry)
    found = await registry.find(runner.code)
    assert found is not None
    seq = found.room.seq
    await asyncio.sleep(0.05)  # nothing may happen within this time: a clock that runs would fire at once
    assert found.room.seq == seq
    found.connect("ana")
    await until(lambda: found.room.anybody_here and found.room.seq == seq + 2)
    await asyncio.sleep(0.05)  # no turn may be missed within this time: the old deadline would fire at once
    assert found.room.members["Ana"].missed == 0


async def test_many_find_the_same_room_at_once(house: House) -> None:
    room = await house.node().create(HOST)
    registry = house.node()
    found = await asyncio.gather(*(registry.find(room.code) for _ in range(10)))
    assert len(set(map(id, found))) == 1


async def test_closing_finishes_what_is_under_way_and_tells_connections(house: House) -> None:
    registry = house.node()
    runner = await opened(registry)
    connection = runner.connect("ana")
    answers = [asyncio.create_task(runner.handle(ask.AddBot("ana", f"b{n}"))) for n in range(5)]
    await asyncio.sleep(0)
    await registry.close()
    assert all(answer.ok for answer in await asyncio.gather(*answers))
    with pytest.raises(RoomClosed):
        connection.take()
    assert await registry.find(runner.code) is None


async def test_a_bot_that_fails_holds_nobody_up(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> dict[str, Any]:
        raise RuntimeError("no idea")

    monkeypatch.setitem(BOTS, "random", fails)
    runner = await opened(house.node(), bots=["random"] * 3, clock={"turn": 0.05})
    runner.connect("ana")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await until(lambda: hands(runner))


async def test_the_clock_may_stand_anywhere(house: House) -> None:
    class Odd(SystemClock):
        def now(self) -> Any:
            return super().now() - timedelta(days=400)

    registry = Registry(house.log, house.bus, Odd(), random.Random(1).randbytes, blink=0)
    house.registries.append(registry)
    runner = await opened(registry, bots=["greedy"] * 2, clock={"turn": 0.05, "pause": 0})
    runner.connect("ana")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await until(lambda: hands(runner))
