"""Test with a moved clock that no deadline fires before actions sent in time could arrive."""

import asyncio
import heapq
import itertools
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from app.rooms.live.timers import RoomTimers
from app.rooms.model.decision import ScheduleDeadline
from app.rooms.model.state import to_milliseconds
from tests.rooms.world import START


class Timer:
    """A handle to cancel a timer."""

    def __init__(self) -> None:
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Time:
    """A clock and the event loop's timers, which only the test advances."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._order = itertools.count()
        self._timers: list[tuple[float, int, Timer, Callable[[], None]]] = []

    def now(self) -> datetime:
        return START + timedelta(seconds=self.seconds)

    def call_later(self, delay: float, call: Callable[..., None], *given: Any) -> Timer:
        timer = Timer()
        heapq.heappush(self._timers, (self.seconds + delay, next(self._order), timer, lambda: call(*given)))
        return timer

    def pass_(self, seconds: float) -> None:
        """Let time pass and fire every timer when it is due."""
        end = self.seconds + seconds
        while self._timers and self._timers[0][0] <= end:
            at, _, timer, call = heapq.heappop(self._timers)
            self.seconds = max(self.seconds, at)
            if not timer.cancelled:
                call()
        self.seconds = end

    def stand_still(self, seconds: float) -> None:
        """Let time pass while the process is stopped and no timer fires."""
        self.seconds += seconds


class Room:
    """A room with deadlines, and the times in seconds at which each one fired."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = Time()
        self.called: list[tuple[int, float]] = []
        self.lag = 0.0
        self.alarms = RoomTimers(self.time, random.Random(1), self._due, lambda name, bot: None, lambda at: self.lag)
        monkeypatch.setattr(asyncio, "get_running_loop", lambda: self.time)

    def _due(self, at: int) -> None:
        self.called.append(((at - to_milliseconds(START)) // 1000, round(self.time.seconds, 1)))

    def set(self, seconds: int, late: int = 0) -> None:
        self.alarms.set_timers((ScheduleDeadline(to_milliseconds(START) + 1000 * seconds),), late)


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    return Room(monkeypatch)


def test_a_timer_fires_at_its_deadline(room: Room) -> None:
    room.set(4)
    room.time.pass_(10)
    assert room.called == [(4, 4.0)]


def test_after_a_stall_of_the_process_a_deadline_fires_a_second_later(room: Room) -> None:
    room.set(4)
    room.time.stand_still(6)
    room.time.pass_(0.9)
    assert room.called == []
    room.time.pass_(10)
    assert room.called == [(4, 7.0)]


def test_a_deadline_is_delayed_only_once_even_if_the_room_changes(room: Room) -> None:
    room.set(4)
    room.time.stand_still(10)
    room.time.pass_(0.5)
    room.set(4)
    room.time.pass_(0.4)
    assert room.called == []
    room.time.stand_still(10)
    room.time.pass_(0.1)
    assert room.called == [(4, 20.9)]


def test_each_deadline_can_be_delayed_separately(room: Room) -> None:
    room.set(4)
    room.time.stand_still(10)
    room.time.pass_(1.1)
    room.set(5)
    room.time.pass_(0.5)
    assert room.called == [(4, 11.0)]
    room.time.pass_(0.6)
    assert room.called == [(4, 11.0), (5, 12.1)]


@pytest.mark.parametrize(("lag", "called"), [(0.3, 4.3), (0.8, 4.8), (5.0, 5.0)])
def test_a_deadline_is_extended_by_the_connection_lag_up_to_a_second(room: Room, lag: float, called: float) -> None:
    room.lag = lag
    room.set(4)
    room.time.pass_(10)
    assert room.called == [(4, called)]


def test_a_deadline_is_extended_by_the_delay_of_a_late_update(room: Room) -> None:
    room.time.stand_still(10)
    room.set(4, late=10_000)
    room.time.pass_(3.9)
    assert room.called == []
    room.time.pass_(1)
    assert room.called == [(4, 14.0)]


def test_a_deadline_is_not_extended_for_a_short_delay(room: Room) -> None:
    room.set(4, late=400)
    room.time.pass_(10)
    assert room.called == [(4, 4.0)]
