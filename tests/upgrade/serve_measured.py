"""Run `pecking-order serve`, and print `imported` first, when the program is loaded.

`python -m tests.upgrade.serve_measured [--closed] serve …`: with `--closed`, the port is closed until the database is
upgraded and the pages are built, as in version 0.3.0.
"""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from socket import socket

import app.main  # noqa: F401  it takes most of the time
from app import cli
from app.web.transport import uvicorn_server
from app.web.transport.uvicorn_server import GuardedConfig, Server


class ClosedServer(Server):
    """A server that listens only when everything is ready."""

    def __init__(
        self,
        config: GuardedConfig,
        life: Callable[[], AbstractAsyncContextManager[None]],
        drain: Callable[[], Awaitable[None]],
        ready: Callable[[int], None],
    ) -> None:
        super().__init__(config, _no_life, drain, ready)
        self._whole_life = life

    async def serve(self, sockets: list[socket] | None = None) -> None:
        """Open the database and build the pages, then serve."""
        async with self._whole_life():
            await super().serve(sockets)


@asynccontextmanager
async def _no_life() -> AsyncIterator[None]:
    yield


if __name__ == "__main__":
    if sys.argv[1] == "--closed":
        sys.argv.pop(1)
        uvicorn_server.Server = ClosedServer  # type: ignore[misc]
    print("imported", flush=True)
    cli.main()
