"""Who does not read is sent little, wherever it would lie; they see the newest when they read again, or are let go."""

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
"""Pictures of before that somebody may be shown who looks again."""
MOST_KEPT = 32 * 1024
"""Bytes that may lie anywhere for one who does not read."""


def kept_for(line: Any) -> int:
    """Bytes that lie with us for the other end of a transport, and with the system."""
    in_kernel = array.array("i", [0])
    fcntl.ioctl(line.get_extra_info("socket").fileno(), termios.TIOCOUTQ, in_kernel)
    return int(in_kernel[0] + line.get_write_buffer_size())


def in_their_system(line: Any) -> int:
    """Bytes that have arrived at somebody's machine and were not read."""
    waiting = array.array("i", [0])
    fcntl.ioctl(line.get_extra_info("socket").fileno(), termios.FIONREAD, waiting)
    return int(waiting[0])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux what lies in its sockets")
async def test_little_is_kept_for_who_does_not_read_and_then_they_see_the_newest(settings: Settings) -> None:
    quick = settings.model_copy(update={"limits": Limits(messages_at_once=10_000)})
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


async def test_who_reads_no_more_is_gone_for_the_others(
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
            if line._asked_at is None:
                said += 1
                await desk.do("configure", bots_delay=said)
            else:
                line._asked_at -= websocket.ANSWER_SECONDS  # so long ago
            await asyncio.sleep(0.1)
    await desk.until(lambda update: not present(update, "Bob"))


def present(update: dict[str, Any], name: str) -> bool:
    return any(person["name"] == name and person["present"] for person in update["room"]["people"])


async def test_whom_the_table_waits_for_is_asked_again_and_again_however_silent_it_is(
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
    [runner] = live.app.site.registry.awake()
    there: list[Any] = [*live.app.site.open_sockets]
    talks = {member.name: talk for talk in there if (member := runner.room.member_of(talk.person_id)) is not None}
    assert [name for name, talk in talks.items() if talk.is_awaited] == [turn]
    lines = {name: talk._wire for name, talk in talks.items()}
    asked = Counter[str]()
    for name, line in lines.items():
        monkeypatch.setattr(line, "_ask_whether_read", partial(counted, asked, name, line._ask_whether_read))
    async with asyncio.timeout(PATIENCE):
        while any(line._said != line._read for line in lines.values()):  # what was said before
            await asyncio.sleep(0.01)
        asked.clear()
        while asked[turn] < 3:
            await asyncio.sleep(0.01)
    assert set(asked) == {turn}
    # A phone that has been laid aside may rest.
    await desks[turn].do("sight", visible=False)
    assert not talks[turn].is_awaited


def counted(asked: "Counter[str]", name: str, ask: Any) -> None:
    asked[name] += 1
    ask()


def test_nobody_waits_longer_for_who_is_gone_than_this() -> None:
    assert websocket.ASK_SECONDS + websocket.ANSWER_SECONDS <= 12


async def test_who_reads_is_asked_now_and_then_and_stays(
    door: tuple[Door, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However little they are told, and also when they are told nothing."""
    monkeypatch.setattr(websocket, "ASK_SECONDS", 0.01)
    monkeypatch.setattr(websocket, "SILENT_SECONDS", 0.05)
    application, port = door
    async with client(port) as socket:
        [ear] = await came(application)
        assert ear.wire is not None
        asked = list[int]()
        ask = ear.wire._ask_whether_read
        monkeypatch.setattr(ear.wire, "_ask_whether_read", lambda: asked.append(ear.wire._said) or ask())  # type: ignore[func-returns-value,union-attr]
        ear.wire.texts(b"a little")
        said = ear.wire._said
        await ear.until(lambda: ear.wire is not None and ear.wire._read == said)
        await ear.until(lambda: len(asked) > 3)
        assert await socket.recv() == "a little"
        assert set(asked) == {said}
        assert ear.losses == 0


async def test_what_may_be_left_out_waits_until_they_say_that_they_have_read(door: tuple[Door, int]) -> None:
    application, port = door
    async with client(port) as socket:
        [ear] = await came(application)
        assert ear.wire is not None
        drained = list[bool]()
        ear.drained = lambda: drained.append(True)  # type: ignore[method-assign]
        socket.transport.pause_reading()
        while not ear.wire.is_blocked:
            ear.wire.texts(b"x" * 500)
        assert ear.wire._said <= websocket.MOST_UNREAD + 500
        assert not ear.wire._is_full
        assert not drained
        socket.transport.resume_reading()
        await ear.until(lambda: drained)
        assert not ear.wire.is_blocked


async def test_who_plays_along_need_not_be_asked_whether_they_read(
    live: Live, ana: Visitor, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who acts has read what they may do, and nothing that they were told after that."""
    monkeypatch.setattr(websocket, "ASK_SECONDS", 1000)
    opened = await ana.open(game="president")
    desks = {"Ana": await ana.sit(opened["code"])}
    for name in ("Bob", "Cat"):
        desks[name] = await come().sit(opened["code"], name)
    await desks["Ana"].do("start")
    [runner] = live.app.site.registry.awake()
    talks: list[Any] = [*live.app.site.open_sockets]
    lines = {member.name: each._wire for each in talks if (member := runner.room.member_of(each.person_id)) is not None}
    asked, said = Counter[str](), dict.fromkeys(desks, 0)
    for move in range(30):
        turn = (await desks["Ana"].until(lambda update: update["seq"] == runner.room.seq))["table"]["to_act"][0]
        mine = await desks[turn].until(lambda update: update["seq"] == runner.room.seq)
        line, before = lines[turn], lines[turn].said
        if move == 2 * len(desks):  # all have acted, and what was asked before is answered
            for name, each in lines.items():
                await until_read(each)
                monkeypatch.setattr(each, "_ask_whether_read", partial(counted, asked, name, each._ask_whether_read))
            said = {name: each.said for name, each in lines.items()}
        await desks[turn].do("act", action=mine["you"]["legal"][0])
        assert before - websocket.LEAST <= line._read <= before < line.said
    assert all(line.said - said[name] > 2 * websocket.ASK_BYTES for name, line in lines.items())
    assert not asked


async def until_read(line: Any) -> None:
    """Until nothing is asked any more."""
    async with asyncio.timeout(PATIENCE):
        while line._asked_at is not None:
            await asyncio.sleep(0.01)
