"""The head of an answer goes out with its body, and never waits for one."""

import asyncio
from collections.abc import Iterable
from typing import cast

import pytest

from app.web.server import Envelope


class Line:
    """A transport that remembers what went out in one go."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def writelines(self, parts: Iterable[bytes]) -> None:
        self.sent.append(b"".join(parts))

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


@pytest.fixture
async def line() -> Line:
    return Line()


@pytest.fixture
async def envelope(line: Line) -> Envelope:
    return Envelope(cast("asyncio.Transport", line), line.close)


async def test_a_head_goes_out_with_the_first_of_its_body(line: Line, envelope: Envelope) -> None:
    for part in (b"head ", b"body ", b"more"):
        envelope.write(part)
    await asyncio.sleep(0)
    assert line.sent == [b"head body ", b"more"]


async def test_a_head_does_not_wait_for_a_body_that_comes_later(line: Line, envelope: Envelope) -> None:
    envelope.write(b"head")
    await asyncio.sleep(0)
    assert line.sent == [b"head"]
    envelope.write(b"body")
    assert line.sent == [b"head", b"body"]


async def test_who_closes_has_said_all(line: Line, envelope: Envelope) -> None:
    envelope.write(b"head")
    envelope.close()
    assert line.sent == [b"head"]
    assert envelope.is_closing()
    await asyncio.sleep(0)
    assert line.sent == [b"head"]


async def test_nothing_is_said_on_a_line_that_was_closed_meanwhile(line: Line, envelope: Envelope) -> None:
    envelope.write(b"head")
    line.close()
    await asyncio.sleep(0)
    assert line.sent == []
