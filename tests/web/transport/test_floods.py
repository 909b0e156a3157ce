"""Test that floods on a connection are processed in small parts and then cut off."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from socket import create_connection
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from app.web.transport.fair_queue import CALLBACKS_PER_TURN, FairQueue
from app.web.transport.websocket import FRAMES_AT_ONCE, MAX_BYTES_AFTER_CLOSE, ODD_AT_ONCE, WebSocketConnection
from tests.web.door import Door, Ear, client, pieces, text
from tests.web.visitors import PATIENCE


def frame(opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


async def came(door: Door, count: int = 1) -> list[Ear]:
    """Wait for this number of listeners, and return them."""
    async with asyncio.timeout(PATIENCE):
        while len(door.ears) < count or any(ear.wire is None for ear in door.ears):
            await asyncio.sleep(0.002)
    return door.ears


async def cut(socket: Any) -> None:
    """Wait until the server has closed the connection."""
    async with asyncio.timeout(PATIENCE):
        await socket.wait_closed()


@pytest.mark.parametrize(
    "odd",
    [
        frame(Opcode.PONG, b"x" * 125) * (ODD_AT_ONCE + 1),
        frame(Opcode.PONG) * (ODD_AT_ONCE + 1),
        frame(Opcode.PING) * (ODD_AT_ONCE + 1),
        pieces(b"", b"", b"") * (ODD_AT_ONCE // 3 + 1),
        frame(Opcode.TEXT, fin=False) + (frame(Opcode.PONG) + frame(Opcode.CONT, fin=False)) * (ODD_AT_ONCE // 2 + 1),
    ],
    ids=["pongs", "empty pongs", "pings", "pieces", "pongs between pieces"],
)
async def test_too_many_frames_without_messages_close_the_connection(door: tuple[Door, int], odd: bytes) -> None:
    application, port = door
    async with client(port) as socket:
        [ear] = await came(application)
        ear.at_once = True
        socket.transport.write(odd)
        await cut(socket)
        assert socket.close_code in (1008, 1006)  # 1006 if the client keeps sending
        assert ear.losses == 1


async def test_a_normal_number_of_control_frames_and_fragments_is_accepted(door: tuple[Door, int]) -> None:
    application, port = door
    async with client(port) as socket:
        [ear] = await came(application)
        ear.at_once = True
        socket.transport.write(frame(Opcode.PONG) * (ODD_AT_ONCE - 4) + pieces(b"1", b"", b"") + text(2))
        await ear.until(lambda: len(ear.heard_so_far) == 2)
        assert ear.heard_so_far == ["1", "2"]


async def test_pongs_to_pings_of_the_server_do_not_count_as_a_flood(door: tuple[Door, int]) -> None:
    application, port = door
    async with client(port) as socket:
        [ear] = await came(application)
        ear.at_once = True
        assert ear.wire is not None
        for _ in range(2 * ODD_AT_ONCE):
            ear.wire.send_texts(b"x" * 5000)
            assert ear.wire._pinged_at is not None
            await socket.recv()
            await ear.until(lambda: ear.wire is not None and ear.wire._pinged_at is None)
        assert ear.losses == 0


async def test_a_client_that_keeps_sending_after_the_goodbye_is_disconnected(
    door: tuple[Door, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    application, port = door
    async with client(port) as socket:
        [ear] = await came(application)
        assert ear.wire is not None
        monkeypatch.setattr("app.web.transport.websocket.CLOSE_SECONDS", 1000)  # no timeout ends it
        ear.wire.close(4000, "enough", b"goodbye")
        _, writer = await raw_of(socket)
        writer.write(text(1) * (MAX_BYTES_AFTER_CLOSE // len(text(1)) + 10))
        async with asyncio.timeout(PATIENCE):
            while not ear.wire.disconnected:
                await asyncio.sleep(0.002)


async def test_unread_frames_are_discarded_after_the_goodbye(door: tuple[Door, int]) -> None:
    application, port = door
    async with client(port) as socket:
        [ear] = await came(application)
        wire = ear.wire
        assert wire is not None
        socket.transport.write(b"".join(text(number) for number in range(5000)))
        await ear.until(lambda: len(wire._unparsed) > MAX_BYTES_AFTER_CLOSE)
        wire.close(4000, "enough")
        assert wire._unparsed == b""
        await cut(socket)
        assert socket.close_code in (4000, 1006)


async def raw_of(socket: Any) -> tuple[None, Any]:
    """Stop reading, so that the client does not answer the close frame, and return its transport."""
    socket.transport.pause_reading()
    return None, socket.transport


# Small parts --------------------------------------------------------------------------------------------------


async def test_queued_connections_take_turns_within_the_limit_per_event_loop_turn() -> None:
    turns, done = FairQueue(), list[int]()

    def again(number: int) -> None:
        done.append(number)
        if done.count(number) < 3:
            turns.schedule(lambda: again(number))

    for number in range(20):
        turns.schedule(lambda number=number: again(number))  # type: ignore[misc]
    assert done == []
    for number in range(1, 9):
        await asyncio.sleep(0)
        assert len(done) == min(60, number * CALLBACKS_PER_TURN)
    assert done == [*range(20)] * 3


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Count the frames of all sockets that are parsed in each turn of the event loop."""
    turns, look_at = [0], WebSocketConnection._parse_frame

    def counting(self: WebSocketConnection, data: bytes, at: int, end: int) -> None:
        turns[-1] += 1
        look_at(self, data, at, end)

    def turn() -> None:
        turns.append(0)
        handles[0] = loop.call_soon(turn)

    loop = asyncio.get_running_loop()
    handles = [loop.call_soon(turn)]
    monkeypatch.setattr(WebSocketConnection, "_parse_frame", counting)
    yield turns
    handles[0].cancel()


@pytest.mark.parametrize("sent", [frame(Opcode.PONG), text(0), pieces(b"0", b"")], ids=["pongs", "texts", "pieces"])
async def test_a_burst_on_many_connections_does_not_delay_another_connection(
    door: tuple[Door, int], sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work in one turn of the event loop is limited, and other connections are served in between."""
    application, port = door
    many = 20
    sockets = [await client(port).__aenter__() for _ in range(many)]
    other = await client(port).__aenter__()
    ears = await came(application, many + 1)
    for ear in ears:
        ear.at_once = True
    looked_at = list[int]()
    """The number of other frames that had been parsed when the text was received."""
    hear = ears[-1].on_message

    def hears(said: str | None) -> None:
        looked_at.append(sum(turns))
        hear(said)

    monkeypatch.setattr(ears[-1], "on_message", hears)
    with counted(monkeypatch) as turns:
        for socket in sockets:
            socket.transport.write(sent * 2000)
        other.transport.write(text(7))
        await ears[-1].until(lambda: ears[-1].heard_so_far)
        await ears[0].until(lambda: ears[0].losses or len(ears[0].heard_so_far) > ODD_AT_ONCE)
    assert looked_at[0] < many * ODD_AT_ONCE
    # The first frame of each connection is parsed at once. The others wait in the queue.
    assert max(turns) <= many + CALLBACKS_PER_TURN * FRAMES_AT_ONCE
    for socket in (*sockets, other):
        socket.transport.abort()


async def test_simultaneous_handshakes_are_limited_per_event_loop_turn(
    door: tuple[Door, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    application, port = door
    connection_made = WebSocketConnection.connection_made
    came_in = [0]

    def counting(self: WebSocketConnection, transport: Any) -> None:
        came_in[-1] += 1
        connection_made(self, transport)

    monkeypatch.setattr(WebSocketConnection, "connection_made", counting)
    loop = asyncio.get_running_loop()

    def turn() -> None:
        came_in.append(0)
        handles[0] = loop.call_soon(turn)

    head = (
        f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n"
    )
    handles = [loop.call_soon(turn)]
    connections = [create_connection(("127.0.0.1", port)) for _ in range(4 * CALLBACKS_PER_TURN)]
    try:
        for connection in connections:
            connection.send(head.encode())
        await came(application, len(connections))
    finally:
        handles[0].cancel()
        for connection in connections:
            connection.close()
    assert sum(came_in) == len(connections)
    assert max(came_in) == CALLBACKS_PER_TURN
