"""What many do at the same moment is done step by step, for all of them."""

import asyncio
from collections.abc import Iterator

import pytest

from app.rooms.steps import NextTurn, at_once, in_step


def walk(who: str, steps: int, told: list[str]) -> Iterator[None]:
    """So many steps, each told."""
    for step in range(steps):
        if step:
            yield
        told.append(f"{who}{step}")


def test_the_first_step_of_all_comes_before_the_second_of_any() -> None:
    told: list[str] = []
    in_step([walk("a", 3, told), walk("b", 1, told), walk("c", 2, told)])
    assert told == ["a0", "b0", "c0", "a1", "c1", "a2"]


def test_who_stumbles_takes_nobody_along() -> None:
    told: list[str] = []

    def stumble() -> Iterator[None]:
        told.append("x0")
        yield
        raise ZeroDivisionError

    in_step([walk("a", 3, told), stumble(), walk("b", 3, told)])
    assert told == ["a0", "x0", "b0", "a1", "b1", "a2", "b2"]


def test_nothing_to_do_is_done_at_once() -> None:
    in_step([])
    in_step([(), ()])


async def test_what_a_turn_brings_is_done_together_with_the_next() -> None:
    told: list[str] = []
    turn = NextTurn()
    turn.join(lambda: told.append("a"))
    turn.join(lambda: (told.append("b"), turn.join(lambda: told.append("c")))[0])
    assert told == [], "first all is read that has come"
    await asyncio.sleep(0)
    assert told == ["a", "b"]
    await asyncio.sleep(0)
    assert told == ["a", "b", "c"]


async def test_what_follows_comes_once_the_turn_is_done() -> None:
    told: list[str] = []
    turn = NextTurn()

    def decide() -> None:
        told.append("decided")
        turn.follow(write)
        turn.join(lambda: told.append("the next turn"))

    def write() -> None:
        told.append("written")
        turn.join(lambda: told.append("what came of it"))
        turn.follow(lambda: told.append("written again"))

    turn.join(decide)
    turn.join(lambda: told.append("decided, too"))
    await asyncio.sleep(0)
    assert told == ["decided", "decided, too", "written"]
    await asyncio.sleep(0)
    assert told[3:] == ["the next turn", "what came of it", "written again"]
    turn.follow(lambda: told.append("alone"))
    assert told[-1] == "written again"
    await asyncio.sleep(0)
    assert told[-1] == "alone"


async def test_who_stumbles_holds_up_no_turn(caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []
    turn = NextTurn()

    def stumble() -> None:
        raise ZeroDivisionError

    for what in ("once", "again"):
        turn.join(stumble)
        turn.join(lambda what=what: told.append(f"decided {what}"))  # type: ignore[misc]
        turn.follow(stumble)
        turn.follow(lambda what=what: told.append(f"written {what}"))  # type: ignore[misc]
        await asyncio.sleep(0)
    assert told == ["decided once", "written once", "decided again", "written again"]
    assert caplog.text.count("something of a turn failed") == 4


def test_where_nobody_does_the_like_it_is_done_now() -> None:
    told: list[str] = []
    at_once(lambda: told.append("a"))
    assert told == ["a"]
