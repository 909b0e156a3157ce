"""Test room actors and the registry: save before show, two processes on one log, unloading and slow connections."""

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
from app.rooms.live.room_actor import OTHER_PARTS, RoomActor
from app.rooms.live.room_display import RoomDisplay
from app.rooms.log import snapshots
from app.rooms.log.deadlines import timer_requests
from app.rooms.model import commands as ask
from app.rooms.model.decision import CommandReply
from app.rooms.ports.addresses import Address, AddressLookup
from app.rooms.ports.bus import CHECK_LOG_SEQ, MemoryBus
from app.rooms.ports.clock import Clock
from app.rooms.ports.facts import AddressChanged
from app.rooms.ports.storage import AddressTaken, LoadedLog, NewEvent, StoredEvent
from app.rooms.views.room_view import build_bot_view
from tests.rooms.memory_log import MemoryLog
from tests.rooms.world import asked
from tools.local_server.client_view import merge_update

HOST = ask.Visitor("ana", "Ana")


class Deaf(MemoryBus):
    """A bus that loses every hint."""

    def publish(self, code: str, seq: int) -> None:
        return


class Broken(MemoryLog):
    """A log that can't be written while it is `broken`."""

    broken = False

    def append(self, *entries: Any) -> int:
        if self.broken:
            raise OSError("disk full")
        return super().append(*entries)


class Held(MemoryLog):
    """A log that delays all writes while it `holds`."""

    def __init__(self) -> None:
        super().__init__()
        self.holds = False
        self.held: list[Callable[[], object]] = []

    def submit(self, *entries: Any, **more: Any) -> int:
        if not self.holds:
            return super().submit(*entries, **more)
        self.held.append(lambda: super(Held, self).submit(*entries, **more))
        return 0

    def let_go(self) -> None:
        self.holds, held, self.held = False, self.held, []
        for write in held:
            write()


class Asked(MemoryLog):
    """A log that records requests, and opens no room while it is `slow`."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[set[str]] = []
        self.read_from: list[str] = []
        self.slow: asyncio.Event | None = None
        self.waits = False

    async def read_last_seqs(self, rooms: Collection[str]) -> dict[str, int]:
        self.asked.append(set(rooms))
        return await super().read_last_seqs(rooms)

    async def read(self, room: str, after: int) -> list[StoredEvent]:
        self.read_from.append(room)
        return await super().read(room, after)

    async def load(self, room: str, *, at_most: int | None = None) -> LoadedLog | None:
        found = await super().load(room, at_most=at_most)
        if self.slow is not None:
            self.waits = True
            await self.slow.wait()
        return found


class Moved(SystemClock):
    """A clock that can be moved."""

    ahead = timedelta()

    def now(self) -> datetime:
        return super().now() + self.ahead


class House:
    """Registries on one log, closed at the end of a test."""

    def __init__(self) -> None:
        self.log = MemoryLog()
        self.bus = MemoryBus()
        self.registries: list[Registry] = []

    def node(
        self,
        bus: MemoryBus | None = None,
        log: MemoryLog | None = None,
        clock: Clock | None = None,
        **options: Any,
    ) -> Registry:
        draw = random.Random(len(self.registries)).randbytes
        made = Registry(
            log or self.log, bus or self.bus, clock or SystemClock(), draw, **{"disconnect_grace": 0, **options}
        )
        self.registries.append(made)
        return made


@pytest.fixture
async def house() -> AsyncIterator[House]:
    made = House()
    yield made
    for registry in made.registries:
        await registry.close()


async def opened(registry: Registry, **settings: Any) -> RoomActor:
    room = await registry.create(HOST, {"game": "president", "bots_delay": 0, **settings})
    runner = await registry.find_by_code(room.code)
    assert runner is not None
    return runner


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0.001)


async def frame(connection: Connection) -> bytes:
    """Return the next update that was not taken yet."""
    while (taken := connection.take_update()) is None:
        told = asyncio.Event()
        connection.on_update = told.set
        await told.wait()
    return taken.text


pictures: WeakKeyDictionary[Connection, dict[str, Any]] = WeakKeyDictionary()


async def newest(connection: Connection) -> dict[str, Any]:
    """Return the newest view, merged from the next update, with its events."""
    async with asyncio.timeout(5):
        told = json.loads(await frame(connection))
    seen = pictures[connection] = merge_update(pictures.get(connection), told)
    return seen


async def play(runners: Sequence[RoomActor], person: str, connection: Connection, hands: int = 1) -> dict[str, Any]:
    """Play for one person through a socket, against bots. Each action goes to another of the runners."""
    rng, count = random.Random(1), 0
    while True:
        seen = await newest(connection)
        assert seen["t"] == "update"
        if seen["room"]["phase"] in ("between_hands", "finished"):
            return seen
        if seen["you"].get("legal"):
            count += 1
            action = BOTS["easy"](seen, rng)
            act = ask.Act(person, f"a{seen['seq']}", action, seen["you"]["request"])
            await runners[count % len(runners)].handle(act)


def hands(runner: RoomActor) -> int:
    """Return the number of finished hands."""
    return 0 if runner.room.run is None else len(runner.room.run.hands)


async def test_a_room_can_be_found_by_its_code_and_its_invitation(house: House) -> None:
    registry = house.node()
    room = await registry.create(HOST, {"game": "president"})
    code, invite = room.code, room.invite
    assert len(code) == 6
    assert len(invite) == 22
    assert len(room.id) == 16
    assert (
        await registry.by_invite(invite)
        == await registry.by_code(code)
        == AddressLookup(room.id, code, is_current=True)
    )
    assert await registry.get_or_load(room.id) is await registry.find_by_code(code)
    assert await registry.find_by_code(room.id) is None
    assert await registry.find_by_code(code.lower()) is await registry.find_by_code(code)
    assert await registry.find_by_code("NOSUCH") is None
    assert await registry.find_by_code("x" * 1000) is None


async def test_an_old_room_code_leads_to_the_new_code(house: House) -> None:
    registry = house.node()
    runner = await opened(registry)
    before = runner.code
    assert await registry.by_code(before) == AddressLookup(runner.id, before, is_current=True)
    assert (await runner.handle(ask.RotateCode("ana", "r"))).ok
    assert await registry.by_code(before) == AddressLookup(runner.id, runner.code, is_current=False)
    assert await registry.by_code(runner.code) == AddressLookup(runner.id, runner.code, is_current=True)


@pytest.mark.parametrize(
    "settings", [{"game": "poker"}, {"bots": "easy"}, {"bots": ["genius"]}, {"stakes": 5}, {"bots": ["easy"] * 9}]
)
async def test_a_room_with_invalid_settings_is_refused(house: House, settings: dict[str, Any]) -> None:
    with pytest.raises(RoomError):
        await house.node().create(HOST, settings)
    assert not house.log.entries


async def test_a_taken_code_of_a_new_room_is_drawn_again(house: House) -> None:
    class Taken(MemoryLog):
        refused = 2

        async def create(
            self, room: str, address: Address, first: Sequence[NewEvent], facts: Any = (), *, host: str | None = None
        ) -> int:
            if self.refused:
                self.refused -= 1
                raise AddressTaken(address.code)
            return await super().create(room, address, first, facts, host=host)

    house.log = Taken()
    room = await house.node().create(HOST)
    assert room.id in house.log.entries


async def test_a_taken_code_of_a_renewed_room_is_drawn_again(house: House) -> None:
    class Taken(MemoryLog):
        refused = 2

        def append(self, room: str, expected: int, entries: Any, facts: Any = (), snapshot: Any = None) -> int:
            if any(isinstance(fact, AddressChanged) for fact in facts) and self.refused:
                self.refused -= 1
                raise AddressTaken(room)
            return super().append(room, expected, entries, facts, snapshot)

    house.log = Taken()
    runner = await opened(house.node())
    before = runner.code
    assert (await runner.handle(ask.RotateCode("ana", "r"))).ok
    assert house.log.addresses[runner.id] == [
        Address(before, house.log.addresses[runner.id][0].invite),
        Address(runner.code, runner.room.invite),
    ]


async def test_every_node_finds_a_room_by_its_renewed_code(house: House) -> None:
    here, there = house.node(), house.node()
    runner = await opened(here)
    other = await there.find_by_code(runner.code)
    assert other is not None
    other.connect("ana")
    before = runner.code
    assert (await runner.handle(ask.RotateCode("ana", "r"))).ok
    await until(lambda: other.code == runner.code)
    assert runner.code != before
    assert await there.find_by_code(before) is await here.find_by_code(before) is None
    assert await there.find_by_code(runner.code) is other
    assert await there.by_code(before) == AddressLookup(runner.id, runner.code, is_current=False)


async def test_a_hand_against_bots_can_be_played_to_the_end(house: House) -> None:
    runner = await opened(house.node(), bots=["easy", "random", "easy"])
    connection = runner.connect("ana")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    seen = await play([runner], "ana", connection)
    assert seen["table"]["last"]["standing"]
    assert seen["room"]["can_start"]
    assert [type(fact).__name__ for fact in house.log.facts] == ["MatchStarted", "HandStarted", "HandEnded"]


async def test_bots_can_break_in_out_of_turn(house: House) -> None:
    options = {"burn": "any_time", "exchange": "none", "target": None}
    runner = await opened(house.node(), bots=["random"] * 3, bots_delay=0.005, options=options)
    connection, rng, told = runner.connect("ana"), random.Random(1), list[dict[str, Any]]()
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    while not told:
        seen = await newest(connection)
        told = [event for event in seen["events"] if event["e"] == "burned" and "turn" in event]
        if seen["room"]["phase"] == "between_hands":
            await runner.handle(asked(runner.room, ask.DealNext, "ana", f"n{seen['seq']}"))
        elif "Ana" in seen["table"]["to_act"]:
            await runner.handle(asked(runner.room, ask.Act, "ana", f"a{seen['seq']}", BOTS["easy"](seen, rng)))
    (burned,) = told
    assert burned["by"] not in ("Ana", burned["turn"])


async def test_answers_and_updates_wait_until_the_event_log_has_the_entry(house: House) -> None:
    house.log = log = Held()
    runner = await opened(house.node())
    connection = runner.connect("ana")
    await until(lambda: runner.room.has_connected_person)
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


async def test_a_command_that_cannot_be_saved_changes_nothing_and_can_be_repeated(house: House) -> None:
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


async def test_every_command_is_answered_once_and_in_order(house: House) -> None:
    """Commands that are saved, refused, repeated, decided again after a conflict, or lost by the disk."""
    house.log = log = Broken()
    one = await opened(house.node(Deaf()))
    two = await house.node(Deaf()).find_by_code(one.code)
    assert two is not None
    assert (await two.handle(ask.AddBot("ana", "first"))).ok
    given: list[tuple[str, CommandReply]] = []

    async def answered(*commands: ask.ClientCommand) -> list[tuple[str, str | None]]:
        given.clear()
        for command in commands:
            one.submit(command, lambda verdict, of=command.id: given.append((of, verdict)))  # type: ignore[misc]
        await until(lambda: len(given) >= len(commands) and one.is_idle)
        return [(of, verdict.code) for of, verdict in given]

    add, begin = ask.AddBot("ana", "a"), asked(one.room, ask.Start, "bob", "b")
    said = await answered(add, add, begin, begin, ask.AddBot("ana", "c"))
    assert said == [("a", None), ("a", None), ("b", "not_a_member"), ("b", "not_a_member"), ("c", None)]
    assert [verdict.ok for _, verdict in given] == [True, True, False, False, True]
    assert given[0][1].seq == given[1][1].seq
    assert [verdict.log_bytes > 0 for _, verdict in given] == [True, False, False, False, True]
    assert sum(entry.kind == "bot_came" for entry in house.log.entries[one.id]) == 3
    log.broken = True
    assert await answered(ask.AddBot("ana", "d"), add) == [("d", "unavailable"), ("a", None)]


async def test_closing_waits_for_pending_log_writes(house: House) -> None:
    house.log = log = Held()
    registry = house.node()
    runner = await opened(registry)
    log.holds = True
    given: list[CommandReply] = []
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


async def test_a_failing_connection_does_not_stop_the_room_or_other_connections(house: House) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("no ears")

    runner = await opened(house.node())
    told = list[int]()
    for news in (fails, lambda: told.append(runner.room.seq), fails):
        runner.connect("ana").on_update = news
    runner.submit(ask.AddBot("ana", "a"), fails)
    runner.submit(asked(runner.room, ask.Start, "bob", "b"), fails)
    assert (await runner.handle(ask.AddBot("ana", "c"))).ok
    assert len(runner.room.members) == 3
    assert told[-1] == runner.room.seq


async def test_presence_is_recorded_after_the_event_log_was_unavailable(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.rooms.live.room_actor.TROUBLE_PAUSE", 0.01)
    house.log = log = Broken()
    runner = await opened(house.node(), bots=["easy"] * 3)
    log.broken = True
    connection = runner.connect("ana")
    await asyncio.sleep(0.05)
    assert not runner.room.has_connected_person
    log.broken = False
    await until(lambda: runner.room.has_connected_person)
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    log.broken = True
    await asyncio.sleep(0.05)
    log.broken = False
    await until(lambda: "Ana" in runner.room.match.to_act)  # type: ignore[union-attr]
    connection.close()


async def test_a_bot_that_leads_again_is_asked_again_while_another_clock_runs(house: House) -> None:
    runner = await opened(house.node(), bots=["easy"] * 3, clock={"away": 1000})
    runner.connect("ana")
    assert (await runner.handle(ask.Join("bob", "j", "Bob"))).ok
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    assert (await runner.handle(ask.Leave("ana", "l"))).ok
    assert (await runner.handle(ask.Watch("bob", "w"))).ok
    await until(lambda: hands(runner))


async def test_refusals_are_remembered_while_the_room_is_loaded(house: House) -> None:
    runner = await opened(house.node())
    refused = await runner.handle(asked(runner.room, ask.Start, "ana", "s1"))
    assert refused.code == "bad_player_count"
    for n in range(3):
        assert (await runner.handle(ask.AddBot("ana", f"b{n}"))).ok
    assert await runner.handle(asked(runner.room, ask.Start, "ana", "s1")) == refused
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s2"))).ok


# Errors after the commit --------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", RoomDisplay.update_parts)
async def test_an_error_in_any_part_of_an_update_does_not_stop_the_hand(
    house: House, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """The action is answered, bots act, and the hand is played to its end."""
    counted: list[str] = []
    runner = await opened(house.node(count_failure=counted.append), bots=["easy"] * 3)
    runner.connect("ana")

    def broken(*_: object) -> None:
        raise ZeroDivisionError(part)

    monkeypatch.setattr(RoomDisplay, "update_parts", {**RoomDisplay.update_parts, part: broken})
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await play_blindly(runner)
    assert hands(runner) == 1
    assert set(counted) == {part}


@pytest.mark.parametrize("part", OTHER_PARTS)
async def test_an_error_outside_the_update_does_not_stop_the_hand(
    house: House, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    monkeypatch.setattr("app.rooms.live.timers.TROUBLE_PAUSE", 0.01)
    monkeypatch.setattr("app.rooms.live.room_actor.TROUBLE_PAUSE", 0.01)
    counted: list[str] = []
    runner = await opened(house.node(count_failure=counted.append, send_alert=lambda call: None), bots=["easy"] * 3)
    runner.connect("ana")
    await until(lambda: runner.room.has_connected_person)
    attempt, times = runner._attempt, 0

    def once(name: str, *work: Any) -> bool:
        nonlocal times
        if name == part and not times:
            times += 1
            return attempt(name, lambda: 1 / 0)
        return attempt(name, *work)

    monkeypatch.setattr(runner, "_attempt", once)
    if part == "presence":
        runner._enqueue(ask.RoomLoaded(frozenset({""})))
        await until(lambda: counted)
    if part == "answer":
        runner.submit(asked(runner.room, ask.Start, "ana", "s"), lambda verdict: None)
    else:
        assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await play_blindly(runner)
    assert hands(runner) == 1
    assert counted == [part]


async def test_the_update_after_a_failed_update_has_the_missing_changes(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = await opened(house.node(), bots=["easy"] * 2)
    connection = runner.connect("ana")
    await until(lambda: runner.room.has_connected_person)
    await newest(connection)
    with monkeypatch.context() as patch:
        patch.setattr("app.rooms.views.room_view.build_stable_room", lambda *_: 1 / 0)
        assert (await runner.handle(ask.AddBot("ana", "b"))).ok
        with pytest.raises(ZeroDivisionError):
            connection.take_update()
    connection.notify()
    assert len((await newest(connection))["room"]["people"]) == 4


async def play_blindly(runner: RoomActor) -> None:
    """Play one hand for Ana without looking at updates."""
    rng, count, before = random.Random(1), 0, hands(runner)
    async with asyncio.timeout(30):
        while hands(runner) == before:
            match = runner.room.match
            if match is not None and match.is_hand_running and "Ana" in match.to_act:
                count += 1
                action = BOTS["easy"](build_bot_view(runner.room, "Ana"), rng)
                assert (await runner.handle(asked(runner.room, ask.Act, "ana", f"blind{count}", action))).ok
            await asyncio.sleep(0.001)


# Two processes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deaf", [False, True])
async def test_two_nodes_can_serve_the_same_room_without_losing_entries(house: House, deaf: bool) -> None:
    bus, reread = (Deaf(), 0.05) if deaf else (None, None)
    here, there = house.node(bus, log_check_interval=reread), house.node(bus, log_check_interval=reread)
    one = await opened(here, bots=["easy", "easy"])
    two = await there.find_by_code(one.code)
    assert two is not None
    assert two is not one
    ana = one.connect("ana")
    answers = await asyncio.gather(
        *(runner.handle(ask.Join(f"p{n}", "j", f"P{n}")) for n, runner in enumerate([one, two, one, two]))
    )
    assert all(answer.ok for answer in answers)
    assert {"P0", "P1", "P2", "P3"} <= set(snapshots.load_room(await loaded(house, one.id)).members)
    assert (await two.handle(asked(two.room, ask.Start, "ana", "s"))).ok
    for n in range(4):
        # These persons have no sockets, so bots play for them.
        assert (await two.handle(ask.Leave(f"p{n}", "l"))).ok
    seen = await play([one, two], "ana", ana)
    assert seen["room"]["phase"] in ("between_hands", "finished")
    log = house.log.entries[one.id]
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    two.on_log_hint(len(log))
    await until(lambda: two.room == one.room)
    assert snapshots.load_room(LoadedLog(None, tuple(log))) == one.room


async def ana_here_bob_there(house: House) -> tuple[RoomActor, RoomActor, Registry]:
    """Return a room at two nodes, n1 with Ana's socket and n2 with Bob's, and the registry of n2."""
    here, there = (house.node(Deaf(), node=node, live_nodes=frozenset({"n1", "n2"})) for node in ("n1", "n2"))
    one = await opened(here)
    two = await there.find_by_code(one.code)
    assert two is not None
    one.connect("ana")
    await until(lambda: one.room.members["Ana"].is_connected)
    two.connect("bob")
    assert (await two.handle(ask.Join("bob", "j", "Bob"))).ok
    return one, two, there


async def test_a_first_connection_at_another_node_makes_no_player_absent(house: House) -> None:
    one, two, _ = await ana_here_bob_there(house)
    assert {name: member.nodes for name, member in two.room.members.items()} == {"Ana": ("n1",), "Bob": ("n2",)}
    assert not {"woke", "went_away"} & {entry.kind for entry in house.log.entries[one.id]}


async def test_a_player_at_a_dead_node_is_absent_and_their_host_clock_starts(house: House) -> None:
    _, two, there = await ana_here_bob_there(house)
    there.set_live_nodes(frozenset({"n1", "n2"}))
    there.set_live_nodes(frozenset({"n2"}))
    await until(lambda: two.room.clocks.host is not None)
    assert not two.room.members["Ana"].is_connected
    assert two.room.members["Bob"].is_connected


async def test_a_player_connected_to_two_nodes_is_present_until_both_are_lost(house: House) -> None:
    one, two, _ = await ana_here_bob_there(house)
    second = two.connect("ana")
    await until(lambda: two.room.members["Ana"].nodes == ("n1", "n2"))
    second.close()
    await until(lambda: two.room.members["Ana"].nodes == ("n1",))
    assert two.room.members["Ana"].is_connected
    for connection in tuple(one._connections._connections):
        connection.close()
    await until(lambda: not one.room.members["Ana"].is_connected)


async def test_a_node_wrongly_treated_as_dead_reports_its_players_again(house: House) -> None:
    one, two, there = await ana_here_bob_there(house)
    there.set_live_nodes(frozenset({"n2"}))
    await until(lambda: not two.room.members["Ana"].is_connected)
    one.on_log_hint(two.room.seq)
    await until(lambda: one.room.members["Ana"].is_connected)


async def test_opening_a_room_held_only_by_dead_nodes_marks_their_players_absent(house: House) -> None:
    one, _, _ = await ana_here_bob_there(house)
    three = await house.node(Deaf(), node="n3", live_nodes=frozenset({"n3"})).find_by_code(one.code)
    assert three is not None
    three.connect("ana")
    await until(lambda: three.room.members["Ana"].nodes == ("n3",))
    assert not three.room.members["Bob"].is_connected
    assert "woke" in {entry.kind for entry in house.log.entries[one.id]}


async def test_lost_hints_are_recovered_with_a_single_query_for_all_rooms(house: House) -> None:
    log = house.log = Asked()
    here, there = house.node(Deaf()), house.node(Deaf(), log_check_interval=0.05)
    rooms = [await opened(here) for _ in range(5)]
    theirs = [await there.find_by_code(room.code) for room in rooms]
    for runner in theirs:
        assert runner is not None
        await newest(runner.connect("a guest"))
    log.asked.clear()
    log.read_from.clear()
    assert (await rooms[3].handle(ask.AddBot("ana", "b"))).ok
    await until(lambda: theirs[3] is not None and theirs[3].room.seq == rooms[3].room.seq)
    assert log.read_from == [rooms[3].id]
    assert log.asked[-1] == {room.id for room in rooms}


async def test_a_hint_sent_while_a_room_is_being_opened_is_not_lost(house: House) -> None:
    """After opening the room, the node checks the log itself."""
    log = house.log = Asked()
    one = await opened(house.node(Deaf()))
    bus = MemoryBus()
    there = house.node(bus)
    log.slow = asyncio.Event()
    finding = asyncio.create_task(there.get_or_load(one.id))
    await until(lambda: log.waits)
    assert (await one.handle(ask.AddBot("ana", "b"))).ok
    bus.publish(one.id, CHECK_LOG_SEQ)
    log.slow.set()
    two = await finding
    assert two is not None
    await until(lambda: two.room.seq == one.room.seq)


async def loaded(house: House, code: str) -> LoadedLog:
    found = await house.log.load(code)
    assert found is not None
    return found


async def test_a_node_with_outdated_state_does_not_refuse_a_valid_command(house: House) -> None:
    one = await opened(house.node(Deaf()))
    two = await house.node(Deaf()).find_by_code(one.code)
    assert two is not None
    for n in range(3):
        assert (await one.handle(ask.AddBot("ana", f"b{n}"))).ok
    assert (await two.handle(asked(two.room, ask.Start, "ana", "s"))).ok


async def test_the_same_command_at_two_nodes_acts_once(house: House) -> None:
    here, there = house.node(Deaf()), house.node(Deaf())
    one = await opened(here)
    two = await there.find_by_code(one.code)
    assert two is not None
    first, second = await asyncio.gather(one.handle(ask.AddBot("ana", "b")), two.handle(ask.AddBot("ana", "b")))
    assert first.ok
    assert (second.ok, second.seq) == (True, first.seq)
    assert sum(entry.kind == "bot_came" for entry in house.log.entries[one.id]) == 1


async def test_a_hint_brings_the_update_to_the_other_node(house: House) -> None:
    one = await opened(house.node())
    two = await house.node().find_by_code(one.code)
    assert two is not None
    watcher = two.connect("a guest")
    await newest(watcher)
    assert (await one.handle(ask.AddBot("ana", "b"))).ok
    async with asyncio.timeout(5):
        while len((await newest(watcher))["room"]["people"]) < 2:
            pass


async def test_a_node_reports_presence_again_after_another_node_opens_the_room(house: House) -> None:
    one = await opened(house.node())
    one.connect("ana")
    await until(lambda: one.room.has_connected_person)
    two = await house.node().find_by_code(one.code)
    assert two is not None
    two.connect("a guest")  # loads the room, so all count as absent
    await until(lambda: sum(e.kind == "came_back" for e in house.log.entries[one.id]) == 2)
    await until(lambda: two.room.has_connected_person)


# Sockets ------------------------------------------------------------------------------------------------------


async def test_a_slow_connection_gets_the_newest_update_and_all_missed_events(house: House) -> None:
    runner = await opened(house.node())
    slow, quick = runner.connect("ana"), runner.connect("a guest")
    await until(lambda: runner.room.has_connected_person)
    first = await newest(slow)
    assert first["events"] == []
    for n in range(3):
        assert (await runner.handle(ask.AddBot("ana", f"b{n}"))).ok
    seen = await newest(slow)
    assert seen["seq"] == runner.room.seq
    assert [event["e"] for event in seen["events"]].count("bot_added") == 3
    assert (await newest(quick))["events"] == []
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await frame(slow)


async def test_presence_follows_connections_and_a_page_reload_is_not_logged(house: House) -> None:
    runner = await opened(house.node(disconnect_grace=0.03))
    one = runner.connect("ana")
    await until(lambda: runner.room.members["Ana"].is_connected)
    seq = runner.room.seq
    two = runner.connect("ana")
    one.close()
    await asyncio.sleep(0.05)
    assert runner.room.members["Ana"].is_connected
    two.close()
    again = runner.connect("ana")
    await asyncio.sleep(0.05)
    assert runner.room.seq == seq
    again.close()
    await until(lambda: not runner.room.members["Ana"].is_connected)


async def test_a_person_who_joins_quickly_is_never_counted_as_a_spectator(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.rooms.live.connections.CROWD_PAUSE", 0.02)
    runner = await opened(house.node())
    ana = runner.connect("ana")
    await until(lambda: runner.room.has_connected_person)
    bob = runner.connect("bob")
    assert (await runner.handle(ask.Join("bob", "j", "Bob"))).ok
    assert (await newest(ana))["room"]["spectators"] == 0
    await until(lambda: runner._connections._crowd_timer is None)
    assert ana.take_update() is None
    runner.connect("cat")
    assert (await newest(bob))["room"]["spectators"] == 0
    assert (await newest(bob))["room"]["spectators"] == 1


async def test_spectators_are_counted_and_see_no_cards(house: House) -> None:
    runner = await opened(house.node(), bots=["easy"] * 2)
    runner.connect("ana")
    runner.connect("ana", is_screen=True)
    runner.connect("a stranger", is_screen=True)
    watcher = runner.connect("somebody")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    seen = await newest(watcher)
    async with asyncio.timeout(5):
        while seen["room"]["spectators"] != 2 or seen["table"] is None:
            seen = await newest(watcher)
    assert seen["room"]["joining"] == 1, "a television only watches, and that of a member is no guest"
    watcher.set_page_state(is_visible=True, only_watches=True)
    async with asyncio.timeout(5):
        while seen["room"]["joining"]:
            seen = await newest(watcher)
    assert seen["room"]["spectators"] == 2
    assert seen["you"].pop("free_faces")
    assert seen["you"] == {
        "person": True,
        "name": None,
        "role": None,
        "host": False,
        "join_blocked": None,
        "seat_given": None,
        "requested_seat": None,
    }


async def test_members_see_the_guests_at_all_nodes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.rooms.live.connections.CROWD_PAUSE", 0.01)
    both = frozenset({"one", "two"})
    here, there = house.node(node="one", live_nodes=both), house.node(node="two", live_nodes=both)
    one = await opened(here)
    one.connect("a guest")
    two = await there.find_by_code(one.code)
    assert two is not None
    ana = two.connect("ana")
    seen = await newest(ana)

    async def shown(*screens: bool, joining: int) -> list[int]:
        nonlocal seen
        async with asyncio.timeout(5):
            while (
                tuple(each["screen"] for each in seen["you"]["guests"]) != screens or seen["room"]["joining"] != joining
            ):
                seen = await newest(ana)
        assert seen["room"]["spectators"] == len(screens)
        return [each["number"] for each in seen["you"]["guests"]]

    [first] = await shown(False, joining=1)
    tv = two.connect("a television", is_screen=True)
    two.connect("a guest")
    numbers = await shown(False, True, joining=1)
    assert numbers[0] == first, "a guest who is at both nodes is listed once"
    assert two.display.guests.persons[numbers[1]] == "a television"
    assert "a television" not in json.dumps(seen)

    # A guest at the other node joins, and the television leaves. Then that node dies.
    assert (await one.handle(ask.Join("a guest", "j", "Gus"))).ok
    await shown(True, joining=0)
    tv.close()
    await shown(joining=0)
    one.connect("another")
    await shown(False, joining=1)
    two.set_live_nodes(frozenset({"two"}))
    await shown(joining=0)


async def test_the_turn_clock_and_the_pause_clock_act_in_real_time(house: House) -> None:
    runner = await opened(house.node(), bots=["easy"] * 2, clock={"turn": 0.05, "pause": 0.05})
    runner.connect("ana")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await until(lambda: hands(runner))
    assert runner.room.members["Ana"].stand_in == "easy"
    assert (await runner.handle(ask.ResumeSeat("ana", "b"))).ok
    await until(lambda: hands(runner) >= 2)


async def test_a_slow_event_log_does_not_make_players_miss_their_turn(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An action is saved late, though the server never stands still. The next player's time starts when it is saved."""
    monkeypatch.setattr("app.rooms.live.timers.MOST_GRACE", 0)
    house.log = log = Held()
    clock = Moved()
    runner = await opened(house.node(clock=clock), clock={"turn": 1.5})
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
        clock.ahead += timedelta(seconds=1.8)
        log.let_go()
        assert (await answer).ok
        await asyncio.sleep(0.05)  # a clock that ignores the delay would fire at once
        assert [member.missed for member in runner.room.members.values()] == [0, 0, 0]
        assert to_act() != name


# Unloading, loading, stopping ---------------------------------------------------------------------------------


async def test_a_created_room_stays_loaded_only_if_there_is_a_single_node(house: House) -> None:
    """With several nodes the host may connect to another one, so the room is not loaded until then."""
    several = house.node(log_check_interval=60, live_nodes=frozenset({"n2"}))
    for registry, awake in ((house.node(), True), (house.node(log_check_interval=60), True), (several, False)):
        room = await registry.create(HOST, {"game": "president", "bots": ["easy"]})
        assert [runner.id for runner in registry.loaded_rooms()] == [room.id] * awake
        loaded = await house.log.load(room.id)
        assert loaded is not None
        runner = await registry.find_by_code(room.code)
        assert runner is not None
        assert runner.room == snapshots.load_room(loaded)


async def test_an_idle_room_is_unloaded_and_reopens_in_the_same_state(house: House) -> None:
    registry = house.node(idle_seconds=0.05)
    runner = await opened(registry, bots=["easy"] * 3, clock={"turn": 60})
    connection = runner.connect("ana")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await until(lambda: "Ana" in runner.room.match.to_act)  # type: ignore[union-attr]
    connection.close()
    await until(lambda: not registry.loaded_rooms())
    with pytest.raises(RoomClosed):
        runner.connect("ana")
    assert not (await runner.handle(ask.Leave("ana", "l"))).ok
    again = await registry.find_by_code(runner.code)
    assert again is not None
    assert again is not runner
    assert timer_requests(again.room) == ()
    seen = await newest(again.connect("ana"))
    assert seen["you"]["legal"]
    await until(lambda: again.room.clocks.turns)


async def test_a_room_of_a_killed_process_reopens_with_the_same_cards(house: House) -> None:
    runner = await opened(house.node(), bots=["easy"] * 3)
    connection = runner.connect("ana")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await until(lambda: "Ana" in runner.room.match.to_act)  # type: ignore[union-attr]
    before = await newest(connection)
    while "legal" not in before["you"] or not before["you"]["legal"]:
        before = await newest(connection)
    # The first process does not close the room. A second one opens it from the log.
    other = house.node(Deaf())
    woken = await other.find_by_code(runner.code)
    assert woken is not None
    seen = await newest(woken.connect("ana"))
    assert seen["you"]["cards"] == before["you"]["cards"]
    assert seen["table"] == before["table"]
    again = asked(woken.room, ask.Start, "ana", "s")
    assert await woken.handle(again) == await runner.handle(again)


async def test_clocks_of_a_reopened_room_do_not_fire_before_players_return(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.rooms.live.timers.MOST_GRACE", 0)
    runner = await opened(house.node(), bots=["easy"] * 3, clock={"turn": 0.2})
    runner.connect("ana")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await until(lambda: "Ana" in runner.room.match.to_act)  # type: ignore[union-attr]
    log = MemoryLog()
    log.entries = {code: list(entries) for code, entries in house.log.entries.items()}
    log.snapshots = dict(house.log.snapshots)
    log.addresses = house.log.addresses
    clock = Moved()
    clock.ahead = timedelta(seconds=10)  # long after the deadline
    registry = house.node(MemoryBus(), log, clock)
    found = await registry.find_by_code(runner.code)
    assert found is not None
    seq = found.room.seq
    await asyncio.sleep(0.05)  # a running clock would fire at once
    assert found.room.seq == seq
    found.connect("ana")
    await until(lambda: found.room.has_connected_person and found.room.seq == seq + 2)
    await asyncio.sleep(0.05)  # the old deadline would fire at once
    assert found.room.members["Ana"].missed == 0


async def test_concurrent_lookups_find_the_same_loaded_room(house: House) -> None:
    room = await house.node().create(HOST)
    registry = house.node()
    found = await asyncio.gather(*(registry.find_by_code(room.code) for _ in range(10)))
    assert len(set(map(id, found))) == 1


async def test_closing_finishes_pending_commands_and_closes_connections(house: House) -> None:
    registry = house.node()
    runner = await opened(registry)
    connection = runner.connect("ana")
    answers = [asyncio.create_task(runner.handle(ask.AddBot("ana", f"b{n}"))) for n in range(5)]
    await asyncio.sleep(0)
    await registry.close()
    assert all(answer.ok for answer in await asyncio.gather(*answers))
    with pytest.raises(RoomClosed):
        connection.take_update()
    assert await registry.find_by_code(runner.code) is None


async def test_a_failing_bot_does_not_stop_the_hand(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> dict[str, Any]:
        raise RuntimeError("no idea")

    monkeypatch.setitem(BOTS, "random", fails)
    runner = await opened(house.node(), bots=["random"] * 3, clock={"turn": 0.05})
    runner.connect("ana")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await until(lambda: hands(runner))


async def test_a_wrong_system_clock_does_not_stop_the_room(house: House) -> None:
    class Odd(SystemClock):
        def now(self) -> Any:
            return super().now() - timedelta(days=400)

    runner = await opened(house.node(clock=Odd()), bots=["easy"] * 2, clock={"turn": 0.05, "pause": 0})
    runner.connect("ana")
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await until(lambda: hands(runner))
