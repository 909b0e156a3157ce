"""A body that is too large gets its answer, whatever of it is still on the way; what is read of it is bounded."""

import asyncio
import json

import pytest

from tests.web.conftest import Live
from tests.web.visitors import PATIENCE

HEAD = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


async def sent(live: Live, size: int, body: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A request that says it has `size` bytes, with the first `body` of them."""
    reader, writer = await asyncio.open_connection(*live.base[7:].split(":"))
    writer.write(HEAD % size + b" " * body)
    return reader, writer


async def refusal(reader: asyncio.StreamReader) -> str:
    """The code of the answer."""
    head = await reader.readuntil(b"\r\n\r\n")
    assert b" 413 " in head.splitlines()[0]
    [length] = (line for line in head.lower().splitlines() if line.startswith(b"content-length:"))
    return str(json.loads(await reader.readexactly(int(length.split()[1])))["code"])


async def flood(writer: asyncio.StreamWriter) -> None:
    """Send until the other side closes the connection."""
    while True:
        writer.write(b" " * 100_000)
        await writer.drain()


async def test_the_answer_arrives_although_the_rest_of_the_body_is_sent_afterwards(live: Live) -> None:
    async with asyncio.timeout(PATIENCE):
        reader, writer = await sent(live, 4_000_000, 100)
        assert await refusal(reader) == "too_large"
        for _ in range(39):
            writer.write(b" " * 100_000)
            await writer.drain()
        writer.write(b" " * 99_900)
        assert await reader.read() == b""  # closed in order at the end of the body, without a reset
        writer.close()


async def test_a_refused_body_is_read_up_to_a_number_of_bytes(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.server.LINGER_BYTES", 100_000)
    async with asyncio.timeout(PATIENCE):
        reader, writer = await sent(live, 1_000_000_000, 100)
        assert await refusal(reader) == "too_large"
        with pytest.raises(ConnectionError):
            await flood(writer)


async def test_a_refused_body_that_does_not_come_is_waited_for_a_moment(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.server.LINGER_SECONDS", 0.05)
    async with asyncio.timeout(PATIENCE):
        reader, writer = await sent(live, 1_000_000_000, 100)
        assert await refusal(reader) == "too_large"
        assert await reader.read() == b""
        writer.close()
