"""Test servers behind PgBouncer, with the settings of the docs: session mode, and transaction mode."""

import asyncio
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from sqlalchemy.engine import make_url

from app.cli import main
from app.store.db.errors import BadUrl
from app.store.maintenance.open_database import BAD_POOLER_MESSAGE, OTHER_DATABASE_MESSAGE
from app.store.store import open_store
from tests.postgres import Postgres
from tests.store.samples import T0
from tests.web.conftest import two_nodes
from tests.web.matches.test_lost_entries import hands, play
from tests.web.test_deploy import program
from tests.web.visitors import visiting
from tools.local_server.free_port import free_port

IGNORED = "options,extra_float_digits"
"""The value in docs/running.md."""
CONNECTIONS = 10
"""The connections of each node in session mode, as in docs/running.md."""
FEW_CONNECTIONS = 3
"""Connections of all nodes in transaction mode: fewer than each node opens."""
RUNNING = (Path(__file__).parents[3] / "docs/running.md").read_text(encoding="utf-8")
TRANSACTION = dict(
    re.findall(r"^(\w+) = (.+)$", RUNNING.partition("[pgbouncer]\n")[2].partition("```")[0], re.MULTILINE)
)
"""The settings of transaction mode in docs/running.md."""
START_SECONDS = 30.0

Pooler = Callable[..., str]

pytestmark = pytest.mark.postgres


@pytest.fixture
def pooler(postgres_url: str) -> Iterator[Pooler]:
    """Start PgBouncer in front of the database with these settings, and return the URL through it."""
    binary, behind = program("pgbouncer"), make_url(postgres_url)
    with ExitStack() as ends:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="pecking-order-pgbouncer-")))

        def start(**settings: str) -> str:
            port = free_port()
            values = {"listen_addr": "127.0.0.1", "listen_port": str(port), "unix_socket_dir": "", "auth_type": "any"}
            lines = [
                "[databases]",
                f"{behind.database} = host={behind.query['host']} dbname={behind.database} user=postgres",
                "[pgbouncer]",
                *(f"{name} = {value}" for name, value in (values | settings).items()),
            ]
            (folder / "pgbouncer.ini").write_text("\n".join(lines), encoding="ascii")
            as_user = {}
            if os.geteuid() == 0:  # PgBouncer refuses to run as root
                shutil.chown(folder, "nobody")
                as_user = {"user": "nobody"}
            command = [binary, str(folder / "pgbouncer.ini")]
            with (folder / "log").open("wb") as log:
                process = subprocess.Popen(command, stdout=log, stderr=log, **as_user)  # type: ignore[call-overload]
            ends.callback(process.wait)
            ends.callback(process.kill)
            _wait_for(port, process, folder / "log")
            return f"postgresql://postgres@127.0.0.1:{port}/{behind.database}"

        yield start


def _wait_for(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    give_up = time.monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > give_up:
                pytest.fail(f"PgBouncer did not start: {log.read_text()}")
            time.sleep(0.02)


async def test_session_mode_works_with_the_documented_settings(pooler: Pooler) -> None:
    url = pooler(pool_mode="session", ignore_startup_parameters=IGNORED, default_pool_size=str(CONNECTIONS))
    async with open_store(url) as store:
        async with asyncio.timeout(60):
            while not await store.database.health.can_save():
                await asyncio.sleep(0.05)
        await store.people.create(T0)


async def test_transaction_mode_without_a_direct_address_is_refused_with_advice(pooler: Pooler) -> None:
    url = pooler(pool_mode="transaction", ignore_startup_parameters=IGNORED, default_pool_size=str(CONNECTIONS))
    with pytest.raises(BadUrl, match="PECKING_ORDER_DATABASE_DIRECT_URL") as refused:
        async with open_store(url):
            pass
    assert str(refused.value) == BAD_POOLER_MESSAGE
    status, said = await asyncio.to_thread(run, {"DATABASE_URL": url}, "check")
    assert (status, BAD_POOLER_MESSAGE in said) == (2, True), said


def run(environment: dict[str, str], *command: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, command, env=environment)
    return result.exit_code, result.output


async def open_pooler(pooler: Pooler, direct_url: str) -> str:
    """Return the URL through a pooler in transaction mode, after the statements that the server asks for."""
    with pytest.raises(BadUrl, match="ALTER ROLE") as refused:
        async with open_store(pooler(**TRANSACTION), direct_url=direct_url):
            pass
    statements = str(refused.value).partition("after ")[2]
    assert "SET lock_timeout = '1000'" in statements
    parts = make_url(direct_url)
    with psycopg.connect(host=str(parts.query["host"]), user="postgres", dbname=parts.database) as connection:
        connection.execute(statements.encode())
    return pooler(**TRANSACTION, default_pool_size=str(FEW_CONNECTIONS))


async def test_two_nodes_play_in_transaction_mode_with_a_direct_address(pooler: Pooler, postgres_url: str) -> None:
    url = await open_pooler(pooler, postgres_url)
    async with (
        two_nodes(url, postgres_url) as (here, there),
        visiting(here.base) as come,
        visiting(there.base) as come_there,
    ):
        ana, bob = come(), come_there()
        opened = await ana.open("Ana", game="president", bots=["easy", "easy"], bots_delay=0)
        desks = {"Ana": await ana.sit(opened["code"]), "Bob": await bob.sit(opened["code"], "Bob")}
        await desks["Ana"].until(lambda update: len(update["room"]["people"]) == 4)
        await play(desks, lambda update: hands(update) == 1)
        async with asyncio.timeout(30):
            while not all([(await each.http.get("/readyz")).status_code == 200 for each in (ana, bob)]):
                await asyncio.sleep(0.05)
            for live in (here, there):
                heart = live.app.site.store.heart
                while heart is None or len(heart.alive_nodes) < 2:
                    await asyncio.sleep(0.05)


async def test_commands_work_in_transaction_mode_with_a_direct_address(
    pooler: Pooler, postgres_url: str, postgres_server: Postgres, tmp_path: Path
) -> None:
    url = await open_pooler(pooler, postgres_url)
    (tmp_path / "direct").write_text(postgres_url, encoding="utf-8")
    here = {"DATABASE_URL": url, "PECKING_ORDER_DATABASE_DIRECT_URL_FILE": str(tmp_path / "direct")}
    backup = str(tmp_path / "backup.jsonl")
    restore = ("restore", backup, "--replace", "--yes")
    async with open_store(url, direct_url=postgres_url) as store:
        await store.people.create(T0, "Ana", None)
        for command in (("backup", backup), ("check",), ("rooms", "list"), ("people", "find", "Ana"), ("status",)):
            status, said = await asyncio.to_thread(run, here, *command)
            assert status == 0, (command, said)
        for command in (restore, ("migrate",), ("rebuild",)):
            status, said = await asyncio.to_thread(run, here, *command)
            assert (status, "another Pecking Order uses" in said) == (75, True), (command, said)
    other = postgres_server.create_database()
    copy = ("copy", "--from", postgres_url, "--to", other)
    for command in (("migrate",), restore, ("rebuild",), ("check",), copy, ("check", "--database", other)):
        status, said = await asyncio.to_thread(run, here, *command)
        assert status == 0, (command, said)
    with pytest.raises(BadUrl, match=OTHER_DATABASE_MESSAGE):
        async with open_store(url, direct_url=other):
            pass


@pytest.mark.parametrize(
    "settings",
    [
        {"pool_mode": "session", "ignore_startup_parameters": ""},
        {"pool_mode": "session", "default_pool_size": "1", "query_wait_timeout": "1"},
        {"pool_mode": "transaction", "default_pool_size": "1", "query_wait_timeout": "1"},
        {"pool_mode": "statement"},
    ],
    ids=["parameters not ignored", "one connection", "one connection by turns", "statement mode"],
)
async def test_unsuitable_settings_are_refused_with_advice(pooler: Pooler, settings: dict[str, str]) -> None:
    url = pooler(**{"ignore_startup_parameters": IGNORED, "default_pool_size": str(CONNECTIONS)} | settings)
    with pytest.raises(BadUrl, match="PgBouncer"):
        async with open_store(url):
            pass
