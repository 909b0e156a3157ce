"""What the operators see: logs in lines, and counters for Prometheus. Nothing secret, no cards, no names in either."""

import asyncio
import logging
import sys
import time
import weakref
from collections.abc import MutableMapping
from contextvars import ContextVar
from functools import cache
from secrets import token_hex
from typing import Any, get_args

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector

from app import __version__
from app.background_tasks import TaskName
from app.bots import BOTS
from app.rooms.live.room_actor import PARTS
from app.rooms.ports.bot_workers import Decided, Missing
from app.settings import Settings
from app.version import commit
from app.web.client_address import Scope
from app.web.http.guards import ASGIApp, Message, Receive, Send
from app.web.push.sender import Outcome

SECRET = frozenset(
    {"token", "cookie", "authorization", "password", "secret", "invite", "cards", "seed", "database_url"}
)
"""Keys that are never written into a log, whatever they hold."""

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
WORLDS = (1, 3, 10, 30, 100, 300)
LAG_SECONDS = 0.25
"""How often the event loop is asked how late it is."""

log = structlog.get_logger("web")


def set_up_logging(settings: Settings) -> None:
    """One format for our lines and for those of the libraries."""
    level = getattr(logging, settings.log_level.upper())
    console = settings.log_format == "console" or (settings.log_format == "auto" and sys.stderr.isatty())
    shared: list[Any] = [
        _add_request,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="%H:%M:%S" if console else "iso", utc=not console),
        _without_secrets,
    ]
    last: list[Any] = (
        # Where rich is installed, tracebacks would show what variables held: cookies, cards, secrets.
        [structlog.dev.ConsoleRenderer(sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)]
        if console
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last]
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    # Libraries speak only when something is wrong; with debug, all they have to say, but never the paths of sockets.
    quiet = logging.WARNING if settings.log_level != "debug" else logging.DEBUG
    for name in ("uvicorn", "alembic", "asyncio", "websockets", "sqlalchemy"):
        logging.getLogger(name).setLevel(max(quiet, logging.INFO))
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    if settings.log_level != "debug":
        logging.getLogger("psycopg").setLevel(logging.ERROR)  # it warns whenever a lost connection is cleaned up
    logging.getLogger("uvicorn.access").disabled = True


def _without_secrets(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for key in event.keys() & SECRET:
        event[key] = "…"
    return event


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        common: dict[str, Any] = {"registry": self.registry, "namespace": "pecking_order"}
        self.rooms = Gauge("rooms", "Rooms held in memory.", **common)
        self.sockets = Gauge("sockets", "Open sockets.", **common)
        self._commands = Counter("commands", "Commands by kind and outcome.", ["kind", "outcome"], **common)
        self._command_seconds = Histogram(
            "command_seconds", "From a command's arrival to its answer, the commit included.", buckets=BUCKETS, **common
        )
        self.commits = Histogram(
            "commit_seconds",
            "One transaction that wrote, for all rooms together, the wait for its turn included.",
            buckets=BUCKETS,
            **common,
        )
        self.lag = Histogram(
            "loop_lag_seconds",
            "How late the event loop was, asked every quarter of a second.",
            buckets=BUCKETS,
            **common,
        )
        Info("build", "Version and commit of the program.", **common).info(
            {"version": __version__, "commit": commit() or "unknown"}
        )
        ProcessCollector(registry=self.registry)  # memory, processor, open files: process_…
        self.updates_sent = 0
        """Counted here: a lock for every frame of every socket would be felt."""
        Gauge("updates_sent", "Updates sent.", **common).set_function(lambda: self.updates_sent)
        self.requests = Counter("requests", "Requests by route and status.", ["route", "status"], **common)
        self.pushes = Counter("pushes", "Calls to who was elsewhere, by outcome.", ["outcome"], **common)
        for outcome in get_args(Outcome):  # what has not happened yet is told as 0, so that a chart begins there
            self.pushes.labels(outcome)
        decisions = Counter("bot_decisions", "What bots chose to do, by level.", ["level"], **common)
        self.decisions = cache(decisions.labels)
        for level in BOTS:
            self.decisions(level)
        self.worlds = Histogram(
            "bot_worlds", "In how many worlds a bot thought ahead, by decision.", buckets=WORLDS, **common
        )
        self.missing = Counter(
            "bot_fallbacks", "Decisions without the thinking that was wanted, by reason.", ["reason"], **common
        )
        for reason in get_args(Missing):
            self.missing.labels(reason)
        self.thoughts = Gauge("bot_queue", "What bots are to think about, and nobody does yet.", **common)
        self.update_errors = Counter(
            "update_errors", "Unexpected errors after a commit, by the part of the update.", ["part"], **common
        )
        for part in PARTS:
            self.update_errors.labels(part)
        self.task_errors = Counter(
            "task_errors", "Unexpected errors of background tasks, which started again.", ["task"], **common
        )
        for task in get_args(TaskName):
            self.task_errors.labels(task)
        self.refused = Counter("refused", "Handshakes refused or ended at once, by reason.", ["reason"], **common)
        self.not_accepted = Counter(
            "connections_not_accepted", "Connections refused because too many files were open.", **common
        )

    def answered(self, kind: str, outcome: str, seconds: float) -> None:
        """Count how a command was answered, and how soon."""
        self._commands.labels(kind, outcome).inc()
        self._command_seconds.observe(seconds)

    def task_failed(self, name: TaskName) -> None:
        """Count an unexpected error of a background task, which starts again."""
        self.task_errors.labels(name).inc()

    def update_failed(self, part: str) -> None:
        """Count an unexpected error after a commit, by the part of the update that failed."""
        self.update_errors.labels(part).inc()

    def decided(self, choice: Decided) -> None:
        """Count what a bot chose."""
        self.decisions(choice.level).inc()
        if choice.worlds:
            self.worlds.observe(choice.worlds)
        if choice.missing is not None:
            self.missing.labels(choice.missing).inc()


_REQUEST: ContextVar[tuple[str, weakref.ref[asyncio.Task[Any]]] | None] = ContextVar("request", default=None)
"""The id of a request, and the task that answers it."""


def _add_request(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Add the id of the request that is being answered.

    A task inherits the context of the one that started it: a background task would log the id of another request.
    """
    found = _REQUEST.get()
    try:
        task = asyncio.current_task()
    except RuntimeError:  # no event loop in this thread
        return event
    if found is not None and task is not None and found[1]() is task:
        event["request"] = found[0]
    return event


async def watch_lag(metrics: Metrics) -> None:
    """Ask the event loop again and again how late it is; ends when cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LAG_SECONDS
        await asyncio.sleep(LAG_SECONDS)
        metrics.lag.observe(max(0.0, loop.time() - due))


class Observer:
    """Gives every request an id, counts it by its route, and writes a line. Paths hold secrets: routes do not."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and watch."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        task = asyncio.current_task()
        _REQUEST.set(None if task is None else (request_id, weakref.ref(task)))
        status: int | None = None
        began = time.perf_counter()

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message.get("headers", ()), (b"x-request-id", request_id.encode())]}
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception:
            # A mistake that was answered has been logged; the server need not do it again.
            if status is None:
                raise
        finally:
            route = getattr(scope.get("route"), "path", "none")
            self._metrics.requests.labels(route, str(status)).inc()
            log.debug(
                "request",
                method=scope["method"],
                route=route,
                status=status,
                ms=round((time.perf_counter() - began) * 1e3),
            )
