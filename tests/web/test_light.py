"""A first look is light: what a page pulls in by itself, packed, into an empty cache. Bytes, not seconds."""

import re

import pytest

from app import resources
from app.engine.games.taught import lessons
from app.web.scripts import needed
from tests.web.visitors import Visitor

HTML = {"Accept": "text/html"}
PACKED = {"Accept-Encoding": "gzip"}
MOVERS = ("js/travel.js", "js/celebrations.js", "js/moving.js")
"""What a table fetches once its cards can be seen."""
LARGEST_HOME = 25_000
LARGEST_ROOM = 140_000


async def pulled(visitor: Visitor, path: str, later: tuple[str, ...] = ()) -> dict[str, int]:
    """What a page makes a browser fetch, itself included: bytes of the bodies as they are sent, by address."""
    page = (await visitor.http.get(path, headers=HTML)).text
    # What a page has for whoever keeps it on their screen is fetched then.
    pulling = re.sub(r'<link rel="(?:apple-touch-icon|manifest)"[^>]*>', "", page)
    found = re.findall(r'<(?:script|link|img)\b[^>]*? (?:src|href)="(/[^"]+)"', pulling)
    static = next(link for link in found if link.endswith("js/page.js")).removesuffix("js/page.js")
    found += [f"{static}{each}" for script in later for each in needed(resources.static(), script)]
    sizes = {path: len(page.encode())}
    for link in dict.fromkeys(found):
        answer = await visitor.http.get(link, headers=PACKED)
        assert answer.status_code == 200, link
        sizes[link] = int(answer.headers["content-length"])
    return sizes


async def test_the_home_page_is_light(ana: Visitor) -> None:
    sizes = await pulled(ana, "/")
    assert sum(sizes.values()) < LARGEST_HOME, sizes


async def test_a_room_is_light_in_the_waiting_room_and_at_the_table(ana: Visitor) -> None:
    code = (await ana.open(bots=["greedy", "greedy", "greedy"]))["code"]
    waiting = await pulled(ana, f"/r/{code}", MOVERS)
    assert any(link.endswith("js/render_lobby.js") for link in waiting)
    assert sum(waiting.values()) < LARGEST_ROOM, waiting
    desk = await ana.sit(code)
    await desk.do("start")
    playing = await pulled(ana, f"/r/{code}", MOVERS)
    assert not any(link.endswith("js/render_lobby.js") for link in playing)
    assert sum(playing.values()) < LARGEST_ROOM, playing


@pytest.mark.parametrize("lesson", lessons())
async def test_a_lesson_is_light(ana: Visitor, lesson: str) -> None:
    sizes = await pulled(ana, f"/learn/{lesson}", MOVERS)
    answer = await ana.http.get(f"/api/lessons/{lesson}", headers=PACKED)
    assert sum(sizes.values()) + int(answer.headers["content-length"]) < LARGEST_ROOM, sizes


async def test_a_table_has_words_for_all_that_its_scripts_say(ana: Visitor) -> None:
    page = (await ana.http.get(f"/r/{(await ana.open())['code']}", headers=HTML)).text
    (address,) = re.findall(r'<link rel="preload" href="([^"]+)"', page)
    known = (await ana.http.get(address)).json()
    assert len(known) > 1000
    whole = (await ana.http.get(address.replace("table.", ""))).json()
    assert known.items() < whole.items()
    folder = resources.static() / "js"
    texts = [(folder / script).read_text(encoding="utf-8") for script in at_tables()]
    said = {key for text in texts for key in re.findall(r'"([a-z_]+(?:\.[a-z_0-9]+)+)"', text)}
    beginnings = {key for text in texts for key in re.findall(r"`([a-z_]+(?:\.[a-z_0-9]+)*\.)\$\{", text)}
    left_out = [key for key in whole.keys() - known.keys() if key.startswith(tuple(beginnings))]
    assert not left_out
    missing = [key for key in said if not {key, f"{key}.other"} & known.keys() and {key, f"{key}.other"} & whole.keys()]
    assert not missing


def at_tables() -> set[str]:
    """Every script of a table, a lesson and a television, those that come later included."""
    folder = resources.static()
    found = {path for script in ("table", "learn", "screen") for path in needed(folder, f"js/{script}.js")}
    while True:
        texts = [(folder / path).read_text(encoding="utf-8") for path in found]
        later = {f"js/{script}" for text in texts for script in re.findall(r'import\("\./([^"]+\.js)"\)', text)}
        more = {path for script in later for path in needed(folder, script)}
        if more <= found:
            return {path.removeprefix("js/") for path in found}
        found |= more


async def test_a_page_names_all_that_its_scripts_import_and_nothing_twice(ana: Visitor) -> None:
    """Else a browser would find out import by import, a journey for each."""
    for path in (f"/r/{(await ana.open())['code']}", "/new", *(f"/learn/{lesson}" for lesson in lessons())):
        page = (await ana.http.get(path, headers=HTML)).text
        named = re.findall(r'<link rel="modulepreload" href="[^"]*/js/([^"]+)">', page)
        assert len(named) == len(set(named))
        begun = re.findall(r'<script type="module" src="[^"]*/js/([^"]+)">', page)
        assert set(begun) <= set(named)
        for script in named:
            text = (resources.static() / "js" / script).read_text(encoding="utf-8")
            imported = re.findall(r'^(?:import|\} from|export .* from)\b.*?"\./([^"]+)";$', text, re.MULTILINE)
            assert set(imported) <= set(named), (path, script)
            assert text.count(' from "./') <= len(re.findall(r'^.*\bfrom "\./[^"]+";$', text, re.MULTILINE))
