"""Test every page, the headers of every answer, and the addresses of static files."""

import re
import socket
from collections.abc import Callable, Iterator
from inspect import isasyncgenfunction, iscoroutinefunction
from typing import Any
from urllib.parse import urlsplit

import httpx2
import jinja2
import pydantic
import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from app import resources
from app.engine.games import GAMES
from app.engine.games.lessons import all_lessons
from app.engine.games.president.survey import CLASSIC
from app.main import ROUTERS, App, run_server
from app.settings import Limits, Settings
from app.web.assets import css_bundles
from app.web.assets.js_bundles import blank_out_comments
from app.web.assets.qr import qr_svg
from app.web.http import share_url
from app.web.services import rules_link
from app.web.transport import uvicorn_server
from tests.web.conftest import Live, serving
from tests.web.visitors import Come, Visitor, visiting

HTML = {"Accept": "text/html,application/xhtml+xml"}
HEADERS = (
    "content-security-policy",
    "x-content-type-options",
    "x-frame-options",
    "referrer-policy",
    "permissions-policy",
    "cross-origin-opener-policy",
    "cache-control",
)


def links(page: str) -> list[str]:
    return re.findall(r'(?:src|href)="(/static/[^"]+)"', page)


async def test_every_page_opens_and_links_only_to_existing_files(ana: Visitor) -> None:
    opened = await ana.open(bots=["easy", "easy"])
    code = opened["code"]
    paths = ["/", "/new", "/new?game=big_two", "/history", "/rules", f"/r/{code}", f"/r/{code}/rules", "/docs"]
    paths += [f"/learn/{lesson}" for lesson in all_lessons()]
    paths += [f"/rules/{game}" for game in GAMES] + [f"/rules/president?room={code}"]
    fetched: set[str] = set()
    for path in paths:
        answer = await ana.http.get(path, headers=HTML)
        assert answer.status_code == 200, path
        assert answer.headers["content-type"].startswith("text/html"), path
        assert "Undefined" not in answer.text
        assert not re.findall(r"<script(?![^>]* src=)[^>]*>|<style| style=|\bon\w+=\"", answer.text), path
        assert not re.findall(r'(?:src|href|action)="(?:https?:)?//', answer.text), path
        fetched |= set(links(answer.text))
    assert fetched
    for link in fetched:
        answer = await ana.http.get(link)
        assert answer.status_code == 200, link
        assert "immutable" in answer.headers["cache-control"]


async def test_templates_and_routes_are_compiled_before_the_first_request(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`serve` must compile templates and routes before the first visitor comes."""
    served: list[App] = []
    monkeypatch.setattr(uvicorn_server.Server, "run", lambda self, sockets: served.append(self.config.app))
    with socket.socket() as listener:
        run_server(settings, listener, lambda port: None)
    made: list[str] = []
    client = httpx2.AsyncClient(transport=httpx2.ASGITransport(served[0]), base_url="http://localhost")
    async with served[0].lifespan(for_visitors=True), client as visitor:
        # FastAPI makes a TypeAdapter for each parameter of each route.
        for of, way in ((jinja2.Environment, "compile"), (pydantic.TypeAdapter, "__init__")):
            monkeypatch.setattr(of, way, _noted(made, getattr(of, way)))
        for path, status in (("/", 200), ("/nowhere", 404), ("/history", 200)):
            assert (await visitor.get(path, headers=HTML)).status_code == status
    assert made == []


def _noted(made: list[str], way: Callable[..., Any]) -> Callable[..., Any]:
    def noting(*args: Any, **named: Any) -> Any:
        made.append(str(args[1:]))
        return way(*args, **named)

    return noting


async def test_every_response_carries_the_security_headers(ana: Visitor) -> None:
    answers = [
        await ana.http.get("/"),
        await ana.http.get("/nowhere"),
        await ana.http.get("/static/img/favicon.svg"),
        await ana.http.get("/static/nowhere.js"),
        await ana.http.get("/healthz"),
        await ana.http.get("/openapi.json"),
        await ana.http.post("/api/rooms", json={"name": ""}),
        await ana.http.post("/api/rooms", json={"name": "Ana"}, headers={"Origin": "https://evil.example"}),
        await ana.http.post("/api/rooms", content=b"x" * 100_000),
        await ana.http.delete("/"),
        await ana.http.request("TRACE", "/"),
    ]
    assert [answer.status_code for answer in answers] == [200, 404, 200, 404, 200, 200, 422, 403, 413, 405, 405]
    for answer in answers:
        for name in HEADERS:
            assert name in answer.headers, (answer.url, name)
        assert "'unsafe" not in answer.headers["content-security-policy"]
        assert "server" not in answer.headers


async def test_the_operator_is_named_on_pages_and_privacy_follows_the_settings(settings: Settings) -> None:
    named = {"operator_name": "Ana Example", "operator_contact": "ana@example.org", "keep_rooms_days": 30}
    async with serving(settings.model_copy(update=named)) as live, visiting(live.base) as come:
        home = (await come().http.get("/", headers=HTML)).text
        assert "Ana Example runs this server." in home
        assert '<a href="mailto:ana@example.org">ana@example.org</a> <a href="/privacy">Privacy</a>' in home
        privacy = (await come().http.get("/privacy", headers=HTML)).text
        assert "Rooms and their matches are deleted after 30 days without a visit." in privacy
        assert "Your profile stays until you delete it." in privacy


async def test_static_files_omit_headers_that_only_pages_need(ana: Visitor) -> None:
    """For eighty scripts, ten headers each would be larger than the scripts."""
    for part in ("js/pages/room.js", "css/base.css"):
        answer = await ana.http.get(f"/static/{part}")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert not {"content-security-policy", "permissions-policy"} & answer.headers.keys()
    # A service worker has its own policy.
    assert "content-security-policy" in (await ana.http.get("/sw.js")).headers


async def test_scripts_are_served_bundled_and_without_comments(ana: Visitor) -> None:
    page = await ana.http.get("/new", headers=HTML)
    link = next(link for link in links(page.text) if link.endswith("pages/new_room.js"))
    plain = (await ana.http.get(re.sub(r"/v-\w+", "", link))).text
    made = (await ana.http.get(link)).text
    assert "\n// The page for a new room" in plain
    assert "\n// The page for a new room" not in made
    assert 'from "../rules/form_state.js";' in plain
    assert not re.search(r"^import ", made, re.MULTILINE)
    told = (await ana.http.get(f"{link}.map")).json()
    assert {"new_room.js", "../rules/form_state.js", "../lib/virtual_dom.js"} <= set(told["sources"])


def test_removing_comments_removes_only_comment_lines_of_scripts() -> None:
    """The function only handles comments on their own lines and types within a line."""
    scripts = [*(resources.static_folder() / "js").rglob("*.js")]
    assert len(scripts) > 100
    for script in scripts:
        whole = script.read_text(encoding="utf-8")
        before = re.findall(r"^(.*?)/\*\* @type ", whole, re.MULTILINE)
        assert not [line for line in before if line.count('"') % 2 or line.count("`") % 2], "a type within a text"
        text = re.sub(r"/\*\* @type .*?\*/ ?", "", whole)
        pairs = zip(text.split("\n"), blank_out_comments(text).split("\n"), strict=True)
        lost = {line.strip() for line, left in pairs if line != left}
        assert not {line for line in lost if not line.startswith(("//", "/**", "*"))}, script.name
        # A line that starts with a multiplication is not a comment.
        assert not {line for line in lost if re.match(r"\*(?!/)[^ ]", line)}, script.name


def test_no_script_has_a_multiline_template_literal() -> None:
    scripts = [*(resources.static_folder() / "js").rglob("*.js")]
    assert len(scripts) > 100
    for script in scripts:
        text = script.read_text(encoding="utf-8")
        assert not re.findall(r"^[^`\n]*(?:`[^`\n]*`[^`\n]*)*`[^`\n]*$", text, re.MULTILINE), script.name
        assert "/*!" not in text, script.name


async def test_errors_are_html_for_browsers_and_json_for_api_clients(ana: Visitor) -> None:
    page = await ana.http.get("/r/ZZZZZZ", headers=HTML)
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "No room has this code." in page.text
    answer = await ana.http.get("/r/ZZZZZZ")
    assert answer.json()["code"] == "not_found"
    answer = await ana.http.get("/api/rooms/ZZZZZZ", headers=HTML)
    assert answer.json()["code"] == "not_found"


async def test_a_deploy_never_mixes_files_of_two_versions(live: Live, ana: Visitor) -> None:
    page = await ana.http.get("/", headers=HTML)
    link = next(link for link in links(page.text) if link.endswith(".css"))
    assert f"/static/v-{live.app.web.version}/" in link
    other = re.sub(r"v-\w+", "v-000000000000", link)
    assert (await ana.http.get(other)).status_code == 404
    packed = await ana.http.get(link, headers={"Accept-Encoding": "gzip"})
    whole = await ana.http.get(link, headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in whole.headers
    assert packed.text == whole.text
    assert int(packed.headers["content-length"]) < int(whole.headers["content-length"])
    plain = await ana.http.get(re.sub(r"/v-\w+", "", link))
    assert (plain.status_code, plain.headers["cache-control"]) == (200, "no-cache")
    again = await ana.http.get(re.sub(r"/v-\w+", "", link), headers={"If-None-Match": plain.headers["etag"]})
    assert again.status_code == 304


async def test_stylesheets_are_served_with_their_imports_inlined_in_order(ana: Visitor) -> None:
    folder = resources.static_folder() / "css"
    page = await ana.http.get(f"/r/{(await ana.open())['code']}", headers=HTML)
    (sheet,) = [link for link in links(page.text) if link.endswith("css/table.css")]
    imported = set[str]()
    for name in ("base.css", "components.css", "table.css", "table_deferred.css"):
        answer = await ana.http.get(sheet.replace("table.css", name))
        assert "@import" not in answer.text
        assert answer.headers["content-type"].startswith("text/css")
        parts = re.findall(r'@import "(.+)";', (folder / name).read_text(encoding="utf-8"))
        bare = (css_bundles.minify_css((folder / part).read_text(encoding="utf-8")) for part in parts)
        places = [answer.text.index(part.strip()) for part in bare]
        assert places == sorted(places)
        imported.update(parts)
    parts_of = {path for name in ("base", "components", "table") for path in (folder / name).iterdir()}
    assert {path.relative_to(folder).as_posix() for path in parts_of} | {"tokens.css"} == imported


@pytest.mark.parametrize("path", ["/static/../pyproject.toml", "/static/%2e%2e/pyproject.toml", "/static/v-x/../../x"])
async def test_files_outside_the_static_folder_are_not_served(ana: Visitor, path: str) -> None:
    assert (await ana.http.get(path)).status_code == 404


async def test_the_room_page_creates_a_person_and_sets_its_cookie_once(ana: Visitor, come: Come) -> None:
    opened = await ana.open()
    bob = come()
    page = await bob.http.get(f"/r/{opened['code']}", headers=HTML)
    cookie = page.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    assert "set-cookie" not in (await bob.http.get(f"/r/{opened['code']}", headers=HTML)).headers
    assert "set-cookie" not in (await come().http.get("/", headers=HTML)).headers


async def test_invitation_links_and_room_codes_redirect_to_the_room(ana: Visitor) -> None:
    opened = await ana.open()
    code, invite = opened["code"], opened["invite"]
    assert opened["url"] == f"/r/{code}"
    assert opened["link"] == f"{ana.base}/j/{invite}"
    for path in (
        f"/j/{invite}",
        f"/r?code={code.lower()}",
        f"/r?code={code[:3]}-{code[3:]}",
        f"/r/{code[:3]}-{code[3:]}",
    ):
        answer = await ana.http.get(path)
        assert (answer.status_code, answer.headers.get("location")) == (303, f"/r/{code}"), path
    for path in (f"/j/{invite}/qr.svg", f"/r/{code}/qr.svg"):
        answer = await ana.http.get(path)
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.text.startswith("<svg")
    for path in ("/j/nowhere", "/r?code=ZZZZZZ", "/r?code=", "/j/%00", "/r/%00", "/matches/%00", "/rules/%00"):
        assert (await ana.http.get(path)).status_code in (404, 422), path


NAMES_OF_RULES = {
    "bga": "/rules/president?preset=bga",
    "kings_and_bastards": "/rules/president?preset=kings_and_bastards",
    "zheng-shangyou": "/rules/president?preset=zheng_shangyou",
    "daifugo": "/rules/president?preset=daifugo",
    "Daifugō": "/rules/president?preset=daifugo",
    "大富豪": "/rules/president?preset=daifugo",
    "persona5": "/rules/president?preset=tycoon",
    "vassal": "/rules/president?preset=huberes",
    "Arschloch": "/rules/president",
    "trou-du-cul": "/rules/president",
    "pusoy-dos": "/rules/big_two?preset=pusoy_dos",
    "capsa": "/rules/big_two",
    "Big%20Two": "/rules/big_two",
    "鋤大D": "/rules/big_two?preset=hong_kong",
    "ceaușescu": "/rules/ceausescu",
    "screw-your-neighbor": "/rules/chase_the_ace",
    "thirteen": "/rules/tien_len",
    "cho-dai-di": "/rules/big_two",
    "tien-len-mien-bac": "/rules/tien_len?preset=northern",
    "run-fast": "/rules/pao_de_kuai",
    "跑得快": "/rules/pao_de_kuai",
}


async def test_each_name_of_a_game_or_preset_leads_to_its_rules(ana: Visitor) -> None:
    for name, page in NAMES_OF_RULES.items():
        answer = await ana.http.get(f"/rules/{name}")
        assert (answer.status_code, answer.headers.get("location")) == (308, page), name
    named = [
        name
        for game in GAMES.values()
        for each in (game, *game.option_schema.presets)
        for name in (each.key, each.name, *each.also.split(","))
        if name
    ]
    assert not [name for name in named if rules_link.rules_page_by_name(name) is None]
    unknown = await ana.http.get("/rules/whist", headers=HTML)
    assert unknown.status_code == 404
    assert all(f'href="/rules/{game}"' in unknown.text for game in GAMES)


@pytest.mark.parametrize("way", ["/r?code={}", "/r/{}"])
async def test_a_room_code_with_spaces_or_dashes_opens_the_room(ana: Visitor, way: str) -> None:
    opened = await ana.open()
    code = opened["code"]
    spaced = "%20".join(code.lower())
    for typed in (spaced, f"%20{code}%20", "-".join(code), f"{code[:3]}%E2%80%93{code[3:].lower()}"):
        answer = await ana.http.get(way.format(typed))
        assert (answer.status_code, answer.headers.get("location")) == (303, f"/r/{code}"), typed


@pytest.mark.parametrize("way", ["/r?code={}", "/r/{}"])
async def test_the_page_for_an_unknown_room_code_offers_a_form_to_correct_it(ana: Visitor, way: str) -> None:
    answer = await ana.http.get(way.format("8 K M K M Z"), headers=HTML)
    assert answer.status_code == 404
    assert 'action="/r"' in answer.text
    assert 'name="code" value="8 K M K M Z"' in answer.text
    attack = await ana.http.get(way.format("%22%3E%3Cb%3E"), headers=HTML)
    assert '"><b>' not in attack.text
    long = await ana.http.get(way.format("K" * 41), headers=HTML)
    assert 'name="code" value=""' in long.text


async def test_the_home_page_lists_only_your_own_rooms(ana: Visitor, come: Come) -> None:
    opened = await ana.open()
    assert opened["code"] in (await ana.http.get("/", headers=HTML)).text
    assert opened["code"] not in (await come().http.get("/", headers=HTML)).text


async def test_every_rule_has_a_row_with_an_anchor(ana: Visitor) -> None:
    for key, game in GAMES.items():
        page = (await ana.http.get(f"/rules/{key}", headers=HTML)).text
        rows = re.findall(r' id="([A-Z]+-\d+)"', page)
        assert sorted(rows) == sorted(game.option_schema.names_by_id)


async def test_a_rules_page_begins_with_the_short_rules_and_ends_with_other_names(ana: Visitor) -> None:
    page = (await ana.http.get("/rules/president", headers=HTML)).text
    places = [page.index(each) for each in ("<h1>", "In short", "It is best with 4 to 7 players.", "Other names")]
    assert places == sorted(places)
    assert page.count("Also: ") == 0
    other_names = page[places[-1] :]
    assert "Warlords and Scumbags" in other_names
    assert "Warlords and Scumbags" not in page[: places[-1]]
    survey = next(iter(CLASSIC.answers.values()))
    assert survey in page, "the rules of a new room, with the counts from which they were made"
    kings = (await ana.http.get("/rules/president?preset=kings_and_bastards", headers=HTML)).text
    assert "One 2 beats any play without 2." in kings
    assert survey not in kings


async def test_a_rules_page_folds_options_at_their_default(ana: Visitor) -> None:
    def folded(page: str) -> dict[str, bool]:
        rows = re.findall(r'<details data-rule [^>]* id="([A-Z]+-\d+)"( open)?>', page)
        return {row: not opened for row, opened in rows}

    game = GAMES["president"].option_schema
    plain = folded((await ana.http.get("/rules/president?preset=pagat", headers=HTML)).text)
    assert set(plain) == {each.id for each in game.all_options}
    assert all(plain.values())
    preset = folded((await ana.http.get("/rules/president?preset=australian", headers=HTML)).text)
    changed = {each.id for each in game.all_options if each.key in {"passing", "titles"}}
    assert {row for row, is_folded in preset.items() if not is_folded} == changed


async def test_rules_pages_mark_options_that_differ_from_the_default(ana: Visitor) -> None:
    opened = await ana.open(game="chase_the_ace", options={"dimes": 7})
    for path in (
        f"/r/{opened['code']}/rules",
        "/rules/chase_the_ace?dimes=7",
        f"/rules/chase_the_ace?room={opened['code']}",
    ):
        page = (await ana.http.get(path, headers=HTML)).text
        assert "<mark>7</mark>" in page, path
        assert "Each player has 7 lives" in page, path
    assert "<mark>7</mark>" not in (await ana.http.get("/rules/chase_the_ace", headers=HTML)).text
    assert (await ana.http.get("/rules/chase_the_ace?dimes=99")).json()["code"] == "bad_option"
    assert (await ana.http.get("/rules/chase_the_ace?wings=2")).json()["code"] == "bad_option"


async def test_rules_pages_say_whether_points_are_zero_sum(ana: Visitor) -> None:
    for path, says in (
        ("big_two", "The points of a hand need not add up to zero."),
        ("big_two?settlement=pairs", "The points of each hand add up to zero."),
        ("ceausescu", "The points of each hand add up to zero."),
    ):
        assert says in (await ana.http.get(f"/rules/{path}", headers=HTML)).text


async def test_rule_ids_are_anchors_and_not_part_of_headings(ana: Visitor) -> None:
    page = (await ana.http.get("/rules/chase_the_ace", headers=HTML)).text
    for rule in ("ACE-00", "ACE-01", "ACE-09"):
        assert f'id="{rule}"' in page
    assert not re.search(r"<h\d[^>]*>[^<]*(?:<(?!/h)[^>]*>[^<]*)*ACE-\d", page)


async def test_a_recovery_link_moves_a_person_once(ana: Visitor, come: Come) -> None:
    opened = await ana.open("Ana")
    assert (await ana.http.post("/api/me/recovery")).json()["qr"] is None  # on a phone 127.0.0.1 would be the phone
    named = {"Host": "cards.lan", "Origin": "http://cards.lan"}
    made = (await ana.http.post("/api/me/recovery", headers=named)).json()
    assert made["qr"].startswith("data:image/svg+xml")
    path = urlsplit(made["url"]).path
    phone = come()
    for _ in range(2):  # viewing does not use the link up
        assert "Ana" in (await phone.http.get(path, headers=HTML)).text
    assert (await phone.http.post(path, headers=HTML)).status_code == 200
    assert (await phone.http.get("/api/me")).json()["name"] == "Ana"
    desk = await phone.sit(opened["code"])
    assert desk.update["you"]["name"] == "Ana"
    assert (await ana.http.get("/api/me")).json()["known"] is False
    assert (await come().http.post(path, headers=HTML)).status_code == 404


async def test_shared_links_use_the_lan_address_instead_of_localhost(settings: Settings, monkeypatch: Any) -> None:
    monkeypatch.setattr(share_url, "lan_address", lambda: "192.168.1.20")
    async with serving(settings.model_copy(update={"host": "0.0.0.0"})) as live, visiting(live.base) as come:
        ana, port = come(), live.server.port
        local = {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}
        opened = (await ana.http.post("/api/rooms", json={"name": "Ana"}, headers=local)).json()
        link = f"http://192.168.1.20:{port}/j/{opened['invite']}"
        assert opened["link"] == link
        assert opened["url"] == f"/r/{opened['code']}"  # the host's own page keeps its address
        assert f'data-link="{link}"' in (await ana.http.get(opened["url"], headers={**HTML, **local})).text
        assert (await ana.http.get(f"/j/{opened['invite']}/qr.svg", headers=local)).content == qr_svg(link)
        assert (await ana.http.post("/api/me/recovery", headers=local)).json()["url"].startswith("http://192.168.1.20:")
        # Other host names and ports are used as they are.
        for host in (f"cards.lan:{port}", "localhost:9999", "localhost"):
            page = await ana.http.get(opened["url"], headers={**HTML, "Host": host})
            assert f'data-link="http://{host}/j/' in page.text
        monkeypatch.setattr(share_url, "lan_address", lambda: None)
        page = await ana.http.get(opened["url"], headers={**HTML, **local})
        assert f'data-link="http://localhost:{port}/j/' in page.text
        assert "data-here-only" in page.text
        page = await ana.http.get(opened["url"], headers={**HTML, "Host": "cards.lan"})
        assert "data-here-only" not in page.text


@pytest.mark.parametrize("changed", [{}, {"host": "0.0.0.0", "public_url": "http://cards.example"}])
async def test_shared_links_keep_the_public_or_loopback_address(
    settings: Settings, monkeypatch: Any, changed: dict[str, str]
) -> None:
    monkeypatch.setattr(share_url, "lan_address", lambda: "192.168.1.20")
    async with serving(settings.model_copy(update=changed)) as live, visiting(live.base) as come:
        opened = await come().open()
        assert opened["link"].startswith(changed.get("public_url", live.base) + "/j/")


async def test_a_name_given_in_a_room_is_saved_for_the_person(ana: Visitor, come: Come) -> None:
    bob = come()
    await bob.sit((await ana.open())["code"], "Bob")
    assert (await bob.http.get("/api/me")).json()["name"] == "Bob"


async def test_cookies_are_secure_behind_a_trusted_https_proxy(settings: Settings) -> None:
    behind = settings.model_copy(
        update={"trusted_proxies": Settings(trusted_proxies="127.0.0.0/8").trusted_proxies}  # type: ignore[arg-type]
    )
    async with serving(behind) as live, visiting(live.base) as come:
        ana = come()
        headers = {"X-Forwarded-Proto": "https", "Origin": live.base.replace("http:", "https:")}
        answer = await ana.http.post("/api/rooms", json={"name": "Ana"}, headers=headers)
        assert answer.status_code == 201
        assert answer.headers["set-cookie"].startswith("__Host-pecking_order=")
        assert "Secure" in answer.headers["set-cookie"]
        assert "max-age" in answer.headers["strict-transport-security"]
        assert answer.json()["link"].startswith("https://")


async def test_forwarded_headers_from_untrusted_peers_do_not_bypass_limits(settings: Settings) -> None:
    few = settings.model_copy(update={"limits": Limits(rooms_per_hour=2), "metrics": "off"})
    async with serving(few) as live, visiting(live.base) as come:
        ana = come()
        for n in range(3):
            answer = await ana.http.post(
                "/api/rooms", json={"name": "Ana"}, headers={"X-Forwarded-For": f"203.0.113.{n}"}
            )
        assert (answer.status_code, answer.json()["code"]) == (429, "too_fast")
        assert int(answer.headers["retry-after"]) > 1
        assert (await ana.http.get("/metrics")).status_code == 404


async def test_metrics_count_rooms_sockets_commands_and_requests(ana: Visitor) -> None:
    desk = await ana.sit((await ana.open())["code"])
    await desk.ask("start")
    text = (await ana.http.get("/metrics")).text
    assert "pecking_order_rooms 1.0" in text
    assert "pecking_order_sockets 1.0" in text
    assert re.search(r'pecking_order_commands_total\{kind="start",outcome="\w+"\} 1\.0', text)
    assert 'route="/api/rooms",status="201"' in text


def ids(answer: Any) -> set[str]:
    return {switch["id"] for game in answer["games"] for section in game["sections"] for switch in section["switches"]}


async def test_the_api_catalogue_lists_every_game_option_and_bot(ana: Visitor) -> None:
    answer = (await ana.http.get("/api/games")).json()
    assert [game["key"] for game in answer["games"]] == list(GAMES)
    assert ids(answer) == {switch.id for game in GAMES.values() for switch in game.option_schema.all_options}
    assert answer["bots"] == ["easy", "medium", "hard"], "the easiest first, and none that is for tests"


async def test_options_are_validated_before_a_room_is_created(ana: Visitor) -> None:
    good = await ana.http.post("/api/options", json={"game": "chase_the_ace", "options": {"dimes": 5}})
    assert good.json()["differences"] == {"dimes": 5}
    assert good.json()["players"] == [2, 20]
    bad = await ana.http.post("/api/options", json={"game": "chase_the_ace", "options": {"dimes": "many"}})
    assert (bad.status_code, bad.json()["ok"]) == (200, False)
    assert "dimes" in bad.json()["message"]
    made = await ana.http.post("/api/rooms", json={"name": "Ana", "game": "chase_the_ace", "options": {"dimes": 99}})
    assert (made.status_code, made.json()["code"]) == (400, "bad_option")
    made = await ana.http.post("/api/rooms", json={"name": "Ana", "game": "poker"})
    assert made.status_code == 400
    made = await ana.http.post("/api/rooms", json={"name": "Ana", "bots": ["clever"]})
    assert (made.status_code, made.json()["code"]) == (400, "bad_setting")
    made = await ana.http.post("/api/rooms", json={"name": "Ana", "extra": 1})
    assert (made.status_code, made.json()["code"]) == (422, "bad_request")


def test_all_routes_and_their_dependencies_are_async() -> None:
    """FastAPI runs other functions in threads, which costs more than most of these functions."""

    def called(needs: Dependant) -> Iterator[object]:
        yield needs.call
        for each in needs.dependencies:
            yield from called(each)

    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    assert len(routes) > 50
    calls = [call for route in routes for call in called(route.dependant)]
    assert [call for call in calls if not (iscoroutinefunction(call) or isasyncgenfunction(call))] == []
