"""Test the size of a first visit: the compressed bytes that a page loads into an empty cache."""

import json
import re
from collections.abc import Iterator
from random import Random
from urllib.parse import urljoin

import pytest

from app import resources
from app.engine.games import GAMES
from app.engine.games.lessons import all_lessons
from app.engine.match import views
from app.engine.match.match import Match
from app.web.assets.js_bundles import (
    SEPARATE_MODULES,
    Module,
    build_bundles,
    build_source_map,
    files_of_page,
    in_dependency_order,
    lazy_modules,
    page_modules,
    read_modules,
)
from tests.web.visitors import Come, Visitor
from tools.property_checks import playout
from tools.property_checks.error_messages import RefusalStats
from tools.property_checks.playout import Playout

HTML = {"Accept": "text/html"}
PACKED = {"Accept-Encoding": "gzip"}
LATER = ("pages/room_deferred.js", "animation/card_flights.js", "animation/celebrations.js", "animation/seat_moves.js")
"""The scripts that a table loads after its cards are visible."""
LATER_IN_LESSONS = ("input/card_drag.js", "animation/highlight_ring.js", "result/result.js", "events/log_lines.js")
"""The scripts that a lesson loads later."""
SCRIPTS = read_modules(resources.static_folder() / "js")
LARGEST_FONT = 30_000
LARGEST_HOME = 38_750
HOME_AT_ONCE = 17_050
"""The largest number of bytes before the first paint of the home page: without the typeface."""
LARGEST_INVITATION = 25_000
"""The largest number of bytes before a guest can enter a name, for the page of an invitation."""
LARGEST_ROOM = 191_000
LARGEST_LESSON = 141_000
ROOM_AT_ONCE = 70_800
LESSON_AT_ONCE = 68_000
"""The largest number of bytes before cards are visible, without the socket."""


async def pulled(visitor: Visitor, path: str, moving: tuple[str, ...] = ()) -> dict[str, int]:
    """Return the compressed sizes of all files that a page loads, by address, with the page itself.

    Fonts and pictures that its style sheets name are counted, too.
    """
    page = (await visitor.http.get(path, headers=HTML)).text
    # Icons and manifest are loaded only when the site is installed.
    pulling = re.sub(r'<link rel="(?:apple-touch-icon|manifest)"[^>]*>', "", page)
    found = re.findall(r'<(?:script|link|img)\b[^>]*? (?:src|href)="(/[^"]+)"', pulling)
    static = next(link for link in found if link.endswith("js/pages/site.js")).removesuffix("js/pages/site.js")
    page_script = re.findall(r'<script type="module" src="[^"]*/js/([^"]+)">', page)[-1]
    parts = files_of_page(SCRIPTS, page_script)
    found += [f"{static}js/{part}" for part, names in parts.items() if set(names) & set(moving)]
    if moving:
        found += [f"{static}css/components.css", f"{static}css/table_deferred.css", f"{static}messages/rest.en.json"]
    sizes = {path: len(page.encode())}
    while found:
        link = found.pop()
        if link not in sizes:
            answer = await visitor.http.get(link, headers=PACKED)
            assert answer.status_code == 200, link
            sizes[link] = int(answer.headers["content-length"])
            found += named_in_styles(answer.text, link) if link.endswith(".css") else []
    return sizes


def named_in_styles(sheet: str, address: str) -> list[str]:
    """Return the addresses of all files that a style sheet at this address loads: fonts and pictures.

    Browsers load a font with `unicode-range` only if the page has such a character.
    """
    sheet = re.sub(r"@font-face\{[^}]*unicode-range[^}]*\}", "", sheet)
    named = re.findall(r"""url\(\s*["']?([^"')\s]+)""", sheet) + re.findall(r"""image-set\(\s*["']([^"']+)""", sheet)
    return [urljoin(address, each) for each in named if not each.startswith(("data:", "#"))]


def test_fonts_and_pictures_in_style_sheets_are_counted() -> None:
    sheet = (
        '@font-face{font-family:"Nest";src:local("Nest"),url("../fonts/nest.woff2") format("woff2")}'
        ".felt{background:url(/static/img/felt.png),url( 'egg.svg' )}"
        '@font-face{font-family:"Nest";src:url("../fonts/other.woff2");unicode-range:U+1A0-1B0}'
        ".card{background:image-set('card.avif' 1x)}.pip{mask:url(data:image/png;base64,AA==);clip-path:url(#shape)}"
    )
    files = ["/static/fonts/nest.woff2", "/static/img/felt.png", "/static/css/egg.svg", "/static/css/card.avif"]
    assert named_in_styles(sheet, "/static/css/table.css") == files


def test_the_docs_name_these_size_limits() -> None:
    text = (resources.docs_folder() / "measurements" / "server.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:Home page|Invitation|Room|Lesson) (\|[^\n]+)$", text, re.MULTILINE)
    told = [round(float(limit) * 1000) for limit in re.findall(r"([\d.]+) kB", "".join(rows))]
    rooms = [LARGEST_ROOM, ROOM_AT_ONCE]
    assert told == [LARGEST_HOME, HOME_AT_ONCE, LARGEST_INVITATION, *rooms, LARGEST_LESSON, LESSON_AT_ONCE]


async def test_the_home_page_stays_below_its_size_limit(ana: Visitor) -> None:
    sizes = await pulled(ana, "/")
    assert sum(sizes.values()) < LARGEST_HOME, sizes
    [font] = [link for link in sizes if link.endswith(".woff2")]
    assert sum(sizes.values()) - sizes[font] < HOME_AT_ONCE, sizes


async def test_only_pages_in_a_language_load_its_style_sheet(ana: Visitor) -> None:
    sheets = [path.stem for path in (resources.static_folder() / "css" / "languages").iterdir()]
    assert {*sheets} <= {path.stem for path in resources.locale_folder().glob("*.po")}
    for language in ("en", "ja"):
        page = (await ana.http.get(f"/?language={language}", headers=HTML)).text
        loaded = re.findall(r'<link rel="stylesheet" href="[^"]+/css/languages/([^"]+)\.css">', page)
        assert loaded == [each for each in sheets if each == language]


async def test_the_page_of_an_invitation_stays_below_its_size_limit_without_a_web_font(
    ana: Visitor, come: Come
) -> None:
    """With a full room, whose birds, names and bots to replace make the longest page."""
    opened = await ana.open("W" * 20, game="chase_the_ace", bots=["easy"] * 19)
    sizes = await pulled(come(), f"/j/{opened['invite']}")
    assert sum(sizes.values()) < LARGEST_INVITATION, sizes
    assert not [link for link in sizes if link.endswith(".woff2")]
    assert len([link for link in sizes if link.endswith(".css")]) == 2


async def test_the_waiting_room_and_the_table_stay_below_their_size_limits(ana: Visitor) -> None:
    code = (await ana.open(bots=["easy", "easy", "easy"]))["code"]
    waiting = await pulled(ana, f"/r/{code}", LATER)
    assert any("+lobby-waiting_room" in link for link in waiting)
    assert sum(waiting.values()) < LARGEST_ROOM, waiting
    desk = await ana.sit(code)
    await desk.do("start")
    playing = await pulled(ana, f"/r/{code}", LATER)
    assert not any("+lobby-waiting_room" in link for link in playing)
    assert sum(playing.values()) < LARGEST_ROOM, playing
    at_once = await pulled(ana, f"/r/{code}")
    assert sum(at_once.values()) < ROOM_AT_ONCE, at_once
    [font] = [link for link in playing if link.endswith(".woff2")]
    assert playing[font] < LARGEST_FONT
    assert font not in at_once


@pytest.mark.parametrize("lesson", all_lessons())
async def test_a_lesson_stays_below_its_size_limit(ana: Visitor, lesson: str) -> None:
    sizes = await pulled(ana, f"/learn/{lesson}", LATER_IN_LESSONS)
    assert f"/api/lessons/{lesson}" in sizes
    assert sum(sizes.values()) < LARGEST_LESSON, sizes
    at_once = await pulled(ana, f"/learn/{lesson}")
    assert sum(at_once.values()) < LESSON_AT_ONCE, at_once


async def test_message_files_for_tables_contain_every_key_their_scripts_use(ana: Visitor) -> None:
    whole, at_once, rest, fair = await catalogues(ana)
    assert len(at_once) + len(rest) > 1000
    assert len(fair) > 20
    assert len(at_once | rest | fair) == len(at_once) + len(rest) + len(fair)
    assert (at_once | rest | fair).items() < whole.items()
    assert not unsaid(at_tables(), at_once | rest | fair, whole)


async def test_keys_used_at_first_paint_are_in_the_first_message_file(ana: Visitor) -> None:
    whole, at_once, rest, _ = await catalogues(ana)
    assert len(rest) > 500
    # The texts about shortcut keys are shown in a sheet, which is loaded later.
    missing = unsaid({*in_dependency_order(SCRIPTS, ["pages/room.js", "pages/lesson.js"])}, at_once, whole)
    assert not [key for key in missing if not key.startswith("keys.")]


async def test_texts_in_game_views_are_in_the_first_message_file(ana: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, rest, _ = await catalogues(ana)
    shown = set[str]()

    def look(match: Match, rng: Random, refusals: RefusalStats) -> None:
        seats = [views.seat_view(match, name) for name in match.current_hand.seats]
        shown.update(said_in([views.table_view(match), *seats]))

    monkeypatch.setattr(playout, "check_refusals", look)
    for number, game in enumerate([*GAMES.values()] * 6):
        played = Playout.random_match(game, Random(number))
        played.refusal_check_rate = 0.2
        played.play_hand(check=False)
    assert len(shown) > 10
    assert not {key for key in shown if {key, f"{key}.other"} & rest.keys()}


def said_in(shown: object) -> Iterator[str]:
    """Yield the keys of all texts in a view."""
    if isinstance(shown, dict):
        if shown.keys() == {"key", "values"}:
            yield shown["key"]
        shown = [*shown.values()]
    if isinstance(shown, list | tuple):
        for each in shown:
            yield from said_in(each)


async def catalogues(visitor: Visitor) -> list[dict[str, str]]:
    """Return the texts of pages: all, those for a table's first paint, the rest, and those about fair deals."""
    page = (await visitor.http.get(f"/r/{(await visitor.open())['code']}", headers=HTML)).text
    (address,) = re.findall(r'<link rel="preload" href="([^"]+/table[^"]+)"', page)
    kinds = ("", "table.", "rest.", "fair.")
    return [(await visitor.http.get(address.replace("table.", kind))).json() for kind in kinds]


def unsaid(scripts: set[str], known: dict[str, str], whole: dict[str, str]) -> list[str]:
    """Return the keys that these scripts use and that are missing from the known texts."""
    folder = resources.static_folder() / "js"
    texts = [(folder / script).read_text(encoding="utf-8") for script in scripts]
    said = {key for text in texts for key in re.findall(r'"([a-z_]+(?:\.[a-z_0-9]+)+)"', text)}
    beginnings = {key for text in texts for key in re.findall(r"`([a-z_]+(?:\.[a-z_0-9]+)*\.)\$\{", text)}
    left_out = [key for key in whole.keys() - known.keys() if key.startswith(tuple(beginnings))]
    missing = [key for key in said if not {key, f"{key}.other"} & known.keys() and {key, f"{key}.other"} & whole.keys()]
    return left_out + missing


BEGIN = ("pages/room.js", "pages/lesson.js", "pages/tv.js")
"""The first scripts of tables, lessons and televisions."""


def at_tables() -> set[str]:
    """Return all scripts of tables, lessons and televisions, with those loaded later."""
    return {*in_dependency_order(SCRIPTS, [*BEGIN, *(part for page in BEGIN for part in lazy_modules(SCRIPTS, page))])}


async def test_pages_preload_every_imported_script_exactly_once(ana: Visitor) -> None:
    """Otherwise a browser would discover imports one file at a time, with a round trip for each."""
    room = f"/r/{(await ana.open())['code']}"
    seen = 0
    for path in (room, f"{room}/screen", "/new", *(f"/learn/{lesson}" for lesson in all_lessons())):
        page = (await ana.http.get(path, headers=HTML)).text
        named = re.findall(r'<link rel="modulepreload" href="([^"]*/js/[^"]+)">', page)
        assert len(named) == len(set(named))
        begun = re.findall(r'<script type="module" (?:async )?src="([^"]*/js/[^"]+)">', page)
        assert set(begun) <= set(named)
        for link in named:
            imported = re.findall(r'^import .* from "(\.[^"]+)";$', (await ana.http.get(link)).text, re.MULTILINE)
            seen += len(imported)
            assert {urljoin(link, each) for each in imported} <= set(named), (path, link)
    assert seen > 4


def test_scripts_and_styles_of_the_menu_load_after_the_first_view_of_a_table() -> None:
    assert not [name for name in in_dependency_order(SCRIPTS, ["pages/room.js"]) if name.startswith("menu/")]
    styles = resources.static_folder() / "css"
    assert "sheet.css" not in (styles / "table.css").read_text(encoding="utf-8")
    assert "sheet.css" in (styles / "table_deferred.css").read_text(encoding="utf-8")


def test_every_script_is_in_exactly_one_bundle_of_each_page() -> None:
    for page in page_modules(SCRIPTS):
        parts = files_of_page(SCRIPTS, page)
        held = [name for names in parts.values() for name in names]
        everything = in_dependency_order(SCRIPTS, [page, *lazy_modules(SCRIPTS, page)])
        assert len(held) == len(set(held))
        assert set(everything) - set(held) <= set(in_dependency_order(SCRIPTS, SEPARATE_MODULES))


def test_templates_load_exactly_the_scripts_that_no_module_imports() -> None:
    texts = [path.read_text(encoding="utf-8") for path in resources.templates_folder().rglob("*.html")]
    begun = {script for text in texts for script in re.findall(r"asset\('js/([^']+)'\)", text)}
    assert begun | {"service_worker.js"} == {*page_modules(SCRIPTS), *SEPARATE_MODULES}


def test_the_bundler_understands_every_import_and_export() -> None:
    """The bundler supports only imports of names in braces and exports of declarations. Others would be lost."""
    folder = resources.static_folder() / "js"
    assert len(SCRIPTS) > 100
    for name in SCRIPTS:
        path = folder / name
        text = path.read_text(encoding="utf-8")
        module = Module(name, text)
        assert len(re.findall(r"^import\b", text, re.MULTILINE)) == len(module.imports), path.name
        assert len(re.findall(r"^export\b", text, re.MULTILINE)) == len(module.exports), path.name
        assert module.name in page_modules(SCRIPTS) or not re.search(
            r"^(?:const .*= |let .*= |for )?await\b", text, re.MULTILINE
        )
        assert "$" not in re.sub(r"\$\{|\$[\"'`/)]|\\\$", "", re.sub(r"//.*", "", text)), path.name


def test_source_maps_match_every_bundled_line_to_its_source_line() -> None:
    for bundle in build_bundles(SCRIPTS):
        for line, origin in zip(bundle.text.split("\n"), bundle.lines, strict=True):
            if origin is not None and "import(" not in line:
                assert SCRIPTS[origin[0]].text.split("\n")[origin[1]].strip().removeprefix("export ") == line.rstrip()
        told = json.loads(build_source_map(bundle))
        named = {urljoin(bundle.name, source) for source in told["sources"]}
        assert named == {origin[0] for origin in bundle.lines if origin is not None}
        assert told["mappings"].count(";") == bundle.text.count("\n")
