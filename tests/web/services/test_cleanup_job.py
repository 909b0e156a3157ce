"""Test that the server deletes unused rooms if its settings say so, and that connected people get a message."""

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.settings import Settings
from app.web.services.cleanup_job import run_cleanup
from tests.web.conftest import Live, MovedClock, serving
from tests.web.visitors import Come, Visitor, visiting

HTML = {"Accept": "text/html"}
DAY = 24 * 3600.0
"""Seconds in a day."""


def now() -> datetime:
    return datetime.now(UTC)


async def test_deleting_a_room_disconnects_its_members_and_keeps_their_matches(
    live: Live, ana: Visitor, come: Come
) -> None:
    opened = await ana.open(bots=["easy"] * 2)
    desk = await ana.sit(opened["code"])
    await desk.do("start")
    match = (await desk.until(lambda update: update["room"]["match_id"]))["room"]["match_id"]
    site = live.app.site
    [runner] = site.registry.loaded_rooms()
    await site.store.room_cleanup.delete_room(runner.id, datetime.now(UTC))
    await desk.say('{"t": "stop", "id": "s"}')
    assert await desk.ended() == 1012
    again = await ana.socket(opened["code"])
    assert await again.ended() == 4404
    assert (await ana.http.get(f"/r/{opened['code']}", headers=HTML)).status_code == 404
    # Ana keeps her match.
    history = (await ana.http.get("/api/history")).json()["matches"]
    assert [(line["id"], line["room"], line["ended"] is None) for line in history] == [(match, None, False)]
    assert (await ana.http.get(f"/matches/{match}", headers=HTML)).status_code == 200
    await come().open()  # the server still works


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def kept(request: pytest.FixtureRequest, settings: Settings) -> Settings:
    """Settings of a server that deletes rooms and people after 30 unused days."""
    changed: dict[str, Any] = {"keep_rooms_days": 30, "keep_people_days": 30}
    if request.param == "postgresql":
        changed["database_url"] = request.getfixturevalue("postgres_url")
    return settings.model_copy(update=changed)


@asynccontextmanager
async def with_rooms(kept: Settings, count: int) -> AsyncIterator[Live]:
    """Run a server with this number of rooms."""
    async with serving(kept) as live, visiting(live.base) as come:
        for _ in range(count):
            await come().open()
        yield live


async def rooms_of(live: Live) -> int:
    return len(await live.app.site.store.room_cleanup.list_rooms())


async def test_nothing_is_deleted_unless_the_settings_say_so(settings: Settings) -> None:
    for days in (None, 500):
        kept = settings.model_copy(update={"keep_rooms_days": days, "keep_people_days": days})
        async with with_rooms(kept, 1) as live:
            before = await rooms_of(live)
            for _ in range(3):
                await run_cleanup(live.app.site, now() + timedelta(days=400), DAY)
            assert await rooms_of(live) == before


def ahead(days: float) -> MovedClock:
    clock = MovedClock()
    clock.move(days * DAY)
    return clock


async def listed(live: Live) -> dict[str, float]:
    """Return the remaining hours of running time for each room, once the cleanup has run."""
    while not (found := await live.app.site.store.room_cleanup.schedule.hours_until_deletion("rooms")):
        await asyncio.sleep(0.01)
    return dict(found)


async def test_a_start_with_the_clock_60_days_ahead_deletes_nothing(kept: Settings, lines: io.StringIO) -> None:
    async with with_rooms(kept, 2):
        pass
    async with serving(kept, clock=ahead(60)) as live:
        hours = await listed(live)
        assert [round(each) for each in hours.values()] == [24, 24]
        async with asyncio.timeout(20):
            while "unused rooms listed for deletion after 24 hours" not in lines.getvalue():  # just after the listing
                await asyncio.sleep(0.01)
        assert all(room in lines.getvalue() for room in hours)
        assert await rooms_of(live) == 2
    async with serving(kept) as live:  # with the right clock the list is empty and starts later
        site = live.app.site
        await run_cleanup(site, now(), DAY)
        assert await site.store.room_cleanup.schedule.hours_until_deletion("rooms") == {}
        await run_cleanup(site, now() + timedelta(days=60), DAY)
        assert await rooms_of(live) == 2


async def test_rooms_are_deleted_after_24_hours_of_running_time_summed_over_restarts(kept: Settings) -> None:
    async with with_rooms(kept, 1):
        pass
    for hours, rooms in ((0, 1), (12, 1), (11, 1), (2, 0)):
        async with serving(kept, clock=ahead(60)) as live:
            if rooms:
                await listed(live)
            await run_cleanup(live.app.site, ahead(60).now(), hours * 3600)
            assert await rooms_of(live) == rooms


async def test_at_most_a_tenth_of_the_rooms_or_one_room_is_deleted_per_day(kept: Settings) -> None:
    async with with_rooms(kept, 21):
        pass
    async with serving(kept, clock=ahead(60)) as live:
        await listed(live)
        left = [21]
        for hours in (0, 24, 12, 12, 24):
            await run_cleanup(live.app.site, ahead(60).now(), hours * 3600)
            left.append(await rooms_of(live))
        assert left == [21, 21, 19, 19, 18, 17]


async def test_a_room_with_a_connected_person_is_not_deleted(kept: Settings) -> None:
    async with serving(kept) as live, visiting(live.base) as come:
        ana = come()
        opened = await ana.open()
        await ana.sit(opened["code"])
        for _ in range(3):
            await run_cleanup(live.app.site, ahead(400).now(), DAY)
        assert await rooms_of(live) == 1


async def test_people_without_a_room_are_listed_before_they_are_deleted(kept: Settings) -> None:
    async with serving(kept, clock=ahead(60)) as live:
        store = live.app.site.store
        await store.people.create(now(), "Ana")
        counts = []
        for hours in (0, 23, 2):
            await run_cleanup(live.app.site, ahead(60).now(), hours * 3600)
            counts.append(await store.room_cleanup.count_people())
        assert counts == [1, 1, 0]


@pytest.mark.postgres
async def test_only_one_of_two_nodes_counts_the_running_time(kept: Settings, postgres_url: str) -> None:
    both = kept.model_copy(update={"database_url": postgres_url})
    async with with_rooms(both, 1):
        pass
    async with serving(both, clock=ahead(60)) as one, serving(both, clock=ahead(60)) as other:
        await listed(one)
        lives = [one, other]
        while any(len(live.app.site.store.heart.alive_nodes) < 2 for live in lives):  # type: ignore[union-attr]
            await asyncio.sleep(0.01)
        for hours in (0, 13, 0):
            for live in lives:
                await run_cleanup(live.app.site, ahead(60).now(), hours * 3600)
        assert await rooms_of(one) == 1
        [left] = (await one.app.site.store.room_cleanup.schedule.hours_until_deletion("rooms")).values()
        assert round(left) == 11
