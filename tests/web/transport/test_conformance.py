"""Test the server with the cases of a well-known test suite for RFC 6455.

Parts that the server does not offer are left out: compression, binary messages (1003, `test_sockets.py`), and messages
longer than the limit.
"""

import asyncio
from collections.abc import Iterator
from typing import Final

import pytest

from tests.web.door import Bare, Door, frame
from tests.web.transport.test_floods import came

CONT, TEXT, CLOSE, PING, PONG = 0, 1, 8, 9, 10
GOODBYE: Final = frame(CLOSE, (1000).to_bytes(2))
MOST: Final = 8192
"""The maximum length of a message in bytes, by default."""

Case = tuple[str, list[bytes], list[str], int, list[tuple[int, bytes]]]
"""Name, parts to send, texts received by the server, close code, and frames answered before it."""


def accepted(name: str, sent: bytes, *texts: str, answers: tuple[tuple[int, bytes], ...] = ()) -> Iterator[Case]:
    """Yield a valid case, sent at once and byte by byte, with a normal close."""
    yield name, [sent + GOODBYE], list(texts), 1000, list(answers)
    if len(sent) < 200:
        yield f"{name}, octet by octet", [bytes((one,)) for one in sent + GOODBYE], list(texts), 1000, list(answers)


def refused(name: str, sent: bytes, code: int = 1002, *texts: str) -> Iterator[Case]:
    """Yield an invalid case. Texts after the error must be ignored."""
    yield name, [sent, frame(TEXT, b"not heard")], list(texts), code, []


def framing() -> Iterator[Case]:
    for length in (0, 1, 125, 126, 127, 128, 4096, MOST):
        yield from accepted(f"a text of {length} bytes", frame(TEXT, b"*" * length), "*" * length)
    yield from refused(f"a text of {MOST + 1} bytes", frame(TEXT, b"*" * (MOST + 1)), 1009)
    yield from refused("a text of 65536 bytes", frame(TEXT, b"*" * 65536)[:200], 1009)
    yield from refused("a text longer than anything", b"\x81\xff" + bytes((127,)) + bytes(11), 1009)
    yield from refused("a text that is not masked", b"\x81\x01x")
    yield "a text that is not masked, and as many bytes as if it were", [b"\x81\x01maskx"], [], 1002, []


def pings() -> Iterator[Case]:
    for data in (b"", b"Hello", bytes(range(125)), b"\xff\xfe"):
        yield from accepted(f"a ping with {data[:5]!r}", frame(PING, data), answers=((PONG, data),))
    yield from refused("a ping of 126 bytes", frame(PING, bytes(126)))
    yield from accepted("pongs that nobody asked for", frame(PONG) + frame(PONG, b"any"))
    many = [b"%d" % number for number in range(10)]
    yield from accepted(
        "ten pings", b"".join(frame(PING, data) for data in many), answers=tuple((PONG, data) for data in many)
    )


def bits_and_opcodes() -> Iterator[Case]:
    for reserved in range(1, 8):
        for opcode in (TEXT, PING, CLOSE):
            yield from refused(
                f"reserved bits {reserved} of {opcode}",
                frame(TEXT, b"heard") + frame(opcode, b"", reserved=reserved),
                1002,
                "heard",
            )
    for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15):
        yield from refused(f"opcode {opcode}", frame(opcode))
        yield from refused(f"opcode {opcode} behind a text", frame(TEXT, b"1") + frame(opcode, b"x"), 1002, "1")


def fragments() -> Iterator[Case]:
    first, middle, last = frame(TEXT, b"a", fin=False), frame(CONT, b"b", fin=False), frame(CONT, b"c")
    yield from accepted("a text in two", first + last, "ac")
    yield from accepted("a text in many", first + middle * 20 + last, "a" + "b" * 20 + "c")
    yield from accepted("a text in empty pieces", frame(TEXT, fin=False) + frame(CONT, fin=False) + frame(CONT), "")
    yield from accepted("a ping between", first + frame(PING, b"p") + last, "ac", answers=((PONG, b"p"),))
    yield from accepted("two texts in pieces", (first + last) * 2, "ac", "ac")
    yield from refused("a ping in pieces", frame(PING, b"a", fin=False) + last)
    yield from refused("a pong in pieces", frame(PONG, b"a", fin=False) + last)
    yield from refused("a close in pieces", frame(CLOSE, b"\x03\xe8", fin=False) + last)
    yield from refused("an end without a beginning", last)
    yield from refused("a middle without a beginning", middle + last)
    yield from refused("an end behind an end", first + last + last, 1002, "ac")
    yield from refused("a text within a text", first + frame(TEXT, b"x"))
    yield from refused(
        "pieces that are too long together", frame(TEXT, bytes(5000), fin=False) * 1 + frame(CONT, bytes(5000)), 1009
    )
    yield from refused("pieces without end", first + middle * 64, 1008)


def characters() -> Iterator[Case]:
    for text in (
        "Hello-µ@ßöäüàá-UTF-8!!",
        "κόσμε",
        "\x00\x7f\u0080\u07ff\u0800\uffff",
        "\ud7ff\ue000\ufffd",
        "\U00010000\U0010ffff",
    ):
        data = text.encode()
        yield from accepted(f"{text!r}", frame(TEXT, data), text)
        for cut in range(1, len(data), 3):
            yield from accepted(
                f"{text!r} in two at {cut}", frame(TEXT, data[:cut], fin=False) + frame(CONT, data[cut:]), text
            )
    wrong = [
        b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80\x65", b"\x80", b"\xbf\x80", b"\xc0 ", b"\xe0\x80",
        b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80", b"\xf7\xbf\xbf\xbf", b"\xf4\x90\x80\x80", b"\xfe",
        b"\xff",
        b"\xc0\xaf", b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf",
        b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xed\xa0\x80\xed\xb0\x80", b"\xe2\x82",
    ]  # fmt: skip
    for data in wrong:
        yield from refused(f"{data!r}", frame(TEXT, data), 1007)
        yield from refused(f"{data!r}, long", frame(TEXT, b" " * 200 + data), 1007)
        yield from refused(f"{data!r} in pieces", frame(TEXT, data[:1], fin=False) + frame(CONT, data[1:]), 1007)


def closing() -> Iterator[Case]:
    def close(name: str, data: bytes, code: int) -> Case:
        return name, [frame(CLOSE, data), frame(TEXT, b"not heard")], [], code, []

    yield close("a close that says nothing", b"", 1005)
    yield close("a close of one byte", b"\x03", 1002)
    for code in (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999):
        yield close(f"a close with {code}", code.to_bytes(2), code)
    for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535):
        yield close(f"a close with {code}", code.to_bytes(2), 1002)
    yield close("a close with a reason", (1000).to_bytes(2) + "µ".encode() * 61, 1000)
    yield close("a close with too long a reason", (1000).to_bytes(2) + b"x" * 124, 1002)
    yield close("a close with a reason that is no text", (1000).to_bytes(2) + b"\xce\xba\xed\xa0\x80", 1007)
    yield "two closes", [GOODBYE + GOODBYE], [], 1000, []
    yield "a ping behind a close", [GOODBYE + frame(PING, b"x")], [], 1000, []
    # RFC 6455 would allow 1000 here, but `websockets` reports the unfinished text.
    yield "a close within a text", [frame(TEXT, b"a", fin=False) + GOODBYE + frame(CONT, b"b")], [], 1002, []


CASES: Final = [
    case
    for of in (framing, pings, bits_and_opcodes, fragments, characters, closing)
    for case in of()
]  # fmt: skip


@pytest.mark.usefixtures("unasked")
async def test_every_rfc_6455_case_ends_with_the_required_frames(door: tuple[Door, int]) -> None:
    application, port = door
    wrong = list[str]()
    for number, (name, sent, texts, code, before) in enumerate(CASES):
        bare = await Bare.come(port)
        ear = (await came(application, number + 1))[-1]
        ear.at_once = True
        assert ear.wire is not None
        ear.wire.request_next_message()
        listening = asyncio.create_task(bare.frames())
        for part in sent:
            bare.writer.write(part)
            await asyncio.sleep(0)
        frames = await listening
        await bare.close()
        expected = [*before, (CLOSE, b"" if code == 1005 else code.to_bytes(2))]
        heard = [*frames[:-1], (frames[-1][0], frames[-1][1][:2])] if frames else []
        if heard != expected or ear.heard_so_far != texts:
            wrong.append(f"{name}: {heard} and {ear.heard_so_far}, not {expected} and {texts}")
    assert not wrong, "\n".join(wrong)
    assert len(CASES) > 200
