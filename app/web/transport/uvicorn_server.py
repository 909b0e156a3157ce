"""Run uvicorn with a guard in front of its connections and a graceful shutdown. Knows nothing of rooms.

uvicorn documents `Config`, its arguments, `Server` and `Server.serve`. This module also uses public names that are not
documented. Check them when uvicorn is updated:

- `Config.load` and `Config.http_protocol_class`: the class that `http="httptools"` names.
- `Config(http=...)` with a callable that makes protocols. It is called with `config`, `server_state`, `app_state` and
  other arguments that `HttpGuard` hands on without a look.
- `Server.startup`, `Server.shutdown` and `Server.handle_exit`, which `Server` here extends.
- `Server.started`, `Server.servers`, `Server.should_exit` and `Server.force_exit`.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, suppress
from functools import partial
from types import FrameType
from typing import Final

import uvicorn

from app.settings import Settings
from app.web.http.guards import ASGIApp
from app.web.transport.connections import ConnectionCounts, ServerContext
from app.web.transport.frame_batch import WriteBatch
from app.web.transport.http_guard import HttpGuard
from app.web.transport.open_files import DescriptorLimit, open_file_limit

CONNECTIONS_PER_SOCKET = 8
"""HTTP connections allowed for each allowed socket: browsers use several to load a page, and keep them open."""
IDLE_SECONDS: Final = 20
"""Seconds a connection may wait for its next request."""
GRACE_SECONDS: Final = 10
"""Seconds unfinished responses may take when the server stops."""


class GuardedConfig(uvicorn.Config):
    """uvicorn's settings for a server whose connections are guarded by `HttpGuard`, with what these share."""

    def __init__(self, serving: ServerContext) -> None:
        self.serving = serving
        # uvicorn's HTTP protocol, found by its documented name. The guard handles WebSockets, so uvicorn gets none.
        plain = uvicorn.Config(serving.app, http="httptools", ws="none", lifespan="off", log_config=None)
        plain.load()
        super().__init__(
            serving.app,
            loop="auto",
            http=partial(HttpGuard, serving, plain.http_protocol_class),  # type: ignore[arg-type]
            ws="none",
            lifespan="off",  # see Server
            proxy_headers=False,  # guards.py decides which proxies are trusted
            server_header=False,
            access_log=False,
            log_config=None,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )


class StartStopped(Exception):
    """Raised by `life` if the server was told to stop before `life` was ready."""


class Server(uvicorn.Server):
    """A uvicorn server that listens first, and stops gracefully: on SIGTERM or Ctrl+C it runs `drain`, then stops.

    A second signal stops it at once. The context manager `life` is entered while the server listens already, and it is
    left after the last connection is closed. uvicorn's lifespan is not used: it would hide why a start failed, log the
    failure as an error, and keep the port closed meanwhile.
    """

    def __init__(
        self,
        config: GuardedConfig,
        life: Callable[[], AbstractAsyncContextManager[None]],
        drain: Callable[[], Awaitable[None]],
        ready: Callable[[int], None] = lambda port: None,
    ) -> None:
        """`ready` gets the port when `life` is ready."""
        super().__init__(config)
        self._serving = config.serving
        self._life = life
        self._drain = drain
        self._ready = ready
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaving: asyncio.Task[None] | None = None
        self._living: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()
        self.is_ready = False
        """Whether `life` is ready."""

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Run the server, and `life` beside it, until it is told to stop.

        An error in `life` stops the server, and is raised. `sockets` are listening sockets to use; None opens the one
        of the settings.
        """
        self._loop = asyncio.get_running_loop()
        try:
            await super().serve(sockets)
        finally:
            self._ended.set()
            if self._living is not None:
                with suppress(StartStopped):
                    await self._living

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen as uvicorn does; if that succeeded, enter `life` beside the server."""
        await super().startup(sockets)
        if self.started:
            self._living = asyncio.get_running_loop().create_task(self._live())

    async def _live(self) -> None:
        try:
            async with self._life():
                self.is_ready = True
                self._ready(self.port)
                await self._ended.wait()
        finally:
            self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all WebSockets, which uvicorn does not know, then stop the server as uvicorn does."""
        for close in tuple(self._serving.shutdowns):
            close()
        await super().shutdown(sockets)

    @property
    def port(self) -> int:
        """The port that the started server listens on, also if the system chose it."""
        return int(self.servers[0].sockets[0].getsockname()[1])

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a stop signal: start the graceful shutdown; on a second signal, exit at once.

        Unlike in uvicorn, the signal is not raised again, as a requested stop is normal.
        """
        if self._loop is None or self._leaving is not None:
            self.should_exit = self.force_exit = True
        else:
            self._loop.call_soon_threadsafe(self.start_draining)

    def start_draining(self) -> None:
        """Start the server's graceful shutdown in the background: run `drain`, then stop.

        A second call does nothing.
        """
        if self._leaving is None:
            self._leaving = asyncio.get_running_loop().create_task(self._drain_and_exit())

    async def _drain_and_exit(self) -> None:
        try:
            await self._drain()
        finally:
            self.should_exit = True


def build_server_config(
    app: ASGIApp,
    settings: Settings,
    outbox: WriteBatch | None = None,
    not_accepted: Callable[[], None] = lambda: None,
) -> GuardedConfig:
    """Build the uvicorn settings with all guards, the same in production and in tests.

    `outbox` writes the frames of sockets. `not_accepted` is called for each connection refused for lack of file
    descriptors.
    """
    counts = ConnectionCounts(settings.limits.sockets_per_address * CONNECTIONS_PER_SOCKET, settings.trusted_proxies)
    open_files = DescriptorLimit(open_file_limit(), not_accepted)
    return GuardedConfig(ServerContext(app, outbox or WriteBatch(), counts, open_files, settings.limits.message_bytes))
