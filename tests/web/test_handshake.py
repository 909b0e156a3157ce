"""A handshake is answered as the standard has it, whether it was taken apart once or twice."""

import asyncio
from typing import Any

import pytest

from app.web import handshake
from tests.web.door import Bare, Door, opened_door, text

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
ACCEPTED = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
"""The example of RFC 6455, 1.3."""


def head(**changed: Any) -> dict[str, Any]:
    """A request's head as uvicorn has it."""
    headers = [(b"host", b"a"), (b"sec-websocket-version", b"13"), (b"sec-websocket-key", KEY.encode())]
    return {"method": "GET", "http_version": "1.1", "scheme": "http", "headers": headers} | changed


def test_what_is_answered_is_what_the_standard_says() -> None:
    answer = handshake.answer(head(), b"/ws/A")
    assert answer is not None
    assert f"Sec-WebSocket-Accept: {ACCEPTED}\r\n\r\n".encode() in answer


def test_applications_are_told_where_it_leads() -> None:
    scope = handshake.scope(head(scheme="https"), b"/ws/%41?protocol=4&watch=1")
    assert (scope["type"], scope["scheme"], scope["path"]) == ("websocket", "wss", "/ws/A")
    assert (scope["raw_path"], scope["query_string"]) == (b"/ws/%41", b"protocol=4&watch=1")


@pytest.mark.parametrize(
    "changed",
    [
        {"method": "POST"},
        {"http_version": "1.0"},
        {"headers": head()["headers"][:2]},
        {"headers": [*head()["headers"], (b"sec-websocket-key", KEY.encode())]},
        {"headers": [*head()["headers"][:2], (b"sec-websocket-key", KEY[:-4].encode())]},
        {"headers": [*head()["headers"][1:], (b"sec-websocket-version", b"12")]},
        {"headers": [*head()["headers"], (b"content-length", b"3")]},
    ],
)
def test_an_odd_one_is_not_answered_here(changed: dict[str, Any]) -> None:
    assert handshake.answer(head(**changed), b"/ws/A") is None


@pytest.mark.parametrize("odd", [{}, {"X_Twice": "a\r\nX-Twice: b"}])
async def test_whoever_comes_in_is_heard(odd: dict[str, str]) -> None:
    async with opened_door() as (door, port):
        bare = await Bare.come(port, "/?a=b", Sec_WebSocket_Key=KEY, **odd)
        assert bare.head.startswith(b"HTTP/1.1 101 ")
        assert f"Sec-WebSocket-Accept: {ACCEPTED}\r\n".encode() in bare.head
        await heard(door, bare)


async def heard(door: Door, bare: Bare) -> None:
    bare.writer.write(text(7))
    [ear] = door.ears
    await ear.until(lambda: ear.heard_so_far == ["7"])
    await bare.close()


@pytest.mark.parametrize(
    ("odd", "refused"),
    [
        ({"Sec_WebSocket_Version": "12"}, b"HTTP/1.1 400 "),
        ({"Sec_WebSocket_Key": "short"}, b"HTTP/1.1 400 "),
        ({"Sec_WebSocket_Key": f"{KEY}\r\nSec-WebSocket-Key: {KEY}"}, b"HTTP/1.1 400 "),
        ({"Origin": "http://a\r\nOrigin: http://b"}, b"HTTP/1.1 400 "),
    ],
)
async def test_an_odd_one_is_refused(odd: dict[str, str], refused: bytes) -> None:
    async with opened_door() as (door, port), asyncio.timeout(10):
        bare = await Bare.come(port, **odd)
        assert bare.head.startswith(refused)
        assert not door.ears
        await bare.close()
