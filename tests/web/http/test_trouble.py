"""Test a full disk: players get a message at once, pages can be read, and work continues when there is space again."""

import asyncio
import contextlib
import json
import resource
import sqlite3

import httpx2
import pytest

from app.settings import Settings
from tests.web.test_restart import started
from tests.web.visitors import PATIENCE, visiting
from tools.local_server.free_port import free_port

HTML = {"Accept": "text/html"}
TWO_HOURS_AGO = "strftime('%Y-%m-%d %H:%M:%f000', 'now', '-2 hours')"


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs prlimit, which Linux has")
async def test_a_full_disk_is_reported_and_commands_resume_when_space_is_free(settings: Settings) -> None:
    port = free_port()
    async with started(settings, port) as process, visiting(f"http://127.0.0.1:{port}") as come:
        ana, bob = come(), come()
        opened = await ana.open()
        desk = await ana.sit(opened["code"])
        await bob.enter(opened["code"])
        with contextlib.closing(sqlite3.connect(settings.database_url.removeprefix("sqlite:///"))) as file, file:
            # The pages' requests would save that their devices were seen.
            file.execute(f"UPDATE devices SET last_seen_at = {TWO_HOURS_AGO}")
        hard = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)[1]

        # From now on the process can't write any file beyond its first byte.
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1, hard))
        waiting = asyncio.create_task(desk.ask("configure", bots_delay=2))
        await desk.until_told(lambda notice: "Saving has to wait." in (notice or ""))
        assert not waiting.done()
        ready = await ana.http.get("/readyz")
        assert (ready.status_code, ready.json()) == (503, {"ready": False, "reason": "database"})
        page = await come().http.get(f"/r/{opened['code']}", headers=HTML)
        assert (page.status_code, "The server can’t reach its database right now." in page.text) == (503, True)
        assert "x-pecking-order" in page.headers  # else the service worker takes the page for that of a proxy
        for path in (f"/r/{opened['code']}", f"/j/{opened['invite']}", "/", "/history", "/me"):
            page = await bob.http.get(path, headers=HTML, follow_redirects=True)
            assert page.status_code == 200, path
        bobs = await bob.socket(opened["code"])  # a new connection gets the message, too
        await bobs.until_told(lambda notice: notice)
        async with asyncio.timeout(PATIENCE):  # repeated messages show a waiting page that its connection works
            while sum("web.not_written" in frame for frame in desk.frames) < 2:
                await asyncio.sleep(0.05)

        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        answer = await waiting
        if not answer["ok"]:  # on a slow machine the action may have timed out
            assert answer["code"] == "unavailable"
            await desk.do("configure", bots_delay=2)
        await desk.until_told(lambda notice: notice is None)
        await until_ready(ana.http)
        await desk.until(lambda update: update["room"]["bots_delay"] == 2)
        await come().sit(opened["code"], "Dan")

        process.terminate()
        _, log = await process.communicate()
    lines = [json.loads(line) for line in log.decode().splitlines()]  # a traceback would not be JSON
    told = [line for line in lines if line["level"] in ("error", "warning")]
    outages = [line["event"].partition(":")[0] for line in told if line["level"] == "error"]
    assert set(outages) == {"database outage"}
    assert len(outages) == len(told) / 2, "one line when it begins and one when it is over"
    ended = [line["event"].partition(" after ")[0] for line in told if line["level"] == "warning"]
    assert set(ended) == {"database outage is over"}


async def until_ready(http: httpx2.AsyncClient) -> None:
    async with asyncio.timeout(3 * PATIENCE):
        while (await http.get("/readyz")).status_code != 200:
            await asyncio.sleep(0.05)
