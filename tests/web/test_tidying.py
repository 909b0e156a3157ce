"""Rooms that nobody uses are let go of by the server, where its settings say so; who sits in one is told."""

from datetime import UTC, datetime, timedelta

from app.settings import Settings
from app.web.tidying import tidy
from tests.web.conftest import Live, serving
from tests.web.visitors import Come, Visitor, visiting

HTML = {"Accept": "text/html"}


async def test_a_room_that_is_let_go_of_ends_for_whoever_sits_in_it(live: Live, ana: Visitor, come: Come) -> None:
    opened = await ana.open(bots=["greedy"] * 2)
    desk = await ana.sit(opened["code"])
    await desk.do("start")
    match = (await desk.until(lambda update: update["room"]["match_id"]))["room"]["match_id"]
    site = live.app.site
    [runner] = site.registry.awake()
    await site.store.closing.close(runner.id, datetime.now(UTC))
    await desk.say('{"t": "stop", "id": "s"}')
    assert await desk.ended() == 1012
    again = await ana.socket(opened["code"])
    assert await again.ended() == 4404
    assert (await ana.http.get(f"/r/{opened['code']}", headers=HTML)).status_code == 404
    # What was played there is hers still.
    history = (await ana.http.get("/api/history")).json()["matches"]
    assert [(line["id"], line["room"], line["ended"] is None) for line in history] == [(match, None, False)]
    assert (await ana.http.get(f"/matches/{match}", headers=HTML)).status_code == 200
    await come().open()  # the server goes on


async def test_nothing_goes_unless_the_settings_say_so(settings: Settings) -> None:
    later = datetime.now(UTC) + timedelta(days=400)
    for days, rooms in ((None, 1), (500, 1), (365, 0)):
        kept = settings.model_copy(update={"keep_rooms_days": days, "keep_people_days": days})
        async with serving(kept) as live, visiting(live.base) as come:
            site = live.app.site
            if not await site.store.closing.rooms():
                await come().open()
            await tidy(site, later)
            assert len(await site.store.closing.rooms()) == rooms


async def test_a_room_where_somebody_sits_is_in_use(settings: Settings) -> None:
    kept = settings.model_copy(update={"keep_rooms_days": 1})
    async with serving(kept) as live, visiting(live.base) as come:
        ana = come()
        opened = await ana.open()
        await ana.sit(opened["code"])
        await tidy(live.app.site, datetime.now(UTC) + timedelta(days=400))
        assert len(await live.app.site.store.closing.rooms()) == 1
