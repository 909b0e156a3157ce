"""Test that large bodies get an answer, even if the client sends all of them first, and that reading is limited."""

import asyncio
import json

import pytest

from app.web.http import guards
from tests.web.conftest import Live
from tests.web.visitors import PATIENCE

HEAD = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s\r\n"


async def sent(
    live: Live, size: int, body: int, *, path: bytes = b"/api/rooms", expect: bool = False
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Send a request that announces `size` bytes, with the first `body` of them."""
    reader, writer = await asyncio.open_connection(*live.base[7:].split(":"))
    headers = b"Content-Length: %d\r\n" % size + (b"Expect: 100-continue\r\n" if expect else b"")
    writer.write(HEAD % (path, headers) + b" " * body)
    return reader, writer


async def refusal(reader: asyncio.StreamReader) -> tuple[int, str]:
    """Read the answer, and return its status and its code."""
    head = await reader.readuntil(b"\r\n\r\n")
    [length] = (line for line in head.lower().splitlines() if line.startswith(b"content-length:"))
    return int(head.split()[1]), str(json.loads(await reader.readexactly(int(length.split()[1])))["code"])


async def flood(writer: asyncio.StreamWriter) -> None:
    """Send until the server closes the connection."""
    while True:
        writer.write(b" " * 100_000)
        await writer.drain()


@pytest.mark.parametrize("chunked", [False, True])
async def test_a_refused_body_is_read_to_its_end_before_the_response(live: Live, *, chunked: bool) -> None:
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection(*live.base[7:].split(":"))
        length = b"Transfer-Encoding: chunked\r\n" if chunked else b"Content-Length: 4000000\r\n"
        writer.write(HEAD % (b"/api/rooms", length))
        answer = asyncio.create_task(refusal(reader))
        for _ in range(40):
            assert not answer.done()
            part = b" " * 100_000
            writer.write(b"%x\r\n%s\r\n" % (len(part), part) if chunked else part)
            await writer.drain()
        if chunked:
            await asyncio.sleep(0.05)
            assert not answer.done()
            writer.write(b"0\r\n\r\n")
        assert await answer == (413, "too_large")
        assert await reader.read() == b""  # closed without a reset
        writer.close()


async def test_a_body_sent_to_a_url_that_is_too_long_is_read_before_the_response(live: Live) -> None:
    async with asyncio.timeout(PATIENCE):
        reader, writer = await sent(live, 4_000_000, 100, path=b"/" + b"a" * 10_000)
        answer = asyncio.create_task(refusal(reader))
        for _ in range(39):
            assert not answer.done()
            writer.write(b" " * 100_000)
            await writer.drain()
        writer.write(b" " * 99_900)
        assert await answer == (414, "too_large")
        writer.close()


async def test_a_client_that_expects_100_continue_is_refused_at_once(live: Live) -> None:
    async with asyncio.timeout(PATIENCE):
        reader, writer = await sent(live, 4_000_000, 0, expect=True)
        assert await refusal(reader) == (413, "too_large")  # and not 100 Continue
        writer.close()


async def test_a_refused_body_is_read_only_up_to_a_maximum_size(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "REFUSED_BYTES", 100_000)
    monkeypatch.setattr("app.web.transport.http_guard.LINGER_BYTES", 100_000)
    async with asyncio.timeout(PATIENCE):
        reader, writer = await sent(live, 1_000_000_000, 200_000)
        assert await refusal(reader) == (413, "too_large")
        with pytest.raises(ConnectionError):
            await flood(writer)


async def test_a_refused_body_that_does_not_arrive_is_awaited_only_briefly(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guards, "BODY_SECONDS", 0.05)
    monkeypatch.setattr("app.web.transport.http_guard.LINGER_SECONDS", 0.05)
    async with asyncio.timeout(PATIENCE):
        reader, writer = await sent(live, 1_000_000_000, 100)
        assert await refusal(reader) == (413, "too_large")
        assert await reader.read() == b""
        writer.close()
