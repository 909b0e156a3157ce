"""Test what a browser needs to install the site as an app."""

import re
import struct

from tests.web.visitors import Visitor


async def test_icons_in_the_manifest_exist_in_the_declared_sizes(ana: Visitor) -> None:
    page = await ana.http.get("/")
    [address] = re.findall('rel="manifest" href="([^"]+)"', page.text)
    answer = await ana.http.get(address)
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert manifest["name"] == "Pecking Order"
    assert {icon.get("purpose", "any") for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        picture = await ana.http.get(icon["src"])
        assert picture.status_code == 200
        assert picture.headers["content-type"].startswith(icon["type"])
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", picture.content[16:24])
            assert icon["sizes"] == f"{width}x{height}"
    for shortcut in manifest["shortcuts"]:
        assert (await ana.http.get(shortcut["url"])).status_code == 200


async def test_the_service_worker_is_served_from_the_root_and_not_cached(ana: Visitor) -> None:
    answer = await ana.http.get("/sw.js?v=any")
    assert answer.status_code == 200
    assert "javascript" in answer.headers["content-type"]
    assert answer.headers["cache-control"] == "no-cache"
    assert "worker-src 'self'" in answer.headers["content-security-policy"]


async def test_the_offline_page_contains_no_personal_data(ana: Visitor) -> None:
    await ana.open(name="Ana")
    answer = await ana.http.get("/offline", headers={"Accept": "text/html"})
    assert answer.status_code == 200
    assert "Ana" not in answer.text
    assert "set-cookie" not in answer.headers
