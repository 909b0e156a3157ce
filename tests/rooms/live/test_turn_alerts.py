"""Test notifications to players whose action is needed while their page has not been visible for a while."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable

import pytest

from app.bots import BOTS
from app.rooms.live import turn_alerts
from app.rooms.live.registry import Registry, SystemClock
from app.rooms.live.room_actor import RoomActor
from app.rooms.live.turn_alerts import TurnAlert, TurnAlerts, awaited_persons
from app.rooms.model import commands as ask
from app.rooms.ports.bus import MemoryBus
from app.rooms.views import room_view
from tests.rooms.memory_log import MemoryLog
from tests.rooms.world import World, asked


async def moments_pass() -> None:
    """Let all tasks run that wait for no time."""
    for _ in range(5):
        await asyncio.sleep(0)


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0.001)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the delays before notifications."""
    monkeypatch.setattr(turn_alerts, "ALERT_DELAY", 0)
    monkeypatch.setattr(turn_alerts, "ALERT_INTERVAL", 0)


class Table:
    """A room with the visible pages of its players and the notifications sent."""

    def __init__(self, **settings: object) -> None:
        self.world = World(**settings).join("Bob").join("Cat")  # type: ignore[arg-type]
        self.world.ok("Ana", ask.Start)
        self.in_sight = {"ana", "bob", "cat"}
        self.called: list[TurnAlert] = []
        self.calls = TurnAlerts(self.called.append, self.in_sight.__contains__)
        self.calls.update_room(self.world.room)

    @property
    def awaited(self) -> str:
        """The person in turn."""
        match = self.world.room.match
        assert match is not None
        return match.to_act[0].lower()

    def act(self) -> str:
        """Act for the person in turn, and return that person."""
        who = self.awaited
        self.world.play(1)
        self.calls.update_room(self.world.room)
        return who

    def look(self, who: str, in_sight: bool) -> None:
        """Show or hide the page of a person."""
        (self.in_sight.add if in_sight else self.in_sight.discard)(who)
        self.calls.on_visibility_changed(who)

    async def said(self) -> list[tuple[str, str]]:
        """Return the persons and reasons of all notifications since the last call."""
        await moments_pass()
        said = [(call.person, call.matter) for call in self.called]
        self.called.clear()
        return said


async def test_a_player_with_no_visible_page_is_notified_once_a_turn() -> None:
    table = Table(clock={"turn": 60})
    assert await table.said() == []
    first = table.awaited
    table.look(first, False)
    await moments_pass()
    [call] = table.called
    room = table.world.room
    assert call == TurnAlert(room.id, room.code, "president", first, "turn", room.clocks.turns[first.capitalize()])
    assert await table.said() == [(first, "turn")]
    # In the same turn there is only one notification.
    table.look(first, True)
    table.look(first, False)
    table.calls.update_room(room)
    assert await table.said() == []
    # Another turn leads to another notification.
    table.act()
    while table.awaited != first:
        table.act()
    assert await table.said() == [(first, "turn")]


async def test_a_player_who_returns_in_time_or_has_acted_is_not_notified() -> None:
    table = Table()
    first = table.awaited
    table.look(first, False)
    table.look(first, True)
    assert await table.said() == []
    table.look(first, False)
    table.act()
    assert await table.said() == []


async def test_the_last_player_to_leave_is_not_notified_but_the_next_to_act_is() -> None:
    table = Table()
    first = table.awaited
    others = {"ana", "bob", "cat"} - {first}
    for other in others:
        table.world.tell(ask.PersonDisconnected(other))
    table.calls.update_room(table.world.room)
    table.look(first, False)
    assert await table.said() == []

    table = Table()
    table.in_sight.clear()
    first = table.act()
    second = table.awaited
    # The player closes the page at once after acting, and the next one is away already, as in a slow game.
    for person in ("ana", "bob", "cat"):
        table.world.tell(ask.PersonDisconnected(person))
    table.calls.update_room(table.world.room)
    assert (second, "turn") in await table.said()


async def test_a_person_is_not_notified_again_before_the_pause_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    first = table.awaited
    table.look(first, False)
    assert await table.said() == [(first, "turn")]
    monkeypatch.setattr(turn_alerts, "ALERT_INTERVAL", 3600)
    table.act()
    while table.awaited != first:
        table.act()
    assert await table.said() == []


async def test_no_notification_is_due_during_a_pause_or_for_a_seat_played_by_a_bot() -> None:
    table = Table()
    first = table.awaited
    table.world.tell(ask.PersonDisconnected(first))
    table.world.now = table.world.now.replace(hour=23)
    clock = table.world.room.clocks.away[first.capitalize()]
    table.world.tell(ask.TimerFired(clock))
    assert table.world.room.members[first.capitalize()].active_bot is not None
    assert list(awaited_persons(table.world.room)) == []

    table = Table()
    table.world.ok("Ana", ask.Propose, subject="pause")
    for name in ("Bob", "Cat"):
        if table.world.room.run is not None and table.world.room.run.rest is None:
            table.world.ok(name, ask.Propose, subject="pause")
    assert list(awaited_persons(table.world.room)) == []


async def test_players_are_notified_of_a_vote_they_have_not_answered() -> None:
    table = Table()
    first = table.awaited
    who = next(name for name in ("Bob", "Cat") if name.lower() != first)
    table.world.ok(who, ask.Propose, subject="pause")
    for person in ("ana", "bob", "cat"):
        table.look(person, False)
    table.calls.update_room(table.world.room)
    other = ({"ana", "bob", "cat"} - {first, who.lower()}).pop()
    assert sorted(await table.said()) == sorted([(first, "turn"), (other, "asked")])


# With nodes -----------------------------------------------------------------------------------------------------


class House:
    """Nodes on one log, with the notifications that each has sent."""

    def __init__(self) -> None:
        self.log, self.bus = MemoryLog(), MemoryBus()
        self.registries: list[Registry] = []
        self.called: list[tuple[int, str]] = []

    def node(self) -> Registry:
        number = len(self.registries)

        def call(each: TurnAlert) -> None:
            self.called.append((number, each.person))

        living = frozenset({"n0", "n1"})
        draw = random.Random(number).randbytes
        made = Registry(
            self.log,
            self.bus,
            SystemClock(),
            draw,
            disconnect_grace=0,
            node=f"n{number}",
            live_nodes=living,
            send_alert=call,
        )
        self.registries.append(made)
        return made

    async def room(self, *nodes: Registry) -> list[RoomActor]:
        """Create a room of Ana's, and return it as loaded by each of these nodes."""
        room = await nodes[0].create(ask.Visitor("ana", "Ana"), {"game": "big_two"})
        return [found for node in nodes if (found := await node.get_or_load(room.id)) is not None]


@pytest.fixture
async def house() -> AsyncIterator[House]:
    made = House()
    yield made
    for registry in made.registries:
        await registry.close()


async def play_to(runner: RoomActor, person: str) -> None:
    """Play until it is this person's turn."""
    while (match := runner.room.match) is not None and (name := match.to_act[0]).lower() != person:
        action = BOTS["easy"](room_view.build_bot_view(runner.room, name), random.Random(1))
        assert (await runner.handle(asked(runner.room, ask.Act, name.lower(), f"a{runner.room.seq}", action))).ok


async def test_a_player_is_notified_only_if_no_page_is_visible(house: House) -> None:
    [runner] = await house.room(house.node())
    pages = {person: runner.connect(person) for person in ("ana", "bob")}
    assert (await runner.handle(ask.Join("bob", "j", "Bob"))).ok
    assert (await runner.handle(asked(runner.room, ask.Start, "ana", "s"))).ok
    await play_to(runner, "bob")
    await moments_pass()
    assert house.called == []
    second = runner.connect("bob")
    pages["bob"].set_page_state(is_visible=False, only_watches=False)
    await moments_pass()
    assert house.called == [], "another page of his is in sight"
    second.close()
    await moments_pass()
    assert house.called == [(0, "bob")]


async def test_only_the_node_with_the_connection_of_a_player_notifies_them(house: House) -> None:
    here, there = await house.room(house.node(), house.node())
    here.connect("ana")
    page = there.connect("bob")
    assert (await there.handle(ask.Join("bob", "j", "Bob"))).ok
    await until(lambda: here.room.seq == there.room.seq)
    assert (await here.handle(asked(here.room, ask.Start, "ana", "s"))).ok
    await play_to(here, "bob")
    await until(lambda: here.room.seq == there.room.seq)
    await moments_pass()
    assert house.called == []
    page.set_page_state(is_visible=False, only_watches=False)
    await moments_pass()
    assert house.called == [(1, "bob")]
