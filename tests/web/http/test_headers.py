"""Ask every view: its security headers, whether it is compressed, and whether it shows cards of a running hand."""

import re
from pathlib import Path

import httpx2
import pytest
from fastapi.routing import APIRoute

from app.main import ROUTERS
from app.web.reference import docs_pages
from tests.web.conftest import Live
from tests.web.matches.test_replay import played
from tests.web.visitors import Come, Visitor

HTML = {"Accept": "text/html", "Accept-Encoding": "gzip"}
OF_PAGES = {
    *("content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy", "permissions-policy"),
    *("cross-origin-opener-policy", "cross-origin-resource-policy", "cache-control"),
}
FILES = {
    "/static/js/pages/room.js": "The page that loads a script decides. The headers would be longer than many scripts.",
    "/static/css/base.css": "As for scripts.",
    "/static/img/favicon.svg": "",
    "/static/fonts/roost.woff2": "",
    "/static/messages/en.json": "",
}
"""Static files, one of each kind, with the reason why they lack headers of pages; empty if they have all."""
FOR_EVERYBODY = {"/", "/learn/{lesson}", "/rules", "/rules/{game}", "/docs", "/docs/{name}", "/privacy"}
"""Pages without a room, a person or a secret. Compressed for visitors without a cookie."""
JSON_FOR_EVERYBODY = {"/api/lessons/{lesson}", "/api/games"}
REPORT = Path(__file__).parents[3] / "build" / "headers.txt"


def views() -> list[str]:
    """Return the path of each view, with placeholders."""
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    return sorted({route.path for route in routes if "GET" in route.methods})


@pytest.fixture
async def values(ana: Visitor) -> dict[str, str]:
    """Play a match, and return a value for each placeholder."""
    match_id = await played(ana, hands=1)
    [match] = (await ana.http.get("/api/history")).json()["matches"]
    known = {"code": match["room"], "match_id": match_id, "number": "0", "game": "president", "lesson": "president"}
    return {**known, "name": docs_pages.FOR_PROGRAMS[0], "kind": "moments"}


def filled(path: str, values: dict[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], "unknown"), path)


async def test_every_view_has_the_headers_of_pages_and_only_pages_for_everybody_are_compressed(
    live: Live, ana: Visitor, values: dict[str, str]
) -> None:
    """Write a report of the headers to build/headers.txt."""
    lines = []
    async with httpx2.AsyncClient(base_url=live.base) as stranger:
        for path in [*views(), *FILES]:
            stranger.cookies.clear()
            seen = await stranger.get(filled(path, values), headers=HTML)
            missing = sorted(OF_PAGES - seen.headers.keys())
            lines.append(f"{path}: without {missing}. {FILES.get(path)}" if missing else f"{path}: all")
            assert bool(missing) == bool(FILES.get(path)), lines[-1]
            assert {"x-content-type-options", "cross-origin-resource-policy"} <= seen.headers.keys(), path
            if path not in FILES:
                packed = path in FOR_EVERYBODY | JSON_FOR_EVERYBODY
                assert ("content-encoding" in seen.headers) == packed, path
        in_room = await stranger.get(f"/rules/president?room={values['code']}", headers=HTML)
        assert "content-encoding" not in in_room.headers
    for path in FOR_EVERYBODY:
        answer = await ana.http.get(filled(path, values), headers=HTML)
        assert "content-encoding" not in answer.headers, path
        assert "Cookie" in answer.headers["vary"], path
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text("\n".join(lines) + "\n", "utf-8")


async def test_no_view_shows_hidden_cards_or_the_secret_of_a_running_hand(live: Live, ana: Visitor, come: Come) -> None:
    """A player, a spectator and a stranger ask. Pages of rules have examples of cards."""
    opened = await ana.open(game="president", bots=["easy", "easy"], bots_delay=10)
    desk, watcher, stranger = await ana.sit(opened["code"]), come(), come()
    await (await watcher.sit(opened["code"])).close()
    await desk.do("start")
    update = await desk.until(lambda update: update["you"].get("cards"))
    found = await live.app.site.registry.find_by_code(opened["code"])
    assert found is not None
    room = found.room
    hidden = [cards for name, cards in room.match.current_hand.cards.items() if name != "Ana"]
    known = {"code": opened["code"], "invite": opened["invite"], "match_id": update["room"]["match_id"], "number": "0"}
    asked = 0
    for path in views():
        if path in FOR_EVERYBODY | JSON_FOR_EVERYBODY or path.endswith("/rules"):
            continue
        for visitor in (ana, watcher, stranger):
            answer = await visitor.http.get(filled(path, known), headers={"Accept": "text/html"})
            if answer.headers.get("content-type", "").startswith("image/"):
                continue  # compressed bytes can spell any card
            text = answer.text
            asked += text != ""
            assert room.chance.secret.hex() not in text, path
            for cards in hidden:
                shown = [card for card in cards if re.search(rf"(?<![\w-]){card}(?![\w-])", text)]
                assert len(shown) < 3, (path, shown)
    assert asked > 100
