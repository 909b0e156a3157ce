"""Make inputs from valid ones, and look for those that a parser does not bear."""

import hashlib
import json
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, strategies as st

from tests.fuzz.parsers import Parser

FAILED = Path(__file__).parent / "failed"
PIECES = [
    *(b"null", b"-1", b"1e999", b"9" * 400, b"true", b"[[[[[[[[", b"{}", b'"":', b"\\ud800", b"\\u0000", b'"', b"\\"),
    *(b"\r\n", b"\r\n\r\n", b"\n", b"\0", b"%00", b"%ff", b"..", b"&", b"=", b";", b"0\r\n\r\n", b"ffffffff\r\n"),
    *(
        b"\xff",
        b"\xf0\x9f",
        "\u202e".encode(),
        "\u200d".encode(),
        "ǆ".encode(),
        "é".encode() * 40,
        b"Content-Length: 3\r\n",
    ),
]
"""Pieces on which parsers fail more often than on random bytes."""
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["7c", "jo", "Ana"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def changed_inputs(draw: st.DrawFn, examples: tuple[bytes, ...]) -> bytes:
    """Draw an input: one of the examples with up to six changes of bytes, or with values of its JSON replaced."""
    data = draw(st.sampled_from(examples))
    if draw(st.booleans()) and data[:1] in b"{[":
        value = json.loads(data)
        for _ in range(draw(st.integers(1, 3))):
            value = _replace_value(draw, value)
        return json.dumps(value).encode()
    changed = bytearray(data)
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(changed)))
        end = draw(st.integers(start, min(start + 12, len(changed))))
        changed[start:end] = draw(st.sampled_from(PIECES) | st.binary(max_size=6))
    return bytes(changed)


def _replace_value(draw: st.DrawFn, value: Any) -> Any:
    """Return a JSON value in which one value, at any depth, is another one."""
    if isinstance(value, dict) and value and draw(st.integers(0, 5)):
        key = draw(st.sampled_from(sorted(value)))
        return {**value, key: _replace_value(draw, value[key])}
    if isinstance(value, list) and value and draw(st.integers(0, 5)):
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], _replace_value(draw, value[place]), *value[place + 1 :]]
    return draw(VALUES)


def find_failing_input(parser: Parser, seed: int, count: int) -> tuple[bytes, Exception] | None:
    """Try `count` inputs drawn from a seed. Return the smallest that fails, with its error, or None."""
    tried = [b""]

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count,
        database=None,
        derandomize=False,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @hypothesis.given(changed_inputs(parser.examples))
    def search(data: bytes) -> None:
        tried[0] = data
        parser.parse(data)

    try:
        search()
    except Exception as error:
        # Hypothesis tries the smallest failing input last.
        return tried[0], error
    return None


def keep(name: str, data: bytes) -> Path:
    """Keep an input that failed, for the tests, and return its file."""
    file = FAILED / f"{name}-{hashlib.sha256(data).hexdigest()[:8]}.bin"
    file.write_bytes(data)
    return file
