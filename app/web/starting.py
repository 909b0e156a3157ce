"""Answer requests while the server starts: its pages are not built, and its database may have to be upgraded first.

`StartingSite` needs no bundles, no templates and no database. It has one page, which loads itself again until the
server is ready, `/healthz`, `/readyz` and `/metrics`. Sockets get a goodbye, after which pages connect again.
"""

import asyncio
import html
import random
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import structlog
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.settings import Settings
from app.store.maintenance.migrations import MigrationStopped, Progress
from app.web.api import health
from app.web.client_address import Scope
from app.web.context.metrics import Metrics
from app.web.http.errors import json_error_response, wants_html
from app.web.http.guards import Receive, Send
from app.web.http.http_error import HttpError
from app.web.i18n.catalogues import Catalogues
from app.web.protocol import server_messages
from app.web.transport.uvicorn_server import StartStopped
from app.web.transport.websocket import websocket_of

logger = structlog.get_logger("web")

STARTING = MessageTemplate("starting.starts", "The server is starting.")
UPGRADING = MessageTemplate("starting.upgrades", "The server is being upgraded.")
SOON_DONE = MessageTemplate("starting.soon", "The server is being upgraded, less than a minute left.")
MINUTES_LEFT = MessageTemplate(
    "starting.minutes",
    {
        "one": "The server is being upgraded, about {count} minute left.",
        "other": "The server is being upgraded, about {count} minutes left.",
    },
)

LEAST_SHARE: Final = 0.05
"""Share of the rows after which the remaining time is estimated."""
LONG_START_SECONDS: Final = 10.0
"""After this time the start takes longer than usual, and clients ask less often."""
LONG_START_RETRY_MS: Final = 3000
"""Shortest time after which a socket connects again during a long start."""
LOG_SECONDS: Final = 5.0
"""Seconds between two lines of the log about an upgrade."""
_FILES: Final = ("css/tokens.css", "css/starting.css", "img/favicon.svg")
"""The static files of the page, which have the same addresses in all versions."""


class StartProgress:
    """How far the start is. The thread that opens the database reports it, and the event loop shows it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds."""
        self._clock = clock
        self._began = clock()
        self._first: tuple[float, Progress] | None = None
        self.newest = Progress(0, 0)

    def report(self, progress: Progress) -> None:
        """Take a progress of the migrations. Can be called in any thread."""
        if self._first is None:
            self._first = self._clock(), progress
        self.newest = progress

    @property
    def is_long(self) -> bool:
        """Whether the start takes longer than usual."""
        return self._clock() - self._began > LONG_START_SECONDS

    def seconds_left(self) -> float | None:
        """Return the estimated time until all rows are done; None before the first 5 % are done."""
        if self._first is None:
            return None
        began, first = self._first
        done, total = self.newest.done_rows - first.done_rows, self.newest.total_rows - first.done_rows
        if total <= 0 or done < LEAST_SHARE * total:
            return None
        return (self._clock() - began) * (total - done) / done

    def sentence(self) -> TranslatableMessage:
        """Return the sentence that tells people what the server does, and the remaining time if that is known."""
        if not self.newest.total_rows:
            return STARTING()
        seconds = self.seconds_left()
        if seconds is None:
            return UPGRADING()
        return SOON_DONE() if seconds < 45 else MINUTES_LEFT(count=max(1, round(seconds / 60)))


class ServerStart:
    """One start of the server: shows its progress in the log and the metrics, and can be stopped."""

    def __init__(self, metrics: Metrics) -> None:
        self.progress = StartProgress()
        self.stopped = threading.Event()
        """Set when the server is told to stop before it is ready."""
        metrics.upgrade_rows_done.set_function(lambda: self.progress.newest.done_rows)
        metrics.upgrade_rows.set_function(lambda: self.progress.newest.total_rows)

    def stop(self) -> None:
        """End the start as soon as possible."""
        self.stopped.set()

    def check(self) -> None:
        """Raise `StartStopped` if the start was told to stop."""
        if self.stopped.is_set():
            raise StartStopped

    @asynccontextmanager
    async def shown(self) -> AsyncIterator[None]:
        """Log the progress every five seconds until the context ends. Raises `StartStopped` after `stop`."""
        task = asyncio.create_task(self._log_progress())
        try:
            yield
        except MigrationStopped:
            logger.info("start stopped: the next start continues the upgrade")
            raise StartStopped from None
        finally:
            task.cancel()
        self.check()

    async def _log_progress(self) -> None:
        while True:
            await asyncio.sleep(LOG_SECONDS)
            progress, left = self.progress.newest, self.progress.seconds_left()
            if progress.total_rows:
                rows = {"done_rows": progress.done_rows, "total_rows": progress.total_rows}
                logger.info("upgrading the database", **rows, seconds_left=None if left is None else round(left))


class StartingSite:
    """The small application that answers until the server is ready. The guards are in front of it."""

    def __init__(
        self, settings: Settings, catalogues: Catalogues, metrics: Metrics, progress: StartProgress, static: Path
    ) -> None:
        self._settings = settings
        self._catalogues = catalogues
        self._metrics = metrics
        self._progress = progress
        self._files = {f"/static/{name}": static / name for name in _FILES}

    async def answer_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request."""
        await self._response_to(scope)(scope, receive, send)

    async def refuse_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Accept a socket, and close it with a goodbye after which the page connects again."""
        await receive()  # websocket.connect
        wire = websocket_of(scope)
        await send({"type": "websocket.accept"})
        said = self._progress.sentence()
        goodbye = server_messages.Goodbye(
            t="goodbye",
            reason="restart",
            retry_ms=self._retry_ms(),
            message=said,
            key=said.key,
            values=dict(said.values),
        )
        wire.close(server_messages.CLOSE_CODES["restart"], "restart", server_messages.encode_message(goodbye).encode())

    def error_response(self, scope: Scope, error: HttpError) -> Response:
        """Return the response for a request that a guard refuses: the sentence as a page, or JSON."""
        if wants_html(scope):
            return self._page(scope, error.status, error.sentence, reloads=False, headers=error.headers)
        return json_error_response(error.status, error.code, error.sentence, error.headers)

    def _response_to(self, scope: Scope) -> Response:
        path = scope["path"]
        if path in self._files:
            return FileResponse(self._files[path], headers={"Cache-Control": "no-cache"})
        if path == "/healthz":
            return PlainTextResponse(health.health_text())
        if path == "/metrics" and (metrics := health.metrics_response(scope, self._settings, self._metrics)):
            return metrics
        said, again = self._progress.sentence(), {"Retry-After": str(max(1, self._retry_ms() // 1000))}
        if path == "/readyz":
            progress = self._progress.newest
            ready = {"ready": False, "reason": "starting"}
            rows = {"done_rows": progress.done_rows, "total_rows": progress.total_rows}
            return JSONResponse(ready | (rows if progress.total_rows else {}), 503, again)
        if wants_html(scope):
            return self._page(scope, 503, said, reloads=scope["method"] in ("GET", "HEAD"), headers=again)
        return json_error_response(503, "starting", said, again)

    def _retry_ms(self) -> int:
        """Return the milliseconds after which a client should try again, randomised to spread the load."""
        shortest = max(self._settings.retry_ms, LONG_START_RETRY_MS if self._progress.is_long else 0)
        return shortest + random.randrange(shortest + 1)

    def _page(
        self, scope: Scope, status: int, said: TranslatableMessage, *, reloads: bool, headers: dict[str, str] | None
    ) -> Response:
        texts, progress = self._catalogues.for_request(scope), self._progress.newest
        lines = []
        if reloads:
            lines.append(texts.t("starting.page.comes_back"))
            if progress.total_rows:
                lines.append(texts.t("starting.page.rows", done=progress.done_rows, total=progress.total_rows))
        values = {
            "language": texts.language,
            "direction": texts.direction,
            "name": texts.t("site.name"),
            "said": texts.say(said),
        }
        page = _PAGE.format(
            **{name: html.escape(value) for name, value in values.items()},
            reload='\n  <meta http-equiv="refresh" content="5">' if reloads else "",
            lines="".join(f"\n  <p>{html.escape(line)}</p>" for line in lines),
        )
        return HTMLResponse(page, status, headers)


_PAGE: Final = """<!doctype html>
<html lang="{language}" dir="{direction}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
  <meta name="color-scheme" content="light dark">{reload}
  <title>{said} · {name}</title>
  <link rel="icon" href="/static/img/favicon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/static/css/tokens.css">
  <link rel="stylesheet" href="/static/css/starting.css">
</head>
<body>
<main>
  <img src="/static/img/favicon.svg" alt="" width="120" height="120">
  <h1>{said}</h1>{lines}
</main>
</body>
</html>
"""
