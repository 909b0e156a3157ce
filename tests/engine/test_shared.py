"""What is remembered by many has one bound, and goes with whoever remembers it."""

from collections import Counter
from collections.abc import Callable

from app.engine.shared import Memory


def counting(memory: Memory, asked: Counter[int]) -> Callable[[int], tuple[int]]:
    """A function that counts what it had to find."""

    def find(number: int) -> tuple[int]:
        asked[number] += 1
        return (number,)

    return memory.of(find)


def test_the_last_answers_are_known_whoever_asked_and_never_more_than_twice_as_many() -> None:
    memory, found = Memory(10), Counter[int]()
    several = [counting(memory, found) for _ in range(3)]
    for number in range(100):
        for before in range(max(0, number - 9), number + 1):
            assert several[before % 3](before) == (before,)
        assert memory.size <= 20
    assert set(found.values()) == {1}
    several[0](0)
    assert found[0] == 2


def test_what_one_has_remembered_is_gone_when_others_have_asked_for_much_and_when_nobody_holds_it() -> None:
    memory, of_quiet = Memory(10), Counter[int]()
    quiet, busy = counting(memory, of_quiet), counting(memory, Counter())
    quiet(1)
    for number in range(20):
        busy(number)
    quiet(1)
    assert of_quiet[1] == 2
    before = memory.size
    del quiet
    assert memory.size == before - 1
