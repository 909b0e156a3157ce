"""Test clients of the API: a token instead of a cookie, no Origin, and the bot of docs/write-a-bot.md in every game."""

import asyncio
import re
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.engine.games import GAMES
from app.rooms.views.delta import VERSION
from app.settings import Limits, Settings
from app.web.reference import docs_pages
from tests.web.conftest import Live, serving
from tests.web.visitors import PATIENCE, Come, Visitor, visiting

PAGE = Path(__file__).parents[3] / "docs" / "write-a-bot.md"


async def token_of(base: str, **asked: str) -> str:
    """Create a person through the API, and return the token."""
    async with httpx2.AsyncClient(base_url=base) as http:
        made = await http.post("/api/people", json=asked)
        assert made.status_code == 201, made.text
        return str(made.json()["token"])


async def test_a_client_is_authenticated_by_its_bearer_token_alone(live: Live, come: Come) -> None:
    bearer = {"Authorization": f"Bearer {await token_of(live.base, name='Robin')}"}
    async with httpx2.AsyncClient(base_url=live.base, headers=bearer) as http:
        me = (await http.get("/api/me")).json()
        assert (me["known"], me["name"]) == (True, "Robin")
        opened = await http.post("/api/rooms", json={"name": "Robin"})
        assert "set-cookie" not in opened.headers
    desk = await come().socket(opened.json()["code"], origin=None, cookies="", **bearer)
    assert (await desk.until(lambda update: update["you"]["host"]))["you"]["name"] == "Robin"
    assert (await desk.ask("configure", bots_delay=1))["ok"]


async def test_a_token_from_a_cookie_works_as_a_bearer_token(ana: Visitor) -> None:
    code = (await ana.open())["code"]
    bearer = "Bearer " + ana.cookies.partition("=")[2]
    desk = await ana.socket(code, origin=None, cookies="", Authorization=bearer)
    assert (await desk.until(lambda update: True))["you"]["host"]


@pytest.mark.parametrize(
    "sent", ["", "Bearer", "Bearer short", "Basic eHh4eHh4eHh4eHh4eHh4eHh4eDp4", "Bearer " + "x" * 43]
)
async def test_an_unknown_token_closes_the_socket_with_code_4401(ana: Visitor, sent: str) -> None:
    desk = await ana.socket((await ana.open())["code"], origin=None, cookies="", Authorization=sent)
    assert await desk.ended() == 4401


@pytest.mark.parametrize("sent", ["Basic YW5hOmFuYQ==", "Bearer header.payload.signature-of-somebody-else"])
async def test_an_authorization_header_meant_for_a_proxy_is_ignored(ana: Visitor, sent: str) -> None:
    await ana.open()
    assert (await ana.http.get("/api/me", headers={"Authorization": sent})).json()["name"] == "Ana"


async def test_new_api_clients_and_new_browsers_share_the_limit_on_new_people(settings: Settings) -> None:
    few = settings.model_copy(update={"limits": Limits(people_per_hour=2)})
    async with serving(few) as live, visiting(live.base) as come:
        await token_of(live.base)
        await come().open()
        refused = await come().http.post("/api/people", json={})
        assert (refused.status_code, refused.json()["code"]) == (429, "too_fast")


async def test_only_the_first_update_and_the_schema_carry_the_protocol_version(ana: Visitor) -> None:
    desk = await ana.sit((await ana.open())["code"])
    await desk.do("configure", bots_delay=1)
    await desk.until(lambda update: update["room"]["bots_delay"] == 1)
    assert [update.get("protocol") for update in desk.updates] == [VERSION, *[None] * (len(desk.updates) - 1)]
    assert len(desk.updates) > 1
    assert (await ana.http.get("/api/protocol")).json()["version"] == VERSION


def test_the_page_and_the_example_bot_are_written_for_the_version_of_the_server() -> None:
    for file, number in {
        "static/js/net/early_socket.js": r"const PROTOCOL = (\d+);",
        "docs/write-a-bot.md": r"\?protocol=(\d+)",
    }.items():
        assert re.findall(number, (Path(__file__).parents[3] / file).read_text(encoding="utf-8")) == [str(VERSION)], (
            file
        )


async def test_the_api_docs_are_linked_from_the_home_page_and_readable_by_everyone(ana: Visitor) -> None:
    html = {"Accept": "text/html"}
    assert 'href="/docs"' in (await ana.http.get("/", headers=html)).text
    listed = re.findall(r'href="(/docs/[^"]+)"', (await ana.http.get("/docs", headers=html)).text)
    assert len(listed) == 3
    for path in listed:
        answer = await ana.http.get(path, headers=html)
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.text == docs_pages.read_docs_page(path.rpartition("/")[2])
    for path in ("/docs/design.md", "/docs/..%2fREADME.md", "/docs/%2e%2e/README.md"):
        assert (await ana.http.get(path)).status_code == 404


# The example bot --------------------------------------------------------------------------------------------------


def bot_of_the_page(said: list[Any]) -> Any:
    """Run the page's program and return its names. The bot's output is appended to `said`."""
    [program] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {"__name__": "bot", "print": said.append}
    exec(compile(program, PAGE, "exec"), names)
    return names


def programs_here(update: dict[str, Any]) -> set[str]:
    """Return the names of connected people who are marked as programs."""
    people = update["room"]["people"]
    return {person["name"] for person in people if person["program"] and person["present"]}


@pytest.mark.parametrize("game", GAMES)
async def test_the_example_bot_of_the_docs_plays_a_hand_and_reconnects(
    game: str, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two example bots and two of the server's bots play in a room. One connection is cut, and the bot reconnects."""
    monkeypatch.chdir(tmp_path)
    said: list[Any] = []
    bot = bot_of_the_page(said)
    names = ("Robin", "Wren")
    async with serving(settings) as live, visiting(live.base) as come:
        ana = come()
        code = (await ana.open(game=game, bots=["easy", "easy"], bots_delay=0))["code"]
        desk = await ana.sit(code)
        await desk.do("watch")
        tokens = [await asyncio.to_thread(bot["token_for"], live.base, name) for name in names]
        playing = [
            asyncio.create_task(bot["play"](live.base, code, name, token))
            for name, token in zip(names, tokens, strict=True)
        ]
        await desk.until(lambda update: programs_here(update) == set(names))
        [runner] = live.app.site.registry.loaded_rooms()
        robin = runner.room.members["Robin"].person
        [talk] = [talk for talk in live.app.site.open_sockets if talk.person_id == robin]
        talk.close_for_restart()
        async with asyncio.timeout(PATIENCE):
            while not any(other.person_id == robin for other in live.app.site.open_sockets - {talk}):
                await asyncio.sleep(0.02)
        await desk.do("start")
        over = await desk.until(lambda update: update["room"]["phase"] in ("between_hands", "finished"))
        assert len(over["room"]["hands"]) == 1
        lead = await live.app.site.store.log.by_code(code)
        assert lead is not None
        loaded = await live.app.site.store.log.load(lead.room)
        assert loaded is not None
        acted = [entry.data for entry in loaded.entries if entry.kind == "acted"]
        silent = over["table"].get("silent", [])  # this option takes a player's turn away
        # Nobody acts in a hand that is won by the cards dealt.
        assert not acted or {each["by"] for each in acted if each["auto"] is None} == {*names} - {*silent}
        assert bot["token_for"](live.base, "Robin") == tokens[0]
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        assert await bot["play"](live.base, "ZZZZZZ", "Robin", tokens[0]) == "no_room"
    assert ["1012" in str(each) for each in said] == [True], "one line lost, and no refusal"
