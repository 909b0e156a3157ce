"""Test that clients that don't read have little data queued, and get the newest state later or are disconnected."""

import array
import asyncio
import fcntl
import sys
import termios
from collections import Counter
from functools import partial
from typing import Any

import pytest

from app.settings import Limits, Settings
from app.web.transport import websocket
from tests.web.conftest import Live, serving
from tests.web.door import Door, client
from tests.web.transport.test_floods import came
from tests.web.visitors import PATIENCE, Come, Visitor, visiting

MOST_OLD = 30
"""The largest number of outdated updates that a slow client may receive."""
MOST_KEPT = 32 * 1024
"""The largest number of bytes queued for a client that does not read."""


def kept_for(line: Any) -> int:
    """Return the bytes queued in the server and in its system."""
    in_kernel = array.array("i", [0])
    fcntl.ioctl(line.get_extra_info("socket").fileno(), termios.TIOCOUTQ, in_kernel)
    return int(in_kernel[0] + line.get_write_buffer_size())


def in_their_system(line: Any) -> int:
    """Return the bytes that have arrived at the client's system and were not read."""
    waiting = array.array("i", [0])
    fcntl.ioctl(line.get_extra_info("socket").fileno(), termios.FIONREAD, waiting)
    return int(waiting[0])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux what lies in its sockets")
async def test_a_slow_client_has_a_small_queue_and_gets_the_newest_state_later(settings: Settings) -> None:
    limits = Limits(messages_at_once=10_000, settings_changes_per_minute=10_000)
    quick = settings.model_copy(update={"limits": limits})
    async with serving(quick) as live, visiting(live.base) as come:
        ana = come()
        opened = await ana.open(game="president")
        slow = await come().sit(opened["code"], "Bob")
        [bobs] = live.app.site.open_sockets
        line = bobs._wire.transport  # type: ignore[attr-defined]
        desk = await ana.sit(opened["code"])
        shown = len(slow.updates)
        slow.socket.transport.pause_reading()
        for n in range(6 * MOST_OLD):
            await desk.do("configure", bots_delay=n % 7 + 1)
        newest = desk.update
        assert len(desk.updates) > 6 * MOST_OLD
        assert kept_for(line) + in_their_system(slow.socket.transport) < MOST_KEPT
        slow.socket.transport.resume_reading()
        seen = await slow.until(lambda update: update["seq"] == newest["seq"])
        assert seen["room"] == newest["room"]
        assert len(slow.updates) - shown <= MOST_OLD + 1


async def test_a_client_that_stops_reading_becomes_absent_for_the_others(
    live: Live, ana: Visitor, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "ASK_SECONDS", 0.05)
    opened = await ana.open(game="president")
    desk = await ana.sit(opened["code"])
    [anas] = [each.person_id for each in live.app.site.open_sockets]
    slow = await come().sit(opened["code"], "Bob")
    await desk.until(lambda update: present(update, "Bob"))
    [line] = [each._wire for each in live.app.site.open_sockets if each.person_id != anas]  # type: ignore[attr-defined]
    slow.socket.transport.pause_reading()
    said = 0
    async with asyncio.timeout(PATIENCE):
        while not line.disconnected:
            if line._pinged_at is None:
                said += 1
                await desk.do("configure", bots_delay=said)
            else:
                line._pinged_at -= websocket.PONG_TIMEOUT_SECONDS  # pretend that the ping is old
            await asyncio.sleep(0.1)
    await desk.until(lambda update: not present(update, "Bob"))


def present(update: dict[str, Any], name: str) -> bool:
    return any(person["name"] == name and person["present"] for person in update["room"]["people"])


async def test_the_player_to_act_is_pinged_repeatedly_while_the_room_is_silent(
    live: Live, ana: Visitor, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "ASK_SECONDS", 0.02)
    monkeypatch.setattr(websocket, "SILENT_SECONDS", 1000)
    opened = await ana.open(game="president", options={"preset": "pagat"})
    desks = {"Ana": await ana.sit(opened["code"])}
    for name in ("Bob", "Cat"):
        desks[name] = await come().sit(opened["code"], name)
    await desks["Ana"].do("start")
    seen = await desks["Ana"].until(lambda update: update["table"] and update["table"]["phase"] == "play")
    [turn] = seen["table"]["to_act"]
    [runner] = live.app.site.registry.loaded_rooms()
    there: list[Any] = [*live.app.site.open_sockets]
    talks = {member.name: talk for talk in there if (member := runner.room.find_member(talk.person_id)) is not None}
    assert [name for name, talk in talks.items() if talk.is_awaited] == [turn]
    lines = {name: talk._wire for name, talk in talks.items()}
    asked = Counter[str]()
    for name, line in lines.items():
        monkeypatch.setattr(line, "_queue_ping", partial(counted, asked, name, line._queue_ping))
    async with asyncio.timeout(PATIENCE):
        while any(line._bytes_sent != line._bytes_read for line in lines.values()):  # earlier messages
            await asyncio.sleep(0.01)
        asked.clear()
        while asked[turn] < 3:
            await asyncio.sleep(0.01)
    assert set(asked) == {turn}
    # A hidden page ends the waiting for its player.
    await desks[turn].do("page_visibility", visible=False)
    assert not talks[turn].is_awaited


def counted(asked: "Counter[str]", name: str, ask: Any) -> None:
    asked[name] += 1
    ask()


def test_a_dead_connection_is_detected_within_twelve_seconds() -> None:
    assert websocket.ASK_SECONDS + websocket.PONG_TIMEOUT_SECONDS <= 12


async def test_a_quiet_client_is_pinged_repeatedly_and_stays_connected(
    door: tuple[Door, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server pings after small messages, and also without any message."""
    monkeypatch.setattr(websocket, "ASK_SECONDS", 0.01)
    monkeypatch.setattr(websocket, "SILENT_SECONDS", 0.05)
    application, port = door
    async with client(port) as socket:
        [ear] = await came(application)
        assert ear.wire is not None
        asked = list[int]()
        ask = ear.wire._queue_ping
        monkeypatch.setattr(ear.wire, "_queue_ping", lambda: asked.append(ear.wire._bytes_sent) or ask())  # type: ignore[func-returns-value,union-attr]
        ear.wire.send_texts(b"a little")
        said = ear.wire._bytes_sent
        await ear.until(lambda: ear.wire is not None and ear.wire._bytes_read == said)
        await ear.until(lambda: len(asked) > 3)
        assert await socket.recv() == "a little"
        assert set(asked) == {said}
        assert ear.losses == 0


async def test_optional_frames_wait_until_the_client_has_read_earlier_frames(door: tuple[Door, int]) -> None:
    application, port = door
    async with client(port) as socket:
        [ear] = await came(application)
        assert ear.wire is not None
        drained = list[bool]()
        ear.on_writable = lambda: drained.append(True)  # type: ignore[method-assign]
        socket.transport.pause_reading()
        while not ear.wire.is_blocked:
            ear.wire.send_texts(b"x" * 500)
        assert ear.wire._bytes_sent <= websocket.MAX_UNREAD_BYTES + 500
        assert not ear.wire._is_write_paused
        assert not drained
        socket.transport.resume_reading()
        await ear.until(lambda: drained)
        assert not ear.wire.is_blocked


async def test_a_client_that_acts_is_not_pinged(
    live: Live, ana: Visitor, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Acting confirms all updates up to that action, and none after it."""
    monkeypatch.setattr(websocket, "ASK_SECONDS", 1000)
    opened = await ana.open(game="president")
    desks = {"Ana": await ana.sit(opened["code"])}
    for name in ("Bob", "Cat"):
        desks[name] = await come().sit(opened["code"], name)
    await desks["Ana"].do("start")
    [runner] = live.app.site.registry.loaded_rooms()
    talks: list[Any] = [*live.app.site.open_sockets]
    lines = {
        member.name: each._wire for each in talks if (member := runner.room.find_member(each.person_id)) is not None
    }
    asked, said = Counter[str](), dict.fromkeys(desks, 0)
    for move in range(30):
        turn = (await desks["Ana"].until(lambda update: update["seq"] == runner.room.seq))["table"]["to_act"][0]
        mine = await desks[turn].until(lambda update: update["seq"] == runner.room.seq)
        line, before = lines[turn], lines[turn].bytes_sent
        if move == 2 * len(desks):  # all have acted, and earlier pings are answered
            for name, each in lines.items():
                await until_read(each)
                monkeypatch.setattr(each, "_queue_ping", partial(counted, asked, name, each._queue_ping))
            said = {name: each.bytes_sent for name, each in lines.items()}
        await desks[turn].do("act", action=mine["you"]["legal"][0])
        assert before - websocket.MIN_BYTES_PER_TEXT <= line._bytes_read <= before < line.bytes_sent
    assert all(line.bytes_sent - said[name] > 2 * websocket.ASK_BYTES for name, line in lines.items())
    assert not asked


async def until_read(line: Any) -> None:
    """Wait until the client has answered all pings."""
    async with asyncio.timeout(PATIENCE):
        while line._pinged_at is not None:
            await asyncio.sleep(0.01)
