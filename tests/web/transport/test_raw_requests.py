"""Test requests that no browser sends, written byte by byte to a real server."""

import asyncio
import io
import json
import re
from contextlib import suppress

import pytest

from app.settings import Settings
from app.web.client_address import HEAD_BYTES, MAX_HEADER_BYTES
from app.web.transport.http_guard import MAX_PIPELINED
from tests.web.conftest import Live, serving
from tests.web.visitors import PATIENCE, Come, Visitor

TRUSTED = Settings(trusted_proxies="127.0.0.1").trusted_proxies  # type: ignore[arg-type]


async def answered(live: Live, *sent: bytes) -> tuple[int, bytes]:
    """Send packets on a new connection, and return the status and the answer. Status 0 means closed without one."""
    reader, writer = await asyncio.open_connection("127.0.0.1", live.server.port)
    try:
        for packet in sent:
            writer.write(packet)
            await asyncio.sleep(0.05 if len(sent) > 1 else 0)
        async with asyncio.timeout(PATIENCE):
            head = await reader.readuntil(b"\r\n\r\n")
            length = next((line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), b":0")
            body = await reader.readexactly(int(length.partition(b":")[2]))
    except (asyncio.IncompleteReadError, ConnectionError):
        return 0, b""
    finally:
        writer.close()
    return int(head.split()[1]), head + body


def chunked(body: bytes, *trailers: bytes, path: str = "/api/rooms", method: str = "POST", head: bytes = b"") -> bytes:
    """Return a request with one chunk and these trailers."""
    start = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".encode()
    chunk = b"%x\r\n%s\r\n" % (len(body), body) if body else b""
    after = b"".join(trailer + b"\r\n" for trailer in trailers)
    return start + head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk + b"0\r\n" + after + b"\r\n"


ROOM = b'{"name":"Ana"}'
TRAILERS = ((b"X-Forwarded-For: 7.8.10.1",), (b"Host: evil.example",), (b"X-Odd: 1", b"X-Forwarded-For: 10.0.0.1"))
LONG_LENGTH = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + b"0" * 5000 + b"5\r\n\r\nhello"
LONG_EXTENSION = chunked(ROOM).replace(b"e\r\n{", b"e;" + b"x" * (HEAD_BYTES + 2000) + b"\r\n{")
NO_HOST, TWO_HOSTS = b"GET /healthz HTTP/1.1\r\n\r\n", b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"
OTHER_VERSIONS = (
    b"GET /healthz HTTP/2.0\r\nHost: localhost\r\n\r\n",
    b"GET /healthz HTTP/0.9\r\nHost: localhost\r\n\r\n",
    b"GET /healthz\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
)
OTHER_ENCODINGS = tuple(
    chunked(ROOM).replace(b": chunked", b": " + encoding)
    for encoding in (
        b"gzip, chunked", b"chunked, chunked", b"chunked, gzip", b"identity", b"x", b"",
        b"gzip\r\nTransfer-Encoding: chunked", b"chunked\r\nTransfer-Encoding: chunked",
        b"chunked\r\nTransfer-Encoding: gzip",
    )
)  # fmt: skip
UPGRADE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"
TWO_ORIGINS = chunked(ROOM, head=b"Origin: http://localhost\r\nOrigin: https://evil.example\r\n")
FORWARDED = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: unknown\r\n\r\n"
MANY = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * (MAX_PIPELINED + 1)


def with_long_header(name: str) -> bytes:
    """Return a request with a header that is one byte longer than allowed."""
    most = MAX_HEADER_BYTES[name.encode()]
    return f"GET / HTTP/1.1\r\nHost: localhost\r\n{name}: {'1' * (most + 1)}\r\n\r\n".encode()


HEADERS = sorted(name.decode() for name, most in MAX_HEADER_BYTES.items() if 20 < most < HEAD_BYTES)
RAW_REQUESTS = (
    *(chunked(ROOM, *trailers) for trailers in TRAILERS), *map(with_long_header, HEADERS), *OTHER_VERSIONS,
    *OTHER_ENCODINGS, LONG_LENGTH, LONG_EXTENSION, NO_HOST, TWO_HOSTS, UPGRADE, TWO_ORIGINS, FORWARDED, MANY,
)  # fmt: skip
"""Each kind of request that these tests send and the server refuses, or treats in another way than its sender asks."""


@pytest.mark.parametrize("trailers", TRAILERS)
async def test_a_request_with_trailers_is_refused_and_has_no_effect(
    settings: Settings, trailers: tuple[bytes, ...]
) -> None:
    async with serving(settings.model_copy(update={"trusted_proxies": TRUSTED})) as live:
        assert (await answered(live, chunked(ROOM)))[0] == 201, "chunks alone are fine"
        rooms = live.app.site.registry.loaded_rooms()
        assert len(rooms) == 1
        assert (await answered(live, chunked(ROOM, *trailers)))[0] == 400
        # Send it in parts like a slow client, so that the guards wait for the body.
        reader, writer = await asyncio.open_connection("127.0.0.1", live.server.port)
        whole = chunked(ROOM, *trailers)
        for piece in (whole[: whole.index(b"0\r\n")], whole[whole.index(b"0\r\n") :]):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.05)
        assert (await reader.readline()).startswith(b"HTTP/1.1 400")
        writer.close()
        assert len(live.app.site.registry.loaded_rooms()) == 1


async def test_a_forwarded_address_in_a_trailer_is_ignored(settings: Settings) -> None:
    async with serving(settings.model_copy(update={"trusted_proxies": TRUSTED})) as live:
        public = b"X-Forwarded-For: 8.8.8.8\r\n"
        without = await answered(live, chunked(b"", path="/metrics", method="GET", head=public))
        assert without[0] == 404
        inside = chunked(b"", b"X-Forwarded-For: 10.0.0.1", path="/metrics", method="GET", head=public)
        assert (await answered(live, inside))[0] in (400, 404)


async def test_a_request_whose_client_disconnected_has_no_effect(lines: io.StringIO, live: Live, ana: Visitor) -> None:
    await ana.open()
    cookie = "; ".join(f"{each.name}={each.value}" for each in ana.http.cookies.jar)
    _, writer = await asyncio.open_connection("127.0.0.1", live.server.port)
    # The route needs no body, so it could act before the end of the request.
    writer.write(
        f"POST /api/me/recovery HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\nContent-Length: 5\r\n\r\nha".encode()
    )
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    async with asyncio.timeout(PATIENCE):
        while len(live.server.server_state.connections) > 1:  # Ana's connection stays
            await asyncio.sleep(0.01)
    assert (await ana.http.post("/api/me/recovery")).status_code == 201
    asked = [each for each in lines.getvalue().splitlines() if json.loads(each).get("route") == "/api/me/recovery"]
    assert len(asked) == 1, asked


async def test_a_content_length_of_thousands_of_digits_is_refused(live: Live) -> None:
    status, answer = await answered(live, LONG_LENGTH)
    assert status == 431
    assert b"content-length" in answer
    assert b"x-content-type-options" in answer, "it has the headers that every answer has"


async def test_a_header_longer_than_its_maximum_is_refused(live: Live) -> None:
    for name in HEADERS:
        status, answer = await answered(live, with_long_header(name))
        assert (status, str(MAX_HEADER_BYTES[name.encode()]).encode() in answer) == (431, True), name


async def test_endless_chunk_extensions_close_the_connection(live: Live) -> None:
    start = b"POST /api/imports HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", live.server.port)
    writer.write(start + b"1;" + b"x" * (HEAD_BYTES // 2) + b"\r\n{\r\n")
    sent = 0
    async with asyncio.timeout(PATIENCE):
        while not (reader.at_eof() or writer.transport.is_closing()):
            with suppress(ConnectionError):
                writer.write(b"1;" + b"x" * 1000 + b"\r\n \r\n")
                await writer.drain()
            sent += 1000
            await asyncio.sleep(0)
    assert sent < 64 * 1024 * 1024
    writer.close()


@pytest.mark.parametrize("pause", [False, True], ids=["in one packet", "in two packets"])
async def test_chunk_extensions_count_as_the_head(live: Live, pause: bool) -> None:
    start = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    start += b"Transfer-Encoding: chunked\r\n\r\n"
    for extension, status in ((HEAD_BYTES - 1000, 201), (HEAD_BYTES + 2000, 431)):
        body = b"%x;%s\r\n%s\r\n0\r\n\r\n" % (len(ROOM), b"x" * extension, ROOM)
        assert (await answered(live, *((start, body) if pause else (start + body,))))[0] == status
        # The request before it in the same packet leaves it no further bytes.
        if not pause and status == 431:
            first = chunked(b" " * 4000 + ROOM)
            assert (await answered(live, first + start + body))[0] == status
    assert len(live.app.site.registry.loaded_rooms()) == 1


async def test_other_versions_and_encodings_of_bodies_are_refused(live: Live) -> None:
    for sent in OTHER_VERSIONS + OTHER_ENCODINGS:
        assert (await answered(live, sent))[0] == 400, sent


async def test_chunked_may_be_spelled_in_capitals(live: Live) -> None:
    assert (await answered(live, chunked(ROOM).replace(b": chunked", b":  Chunked ")))[0] == 201


async def test_a_body_in_chunks_of_one_byte_is_read(live: Live) -> None:
    start = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    long = json.dumps({"name": "Ana", "bots": []}).encode() + b" " * HEAD_BYTES
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in long)
    assert (await answered(live, start + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n"))[0] == 201


async def test_requests_need_exactly_one_host_header_except_in_http_1_0(live: Live) -> None:
    assert (await answered(live, NO_HOST))[0] == 400
    assert (await answered(live, b"GET /healthz HTTP/1.0\r\n\r\n"))[0] == 200
    assert (await answered(live, TWO_HOSTS))[0] == 400


async def test_a_request_with_two_origin_headers_is_refused(live: Live) -> None:
    head = f"Origin: {live.base}\r\nOrigin: https://evil.example\r\n".encode()
    host = f"Host: {live.base[7:]}\r\n".encode()
    both = chunked(ROOM, head=head).replace(b"Host: localhost\r\n", host)
    assert (await answered(live, both))[0] == 403
    one = chunked(ROOM, head=head[: head.index(b"Origin: https")]).replace(b"Host: localhost\r\n", host)
    assert (await answered(live, one))[0] == 201


async def test_a_client_with_an_unknown_forwarded_address_is_not_private(
    settings: Settings, lines: io.StringIO
) -> None:
    async with serving(settings.model_copy(update={"trusted_proxies": TRUSTED})) as live:
        for said, status in ((b"unknown", 404), (b"10.0.0.1, unknown", 404), (b"10.0.0.1", 200)):
            asked = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: " + said + b"\r\n\r\n"
            assert (await answered(live, asked))[0] == status, said
    [warning] = [each for each in map(json.loads, lines.getvalue().splitlines()) if each["level"] == "warning"]
    assert (warning["header"], "X-Forwarded-For" in warning["event"]) == ("unknown", True)


async def test_an_invalid_referer_redirects_to_the_home_page(ana: Visitor) -> None:
    for odd in (b"http://[", "http://½/".encode("latin-1")):
        answer = await ana.http.post("/language", content=b"language=en", headers={b"Referer": odd})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")


async def test_pipelined_requests_are_answered_in_order(live: Live) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", live.server.port)
    asked = b"GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
    writer.write(asked % (b"/healthz", b"") + asked % (b"/nowhere", b"Connection: close\r\n"))
    async with asyncio.timeout(PATIENCE):
        answers = await reader.read()
    assert re.findall(rb"HTTP/1.1 (\d+)", answers) == [b"200", b"404"]
    writer.close()


async def test_an_upgrade_to_another_protocol_is_answered_as_a_plain_request(live: Live) -> None:
    assert (await answered(live, UPGRADE))[0] == 200


async def test_an_unexpected_error_is_answered_without_details_and_logged_once(
    live: Live, come: Come, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await come().open()
    monkeypatch.setattr(live.app.site.registry, "by_code", lambda code: 1 / 0)
    for _ in range(3):
        answer = await come().http.get(opened["url"])
        assert (answer.status_code, answer.json()["code"]) == (500, "trouble")
        assert "division" not in answer.text
    [logged] = [line for line in map(json.loads, lines.getvalue().splitlines()) if line["level"] == "error"]
    assert (logged["event"], "client" in logged) == ("request failed", False)
    assert 'route="/r/{code}",status="500"' in (await come().http.get("/metrics")).text


async def test_too_many_pipelined_requests_are_refused(live: Live) -> None:
    """Answers are slower than requests, so an unlimited queue would fill the memory."""
    ask = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    last = ask.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    for sent, statuses in (
        (ask * (MAX_PIPELINED - 1) + last, [200] * MAX_PIPELINED),
        (MANY, [400]),
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", live.server.port)
        try:
            writer.write(sent)
            async with asyncio.timeout(PATIENCE):
                received = await reader.read()  # until it is closed
        finally:
            writer.close()
        assert [int(status) for status in re.findall(rb"HTTP/1.1 (\d+) ", received)] == statuses
    # Requests one after the other are not limited.
    reader, writer = await asyncio.open_connection("127.0.0.1", live.server.port)
    async with asyncio.timeout(PATIENCE):
        for _ in range(2 * MAX_PIPELINED):
            writer.write(ask)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200")
            length = re.search(rb"content-length: (\d+)", head)
            assert length is not None
            await reader.readexactly(int(length[1]))
    writer.close()
