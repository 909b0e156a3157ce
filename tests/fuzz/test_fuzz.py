"""Replay every input that ever failed, and try some new ones."""

from collections.abc import Iterator, Mapping

import pytest

from tests.fuzz.inputs import FAILED, find_failing_input
from tests.fuzz.parsers import Parser, running_parsers

NAMES = ("socket_message", "file", "rules_link", "name", "http")


@pytest.fixture(scope="module")
def parsers() -> Iterator[Mapping[str, Parser]]:
    with running_parsers() as parsers:
        assert tuple(parsers) == NAMES
        yield parsers


@pytest.mark.parametrize("name", NAMES)
def test_no_input_makes_a_parser_fail(name: str, parsers: Mapping[str, Parser]) -> None:
    for example in parsers[name].examples:
        parsers[name].parse(example)
    for file in FAILED.glob(f"{name}-*.bin"):
        parsers[name].parse(file.read_bytes())
    assert find_failing_input(parsers[name], seed=1, count=60) is None


def test_a_parser_that_fails_is_found_with_the_smallest_input() -> None:
    def parse(data: bytes) -> None:
        assert b"\0" not in data

    found = find_failing_input(Parser((b"Ana", b"Bob"), parse), seed=1, count=500)
    assert found is not None
    assert b"\0" in found[0]
    assert len(found[0]) <= 6
