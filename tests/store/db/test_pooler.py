"""Test a server behind PgBouncer: session mode works with the settings of the docs, transaction mode is refused."""

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from app.store.db.errors import BadUrl
from app.store.maintenance.open_database import BAD_POOLER_MESSAGE
from app.store.store import open_store
from tests.store.samples import T0
from tests.web.test_deploy import program
from tools.local_server.free_port import free_port

IGNORED = "options,extra_float_digits"
"""The value in docs/running.md."""
CONNECTIONS = 10
"""The connections of each node, as in docs/running.md."""
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


async def test_transaction_mode_is_refused_with_advice(pooler: Pooler) -> None:
    url = pooler(pool_mode="transaction", ignore_startup_parameters=IGNORED, default_pool_size=str(CONNECTIONS))
    with pytest.raises(BadUrl, match="PgBouncer") as refused:
        async with open_store(url):
            pass
    assert str(refused.value) == BAD_POOLER_MESSAGE


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
