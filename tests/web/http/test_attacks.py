"""Test attacks that try to see, do or break more than allowed. Each of these once worked."""

import asyncio
import contextlib
import io
import json
import socket
import stat
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
import structlog
from starlette.responses import Response
from websockets.exceptions import InvalidStatus

from app.engine.base.errors import RuleError
from app.engine.cards.action_codec import parse_action
from app.engine.games import GAMES
from app.rooms.log import snapshots
from app.rooms.model.state import Room
from app.rooms.ports.storage import LoadedLog, NewEvent
from app.settings import Limits, Settings, load_settings
from app.web.context.metrics import set_up_logging
from app.web.http import host_names
from app.web.http.host_names import DAY_SECONDS, MOST_NAMES_A_DAY, RefusedNames
from app.web.services import room_access, rules_form
from tests.web.conftest import Live, serving, two_nodes
from tests.web.visitors import Come, Visitor, visiting

# Unexpected requests -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "https://x]", "http://127.0.0.1:99999999"])
async def test_an_origin_that_is_not_a_url_is_refused(ana: Visitor, origin: str) -> None:
    answer = await ana.http.post("/api/options", json={"game": "president"}, headers={"Origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "bad_origin")
    assert answer.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    "host", ["[", "[::1", "localhost:x", "localhost:99999", "a@b", "evil.example/x?y", "x; script-src *", "", "a, b"]
)
async def test_an_invalid_host_header_is_refused(live: Live, ana: Visitor, host: str) -> None:
    code = (await ana.open())["code"]
    for path in (f"/r/{code}", f"/r/{code}/qr.svg", "/static/js/pages/room.js"):
        reader, writer = await asyncio.open_connection("127.0.0.1", live.server.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = (await reader.read()).decode()
        writer.close()
        assert answer.startswith("HTTP/1.1 400 ")
        assert "connect-src 'self' ;" in answer


@pytest.mark.parametrize("path", ["/api/options", "/api/rooms"])
@pytest.mark.parametrize(
    "body", [r'{"game": "\ud800"}', r'{"name": "Ana", "game": "\udfff"}', r'{"game": "president", "\ud800": 1}']
)
async def test_a_lone_surrogate_in_a_body_is_a_bad_request(ana: Visitor, path: str, body: str) -> None:
    answer = await ana.http.post(path, content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")


@pytest.mark.parametrize(
    ("game", "fields"),
    [
        ("president", {"start_points": "--5"}),
        ("president", {"start_points": "9" * 900}),
        ("president", {"start_points": "٣"}),
        ("big_two", {"deals": "-"}),
        ("big_two", {"doubling": "1: " + "9" * 900}),
    ],
)
async def test_invalid_numbers_in_rules_urls_are_refused_as_bad_options(
    ana: Visitor, game: str, fields: dict[str, str]
) -> None:
    assert all(isinstance(each, str | list) for each in rules_form.parse_options(GAMES[game], fields).values())
    assert (await ana.http.get(f"/rules/{game}", params=fields)).json()["code"] == "bad_option"


async def test_numbers_too_large_for_the_database_are_refused(ana: Visitor) -> None:
    code = (await ana.open())["code"]
    for path, field, refused in (
        ("/matches/none/replay", "hand", True),
        ("/history/import/1/replay", "hand", True),
        (f"/r/{code}/book", "evening", True),
        (f"/r/{code}/book", "before", True),
        ("/book/none", "before", True),
        # Scripts of the page set this value, and an invalid number counts as none.
        ("/history", "offset", False),
        ("/api/history", "offset", False),
    ):
        for number in (str(10**30), "--5"):
            answer = await ana.http.get(path, params={field: number})
            assert answer.status_code == (422 if refused else 200), (path, field, number)


@pytest.mark.parametrize("at", [10**4000, 109, -1, True, 1.0, "5"])
def test_a_cut_outside_the_deck_is_refused(at: object) -> None:
    with pytest.raises(RuleError, match="bad_action"):
        parse_action({"do": "cut", "at": at})


# Origins and hosts ------------------------------------------------------------------------------------------------


async def test_cookies_are_secure_if_the_public_url_is_https(settings: Settings) -> None:
    """This holds even if no trusted proxy is configured."""
    public = settings.model_copy(update={"public_url": "https://cards.example.org"})
    async with serving(public) as live, visiting(live.base) as come:
        headers = {"Host": "cards.example.org", "Origin": "https://cards.example.org"}
        answer = await come().http.post("/api/rooms", json={"name": "Ana"}, headers=headers)
        assert answer.headers["set-cookie"].startswith("__Host-pecking_order=")
        assert "Secure" in answer.headers["set-cookie"]
        assert "max-age" in answer.headers["strict-transport-security"]
        plain = await come().http.post(
            "/api/rooms", json={"name": "Bob"}, headers={**headers, "Origin": "http://cards.example.org"}
        )
        assert (plain.status_code, plain.json()["code"]) == (403, "bad_origin")
        lan = await come().http.post("/api/rooms", json={"name": "Cat"})
        assert lan.headers["set-cookie"].startswith("pecking_order=")


async def test_recovery_on_another_browser_disconnects_the_old_browser(ana: Visitor, come: Come) -> None:
    opened = await ana.open()
    old, bob = await ana.sit(opened["code"]), await come().sit(opened["code"], "Bob")
    link = (await ana.http.post("/api/me/recovery")).json()["url"]
    phone = come()
    assert (await phone.http.post("/recover/" + link.rpartition("/")[2])).status_code == 200
    assert await old.ended() == 4401
    assert old.goodbye == {"t": "goodbye", "reason": "no_session"}
    assert (await (await phone.sit(opened["code"])).ask("configure", bots_delay=1))["ok"]
    assert (await bob.ask("ping"))["ok"]


@pytest.mark.postgres
async def test_recovery_disconnects_the_old_browser_on_another_node(postgres_url: str) -> None:
    async with two_nodes(postgres_url) as (here, there), visiting(here.base) as come:
        ana, phone = come(), come()
        old = await ana.sit((await ana.open())["code"])
        link = (await ana.http.post("/api/me/recovery")).json()["url"]
        for node in (here, there):
            await node.app.site.store.bus.listening.wait()  # type: ignore[attr-defined]
        moved = await phone.http.post(f"{there.base}/recover/{link.rpartition('/')[2]}", headers={"Origin": there.base})
        assert moved.status_code == 200
        assert await old.ended() == 4401


@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Real-IP", "Forwarded"])
async def test_requests_with_forwarding_headers_of_untrusted_proxies_are_not_private(ana: Visitor, header: str) -> None:
    assert (await ana.http.get("/metrics")).status_code == 200
    assert (await ana.http.get("/metrics", headers={header: "203.0.113.9"})).status_code == 404


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"cookies": "", "Sec_Fetch_Mode": "websocket"},
        {"Authorization": "Bearer " + "x" * 43},
        {"cookies": "", "Sec_Fetch_Site": "cross-site"},
        {"cookies": "another=1"},
    ],
)
async def test_a_browser_handshake_without_an_origin_is_refused(ana: Visitor, sent: dict[str, str]) -> None:
    """Without an Origin, a handshake needs a token, because browsers send cookies automatically."""
    code = (await ana.open())["code"]
    with pytest.raises(InvalidStatus) as refused:
        await ana.socket(code, origin=None, **sent)
    assert refused.value.response.status_code == 403


async def test_a_bearer_token_does_not_bypass_the_origin_check(ana: Visitor) -> None:
    code = (await ana.open())["code"]
    bearer = "Bearer " + ana.cookies.partition("=")[2]
    with pytest.raises(InvalidStatus) as refused:
        await ana.socket(code, origin="https://evil.example", cookies="", Authorization=bearer)
    assert refused.value.response.status_code == 403
    headers = {"Origin": "https://evil.example", "Authorization": bearer}
    for method, path in (("PUT", "/api/me"), ("POST", "/api/people"), ("POST", "/api/rooms")):
        answer = await ana.http.request(method, path, json={"name": "Eve"}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "bad_origin")


async def test_the_api_never_reveals_the_token_of_an_existing_person(ana: Visitor) -> None:
    """Scripts can't read the cookie, and the API must not reveal it or set a new one."""
    await ana.open()
    made = await ana.http.post("/api/people", json={"name": "Eve"})
    assert made.json()["token"] not in ana.cookies
    assert "set-cookie" not in made.headers
    assert made.headers["cache-control"] == "no-store"
    assert (await ana.http.get("/api/me")).json()["name"] == "Ana"


PUBLIC = "http://cards.example.org"
FRIEND = "https://friend.example"
PRIVATE_HOSTS = (
    "localhost", "localhost:8000", "127.0.0.1", "192.168.1.20:80", "[::1]:8000", "[fe80::1]", "pecking-order:8000",
    socket.gethostname(), "a.localhost", "server.local", "pc.lan:8000", "pecking.internal", "pc.home.arpa",
    "PC.Fritz.Box", "friend.example",
)  # fmt: skip
FOREIGN_HOSTS = (
    "evil.example", "1.2.3.4.evil.example", "localhost.evil", "pc.fritz.box.evil.example", "evil.lan.",
    "evil.local.example:8000", "home.arpa", "fritz.box", "a.box",
)  # fmt: skip


@pytest.mark.parametrize("public_url", [None, PUBLIC], ids=["no public address", "a public address"])
async def test_a_server_answers_to_its_own_and_private_names_only(
    settings: Settings, lines: io.StringIO, public_url: str | None
) -> None:
    """A foreign page that points its own name here has the same Origin and Host, so only the list can detect it."""
    changed = settings.model_copy(update={"public_url": public_url, "allowed_origins": (FRIEND,)})
    async with serving(changed) as live, httpx2.AsyncClient(base_url=live.base, timeout=60) as http:

        async def ask(host: str, method: str = "POST", path: str = "/api/options") -> tuple[int, Any]:
            headers = {"Host": host, "Origin": f"http://{host}"}
            answer = await http.request(method, path, json={"game": "president"}, headers=headers)
            return answer.status_code, answer.json()

        own = ("cards.example.org", "Cards.Example.org:8000") if public_url else ()
        for host in (*PRIVATE_HOSTS, *own):
            assert (await ask(host))[0] == 200, host
        for host in (*FOREIGN_HOSTS, *(() if public_url else ("cards.example.org",))):
            for method, path in (("POST", "/api/options"), ("GET", "/metrics"), ("GET", "/ws/AAAAAA")):
                status, said = await ask(host, method, path)
                assert (status, said["code"]) == (421, "bad_host"), host
            own_server = "If this is your server, set PECKING_ORDER_PUBLIC_URL."
            assert (PUBLIC if public_url else own_server) in said["message"]
        for number in range(MOST_NAMES_A_DAY):
            await ask(f"{number}.evil.example")
    logged = [json.loads(line) for line in lines.getvalue().splitlines() if "host refused" in line]
    assert len(logged) == MOST_NAMES_A_DAY
    name, value = logged[0]["value"].split("=")
    if public_url is None:
        assert (name, value) == ("PECKING_ORDER_PUBLIC_URL", "http://evil.example")
    else:
        assert (name, value) == ("PECKING_ORDER_ALLOWED_ORIGINS", f"{FRIEND},http://evil.example")


async def test_the_logged_setting_makes_a_name_known(
    settings: Settings, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    for host, proto in (("cards.example.org", "https"), ("cards.example.com:8000", "http")):
        headers = {"Host": host, "X-Forwarded-Proto": proto}
        for status in (421, 200):
            given = load_settings(database_url=settings.database_url)
            async with serving(given) as live, httpx2.AsyncClient(base_url=live.base, timeout=60) as http:
                assert (await http.get("/", headers=headers)).status_code == status
            if status == 421:
                [line] = [json.loads(line) for line in lines.getvalue().splitlines() if "host refused" in line]
                lines.truncate(0)
                monkeypatch.setenv(*line["value"].split("=", 1))
    assert (given.public_url, given.allowed_origins) == (
        "https://cards.example.org",
        ("http://cards.example.com:8000",),
    )


def test_a_server_answers_to_the_full_name_of_its_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    full = [(socket.AF_INET, socket.SOCK_STREAM, 6, "Box.example.net", ("127.0.1.1", 0))]
    monkeypatch.setattr("socket.gethostname", lambda: "box")
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: full)
    host_names._machine_names.cache_clear()
    assert host_names.own_host_names(Settings(host="0.0.0.0")) == {"box", "box.example.net", "0.0.0.0"}
    assert host_names.describe_known_names(Settings()).startswith("box.example.net, IP addresses")
    host_names._machine_names.cache_clear()


def test_each_refused_name_is_logged_once_and_ten_a_day() -> None:
    now = 0.0
    names = RefusedNames(lambda: now)
    assert [names.should_log(host) for host in ("a.example", "a.example:8000", "B.example", "b.example")] == [
        True, False, True, False
    ]  # fmt: skip
    assert sum(names.should_log(f"{number}.example") for number in range(100)) == MOST_NAMES_A_DAY - 2
    now = DAY_SECONDS
    assert not names.should_log("a.example")
    assert names.should_log("99.example")


# Stored and logged data -------------------------------------------------------------------------------------------


async def test_database_files_are_readable_only_by_their_owner(tmp_path: Path) -> None:
    """The database contains cards, secrets of shuffles and invitations."""
    fresh = Settings(database_url=f"sqlite:///{tmp_path / 'new' / 'rooms.sqlite3'}")
    async with serving(fresh) as live, visiting(live.base) as come:
        await come().open()
        made = list((tmp_path / "new").iterdir())
        assert len(made) >= 2
        assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o600}


async def test_personal_pages_are_not_cached(ana: Visitor) -> None:
    code = (await ana.open())["code"]
    recovery = (await ana.http.post("/api/me/recovery")).json()["url"]
    for path in (
        f"/r/{code}",
        "/",
        "/history",
        "/me",
        "/me/settings",
        "/api/me",
        f"/api/rooms/{code}",
        recovery,
        "/nowhere",
    ):
        answer = await ana.http.get(path, headers={"Accept": "text/html"})
        assert answer.headers["cache-control"] == "no-store", path


def test_tracebacks_do_not_contain_the_values_of_variables(loggers: None, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr("sys.stderr", out)
    set_up_logging(Settings(log_format="console"))
    cookie = "pecking_order=" + "secret"[::-1]
    try:
        raise ValueError(len(cookie))
    except ValueError:
        structlog.get_logger("test").exception("failed")
    assert "ValueError: 20" in out.getvalue()
    assert cookie not in out.getvalue()


# Work that would delay all ----------------------------------------------------------------------------------------


async def test_long_event_logs_are_not_folded_on_the_event_loop(
    live: Live, ana: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folding takes 0.1 ms for each entry since the last snapshot, and a hand may have very many."""
    opened = await ana.open(bots=["easy", "easy"])
    site, code = live.app.site, opened["code"]
    talk = [NewEvent("held", {}, datetime.now(UTC))] * 2000
    monkeypatch.setattr(site.registry, "_idle", 0.0)
    await site.registry.unload_idle_rooms()
    lead = await site.store.log.by_code(code)
    assert lead is not None
    loaded = await site.store.log.load(lead.room)
    assert loaded is not None
    await site.store.log.append(lead.room, len(loaded.entries), talk)
    folds = list[tuple[int, bool]]()
    fold = snapshots.load_room

    def counted(what: LoadedLog) -> Room:
        folds.append((len(what.entries), threading.current_thread() is threading.main_thread()))
        return fold(what)

    monkeypatch.setattr(snapshots, "load_room", counted)
    assert code in (await ana.http.get("/", headers={"Accept": "text/html"})).text
    assert folds == [(room_access.MAX_REPLAYED_ENTRIES, False)]
    await ana.enter(code)
    assert folds[1:] == [(2000 + len(loaded.entries), False)]


async def test_connections_are_limited_by_address(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.transport.uvicorn_server.CONNECTIONS_PER_SOCKET", 1)
    few = settings.model_copy(update={"limits": Limits(sockets_per_address=5)})
    async with serving(few) as live, visiting(live.base) as come:
        ana = come()
        desk = await ana.sit((await ana.open())["code"])  # two connections
        idle = [await asyncio.open_connection("127.0.0.1", live.server.port) for _ in range(8)]
        await asyncio.sleep(0.1)
        assert [reader.at_eof() or reader.exception() is not None for reader, _ in idle] == [False] * 3 + [True] * 5
        assert (await desk.ask("ping"))["ok"]
        for _, writer in idle:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
        await desk.close()
        await ana.http.aclose()
        doors = live.server.config.serving.counts  # type: ignore[attr-defined]
        async with asyncio.timeout(5):
            while doors._open:
                await asyncio.sleep(0.02)


async def test_connections_from_trusted_proxies_are_not_limited(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.transport.uvicorn_server.CONNECTIONS_PER_SOCKET", 1)
    trusted = Settings(trusted_proxies="127.0.0.0/8").trusted_proxies  # type: ignore[arg-type]
    few = settings.model_copy(update={"limits": Limits(sockets_per_address=2), "trusted_proxies": trusted})
    async with serving(few) as live:
        idle = [await asyncio.open_connection("127.0.0.1", live.server.port) for _ in range(8)]
        await asyncio.sleep(0.1)
        assert not any(reader.at_eof() for reader, _ in idle)
        for _, writer in idle:
            writer.close()


async def test_a_client_that_does_not_read_its_response_is_disconnected(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.transport.http_guard.STALLED_SECONDS", 0.2)

    async def long_answer(scope: Any, receive: Any, send: Any) -> None:
        await Response(b"x" * 20_000_000)(scope, receive, send)

    live.app.web.mount("/long", long_answer)
    reader, writer = await asyncio.open_connection("127.0.0.1", live.server.port, limit=1000)
    writer.write(b"GET /long/ HTTP/1.1\r\nHost: a\r\n\r\n")
    assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
    async with asyncio.timeout(5):
        while live.server.server_state.connections:
            await asyncio.sleep(0.05)
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
