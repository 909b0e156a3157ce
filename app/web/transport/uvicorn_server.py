"""uvicorn, with a guard in front of its connections, and with a polite way to stop. Knows nothing of rooms.

uvicorn's documentation describes `Config`, its arguments, `Server` and `Server.serve`. This module also uses names that
are public but that the documentation does not describe. Look at them when uvicorn is updated:

- `Config.load` and `Config.http_protocol_class`: the class that `http="httptools"` names.
- `Config(http=...)` with a callable that makes protocols. It is called with `config`, `server_state`, `app_state` and
  other arguments that `HttpGuard` hands on without a look.
- `Server.startup`, `Server.shutdown` and `Server.handle_exit`, which `Server` here extends.
- `Server.started`, `Server.servers`, `Server.should_exit` and `Server.force_exit`.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from types import FrameType
from typing import Final

import uvicorn

from app.settings import Settings
from app.web.http.guards import ASGIApp
from app.web.transport.connections import ConnectionCounts, Serving
from app.web.transport.frame_batch import Outbox
from app.web.transport.http_guard import HttpGuard
from app.web.transport.open_files import OpenFiles, allowed_files

CONNECTIONS_PER_SOCKET = 8
"""Browsers load a page over several connections, and keep them for a while beside the socket."""
IDLE_SECONDS: Final = 20
"""How long a connection may wait for its next request."""
GRACE_SECONDS: Final = 10
"""How long responses that are under way may take when the server stops."""


class GuardedConfig(uvicorn.Config):
    """uvicorn's settings, and what our own protocols need."""

    def __init__(self, serving: Serving) -> None:
        self.serving = serving
        # The protocol by its documented name. The guard has the WebSockets, so that uvicorn has none.
        plain = uvicorn.Config(serving.app, http="httptools", ws="none", lifespan="off", log_config=None)
        plain.load()
        super().__init__(
            serving.app,
            loop="auto",
            http=partial(HttpGuard, serving, plain.http_protocol_class),  # type: ignore[arg-type]
            ws="none",
            lifespan="off",  # see Server
            proxy_headers=False,  # guards.py knows whom to believe
            server_header=False,
            access_log=False,
            log_config=None,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )


class Server(uvicorn.Server):
    """On SIGTERM or Ctrl+C: first `drain`, while everything still works, then uvicorn's own end. Twice: at once.

    All of it happens inside `life`. uvicorn's own way to begin and end, lifespan, would swallow why there is no
    beginning, and log it as a mistake of ours.
    """

    def __init__(
        self,
        config: GuardedConfig,
        life: Callable[[], AbstractAsyncContextManager[None]],
        drain: Callable[[], Awaitable[None]],
        ready: Callable[[int], None] = lambda port: None,
    ) -> None:
        super().__init__(config)
        self._serving = config.serving
        self._life = life
        self._drain = drain
        self._ready = ready
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaving: asyncio.Task[None] | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve inside the life of what is served, until told to stop."""
        self._loop = asyncio.get_running_loop()
        async with self._life():
            await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin as uvicorn does; then tell `ready` the port."""
        await super().startup(sockets)
        if self.started:
            self._ready(self.port)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End as uvicorn does, and close the WebSockets, which it does not know."""
        for close in tuple(self._serving.shutdowns):
            close()
        await super().shutdown(sockets)

    @property
    def port(self) -> int:
        """The port we listen on, also where the system chose it."""
        return int(self.servers[0].sockets[0].getsockname()[1])

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal came. It is not raised again afterwards: leaving when told to is no failure."""
        if self._loop is None or self._leaving is not None:
            self.should_exit = self.force_exit = True
        else:
            self._loop.call_soon_threadsafe(self.leave)

    def leave(self) -> None:
        """Begin to stop the server."""
        if self._leaving is None:
            self._leaving = asyncio.get_running_loop().create_task(self._leave())

    async def _leave(self) -> None:
        try:
            await self._drain()
        finally:
            self.should_exit = True


def config(
    app: ASGIApp,
    settings: Settings,
    outbox: Outbox | None = None,
    not_accepted: Callable[[], None] = lambda: None,
) -> GuardedConfig:
    """Return the settings of uvicorn, in production as in tests.

    `outbox` takes what is said over sockets; `not_accepted` counts connections for which no file could be opened.
    """
    counts = ConnectionCounts(settings.limits.sockets_per_address * CONNECTIONS_PER_SOCKET, settings.trusted_proxies)
    open_files = OpenFiles(allowed_files(), not_accepted)
    return GuardedConfig(Serving(app, outbox or Outbox(), counts, open_files, settings.limits.message_bytes))
