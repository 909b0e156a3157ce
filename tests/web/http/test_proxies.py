"""Test the warning about a proxy that is not configured, and HEAD requests, which monitors send."""

import io
import json
from ipaddress import ip_network

import pytest
from websockets.exceptions import InvalidStatus

from app.settings import Settings
from tests.web.conftest import Live, serving
from tests.web.visitors import Come, Visitor, visiting


def warnings(lines: io.StringIO) -> list[dict[str, str]]:
    said = [json.loads(line) for line in lines.getvalue().splitlines()]
    return [line for line in said if line["level"] == "warning"]


async def test_an_untrusted_proxy_is_warned_about_once(lines: io.StringIO, come: Come) -> None:
    for forwarded in ("203.0.113.5", "203.0.113.6"):
        await come().http.get("/", headers={"X-Forwarded-For": forwarded, "X-Forwarded-Proto": "https"})
    [warning] = warnings(lines)
    assert warning["sender"] == "127.0.0.1"
    assert "PECKING_ORDER_TRUSTED_PROXIES" in warning["event"]
    assert "PECKING_ORDER_PUBLIC_URL" in warning["event"]


async def test_a_trusted_proxy_is_not_warned_about(lines: io.StringIO, settings: Settings) -> None:
    trusted = Settings(trusted_proxies="127.0.0.1").trusted_proxies  # type: ignore[arg-type]
    async with (
        serving(settings.model_copy(update={"trusted_proxies": trusted})) as live,
        visiting(live.base) as come,
    ):
        await come().http.get("/", headers={"X-Forwarded-For": "203.0.113.5"})
    assert not warnings(lines)


async def test_a_proxy_that_rewrites_the_host_is_warned_about_once(lines: io.StringIO, come: Come) -> None:
    rewritten = {"Host": "inside:8000", "Origin": "https://cards.example.org"}
    for _ in range(2):
        refused = await come().http.post("/api/rooms", json={"name": "Ana"}, headers=rewritten)
        assert refused.json()["code"] == "bad_origin"
    [warning] = warnings(lines)
    assert (warning["origin"], warning["host"]) == ("https://cards.example.org", "inside:8000")
    assert "PECKING_ORDER_PUBLIC_URL" in warning["event"]


async def test_refused_requests_are_logged_with_their_address_if_the_operator_wants(
    lines: io.StringIO, settings: Settings
) -> None:
    for wanted in (False, True):
        changed = {"log_refused_addresses": wanted, "trusted_proxies": (ip_network("127.0.0.1"),)}
        async with serving(settings.model_copy(update=changed)) as live, visiting(live.base) as come:
            elsewhere = {"X-Forwarded-For": "203.0.113.5", "Origin": "https://evil.example"}
            assert (await come().http.post("/api/rooms", json={"name": "Ana"}, headers=elsewhere)).status_code == 403
    (line,) = [each for each in lines.getvalue().splitlines() if "request refused" in each]
    assert '"address": "203.0.113.5", "code": "bad_origin", "event": "request refused"' in line  # as fail2ban reads it


async def test_a_refused_websocket_handshake_is_not_logged_as_an_error(lines: io.StringIO, come: Come) -> None:
    ana = come()
    opened = await ana.open()
    with pytest.raises(InvalidStatus, match="403"):
        await ana.socket(opened["code"], origin="https://evil.example")
    assert not [line for line in lines.getvalue().splitlines() if json.loads(line)["level"] == "error"]


@pytest.mark.parametrize(
    "path",
    ["/", "/healthz", "/readyz", "/rules/president", "/api/games", "/static/js/pages/room.js", "/nowhere", "/metrics"],
)
async def test_head_answers_like_get_without_a_body(live: Live, come: Come, path: str) -> None:
    ana = come()
    asked, got = await ana.http.head(path), await ana.http.get(path)
    assert (asked.status_code, asked.content) == (got.status_code, b"")
    for name in ("content-type", "content-security-policy", "cache-control"):
        assert asked.headers.get(name) == got.headers.get(name)
    if path != "/metrics":
        assert asked.headers.get("content-length") == got.headers.get("content-length")
    assert (
        live.app.site.metrics.registry.get_sample_value(
            "pecking_order_requests_total", {"route": "none", "status": "405"}
        )
        is None
    )


async def test_head_on_a_post_only_route_is_refused(ana: Visitor) -> None:
    assert (await ana.http.head("/api/me/recovery")).status_code == 405
