"""Test that a lack of file descriptors is logged and counted, and that the server continues afterwards."""

import asyncio
import contextlib
import json
import os
import resource
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2

from app.settings import Settings
from app.web.transport.open_files import RESERVED, DescriptorLimit
from tests.web.test_restart import ROOT
from tests.web.visitors import PATIENCE
from tools.local_server.free_port import free_port


@asynccontextmanager
async def limited(settings: Settings, port: int, ulimit: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a server with a limit of open files, from its first answer."""
    command = f'ulimit {ulimit} && exec "$@"'
    serve = (sys.executable, "-m", "app", "serve", "--host", "127.0.0.1", "--port", str(port), "--quiet")
    process = await asyncio.create_subprocess_exec(
        *("sh", "-c", command, "sh", *serve, "--database", settings.database_url),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=Path(settings.database_url.removeprefix("sqlite:///")).parent,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(4 * PATIENCE), httpx2.AsyncClient() as client:
            while (await answered(client, port, "/readyz"))[0] != 200:
                assert process.returncode is None, (await process.communicate())[1].decode()
                await asyncio.sleep(0.05)
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def answered(client: httpx2.AsyncClient, port: int, path: str) -> tuple[int, str]:
    """Return the status and text of an answer, or status 0 if the connection was refused."""
    with contextlib.suppress(httpx2.TransportError):
        answer = await client.get(f"http://127.0.0.1:{port}{path}")
        return answer.status_code, answer.text
    return 0, ""


async def test_the_soft_limit_of_open_files_is_raised_to_the_hard_one(settings: Settings) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    async with limited(settings, free_port(), "-S -n 256") as process:
        assert process.pid
        soft_now, hard_now = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        assert hard_now == hard
        assert soft_now == (65_536 if hard == resource.RLIM_INFINITY else hard)


async def test_connections_that_cannot_be_accepted_are_logged_and_counted(settings: Settings) -> None:
    port = free_port()
    async with limited(settings, port, "-n 100") as process, httpx2.AsyncClient() as kept:
        assert (await answered(kept, port, "/healthz"))[0] == 200  # this connection stays open
        opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(120)]
        ends = [asyncio.ensure_future(reader.read()) for reader, _ in opened]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        status, text = await answered(kept, port, "/metrics")
        assert status == 200
        [line] = [line for line in text.splitlines() if line.startswith("pecking_order_connections_not_accepted_total")]
        assert float(line.split()[1]) > 0
        for _, writer in opened:
            writer.close()
        await asyncio.gather(*ends, return_exceptions=True)
        async with asyncio.timeout(PATIENCE):
            while True:
                async with httpx2.AsyncClient() as other:
                    if (await answered(other, port, "/readyz"))[0] == 200:
                        break
                await asyncio.sleep(0.05)
        process.terminate()
        _, log = await process.communicate()
    lines = [json.loads(line) for line in log.decode().splitlines()]
    assert len([line for line in lines if line["event"].startswith("connections refused: too many open")]) == 1


class Transport:
    """A transport whose socket has this file descriptor."""

    def __init__(self, number: int) -> None:
        self._number = number

    def get_extra_info(self, name: str) -> "Transport":
        assert name == "socket"
        return self

    def fileno(self) -> int:
        return self._number


def test_refused_connections_are_logged_once_a_minute_with_their_count(lines: object) -> None:
    time, refused = [0.0], []
    files = DescriptorLimit(100, lambda: refused.append(time[0]), lambda: time[0])
    assert files.has_descriptor_for(Transport(99 - RESERVED))
    for time[0] in (0.0, 10.0, 59.0, 60.0, 61.0):
        assert not files.has_descriptor_for(Transport(100 - RESERVED))
    logged = [json.loads(line) for line in lines.getvalue().splitlines()]  # type: ignore[attr-defined]
    assert [line["count"] for line in logged] == [1, 3]
    assert len(refused) == 5
