"""Measure an upgrade from version 0.3.0: `python -m tests.upgrade.bench --hands 0 --hands 5000 --hands 100000`.

A server process gets a database of version 0.3.0, whose rows are multiplied. Times begin when the program is loaded.
They are measured a second time with the port closed until everything is ready, as in version 0.3.0. `--stop` also stops
a server in the middle of its upgrade.
"""

import asyncio
import contextlib
import json
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import httpx2
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from app.rooms.views.delta import VERSION
from app.web.context.sessions import cookie_name
from tests import postgres
from tests.upgrade.load import DATABASES, load_database, multiply_hands
from tools.local_server.client_view import add_reference_fields
from tools.local_server.free_port import free_port
from tools.local_server.system_info import cpu_seconds, describe_environment

NAME = "0.3.0"
ROOT = Path(__file__).parents[2]
POLL_SECONDS = 0.05
STOP_SECONDS = 5.0
"""Longest time in which a stop must end an upgrade."""
FIRST_PAGE_SECONDS = 2.0
"""Longest time until the first page."""


@dataclass(frozen=True)
class Times:
    """Seconds after the program was loaded."""

    first_page: float
    playable: float
    """When a player's action in a room was accepted."""


@dataclass(frozen=True)
class Server:
    """A server process with an old database, whose program is loaded."""

    process: asyncio.subprocess.Process
    base: str
    began: float

    async def first_answer(self) -> float:
        """Wait for the first answer to a page, whatever it says; return the seconds since the program was loaded."""
        async with httpx2.AsyncClient(base_url=self.base, timeout=600) as client:
            while True:
                with contextlib.suppress(httpx2.TransportError):
                    await client.get("/", headers={"Accept": "text/html"})
                    return time.monotonic() - self.began
                await asyncio.sleep(POLL_SECONDS)

    async def first_action(self, rooms: Sequence[dict[str, Any]]) -> float:
        """Play an action as soon as a room lets a player; return the seconds since the program was loaded."""
        room = next(room for room in rooms if room["phase"] == "playing" and room["to_act"][0] in room["tokens"])
        await self._act(room["code"], room["tokens"][room["to_act"][0]])
        return time.monotonic() - self.began

    async def _act(self, code: str, token: str) -> None:
        address = f"ws{self.base.removeprefix('http')}/ws/{code}?protocol={VERSION}"
        headers = {"Cookie": f"{cookie_name(secure=False)}={token}"}
        while True:
            wait = POLL_SECONDS
            with contextlib.suppress(OSError, WebSocketException):
                async with connect(
                    address,
                    origin=self.base,
                    additional_headers=headers,
                    compression=None,
                    proxy=None,
                    open_timeout=600,
                ) as socket:
                    async for frame in socket:
                        message = json.loads(frame)
                        if message["t"] == "update" and message.get("room"):  # the first, which is complete
                            act = {"t": "act", "id": "1", "action": message["you"]["legal"][0]}
                            await socket.send(json.dumps(add_reference_fields(message, act)))
                        elif message["t"] == "answer":
                            assert message["ok"], message
                            return
                        elif message["t"] == "goodbye":
                            wait = message["retry_ms"] / 1000
            await asyncio.sleep(wait)

    async def rows_done(self) -> int | None:
        """Return the number of rows that the upgrade has done, or None when the server is ready."""
        async with httpx2.AsyncClient(base_url=self.base, timeout=600) as client:
            answer = (await client.get("/readyz")).json()
            return None if answer["ready"] else int(answer.get("done_rows", 0))


@asynccontextmanager
async def loaded_server(url: str, *, closed: bool) -> AsyncIterator[Server]:
    """Start a server, and yield it when its program is loaded."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.upgrade.serve_measured", *(["--closed"] if closed else [])),
        *("serve", "--quiet", "--host", "127.0.0.1", "--port", str(port), "--database", url),
        cwd=ROOT, env={**os.environ, "PECKING_ORDER_LOG_LEVEL": "warning"}, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        assert await process.stdout.readline() == b"imported\n"
        yield Server(process, f"http://127.0.0.1:{port}", time.monotonic())
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def measure(url: str, *, closed: bool) -> Times:
    """Start a server on an old database, and measure when its first page and its first room are there."""
    dialect = "sqlite3" if url.startswith("sqlite") else "sql"
    rooms = json.loads((DATABASES / f"{NAME}.{dialect}.json").read_text())
    async with loaded_server(url, closed=closed) as server:
        first, playable = await asyncio.gather(server.first_answer(), server.first_action(rooms))
        return Times(first, playable)


async def measure_stop(url: str) -> tuple[float, float] | None:
    """Stop a server in the middle of its upgrade, and wait until it has ended.

    Returns the seconds, and those of a processor, or None if the upgrade was too fast.
    """
    before = _children_cpu_seconds()
    async with loaded_server(url, closed=False) as server:
        await server.first_answer()
        while not (done := await server.rows_done()):
            if done is None:
                return None
            await asyncio.sleep(POLL_SECONDS)
        began, used = time.monotonic(), cpu_seconds(server.process.pid) or 0.0
        server.process.terminate()
        if await server.process.wait():
            raise click.ClickException("the stopped server did not end with status 0")
        return time.monotonic() - began, _children_cpu_seconds() - before - used


def _children_cpu_seconds() -> float:
    """Return the processor time of all processes that this one has started, and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@contextmanager
def old_databases(database: str, hands: int) -> Iterator[tuple[int, list[str]]]:
    """Make three equal databases of version 0.3.0 with this number of hands; yield it, and their URLs."""
    if database == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            urls = [f"sqlite:///{folder}/{n}.sqlite3" for n in range(3)]
            load_database(urls[0], NAME)
            count = multiply_hands(urls[0], hands)
            for n in (1, 2):
                shutil.copyfile(f"{folder}/0.sqlite3", f"{folder}/{n}.sqlite3")
            yield count, urls
    else:
        with postgres.Postgres(fsync="on") as server:
            urls = [server.create_database() for _ in range(3)]
            for url in urls:
                load_database(url, NAME)
                count = multiply_hands(url, hands)
            yield count, urls


@click.command()
@click.option("--hands", "sizes", multiple=True, type=int, default=(0, 5000, 100_000), show_default=True)
@click.option("--database", "databases", multiple=True, type=click.Choice(["sqlite", "postgresql"]))
@click.option("--stop", is_flag=True, help="Also stop a server in the middle of its upgrade.")
def main(sizes: Sequence[int], databases: Sequence[str], stop: bool) -> None:
    """Measure the times to the first page and to the first playable room after an upgrade from version 0.3.0."""
    failed = False
    for database in databases or ("sqlite", "postgresql"):
        for hands in sizes:
            with old_databases(database, hands) as (count, urls):
                closed, opened = (asyncio.run(measure(urls[n], closed=n == 0)) for n in range(2))
                click.echo(
                    f"{database}, {count:,} hands: first page after {opened.first_page:.1f} s (port closed: "
                    f"{closed.first_page:.1f} s), first action after {opened.playable:.1f} s ({closed.playable:.1f} s)"
                )
                failed |= opened.first_page > FIRST_PAGE_SECONDS
                stopped = asyncio.run(measure_stop(urls[2])) if stop else None
                if stopped is not None:
                    seconds, used = stopped
                    click.echo(
                        f"  a stop in the middle of the upgrade took {seconds:.1f} s ({used:.1f} s of a processor)"
                    )
                    failed |= seconds > STOP_SECONDS
    known = describe_environment("sqlite://")
    click.echo(", ".join(f"{key} {value}" for key, value in known.items() if value is not None))
    if failed:
        sys.exit(1)


if __name__ == "__main__":
    main()
