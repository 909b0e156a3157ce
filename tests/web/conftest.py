"""Fixtures for a real server in the test's event loop, and for visitors with real sockets."""

import asyncio
import io
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog

from app import main
from app.main import App, Pages, build_pages, create_app
from app.rooms.live.registry import SystemClock
from app.settings import Settings
from app.web.context.metrics import set_up_logging
from app.web.transport import uvicorn_server
from tests.web.door import Door, opened_door
from tests.web.visitors import Come, visiting


@dataclass
class Live:
    """A running server."""

    app: App
    server: uvicorn_server.Server
    base: str
    running: "asyncio.Task[None]"


_UNUSED = list[Pages]()
"""Pages of servers that have ended. The next server takes them: FastAPI builds each route when it is first used, which
takes most of the time of a short test."""


@asynccontextmanager
async def serving(settings: Settings, **parts: Any) -> AsyncIterator[Live]:
    """Run the server of `pecking-order serve` on a free port."""
    taken = list[Pages]()

    def take_pages(*catalogues: Any, **options: Any) -> Pages:
        taken.append(_UNUSED.pop() if _UNUSED and not settings.watch_files else build_pages(*catalogues, **options))
        return taken[0]

    app = create_app(settings, **parts)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    listener.setblocking(False)
    config = uvicorn_server.build_server_config(app, settings)
    running_server = uvicorn_server.Server(config, app.lifespan, app.drain)
    running_server.capture_signals = nullcontext  # type: ignore[method-assign,assignment]
    task = asyncio.create_task(running_server.serve(sockets=[listener]))
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(main, "build_pages", take_pages)
            while not running_server.is_ready:
                if task.done():
                    task.result()
                await asyncio.sleep(0.005)
        yield Live(app, running_server, f"http://127.0.0.1:{running_server.port}", task)
    finally:
        running_server.start_draining()
        await task
        _UNUSED.extend(pages for pages in taken if not settings.watch_files)


@asynccontextmanager
async def two_nodes(postgres_url: str, direct_url: str | None = None) -> AsyncIterator[tuple[Live, Live]]:
    """Run two servers on one database. `direct_url`: its address without a connection pooler."""
    settings = Settings(database_url=postgres_url, database_direct_url=direct_url, retry_ms=100, drain_seconds=3)
    async with serving(settings) as here, serving(settings) as there:
        yield here, there


@pytest.fixture
def lines(loggers: None, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Collect all log lines as JSON."""
    out = io.StringIO()
    monkeypatch.setattr("sys.stderr", out)
    set_up_logging(Settings(log_level="debug", log_format="json"))
    structlog.configure(cache_logger_on_first_use=False)
    return out


@pytest.fixture
def settings(migrated: Path, tmp_path: Path) -> Settings:
    """Settings for a server with its own database."""
    path = tmp_path / "rooms.sqlite3"
    shutil.copy(migrated, path)
    return Settings(host="127.0.0.1", database_url=f"sqlite:///{path}", retry_ms=100, drain_seconds=3)


class MovedClock(SystemClock):
    """A clock for rooms that a test can move."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def now(self) -> datetime:
        return super().now() + self._ahead

    def move(self, seconds: float) -> None:
        """Let this time pass at once. Rooms notice expired deadlines with their next entry."""
        self._ahead += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> MovedClock:
    """The clock of the server's rooms."""
    return MovedClock()


@pytest.fixture
async def live(settings: Settings, clock: MovedClock) -> AsyncIterator[Live]:
    """Run a server."""
    async with serving(settings, clock=clock) as running:
        yield running


@pytest.fixture
async def come(live: Live) -> AsyncIterator[Come]:
    """Return a function that makes a new visitor."""
    async with visiting(live.base) as door:
        yield door


@pytest.fixture
async def ana(come: Come) -> Any:
    """The first visitor."""
    return come()


@pytest.fixture
async def door() -> AsyncIterator[tuple[Door, int]]:
    """A server without rooms that listens to sockets, and its port."""
    async with opened_door() as opened:
        yield opened


@pytest.fixture
def unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send no pings, because a client's pong would come between the fragments that a test writes."""
    monkeypatch.setattr("app.web.transport.websocket.ASK_BYTES", 1 << 30)
    monkeypatch.setattr("app.web.transport.websocket.MEASURE_SECONDS", 1 << 30)
