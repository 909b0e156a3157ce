"""Test the server while it starts: the port answers before its pages are built and its database is upgraded."""

import asyncio
import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import psycopg
import pytest

from app.settings import Settings
from app.store.maintenance.migrations import Progress
from app.web.starting import StartProgress
from tests.postgres import Postgres
from tests.web.visitors import PATIENCE, visiting
from tools.local_server.free_port import free_port

ROOT = Path(__file__).parent.parent.parent
HTML = {"Accept": "text/html"}


@dataclass
class StagedServer:
    """A server process whose upgrade waits for the test."""

    base: str
    process: asyncio.subprocess.Process
    control: Path

    def set_rows(self, said: object) -> None:
        """Let the upgrade have done this number of its 100,000 rows; `end` ends it, `fail` lets it fail."""
        waiting = self.control.with_suffix(".new")
        waiting.write_text(str(said))
        waiting.replace(self.control)

    async def until_open(self) -> None:
        """Wait until the port answers."""
        await self.until_text("/healthz", "ok")

    async def until_text(self, path: str, text: str) -> None:
        """Wait until the response to this path contains a text."""
        async with asyncio.timeout(4 * PATIENCE), httpx2.AsyncClient() as client:
            while True:
                if self.process.returncode is not None:
                    raise AssertionError((await self.process.communicate())[1].decode())
                with contextlib.suppress(httpx2.TransportError):
                    if text in (await client.get(self.base + path)).text:
                        return
                await asyncio.sleep(0.05)


@contextlib.asynccontextmanager
async def staged(settings: Settings, folder: Path) -> AsyncIterator[StagedServer]:
    """Run `pecking-order serve` with an upgrade that waits at 0 rows."""
    port, control = free_port(), folder / "upgrade"
    control.write_text("0")
    program = ("-m", "tests.web.staged_upgrade", str(control))
    arguments = ("serve", "--host", "127.0.0.1", "--port", str(port), "--database", settings.database_url)
    process = await asyncio.create_subprocess_exec(
        sys.executable, *program, *arguments, env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=folder,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield StagedServer(f"http://127.0.0.1:{port}", process, control)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def until_stored(url: str) -> None:
    """Wait until the server has stored its static files."""
    async with asyncio.timeout(PATIENCE):
        with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file:
            query = "SELECT count(*) FROM static_files WHERE path = 'img/sign-whole.png'"
            while file.execute(query).fetchone() != (1,):
                await asyncio.sleep(0.05)


async def test_the_port_answers_while_the_database_is_upgraded(settings: Settings, tmp_path: Path) -> None:
    async with staged(settings, tmp_path) as server, visiting(server.base) as come:
        await server.until_open()
        ana = come()
        server.set_rows(1000)
        await server.until_text("/metrics", "upgrade_rows_done 1000.0")
        assert (await ana.http.get("/readyz")).json() == {
            "ready": False,
            "reason": "starting",
            "done_rows": 1000,
            "total_rows": 100_000,
        }
        assert (await ana.http.get("/healthz")).text.startswith("ok ")
        metrics = (await ana.http.get("/metrics")).text
        assert "\npecking_order_upgrade_rows_done 1000.0\n" in metrics
        assert "\npecking_order_upgrade_rows 100000.0\n" in metrics

        # The page needs nothing but its own files, and loads itself again.
        page = await ana.http.get("/r/KQ7F3M", headers=HTML)
        assert page.status_code == 503
        assert int(page.headers["retry-after"]) >= 1
        assert "<h1>The server is being upgraded.</h1>" in page.text
        assert "done: 1,000 of 100,000</p>" in page.text
        assert '<meta http-equiv="refresh"' in page.text
        assert page.headers["x-pecking-order"] == "1"
        assert page.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
        for path in ("css/tokens.css", "css/starting.css", "img/favicon.svg"):
            assert f"/static/{path}" in page.text
            assert (await ana.http.get(f"/static/{path}")).status_code == 200
        head = await ana.http.head("/", headers=HTML)
        assert (head.status_code, head.text) == (503, "")

        # All else is refused, by the same guards as later.
        for path in ("/static/js/pages/room.js", "/api/games", "/openapi.json"):
            refused = await ana.http.get(path)
            assert (refused.status_code, refused.json()["code"]) == (503, "starting")
            assert refused.json()["key"] == "starting.upgrades"
        assert (await ana.http.get("/", headers={"Host": "evil.example"})).status_code == 421
        evil = {"Origin": "https://evil.example", **HTML}
        foreign = await ana.http.post("/new", headers=evil)
        assert (foreign.status_code, "Only pages of this site" in foreign.text) == (403, True)
        assert (await ana.http.post("/api/rooms", content=b"x" * 100_000)).status_code == 413

        # A socket gets a goodbye that pages of all versions know, with the sentence for those that show it.
        server.set_rows(50_000)
        await server.until_text("/metrics", "upgrade_rows_done 50000.0")
        desk = await ana.socket("KQ7F3M")
        assert await desk.ended() == 1012
        assert desk.goodbye is not None
        assert desk.goodbye["reason"] == "restart"
        assert desk.goodbye["retry_ms"] >= 1000
        assert desk.goodbye["message"] == "The server is being upgraded, less than a minute left."
        assert (desk.goodbye["key"], desk.goodbye["values"]) == ("starting.soon", {})

        server.set_rows("end")
        await server.until_text("/readyz", '"ready":true')
        assert (await ana.http.get("/", headers=HTML)).status_code == 200
        await until_stored(settings.database_url)
        server.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            out, log = await server.process.communicate()
        assert server.process.returncode == 0
        assert b"Pecking Order" in out
        assert re.search(rb'"done_rows": (1000|50000), "total_rows": 100000, .*"event": "upgrading the database"', log)


async def test_a_stop_ends_an_upgrade_without_an_error(settings: Settings, tmp_path: Path) -> None:
    async with staged(settings, tmp_path) as server:
        await server.until_open()
        server.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            out, log = await server.process.communicate()
        assert (server.process.returncode, out) == (0, b"")
        assert b"start stopped" in log
        assert b"Traceback" not in log


async def test_a_start_that_fails_after_the_port_is_open_ends_with_a_sentence_and_status_2(
    settings: Settings, tmp_path: Path
) -> None:
    async with staged(settings, tmp_path) as server:
        await server.until_open()
        server.set_rows("fail")
        async with asyncio.timeout(PATIENCE):
            out, log = await server.process.communicate()
        assert (server.process.returncode, out) == (2, b"")
        assert b"can\xe2\x80\x99t be used" in log
        assert b"the disk has no space: 12 MB are missing." in log
        assert b"Traceback" not in log


@pytest.mark.postgres
async def test_a_server_waits_for_its_database_but_not_after_a_wrong_address(tmp_path: Path) -> None:
    with Postgres() as database:
        url = database.create_database()
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute("CREATE ROLE ann LOGIN PASSWORD 's3cret'")
        hba = database.folder / "data" / "pg_hba.conf"
        hba.write_text(f"local all ann scram-sha-256\n{hba.read_text('utf-8')}", "utf-8")
        database.stop()
        async with staged(Settings(database_url=url), tmp_path) as server:
            server.set_rows("end")
            await server.until_open()
            assert server.process.stderr is not None
            assert b"waiting for the database" in await server.process.stderr.readline()
            database.start()
            await server.until_text("/readyz", '"ready":true')
        for wrong, said in (
            (database.url("nowhere"), b'database "nowhere" does not exist'),
            (url.replace("postgres@", "ann:guess@"), b"password authentication failed"),
        ):
            async with staged(Settings(database_url=wrong), tmp_path) as server:
                async with asyncio.timeout(4 * PATIENCE):
                    _, log = await server.process.communicate()
                assert (server.process.returncode, said in log) == (2, True), log.decode()


@pytest.mark.postgres
async def test_a_second_node_waits_for_the_upgrade_of_the_first_with_its_port_open(
    postgres_url: str, tmp_path: Path
) -> None:
    settings = Settings(database_url=postgres_url)
    async with staged(settings, tmp_path) as first:
        await first.until_text("/metrics", "upgrade_rows 100000.0")
        async with staged(settings, tmp_path) as second, httpx2.AsyncClient() as client:
            await second.until_open()
            assert (await client.get(f"{second.base}/readyz")).json() == {"ready": False, "reason": "starting"}
            page = await client.get(second.base, headers=HTML)
            assert (page.status_code, "The server is starting." in page.text) == (503, True)
            first.set_rows("end")
            for node in (first, second):
                await node.until_text("/readyz", '"ready":true')


def test_the_time_left_is_told_after_the_first_five_percent() -> None:
    now = 100.0
    progress = StartProgress(lambda: now)
    assert (progress.sentence(), progress.is_long) == ("The server is starting.", False)
    progress.report(Progress(20_000, 120_000))  # those 20,000 were done before a stop
    assert (progress.seconds_left(), progress.sentence()) == (None, "The server is being upgraded.")
    now += 30
    progress.report(Progress(24_999, 120_000))
    assert progress.seconds_left() is None
    progress.report(Progress(30_000, 120_000))
    assert progress.seconds_left() == 270
    assert progress.sentence() == "The server is being upgraded, about 4 minutes left."
    now += 30
    progress.report(Progress(70_000, 120_000))
    assert progress.sentence() == "The server is being upgraded, about 1 minute left."
    assert progress.is_long
    progress.report(Progress(110_000, 120_000))
    assert progress.sentence() == "The server is being upgraded, less than a minute left."


def test_a_server_imports_late_what_it_may_never_need() -> None:
    program = "import sys, app.main; print(*sys.modules)"
    imported = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    late = {"alembic", "cryptography.hazmat.bindings._rust", "mako", "openskill", "PIL", "psycopg"}
    assert late.isdisjoint(imported.stdout.split())
