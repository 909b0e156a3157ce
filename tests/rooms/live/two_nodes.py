"""Two nodes on one PostgreSQL, as the world of one room, with the people's pages at both.

Time moves only when the test moves it, and the nodes use the database in turn. So the same steps do the same again.
"""

import asyncio
import itertools
import json
import math
import random
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

import sqlalchemy as sa

from app.bots import BOTS
from app.main import REREAD_SECONDS
from app.rooms.live.command_queue import UNAVAILABLE
from app.rooms.live.connections import Connection
from app.rooms.live.registry import Registry
from app.rooms.live.room_actor import RoomActor
from app.rooms.log.deadlines import timer_requests
from app.rooms.log.reducer import apply_stored_event
from app.rooms.model import commands as ask
from app.rooms.model.decision import AskBot, CommandReply, Decision
from app.rooms.model.state import Room, to_milliseconds
from app.rooms.ports.bus import ALL_NODES_PREFIX, CHECK_LOG_SEQ
from app.rooms.ports.storage import AppendResult, LogConflict, NewEvent, StorageUnavailable
from app.rooms.views import room_view
from app.store.cluster.pg_bus import PostgresBus
from app.store.db.database import Database
from app.store.db.schema import people
from app.store.event_log.event_log import EventLog
from tests.rooms.test_random_rooms import PEOPLE
from tests.rooms.world import START, World, asked
from tools.local_server.client_view import merge_update

T = TypeVar("T")

STEP = 0.5
"""Seconds by which time moves at once. A longer time would be a standstill of the process."""
ALWAYS_STORED = (ask.Act, ask.AddBot, ask.DealNext, ask.Start)
"""Commands that are in the log if they are accepted."""


class MovedLoop(asyncio.SelectorEventLoop):
    """The event loop, and the clock of the rooms. Only the test moves its time."""

    seconds = 0.0

    def time(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return START + timedelta(seconds=self.seconds)


class SharedDatabase(Database):
    """The database as one node sees it, which reads only in its turn."""

    def __init__(self, url: str, turn: asyncio.Lock) -> None:
        super().__init__(url)
        self.turn = turn

    async def read(self, work: Callable[[sa.Connection], T]) -> T:
        async with self.turn:
            return await super().read(work)


class HeldLog(EventLog):
    """The log of a node. While it `holds`, its appends wait. A dead node appends nothing."""

    holds = is_dead = False

    def __init__(self, database: SharedDatabase) -> None:
        super().__init__(database)
        self.turn = database.turn
        self.held: list[tuple[Callable[[], Coroutine[Any, Any, int]], Callable[[AppendResult], None]]] = []

    def submit(self, room: str, expected: int, entries: Any, on_done: Any, **more: Any) -> int:
        self.held.append((partial(self.append, room, expected, entries, **more), on_done))
        if not self.holds:
            self.let_go()
        return len(entries)

    def let_go(self) -> None:
        self.holds, held, self.held = False, self.held, []
        for append, on_done in held:
            asyncio.create_task(self._append(append, on_done), name="room append")  # noqa: RUF006

    async def _append(
        self, append: Callable[[], Coroutine[Any, Any, int]], on_done: Callable[[AppendResult], None]
    ) -> None:
        async with self.turn:
            try:
                result: AppendResult = StorageUnavailable("this node is dead") if self.is_dead else await append()
            except Exception as error:
                result = error
        on_done(result)


class LossyBus(PostgresBus):
    """The bus of a node. Hints that arrive wait until the test delivers them; a deaf node loses them."""

    is_deaf = has_sent = has_missed = False

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.came: list[tuple[str, int]] = []
        self.marks: set[str] = set()
        self.opening: set[str] = set()
        """Rooms whose channel is not heard yet."""

    def publish(self, room: str, seq: int) -> None:
        self.has_sent = True
        super().publish(room, seq)

    def mark(self, number: int) -> str:
        """Send a mark. A node that has it has all earlier hints of this one."""
        self.has_sent, mark = False, f"{ALL_NODES_PREFIX}{number}"
        super().publish(mark, 0)
        return mark

    def follow(self, room: str) -> None:
        self.opening.add(room)
        super().follow(room)

    def unfollow(self, room: str) -> None:
        self.opening.discard(room)
        super().unfollow(room)

    def subscribe(self, callback: Callable[[str, int], None]) -> Callable[[], None]:
        self.callback = callback
        return super().subscribe(self._keep)

    def _keep(self, room: str, seq: int) -> None:
        if room.startswith(ALL_NODES_PREFIX):
            self.marks.add(room)
            return
        if seq == CHECK_LOG_SEQ:
            self.opening.discard(room)
        self.came.append((room, seq))

    def deliver(self) -> None:
        came, self.came = self.came, []
        for room, seq in came:
            if self.is_deaf and seq != CHECK_LOG_SEQ:
                self.has_missed = True
            else:
                self.callback(room, seq)


class Page:
    """The page of a person, connected to a node."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.shown: dict[str, Any] | None = None

    def look(self) -> dict[str, Any]:
        """Return what the page shows."""
        update = self.connection.take_update()
        if update is not None:
            self.shown = merge_update(self.shown, json.loads(update.text))
        assert self.shown is not None
        return self.shown


class Node:
    """A server process as `app/main.py` makes it, without its web server and its heartbeat."""

    def __init__(self, url: str, turn: asyncio.Lock, loop: MovedLoop, name: str, others: frozenset[str]) -> None:
        self.name = name
        self.database = SharedDatabase(url, turn)
        self.log, self.bus = HeldLog(self.database), LossyBus(self.database)
        rng = random.Random(name)
        self.registry = Registry(
            *(self.log, self.bus, loop, rng.randbytes),
            idle_seconds=10,
            log_check_interval=REREAD_SECONDS,
            rng=rng,
            node=name,
            live_nodes=others,
        )
        self.pages: dict[str, Page] = {}

    async def connect(self) -> None:
        """Open all connections to the database that write: later, a new one would make the room read its log."""
        await self.bus.listening.wait()
        with suppress(LogConflict):
            await self.log.append("no room", 1, [NewEvent("nothing", {}, START)])
        while self.log.generation < 2:
            await real_pause()

    async def die(self, *, is_written: bool) -> None:
        """End without a word. `is_written`: the appends that wait are stored, but the node does not learn it."""
        held, self.log.held = self.log.held, []
        self.log.holds, self.log.is_dead = False, True
        for append, on_done in held:
            if is_written:
                with suppress(LogConflict):
                    await append()
            on_done(StorageUnavailable("this node is dead"))
        await self.registry.close()
        await self.log.close()
        await self.bus.close()
        await self.database.close()


class TwoNodes(World):
    """Two nodes as the world of a room. `room` and `entries` are what the database has stored."""

    def __init__(self, url: str, seed: int) -> None:
        self.runner = asyncio.Runner(loop_factory=MovedLoop)
        self.url, self.seed, self.rng, self.ids, self.entries = url, seed, random.Random(seed), 0, []
        self.room = Room()
        self.rooms = [self.room]
        """The room after each entry."""
        self.stored: dict[tuple[str, str], int] = {}
        """The entries of commands."""
        self.replies: dict[str, CommandReply] = {}
        self.new_replies: list[tuple[ask.ClientCommand, CommandReply, Room]] = []
        """Each with the room that the node had then."""
        self.through: int | None = None
        """The node that gets all commands; None: the one where the person's page is."""
        self.numbers = itertools.count()
        self.nodes: list[Node] = []

    def open(self, game: str) -> None:
        """Open the room, with Ana's page at the first node."""
        self._run(self._open(game))

    async def _open(self, game: str) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, MovedLoop)
        self.loop, self.now, self.turn = loop, loop.now(), asyncio.Lock()
        for _ in range(2):
            self.nodes.append(await self._start_node())
        await self.nodes[0].database.write(empty_tables)
        clock = {"turn": 20, "pause": 5, "away": 10} if self.seed % 4 else {}
        opened = {"game": game, "bots_delay": 0, "clock": clock}
        self.id = (await self.nodes[0].registry.create(ask.Visitor("ana", "Ana"), opened)).id
        await self._connect("ana", 0)

    async def _start_node(self) -> Node:
        others = frozenset(node.name for node in self.nodes if not node.log.is_dead)
        node = Node(self.url, self.turn, self.loop, f"{self.seed}-{next(self.numbers)}", others)
        await node.connect()
        return node

    def close(self) -> None:
        async def close() -> None:
            for node in self.nodes:
                await node.die(is_written=False)

        with self.runner:
            self.runner.run(close())

    @property
    def is_served(self) -> bool:
        """Whether anybody has a page. Without one, no timer runs."""
        return any(node.pages for node in self.nodes)

    def loaded(self) -> list[tuple[Node, RoomActor]]:
        """Return the nodes that have the room loaded, with it."""
        found = ((node, node.registry.get_loaded(self.id)) for node in self.nodes)
        return [(node, actor) for node, actor in found if actor is not None]

    # Commands and connections

    def tell(self, command: ask.Command) -> Decision:
        reply = UNAVAILABLE
        if isinstance(command, ask.PersonDisconnected):
            self._run(self._disconnect(command.by))
        elif isinstance(command, ask.ClientCommand):
            self._run(self._send(command, self._place_of(command.by)))
            reply = self.replies.get(command.id, UNAVAILABLE)
        return Decision(reply, None, self.room)

    def shown_to(self, person: str) -> Room:
        actor = self.nodes[self._place_of(person)].registry.get_loaded(self.id)
        return self.room if actor is None else actor.room

    def _place_of(self, person: str) -> int:
        if self.through is not None:
            return self.through
        return next((place for place, node in enumerate(self.nodes) if person in node.pages), ord(person[0]) % 2)

    def act(self, place: int) -> None:
        """Let the first player act whom a node awaits. Its room may be outdated."""
        actor = self.nodes[place].registry.get_loaded(self.id)
        room = self.room if actor is None else actor.room
        if room.match is None or not room.match.is_hand_running:
            return
        name = room.match.to_act[0]
        person = room.members[name].person
        if person is not None:
            self.ids += 1
            action = BOTS["easy"](room_view.build_bot_view(room, name), self.rng)
            self.tell(asked(room, ask.Act, person, f"c{self.ids}", action=action))

    async def _send(self, command: ask.ClientCommand, place: int) -> None:
        actor = await self._connect(command.by, place)

        def on_answer(reply: CommandReply) -> None:
            self.replies[command.id] = reply
            self.new_replies.append((command, reply, actor.room))

        actor.submit(command, on_answer)

    def connect(self, person: str, place: int) -> None:
        """Open a page of this person at a node, if they have none there."""
        self._run(self._connect(person, place))

    async def _connect(self, person: str, place: int) -> RoomActor:
        actor = await self.nodes[place].registry.get_or_load(self.id)
        assert actor is not None
        if person not in self.nodes[place].pages:
            self.nodes[place].pages[person] = Page(actor.connect(person))
        return actor

    async def _disconnect(self, person: str) -> None:
        for node in self.nodes:
            if (page := node.pages.pop(person, None)) is not None:
                page.connection.close()

    # Time

    def wait(self, seconds: float) -> None:
        """Let time pass, in which the nodes hear which of them live. No deadline passes unnoticed."""
        self._run(self._wait(seconds))
        behind = any(node.log.holds or node.bus.has_missed for node in self.nodes)
        first = self.room.clocks.next_deadline
        if self.is_served and not behind and seconds > 4 and first is not None:
            assert first > to_milliseconds(self.now) - 3000, "a deadline has passed, and nothing has happened"

    async def _wait(self, seconds: float) -> None:
        for node in self.nodes:
            node.registry.set_live_nodes(frozenset(each.name for each in self.nodes))
        for _ in range(math.ceil(seconds / STEP)):
            self._move(STEP)
            await self._settle()

    def stand_still(self, seconds: float) -> Decision:
        self._move(seconds)
        self._run(self._settle())
        return Decision(UNAVAILABLE, None, self.room)

    def _move(self, seconds: float) -> None:
        self.loop.seconds += seconds
        self.now = self.loop.now()

    def bots(self) -> None:
        """Wait until no bot has the turn."""
        for _ in range(24):
            if not self.is_served or not any(isinstance(wish, AskBot) for wish in timer_requests(self.room)):
                return
            self.wait(STEP)
        raise AssertionError("no bot acts")

    def play(self, until: int = 30) -> None:
        if self.is_served:
            super().play(min(until, 30))

    # Nodes

    def let_go(self, place: int) -> None:
        """Let the appends of a node that holds them go on."""

        async def let_go() -> None:
            self.nodes[place].log.let_go()

        self._run(let_go())

    def take_other_for_dead(self, place: int) -> None:
        """Let a node take the other one for dead, until time passes."""

        async def take_for_dead() -> None:
            self.nodes[place].registry.set_live_nodes(frozenset({self.nodes[place].name}))

        self._run(take_for_dead())

    def kill(self, place: int, *, is_written: bool) -> None:
        """Replace a node by a new one. Its people go to the other one, and repeat what was not answered."""
        self._run(self._kill(place, is_written))

    async def _kill(self, place: int, is_written: bool) -> None:
        dead, other = self.nodes[place], 1 - place
        await dead.die(is_written=is_written)
        self.nodes[place], self.nodes[other].bus.has_missed = await self._start_node(), True
        unanswered = [command for command, reply, _ in self.new_replies if reply.code == "unavailable"]
        for person in dead.pages:
            await self._connect(person, other)
        for command in unanswered:
            await self._send(command, other)
        await self._settle()
        await self._follow()

    def _run(self, work: Coroutine[Any, Any, object]) -> None:
        async def work_and_settle() -> None:
            await work
            await self._settle()

        self.runner.run(work_and_settle())

    async def _settle(self) -> None:
        """Let the nodes do what is due now, and exchange their hints, until nothing more happens."""
        while True:
            await until(lambda: not any(map(is_work, asyncio.all_tasks())))
            senders = [node for node in self.nodes if node.bus.has_sent]
            marks = {node.bus.mark(next(self.numbers)) for node in senders}
            await until(lambda: self._have_heard(marks))  # noqa: B023
            hearers = [node for node in self.nodes if node.bus.came]
            if not senders and not hearers:
                break
            for node in hearers:
                node.bus.deliver()
        if self.new_replies or any(actor.room.seq > len(self.entries) for _, actor in self.loaded()):
            await self._follow()

    def _have_heard(self, marks: set[str]) -> bool:
        buses = [node.bus for node in self.nodes]
        return marks <= set().union(*(bus.marks for bus in buses)) and not any(bus.opening for bus in buses)

    async def _follow(self) -> None:
        """Read the new entries of the log, and compare the new replies with them."""
        for entry in await self.nodes[0].log.read(self.id, len(self.entries)):
            self.entries.append(entry)
            self.room, _ = apply_stored_event(self.room, entry)
            self.rooms.append(self.room)
            if "cmd" in entry.data:
                by, number = entry.data["cmd"]
                assert (by, number) not in self.stored, "a command is stored twice"
                self.stored[by, number] = entry.seq
        for command, reply, room in self.new_replies:
            assert room == self.rooms[room.seq], "a node has answered with another room than the stored one"
            seq = self.stored.get((command.by, command.id))
            if reply.ok:
                assert seq == reply.seq or (seq is None and not isinstance(command, ALWAYS_STORED)), "a reply is wrong"
            else:
                assert seq is None or reply.code == "unavailable", "a refused command is stored"
        self.new_replies.clear()


def empty_tables(connection: sa.Connection) -> None:
    """Remove the room of the last run, and store everybody who may play."""
    connection.execute(sa.text("TRUNCATE rooms, room_codes, people CASCADE"))
    ids = [f"{name}{of}".lower() for name in PEOPLE for of in ("", "'s phone")]
    rows = [{"id": person, "name": None, "created_at": START, "last_seen_at": START} for person in ids]
    connection.execute(people.insert(), rows)


def is_work(task: asyncio.Task[Any]) -> bool:
    """Return whether this is a task of a room. The others wait for it, or for time."""
    return task.get_name().startswith(("room ", "rooms:"))


async def until(holds: Callable[[], bool]) -> None:
    """Wait until this holds and nothing more is due in the event loop."""
    calm, give_up = 0, time.monotonic() + 20
    while calm < 3:
        await asyncio.sleep(0)
        calm = calm + 1 if holds() else 0
        if not calm:
            assert time.monotonic() < give_up, "the nodes do not come to rest"
            await real_pause()


async def real_pause() -> None:
    await asyncio.to_thread(time.sleep, 0.001)
