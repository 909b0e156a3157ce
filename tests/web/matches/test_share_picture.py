"""Test the picture of a match over HTTP, and what it says."""

import asyncio
import io
import re
from dataclasses import replace

from msgspec import structs
from PIL import Image

from app.rooms.people.avatars import BIRDS, COLOURS
from app.settings import Limits, Settings
from app.web.matches import frames, share_moment, share_picture, story
from app.web.matches.picture import Picture
from tests.web.conftest import Live, serving
from tests.web.matches.test_replay import played
from tests.web.visitors import Come, Visitor, visiting

HTML = {"Accept": "text/html"}


async def shown(live: Live, match_id: str) -> Picture:
    """Return what the picture of a match shows."""
    site = live.app.site
    whole, faces = await frames.load_match_with_faces(site, match_id)
    return share_picture.describe_picture(whole, faces, site.templates.catalogues.english)


async def test_the_picture_is_the_link_preview_of_its_match(ana: Visitor, come: Come) -> None:
    match_id = await played(ana)
    page = (await ana.http.get(f"/matches/{match_id}", headers=HTML)).text
    [address] = re.findall(r'<meta property="og:image" content="([^"]+)">', page)
    assert address.endswith(f"/matches/{match_id}/picture.png")
    assert address.startswith("http")
    assert f'href="/matches/{match_id}/share"' in page
    share = (await come().http.get(f"/matches/{match_id}/share", headers=HTML)).text
    assert f'srcset="/matches/{match_id}/picture.png?form=square"' in share
    assert f'href="/matches/{match_id}"' in share
    square = (await come().http.get(f"/matches/{match_id}/picture.png?form=square")).content
    assert Image.open(io.BytesIO(square)).size == (1080, 1080)
    answer = await come().http.get(f"/matches/{match_id}/picture.png")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert answer.headers["cache-control"] == "private, no-cache"
    assert Image.open(io.BytesIO(answer.content)).size == (1200, 630)
    known = {"If-None-Match": answer.headers["etag"]}
    assert (await ana.http.get(f"/matches/{match_id}/picture.png", headers=known)).status_code == 304
    assert (await ana.http.get("/matches/unknown/picture.png")).status_code == 404


async def test_the_picture_shows_the_standing_of_the_match(ana: Visitor, live: Live) -> None:
    match_id = await played(ana, hands=3)
    picture = await shown(live, match_id)
    line = (await ana.http.get(f"/api/matches/{match_id}")).json()["match"]
    assert (picture.heading, picture.site, picture.caption) == ("President", "Pecking Order", "In first place")
    assert picture.subheading.endswith("· 3 hands")
    assert {row.name: row.points for row in picture.rows} == {
        player["name"]: str(player["total"]).replace("-", "−") for player in line["players"]
    }
    assert [row.place for row in picture.rows] == [1, 2, 3]
    assert picture.winners == (picture.rows[0].name,)
    assert [row.is_winner for row in picture.rows] == [True, False, False]
    assert picture.rows[0].title == "President"
    assert all(len(row.places) == 3 and row.places[-1] == row.place for row in picture.rows)
    assert {row.name: row.face for row in picture.rows} == await frames.load_faces(live.app.site, match_id, 0)
    assert len({row.face for row in picture.rows}) == 3


async def test_the_headline_is_the_best_moment_with_its_cards(ana: Visitor, live: Live) -> None:
    match_id = await played(ana, game="ceausescu", hands=6, bots=["easy", "easy", "easy"])
    site = live.app.site
    best = await site.store.evenings.best_moment_of_match(match_id)
    assert best is not None
    whole, faces = await frames.load_match_with_faces(site, match_id)
    picture = share_picture.describe_picture(whole, faces, site.templates.catalogues.english, best)
    [month] = (await ana.http.get("/api/history/evenings")).json()["months"]
    moment = month["evenings"][0]["moment"]
    assert picture.heading == moment["text"]
    assert picture.subheading.startswith("Ceausescu · ")
    line, at = (await story.load_story_page(site, match_id, None, 0)).match, best.line
    assert at.highlight.n is not None
    step = await share_moment.load_moment(site, match_id, at.hand, at.highlight.n, None)
    shared = share_moment.describe_moment(line, step, site.templates.catalogues.english)
    assert shared.heading == moment["text"], "the same if its step is shared"
    assert len(picture.cards) == len(moment["cards"])
    unknown = replace(best, line=replace(best.line, highlight=structs.replace(best.line.highlight, name="고양이")))
    plain = share_picture.describe_picture(whole, faces, site.templates.catalogues.english, unknown)
    assert (plain.heading, plain.cards) == ("Ceausescu", ()), "the font lacks the name"


async def test_names_that_the_fonts_lack_become_bird_and_colour(ana: Visitor, live: Live) -> None:
    match_id = await played(ana, hands=1, name="고양이")
    picture = await shown(live, match_id)
    told = " ".join(row.name for row in picture.rows)
    assert "고양이" not in f"{told} {picture.winners}"
    assert re.search(rf"The ({'|'.join(BIRDS)}) in ({'|'.join(COLOURS)})", told), told
    page = (await ana.http.get(f"/matches/{match_id}/share", headers=HTML)).text
    assert "their birds stand for them: 고양이." in page


async def test_the_picture_of_a_moment_shows_what_its_replay_shows(ana: Visitor, live: Live) -> None:
    site = live.app.site
    match_id = await played(ana, game="ceausescu", hands=2, bots=["easy", "easy", "easy"])
    line = (await story.load_story_page(site, match_id, None, 0)).match
    english = site.templates.catalogues.english
    # In the exchange, each seat sees the cards of some players only.
    for seat in (None, *(player.name for player in line.players)):
        query = "" if seat is None else f"?seat={seat}"
        steps = (await ana.http.get(f"/api/matches/{match_id}/hands/1{query}")).json()["frames"]
        whole = await share_moment.load_moment(site, match_id, 1, 0, seat)
        for step, frame in enumerate(steps):
            picture = share_moment.describe_moment(line, replace(whole, step=step), english)
            seen = {event["cards"] for event in frame["events"] if isinstance(event.get("cards"), str)}
            assert picture.cards in {*map(share_picture.drawn_cards, seen), ()}
            assert {row.name: row.points for row in picture.rows} == {
                name: str(player["cards"]) for name, player in frame["table"]["players"].items()
            }
            if frame["action"] == {"do": "pass", "by": frame["by"]}:
                assert picture.heading == f"{frame['by']} passes."
            if frame["events"] and frame["events"][0]["e"] == "played":
                assert share_picture.drawn_cards(frame["events"][0]["cards"]) == picture.cards


async def test_a_moment_has_its_own_page_with_its_picture(ana: Visitor, come: Come) -> None:
    match_id = await played(ana, hands=1)
    where = "hand=0&move=1"
    page = (await come().http.get(f"/matches/{match_id}/share?{where}", headers=HTML)).text
    escaped = where.replace("&", "&amp;")
    assert f'src="/matches/{match_id}/picture.png?{escaped}"' in page
    assert f'href="/matches/{match_id}/replay?{escaped}"' in page
    assert re.search(r'alt="\w+ plays [^"]+"', page)
    replay = (await come().http.get(f"/matches/{match_id}/replay?{where}", headers=HTML)).text
    assert f"/matches/{match_id}/picture.png?{escaped}" in replay
    pictures = [
        (await ana.http.get(f"/matches/{match_id}/picture.png?{query}")).content
        for query in (where, "hand=0&move=2", "")
    ]
    assert len({*pictures}) == 3
    for wrong in ("hand=7", "hand=0&seat=Zoe"):
        for name in ("share", "picture.png"):
            assert (await ana.http.get(f"/matches/{match_id}/{name}?{wrong}")).status_code == 404, (name, wrong)


async def test_pictures_over_the_limit_of_an_address_are_refused(settings: Settings) -> None:
    few = settings.model_copy(update={"limits": Limits(pictures_per_minute=2)})
    async with serving(few) as live, visiting(live.base) as come:
        answers = [await come().http.get("/matches/none/picture.png") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [404, 404, 429]
        assert int(answers[-1].headers["retry-after"]) > 0


async def test_a_deleted_name_is_in_no_picture_any_more(ana: Visitor, come: Come, live: Live) -> None:
    match_id = await played(ana)
    path = f"/matches/{match_id}/picture.png"
    before = (await ana.http.get(path)).headers["etag"]
    assert "Ana" in str(live.app.site.picture_cache)
    assert (await ana.http.post("/api/me/forget", json={"confirm": True})).status_code == 204
    assert "Ana" not in str(live.app.site.picture_cache)
    after = await come().http.get(path, headers={"If-None-Match": before})
    assert after.status_code == 200
    assert after.headers["etag"] != before
    [names] = {tuple(row.name for row in picture.rows) for picture in live.app.site.picture_cache}
    assert "Somebody 1" in names
    assert "Ana" not in names


async def test_the_picture_of_an_imported_match(ana: Visitor, come: Come, live: Live) -> None:
    match_id = await played(ana)
    record = (await ana.http.get(f"/matches/{match_id}/record.json")).json()
    bob = come()
    await bob.open("Bob")
    [imported] = (await bob.http.post("/api/imports/kept", json=record)).json()["matches"]
    assert [row.name for row in (await shown(live, imported)).rows] == [
        row.name for row in (await shown(live, match_id)).rows
    ]
    whole = [await frames.load_faces(live.app.site, imported, number) for number in (0, len(record["hands"]) - 1)]
    assert whole[0] == whole[-1], "faces stay the same in all hands"
    assert list(whole[0]) == record["players"]


async def test_only_a_limited_number_of_pictures_stays_in_memory() -> None:
    picture = Picture("President", "", "", "", (), ())
    cache: dict[object, bytes] = dict.fromkeys(range(share_picture.MOST_CACHED), b"")
    png = await share_picture.picture_as_png(cache, picture, asyncio.to_thread)
    assert len(cache) == share_picture.MOST_CACHED
    assert 0 not in cache
    cache[picture] = b"cached"
    assert await share_picture.picture_as_png(cache, picture, asyncio.to_thread) == b"cached" != png
