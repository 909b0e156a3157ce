"""Test where the language can be chosen, and what follows the choice: other devices, previews, the app, the bots."""

import asyncio
import html
import json
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from app import resources
from app.settings import Settings
from app.store.repositories.push_subscriptions import Subscription
from app.web.i18n.catalogues import Catalogues
from tests.made_up import LANGUAGE, catalogue, made_up, write_po
from tests.store.samples import T0
from tests.web.conftest import Live, serving
from tests.web.matches.test_replay import played
from tests.web.visitors import Visitor, visiting

HTML = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def locale(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the file of a made-up language."""
    folder = tmp_path_factory.mktemp("locale")
    write_po(folder / f"{LANGUAGE}.po", catalogue(Catalogues().english))
    return folder


@pytest.fixture
async def abroad(settings: Settings, locale: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Live]:
    """Run a server that has the made-up language, too."""
    monkeypatch.setattr(resources, "locale_folder", lambda: locale)
    # Watching makes the pages anew, with this language.
    async with serving(settings.model_copy(update={"watch_files": True})) as live:
        yield live


async def language_of(visitor: Visitor, path: str) -> str:
    """Return the language of a page."""
    page = (await visitor.http.get(path, headers=HTML, follow_redirects=True)).text
    found = re.search(r'<html lang="([^"]+)"', page)
    assert found, page
    return found[1]


async def choose(visitor: Visitor, language: str, path: str = "/") -> None:
    """Press the button of a language on a page."""
    page = (await visitor.http.get(path, headers=HTML)).text
    assert f'name="language" value="{language}"' in page
    back = await visitor.http.post("/language", data={"language": language}, headers={"Referer": f"http://x{path}"})
    assert (back.status_code, back.headers["location"]) == (303, path)


async def test_a_choice_follows_the_person_to_their_devices_and_notifications(abroad: Live) -> None:
    async with visiting(abroad.base) as come:
        ana, phone = come(), come()
        await ana.open("Ana")
        assert await language_of(ana, "/") == "en"
        link = (await ana.http.post("/api/me/devices")).json()["url"]
        [device] = (await ana.http.get("/api/me/devices")).json()
        store = abroad.app.site.store
        [person] = await store.people.find_by_name(lambda name: name == "Ana")
        browser = Subscription("https://push.example.org/1", "key", "auth", "en", abroad.base)
        await store.subscriptions.save_subscription(person.person.id, device["id"], browser, T0)
        await choose(ana, LANGUAGE)
        assert await language_of(ana, "/rules") == LANGUAGE
        found = await store.subscriptions.find_by_device(device["id"])
        assert found is not None
        assert found.language == LANGUAGE
        told = (await ana.http.get("/api/me/data")).json()
        assert (told["person"]["language"], told["calls"][0]["language"]) == (LANGUAGE, LANGUAGE)
        # The phone asks for English until it is Ana's.
        phone.http.headers["Accept-Language"] = "en"
        path = link[link.index("/device/") :]
        assert await language_of(phone, path) == "en"
        signed_in = await phone.http.post(path, headers=HTML)
        assert f'<html lang="{LANGUAGE}"' in signed_in.text
        assert phone.http.cookies["lang"] == LANGUAGE
        # A later choice on the phone holds on the first device, too.
        await choose(phone, "en")
        assert await language_of(ana, "/") == "en"
        assert ana.http.cookies["lang"] == "en"


async def test_one_room_has_a_language_for_each_person_and_for_the_television(abroad: Live) -> None:
    async with visiting(abroad.base) as come:
        ana, bob = come(), come()
        ana.http.headers["Accept-Language"] = f"{LANGUAGE}-PL, en;q=0.5"
        opened = await ana.open("Ana", bots=["easy"])
        room, invitation = f"/r/{opened['code']}", f"/j/{opened['invite']}"
        assert await language_of(ana, room) == LANGUAGE
        assert await language_of(bob, invitation) == "en"
        assert await language_of(ana, f"{room}/screen?language=en") == "en"
        assert await language_of(ana, f"{room}/screen") == LANGUAGE
        assert "data-languages='[" in (await ana.http.get(f"{room}/screen", headers=HTML)).text
        await choose(bob, LANGUAGE, invitation)
        assert await language_of(bob, invitation) == LANGUAGE


async def test_previews_of_links_have_the_language_of_the_host(abroad: Live) -> None:
    async with visiting(abroad.base) as come:
        ana, program = come(), come()
        ana.http.headers["Accept-Language"] = LANGUAGE
        opened = await ana.open("Ana")
        page = (await program.http.get(f"/j/{opened['invite']}", headers=HTML)).text
        assert '<html lang="en"' in page
        title = re.search('property="og:title" content="([^"]+)"', page)
        assert title
        assert title[1] == made_up("{host} has invited you").replace("{host}", "Ana")


async def test_the_installed_app_has_the_language_of_the_page(abroad: Live) -> None:
    async with visiting(abroad.base) as come:
        ana = come()
        await choose(ana, LANGUAGE)
        page = (await ana.http.get("/", headers=HTML)).text
        assert f'rel="manifest" href="/manifest.webmanifest?language={LANGUAGE}"' in page
        # Browsers ask for it without cookies.
        manifest = (await come().http.get(f"/manifest.webmanifest?language={LANGUAGE}")).json()
        assert (manifest["lang"], manifest["name"]) == (LANGUAGE, made_up("Pecking Order"))


async def test_bots_and_invented_names_are_translated_on_display_only(abroad: Live) -> None:
    async with visiting(abroad.base) as come:
        ana = come()
        await choose(ana, LANGUAGE)
        opened = await ana.open("Ana", bots=["easy"])
        desk = await ana.sit(opened["code"])
        stored = next(person["name"] for person in desk.update["room"]["people"] if person["bot"])
        assert stored.isascii()
        for path in ("/", f"/j/{opened['invite']}"):
            visitor = ana if path == "/" else come()
            visitor.http.cookies["lang"] = LANGUAGE
            page = (await visitor.http.get(path, headers=HTML)).text
            assert made_up(stored) in page, path
            assert stored not in re.sub("<[^>]+>", "", page), path
        quick = come()
        quick.http.cookies["lang"] = LANGUAGE
        code = (await quick.http.post("/play", data={}, headers=HTML)).headers["location"].removeprefix("/r/")
        assert not (await quick.sit(code)).update["you"]["name"].isascii()
        # Browsers get the names of bots in their own language.
        static = re.search('href="([^"]+/messages/)table', (await ana.http.get(f"/r/{code}", headers=HTML)).text)
        assert static
        assert (await ana.http.get(f"{static[1]}table.{LANGUAGE}.json")).json()[f"said.{stored}"] == made_up(stored)
        assert not [key for key in (await ana.http.get(f"{static[1]}table.en.json")).json() if key.startswith("said.")]


async def test_bots_of_finished_matches_are_translated_on_every_page(abroad: Live, settings: Settings) -> None:
    async with visiting(abroad.base) as come:
        ana = come()
        await choose(ana, LANGUAGE)
        match_id = await played(ana, hands=1)
        match = (await ana.http.get(f"/api/matches/{match_id}")).json()["match"]
        stored = {player["name"] for player in match["players"] if player["bot"]}
        code, bot = match["room"], next(iter(stored))
        with closing(sqlite3.connect(settings.database_url.removeprefix("sqlite:///"))) as file, file:
            chop = (json.dumps({"to": bot}),)
            ana_chops = "SELECT room_id, room_hand_number, 99, ended_at, 1, 'chop', player_key, name, NULL, ?"
            hands = "counted_hand_players JOIN counted_hands USING (room_id, room_hand_number)"
            file.execute(f"INSERT INTO highlights {ana_chops} FROM {hands} WHERE name = 'Ana'", chop)
        record = (await ana.http.get(f"/matches/{match_id}/record.json")).json()
        assert stored <= {*record["players"]}
        imported = (await ana.http.post("/api/imports/kept", json=record)).json()["matches"][0]
        again = (await ana.http.post(f"/api/matches/{match_id}/again", json={"name": "Ana"})).json()
        desk = await ana.sit(again["code"])
        await desk.do("configure", bots_delay=0)
        for _ in stored:
            await desk.do("add_bot", kind="easy")
        await desk.do("start")
        update = await desk.until(lambda update: update["table"] is not None)
        async with asyncio.timeout(30):
            while update["room"]["phase"] == "playing":
                if update["you"].get("legal"):
                    await desk.do("act", action=update["you"]["legal"][0])
                update = await desk.until(
                    lambda update: update["you"].get("legal") or update["room"]["phase"] != "playing"
                )
        repeated = update["room"]["match_id"]
        bots = {*stored, *(person["name"] for person in update["room"]["people"] if person["bot"])}
        for path in (
            f"/r/{code}/book",
            f"/r/{code}/book/moments",
            "/me",
            "/me/moments",
            "/history",
            "/history?person=Ana",
            "/history/import",
            f"/matches/{match_id}",
            f"/matches/{imported}",
            f"/matches/{repeated}/compare",
        ):
            page = await ana.http.get(path, headers=HTML)
            text = re.sub("<[^>]+>", "", page.text[page.text.index("<main") :])
            assert page.status_code == 200, path
            assert any(made_up(name) in text for name in bots), path
            assert not [name for name in bots if re.search(rf"\b{name}\b", text)], path
        for match in (match_id, imported):
            replay = (await ana.http.get(f"/matches/{match}/replay", headers=HTML)).text
            names = re.search('data-names="([^"]+)"', replay)
            assert names
            assert json.loads(html.unescape(names[1])) == {name: made_up(name) for name in stored}


async def test_names_that_nobody_may_take_are_refused_in_every_language(abroad: Live) -> None:
    async with visiting(abroad.base) as come:
        ana = come()
        await ana.open("Ana")
        for name in ("You", made_up("You"), "Somebody 3", f"{made_up('Somebody')}3"):
            answer = await ana.http.put("/api/me", json={"name": name})
            assert answer.json()["code"] == "bad_name", name
        assert (await ana.http.put("/api/me", json={"name": made_up("Bob")})).status_code == 200
