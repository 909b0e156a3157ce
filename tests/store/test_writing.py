"""The thread that writes does what it is given, in order, to the last."""

import threading

import pytest

from app.store.writing import Writing


def test_jobs_are_done_in_order_by_one_thread() -> None:
    writing, done = Writing("by hand"), list[tuple[int, int]]()
    for number in range(100):
        writing.put(lambda number=number: done.append((number, threading.get_ident())))  # type: ignore[misc]
    writing.close()
    assert [number for number, _ in done] == list(range(100))
    assert len({thread for _, thread in done} | {threading.get_ident()}) == 2


def test_nothing_is_taken_after_the_end() -> None:
    writing = Writing("by hand")
    writing.close()
    with pytest.raises(RuntimeError, match="by hand is closed"):
        writing.put(lambda: None)
