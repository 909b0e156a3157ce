"""Test that threads complete all their work, and that a single thread keeps the order."""

import threading

import pytest

from app.store.db.threads import WorkerThreads


def test_one_thread_runs_its_jobs_in_order() -> None:
    one, done = WorkerThreads("by hand"), list[tuple[int, int]]()
    for number in range(100):
        one.put(lambda number=number: done.append((number, threading.get_ident())))  # type: ignore[misc]
    one.close()
    assert [number for number, _ in done] == list(range(100))
    assert len({thread for _, thread in done} | {threading.get_ident()}) == 2


def test_a_slow_job_blocks_only_one_of_two_threads() -> None:
    two, go, done = WorkerThreads("by hand", 2), threading.Event(), threading.Event()

    def wait() -> None:
        go.wait(10)

    two.put(wait)
    two.put(done.set)
    assert done.wait(5), "the other thread does what comes after"
    go.set()
    two.close()


def test_a_closed_thread_pool_refuses_jobs() -> None:
    none = WorkerThreads("by hand")
    none.close()
    with pytest.raises(RuntimeError, match="by hand is closed"):
        none.put(lambda: None)
