"""Test WebSocket connections: whole messages, in order, one at a time, with a limit of queued ones."""

import asyncio
import json
from collections.abc import Callable
from socket import SO_RCVBUF, SO_SNDBUF, SOL_SOCKET
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from app.settings import Limits, Settings
from app.web.http.guards import Receive, Send
from app.web.transport.frame_batch import Writable, WriteBatch
from app.web.transport.websocket import MAX_QUEUED_MESSAGES, websocket_of
from tests.web.conftest import Live, serving
from tests.web.door import Bare, Door, Ear, client, frame, pieces, text
from tests.web.visitors import PATIENCE, Come, Visitor, visiting


def numbers(ear: Ear) -> list[int]:
    return [int(heard or -1) for heard in ear.heard_so_far]


async def knock(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Send a handshake without waiting for the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    writer.write(f"{head}Sec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
    return reader, writer


async def test_messages_received_before_the_handler_is_set_are_delivered(door: tuple[Door, int]) -> None:
    application, port = door
    application.open.clear()
    application.accepts.clear()
    reader, writer = await knock(port)
    async with asyncio.timeout(PATIENCE):
        while not application.ears:
            await asyncio.sleep(0.002)
    # Half a frame is sent before the answer to the handshake, and the rest before there is a listener.
    sent = text(0) + text(1, 300) + text(2)
    writer.write(sent[:20])
    await asyncio.sleep(0.02)
    application.accepts.set()
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
    writer.write(sent[20:])
    await asyncio.sleep(0.02)
    [ear] = application.ears
    assert ear.heard_so_far == []
    ear.at_once = True
    application.open.set()
    await ear.until(lambda: len(ear.heard_so_far) == 3)
    assert numbers(ear) == [0, 1, 2]
    # A socket may be open for hours, so the data of the handshake is dropped.
    assert ear.wire is not None
    assert ear.wire.scope is None
    assert not any(isinstance(kept, asyncio.Queue | asyncio.Event | asyncio.Task) for kept in vars(ear.wire).values())
    writer.close()
    await ear.until(lambda: ear.losses)
    assert ear.losses == 1


@pytest.mark.parametrize("greeting", [b"hello", None])
async def test_the_handshake_response_and_greeting_are_sent_first_in_one_write(
    door: tuple[Door, int], greeting: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    application, port = door
    application.greeting = greeting
    written: list[bytes] = []
    real = WriteBatch.send

    def send(outbox: WriteBatch, way: Writable, data: bytes) -> None:
        written.append(data)
        real(outbox, way, data)

    monkeypatch.setattr(WriteBatch, "send", send)
    application.accepts.clear()
    reader, writer = await knock(port)
    async with asyncio.timeout(PATIENCE):
        while not application.ears:
            await asyncio.sleep(0.002)
        writer.write(frame(Opcode.PING, b"there?"))
        await asyncio.sleep(0.02)
        application.accepts.set()
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
        if greeting is not None:
            assert await reader.readexactly(2 + len(greeting)) == bytes((0x81, len(greeting))) + greeting
        assert await reader.readexactly(8) == b"\x8a\x06there?"
    assert written[1:] == [b"\x8a\x06there?"]
    writer.close()


@pytest.mark.parametrize("refuses", [False, True])
async def test_answering_a_handshake_after_shutdown_logs_no_error(
    door: tuple[Door, int], refuses: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Otherwise a handshake during a stop of the server would leave a traceback in the log."""
    _, port = door
    answered = asyncio.Event()

    async def answer(self: Door, scope: Any, receive: Receive, send: Send) -> None:
        websocket_of(scope).shutdown()
        try:
            if refuses:
                await send({"type": "websocket.http.response.start", "status": 429, "headers": []})
                await send({"type": "websocket.http.response.body", "body": b""})
            else:
                await send({"type": "websocket.accept"})
        finally:
            answered.set()

    monkeypatch.setattr(Door, "__call__", answer)
    bare = await Bare.come(port)
    async with asyncio.timeout(PATIENCE):
        await answered.wait()
    assert bare.head.startswith(b"HTTP/1.1 500 ")
    await bare.close()
    await asyncio.sleep(0)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.usefixtures("unasked")
@pytest.mark.parametrize("cut", [1, 2, 3, 5, 1000, 70_000])
async def test_messages_arrive_complete_and_in_order_in_any_framing(door: tuple[Door, int], cut: int) -> None:
    application, port = door
    async with client(port) as socket:
        await asyncio.sleep(0.01)
        [ear] = application.ears
        ear.at_once = True
        control = Frame(Opcode.PONG, b"").serialize(mask=True)
        sent = b"".join(
            [
                *(text(number) for number in range(4)), text(4, 125), text(5, 126), text(6, 127), control,
                text(7, 8000),
                pieces(b"8", b" ", b""), pieces(b"", b"9"), text(10), pieces(b"1") + text(12),
                Frame(Opcode.TEXT, b"1", fin=False).serialize(mask=True), control,
                Frame(Opcode.CONT, b"3").serialize(mask=True), text(14),
            ]
        )  # fmt: skip
        for start in range(0, len(sent), cut):
            socket.transport.write(sent[start : start + cut])
            if cut < 1000 and start % 64 == 0:
                await asyncio.sleep(0)
        expected = [*range(11), 1, 12, 13, 14]
        await ear.until(lambda: len(ear.heard_so_far) == len(expected))
        assert numbers(ear) == expected


async def test_reading_pauses_when_too_many_messages_are_waiting(door: tuple[Door, int]) -> None:
    application, port = door
    async with client(port) as one, client(port) as other:
        await asyncio.sleep(0.01)
        busy, idle = application.ears
        idle.at_once = True
        one.transport.write(b"".join(text(number) for number in range(3000)))
        await busy.until(lambda: busy.heard_so_far)
        assert busy.wire is not None
        await asyncio.sleep(0.02)
        assert numbers(busy) == [0]  # the next message waits for a request
        assert len(busy.wire._message_queue) == MAX_QUEUED_MESSAGES
        assert busy.wire.read_paused
        # Then one message is delivered in each turn of the event loop, so that others don't wait.
        busy.at_once = True
        busy.wire.request_next_message()
        other.transport.write(text(1))
        await idle.until(lambda: idle.heard_so_far)
        assert len(busy.heard_so_far) < 2000
        await busy.until(lambda: len(busy.heard_so_far) == 3000)
        assert numbers(busy) == list(range(3000))
        assert busy.most_waiting <= MAX_QUEUED_MESSAGES
        assert not busy.wire.read_paused


async def test_messages_of_a_client_that_does_not_read_wait_until_it_reads(door: tuple[Door, int]) -> None:
    application, port = door
    async with client(port) as socket:
        await asyncio.sleep(0.01)
        [ear] = application.ears
        socket.transport.pause_reading()
        assert ear.wire is not None
        while not ear.wire._is_write_paused:
            ear.wire.send_texts(b"x" * 50_000)
            await asyncio.sleep(0)
        socket.transport.write(text(0))
        await asyncio.sleep(0.05)
        assert ear.heard_so_far == []
        socket.transport.resume_reading()
        reading = asyncio.create_task(drain(socket))
        await ear.until(lambda: ear.heard_so_far)
        assert not ear.wire.is_blocked
        reading.cancel()
        socket.transport.abort()


async def drain(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


async def test_closing_sends_the_goodbye_and_ignores_later_messages(door: tuple[Door, int]) -> None:
    application, port = door
    async with client(port) as socket:
        await asyncio.sleep(0.01)
        [ear] = application.ears
        assert ear.wire is not None
        socket.transport.write(b"".join(text(number) for number in range(100)))
        await ear.until(lambda: ear.heard_so_far)
        ear.wire.close(4000, "enough", b"goodbye")
        ear.wire.request_next_message()
        ear.wire.send_texts(b"too late")
        assert await socket.recv() == "goodbye"
        with pytest.raises(ConnectionClosed):
            await socket.recv()
        assert (socket.close_code, socket.close_reason) == (4000, "enough")
        assert numbers(ear) == [0]
        assert ear.losses == 0


# With a room ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sent", "code"), [(frame(8, (1000).to_bytes(2)), 1000), (frame(Opcode.TEXT, b"\xff"), 1007)])
async def test_data_behind_a_last_frame_resets_no_connection(door: tuple[Door, int], sent: bytes, code: int) -> None:
    """A reset can overtake our close frame on its way to the client."""
    application, port = door
    application.greeting = b"hello"
    bare = await Bare.come(port)
    await bare.reader.readexactly(7)
    bare.writer.write(sent + frame(Opcode.TEXT, b"x" * 65_535) * 10)
    assert await bare.frames() == [(8, code.to_bytes(2) + (b"" if code == 1000 else b"that is no UTF-8"))]
    assert await bare.reader.read() == b""
    await bare.writer.drain()
    bare.writer.close()
    await bare.writer.wait_closed()
    async with asyncio.timeout(PATIENCE):
        while not application.ears[0].losses:
            await asyncio.sleep(0.002)


async def test_a_client_that_never_ends_its_side_is_cut_off(
    door: tuple[Door, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.transport.websocket.LINGER_SECONDS", 0.1)
    application, port = door
    bare = await Bare.come(port)
    bare.writer.write(frame(8, (1000).to_bytes(2)))
    assert await bare.frames() == [(8, (1000).to_bytes(2))]
    assert application.ears[0].wire is not None
    async with asyncio.timeout(PATIENCE):
        while not application.ears[0].wire.disconnected:
            await asyncio.sleep(0.002)
    bare.writer.close()


async def test_a_stalled_client_delays_no_others_and_gets_the_newest_state_later(settings: Settings) -> None:
    quick = settings.model_copy(update={"limits": Limits(messages_at_once=10_000)})
    async with serving(quick) as live, visiting(live.base) as come:
        ana = come()
        opened = await ana.open(game="president")
        slow = await come().sit(opened["code"], "Bob")
        [bobs] = live.app.site.open_sockets
        desk = await ana.sit(opened["code"])
        wire, shown, said, most = bobs._wire, len(slow.updates), 0, 0  # type: ignore[attr-defined]
        slow.socket.transport.pause_reading()
        for end in (wire.transport, slow.socket.transport):
            for buffer in (SO_SNDBUF, SO_RCVBUF):
                end.get_extra_info("socket").setsockopt(SOL_SOCKET, buffer, 4096)
        blocked = 0
        while blocked < 10:
            said, blocked = said + 1, blocked + wire.is_blocked
            await desk.do("configure", bots_delay=said % 7 + 1)
            most = max(most, wire.transport.get_write_buffer_size())
        newest = desk.update
        await slow.say(json.dumps({"t": "ping", "id": "still"}))
        slow.socket.transport.resume_reading()
        assert (await slow.answer("still"))["ok"]
        seen = await slow.until(lambda update: update["seq"] == newest["seq"])
        assert seen["room"] == newest["room"]
        assert most < 100_000  # only one blocked update is queued
        assert len(slow.updates) - shown < said - 5


async def test_a_command_counts_although_its_client_disconnects_before_the_answer(
    live: Live, ana: Visitor, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await ana.open(game="president")
    desk = await ana.sit(opened["code"])
    bobs = await come().sit(opened["code"], "Bob")
    log, held = live.app.site.store.log, list[Callable[[], None]]()
    submit = log.submit
    monkeypatch.setattr(log, "submit", lambda *entries, **more: held.append(lambda: submit(*entries, **more)))
    await bobs.say(json.dumps({"t": "watch", "id": "w"}))
    async with asyncio.timeout(PATIENCE):
        while not held:
            await asyncio.sleep(0.002)
    await bobs.close()
    monkeypatch.undo()
    held[0]()
    await desk.until(lambda update: role(update, "Bob") == "spectator")
    await desk.until(lambda update: not next(p for p in update["room"]["people"] if p["name"] == "Bob")["present"])


def role(update: dict[str, Any], name: str) -> str:
    """Return a member's role, or an empty string before they joined."""
    return next((str(person["role"]) for person in update["room"]["people"] if person["name"] == name), "")


async def test_connection_lag_rises_at_once_and_falls_slowly(
    door: tuple[Door, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.transport.websocket.MEASURE_SECONDS", 0)
    application, port = door
    async with client(port):
        async with asyncio.timeout(PATIENCE):
            while not application.ears:
                await asyncio.sleep(0.002)
        ear = application.ears[0]
        await ear.until(lambda: ear.wire and ear.wire.lag)
        wire = ear.wire
        assert wire is not None
        quick = wire.lag
        wire._timer.cancel()  # type: ignore[union-attr]

        def answered(after: float) -> float:
            """Let a pong arrive after this time, and return the lag."""
            wire._queue_ping()
            wire._pinged_at = wire.loop.time() - after
            wire.data_received(Frame(Opcode.PONG, wire._pinged_bytes.to_bytes(8)).serialize(mask=True))
            return wire.lag

        slow = answered(quick + 0.7)
        assert slow >= 0.7
        assert 0.35 <= answered(0) < slow
        before = wire.lag
        wire.data_received(Frame(Opcode.PONG, b"nobody asked").serialize(mask=True))
        assert wire.lag == before


async def test_the_room_knows_the_connection_lag_of_its_members(
    ana: Visitor, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.transport.websocket.MEASURE_SECONDS", 0)
    opened = await ana.open()
    await ana.sit(opened["code"])
    [runner] = live.app.site.registry.loaded_rooms()
    attendance = runner._connections
    async with asyncio.timeout(PATIENCE):
        while not attendance.max_round_trip(attendance.persons):
            await asyncio.sleep(0.002)
    assert attendance.max_round_trip({"nobody"}) == 0
