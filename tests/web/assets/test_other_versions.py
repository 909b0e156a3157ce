"""Test static files of other versions, which pages load that were open during an upgrade."""

import gzip
from datetime import timedelta

import pytest

from app.web.assets import other_versions
from app.web.assets.other_versions import MAX_BYTES, OtherVersions
from tests.store.samples import at
from tests.web.conftest import Live
from tests.web.visitors import Visitor

SCRIPT = b"export const version = 1;\n"
FILES = {"js/pages/room.js": gzip.compress(SCRIPT), "img/bird.png": b"\x89PNG"}


async def test_an_open_page_loads_the_files_of_its_version_for_a_day(
    live: Live, ana: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assets, store = live.app.site.assets, live.app.site.store.static_files
    now = at(0)
    versions = assets.other_versions = OtherVersions(store, assets.version, lambda: now)
    await store.save_version("0123456789ab", FILES, at(-1_000_000))
    old = "/static/v-0123456789ab/"
    page = await ana.http.head(f"{old}js/pages/room.js")
    assert (page.status_code, page.headers["x-outdated"]) == (200, "1")  # before the own files are stored

    await versions.save_own(assets.page_files(), assets.pack_files)
    for encoding in ("gzip", "identity"):
        script = await ana.http.get(f"{old}js/pages/room.js", headers={"Accept-Encoding": encoding})
        assert script.content == SCRIPT
        assert script.headers["content-type"].startswith("text/javascript")
        assert script.headers.get("content-encoding", "identity") == encoding
        assert (script.headers["x-outdated"], "immutable" in script.headers["cache-control"]) == ("1", True)
    assert (await ana.http.get(f"{old}img/bird.png")).content == b"\x89PNG"
    own = await ana.http.get(assets.url("js/pages/room.js"))
    assert "x-outdated" not in own.headers
    for unknown in ("/static/v-0123456789ab/js/none.js", "/static/v-fedcba987654/js/pages/room.js"):
        assert (await ana.http.get(unknown)).status_code == 404

    # A node that is not restarted yet serves the files of the newer version.
    await store.save_version("ba9876543210", FILES, at(10))
    monkeypatch.setattr(other_versions, "REREAD_SECONDS", 0)
    newer = await ana.http.get("/static/v-ba9876543210/js/pages/room.js")
    assert (newer.content, "x-outdated" in newer.headers) == (SCRIPT, False)
    now = at(20) + timedelta(days=1)
    assert (await ana.http.get("/static/v-ba9876543210/js/pages/room.js")).status_code == 200
    assert (await ana.http.get(f"{old}js/pages/room.js")).status_code == 404


async def test_all_files_of_this_version_fit(live: Live) -> None:
    files = live.app.site.assets.pack_files()
    assert {"js/pages/room.js", "css/table.css", "messages/table.en.json", "img/favicon.svg"} <= files.keys()
    assert not any(path.endswith(".map") or path == "js/net/room_socket.js" for path in files)
    assert sum(map(len, files.values())) < MAX_BYTES / 2
