"""Test that WebSocket handshakes are answered as in RFC 6455."""

import asyncio

import pytest

from tests.web.door import Bare, Door, opened_door, text

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
ACCEPTED = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
"""The example of RFC 6455, section 1.3."""


@pytest.mark.parametrize("odd", [{}, {"X_Twice": "a\r\nX-Twice: b"}])
async def test_a_client_can_send_after_the_handshake(odd: dict[str, str]) -> None:
    async with opened_door() as (door, port):
        bare = await Bare.come(port, "/?a=b", Sec_WebSocket_Key=KEY, **odd)
        assert bare.head.startswith(b"HTTP/1.1 101 ")
        assert f"Sec-WebSocket-Accept: {ACCEPTED}\r\n".encode() in bare.head
        await _hears_a_text(door, bare)


async def _hears_a_text(door: Door, bare: Bare) -> None:
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
async def test_an_invalid_handshake_is_refused(odd: dict[str, str], refused: bytes) -> None:
    async with opened_door() as (door, port), asyncio.timeout(10):
        bare = await Bare.come(port, **odd)
        assert bare.head.startswith(refused)
        assert not door.ears
        await bare.close()
