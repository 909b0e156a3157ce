"""Logs and Prometheus metrics for operators. Neither contains secrets, cards or names."""

import asyncio
import logging
import math
import sys
import time
import weakref
from collections.abc import Callable, Iterable, MutableMapping
from contextvars import ContextVar
from functools import cache
from secrets import token_hex
from typing import Any, Literal, TypeAlias, get_args

import structlog
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from app import __version__
from app.background_tasks import TaskName
from app.bots import BOTS
from app.rooms.live.room_actor import FAILURE_PARTS
from app.rooms.ports.bot_workers import BotDecision, MissingReason
from app.settings import SECRETS, Settings
from app.store.maintenance.figures import DatabaseFigures
from app.version import commit_hash
from app.web.client_address import Scope
from app.web.http.guards import ASGIApp, Message, Receive, Send
from app.web.http.rate_limit import RateLimiter
from app.web.push.sender import SendResult

SECRET = frozenset({"token", "cookie", "authorization", "password", "secret", "invite", "cards", "seed", *SECRETS})
"""Log fields whose values are always masked."""

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
WORLDS = (1, 3, 10, 30, 100, 300)
LAG_SECONDS = 0.25
"""Seconds between two measurements of the event loop's lag."""

UnreadyReason: TypeAlias = Literal["starting", "leaving", "database"]
"""Why a server accepts nobody: see `Readiness`."""

# They double the number of series, and no chart needs them.
disable_created_metrics()  # type: ignore[no-untyped-call]

log = structlog.get_logger("web")


def set_up_logging(settings: Settings) -> None:
    """Configure logging for the server: one format for our own lines and those of libraries.

    Values of secret fields are masked.
    """
    level = getattr(logging, settings.log_level.upper())
    console = settings.log_format == "console" or (settings.log_format == "auto" and sys.stderr.isatty())
    shared: list[Any] = [
        LimitLinesByClient(),
        _add_request_id,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="%H:%M:%S" if console else "iso", utc=not console),
        _mask_secrets,
    ]
    last: list[Any] = (
        # plain_traceback: with `rich` installed, tracebacks would show variables, such as cookies, cards and secrets.
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
    # Libraries log only warnings. With debug they log everything except the paths of sockets, which are secret.
    quiet = logging.WARNING if settings.log_level != "debug" else logging.DEBUG
    for name in ("uvicorn", "alembic", "asyncio", "websockets", "sqlalchemy"):
        logging.getLogger(name).setLevel(max(quiet, logging.INFO))
    # It warns about requests of strangers that the program answers as it should.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    if settings.log_level != "debug":
        logging.getLogger("psycopg").setLevel(logging.ERROR)  # it warns whenever a lost connection is cleaned up
    logging.getLogger("uvicorn.access").disabled = True


class LimitLinesByClient:
    """A log processor: of each kind, one line at warning or above a minute for each client address.

    A line about a request has the address as `client`. The address is not logged.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` returns seconds."""
        self._lines = RateLimiter(1, 60, clock=clock)

    def __call__(self, _logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """Return the event without its `client`; raise `structlog.DropEvent` above the limit."""
        client, error = event.pop("client", None), event.get("exc_info")
        kind = type(sys.exception() if error is True else error).__name__
        if client is not None and self._lines.seconds_until_allowed(f"{client} {event['event']} {kind}"):
            raise structlog.DropEvent
        return event


def _mask_secrets(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for key in event.keys() & SECRET:
        event[key] = "…"
    return event


class _UpdatesSent(Collector):
    """The number of updates sent, as a plain number: a lock for every frame of every socket would be noticeable."""

    def __init__(self) -> None:
        self.count = 0

    def collect(self) -> Iterable[CounterMetricFamily]:
        yield CounterMetricFamily("pecking_order_updates_sent", "Updates sent to pages.", self.count)


class Metrics:
    """The Prometheus metrics of one server process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        common: dict[str, Any] = {"registry": self.registry, "namespace": "pecking_order"}
        self.ready = Gauge("ready", "Whether the server accepts people: 1 or 0.", **common)
        self.not_ready = Gauge(
            "not_ready", "Whether the server accepts nobody for this reason: 1 or 0.", ["reason"], **common
        )
        self.show_readiness("starting")
        self.nodes = Gauge("nodes", "Live nodes that share the database, as this node knows them.", **common)
        self.rooms = Gauge("rooms", "Rooms loaded in the memory of this node.", **common)
        self.rooms_stored = Gauge("rooms_stored", "Rooms in the database that can be opened.", **common)
        self.database_bytes = Gauge("database_bytes", "Size of the database on its disk.", **common)
        self.database_free_bytes = Gauge(
            "database_free_bytes", "Free bytes of the disk of the database. NaN: PostgreSQL does not tell.", **common
        )
        self.last_backup = Gauge(
            "last_backup_timestamp_seconds", "Unix time of the newest complete backup; 0: there is none.", **common
        )
        self.oldest_command = Gauge(
            "oldest_command_seconds", "Age of the oldest command that a room has not answered; 0: none.", **common
        )
        self.sockets = Gauge("sockets", "Open WebSockets and streams of watch parties.", **common)
        self._commands = Counter("commands", "Commands by kind and outcome.", ["kind", "outcome"], **common)
        self._command_seconds = Histogram(
            "command_seconds", "Time from the arrival of a command to its answer.", buckets=BUCKETS, **common
        )
        self.commits = Histogram(
            "commit_seconds",
            "Time of a transaction that writes for all rooms together, with the wait before it.",
            buckets=BUCKETS,
            **common,
        )
        self.lag = Histogram(
            "loop_lag_seconds",
            "Delay of the event loop, measured every quarter of a second.",
            buckets=BUCKETS,
            **common,
        )
        Info("build", "Version and commit of the program.", **common).info(
            {"version": __version__, "commit": commit_hash() or "unknown"}
        )
        ProcessCollector(registry=self.registry)  # memory, processor, open files: process_…
        self.updates_sent = _UpdatesSent()
        self.registry.register(self.updates_sent)
        self.requests = Counter("requests", "Requests by route and status.", ["route", "status"], **common)
        self.pushes = Counter("pushes", "Notifications to closed pages, by outcome.", ["outcome"], **common)
        for result in get_args(SendResult):  # create all labels at 0, so that charts start there
            self.pushes.labels(result)
        decisions = Counter("bot_decisions", "Decisions of bots, by level.", ["level"], **common)
        self.decisions = cache(decisions.labels)
        for level in BOTS:
            self.decisions(level)
        self.worlds = Histogram(
            "bot_worlds", "Possible deals that a hard bot looked at for a decision.", buckets=WORLDS, **common
        )
        self.missing = Counter(
            "bot_fallbacks", "Decisions of hard bots without a search, by reason.", ["reason"], **common
        )
        for reason in get_args(MissingReason):
            self.missing.labels(reason)
        self.thoughts = Gauge("bot_queue", "Decisions of hard bots that wait for a worker.", **common)
        self.update_errors = Counter(
            "update_errors", "Unexpected errors after a commit, by the part of the update.", ["part"], **common
        )
        for part in FAILURE_PARTS:
            self.update_errors.labels(part)
        self.task_errors = Counter(
            "task_errors", "Unexpected errors of background tasks, which started again.", ["task"], **common
        )
        for task in get_args(TaskName):
            self.task_errors.labels(task)
        self.upgrade_rows_done = Gauge(
            "upgrade_rows_done", "Rows of the database that this start has upgraded.", **common
        )
        self.upgrade_rows = Gauge("upgrade_rows", "Rows of the database that this start upgrades in all.", **common)
        self.refused = Counter("refused", "Handshakes refused or ended at once, by reason.", ["reason"], **common)
        self.not_accepted = Counter(
            "connections_not_accepted", "Connections refused because too many files were open.", **common
        )

    def show_readiness(self, reason: UnreadyReason | None) -> None:
        """Show whether the server is ready (None), or why it is not."""
        self.ready.set(reason is None)
        for each in get_args(UnreadyReason):
            self.not_ready.labels(each).set(each == reason)

    def show_database(self, figures: DatabaseFigures) -> None:
        """Show what the database tells about itself."""
        self.rooms_stored.set(figures.rooms)
        self.database_bytes.set(figures.bytes)
        self.database_free_bytes.set(math.nan if figures.free_bytes is None else figures.free_bytes)
        self.last_backup.set(0 if figures.last_backup is None else figures.last_backup.timestamp())

    def count_command(self, kind: str, result: str, seconds: float) -> None:
        """Count a client's command by kind and outcome, and record the seconds until its answer."""
        self._commands.labels(kind, result).inc()
        self._command_seconds.observe(seconds)

    def count_task_error(self, name: TaskName) -> None:
        """Count an unexpected error of the background task with this name, which is then started again."""
        self.task_errors.labels(name).inc()

    def count_update_error(self, part: str) -> None:
        """Count an unexpected error after a commit, by the part of the room's update that failed."""
        self.update_errors.labels(part).inc()

    def count_bot_decision(self, choice: BotDecision) -> None:
        """Count a bot's decision by its level.

        For a hard bot also the number of simulated deals, or the reason why it decided without a search.
        """
        self.decisions(choice.bot_kind).inc()
        if choice.worlds_simulated:
            self.worlds.observe(choice.worlds_simulated)
        if choice.missing is not None:
            self.missing.labels(choice.missing).inc()


_REQUEST: ContextVar[tuple[str, weakref.ref[asyncio.Task[Any]]] | None] = ContextVar("request", default=None)
"""The id of the current request, and the task that handles it."""


def _add_request_id(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Add the id of the current request to a log event.

    Only the request's own task gets the id. Background tasks inherit the context of the task that started them, and
    would log its request id.
    """
    found = _REQUEST.get()
    try:
        task = asyncio.current_task()
    except RuntimeError:  # no event loop in this thread
        return event
    if found is not None and task is not None and found[1]() is task:
        event["request"] = found[0]
    return event


async def measure_event_loop_lag(metrics: Metrics) -> None:
    """Measure every quarter of a second how late the event loop is, and record it; runs until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LAG_SECONDS
        await asyncio.sleep(LAG_SECONDS)
        metrics.lag.observe(max(0.0, loop.time() - due))


class RequestMetricsMiddleware:
    """Gives every HTTP request an id, counts it by route and status, and logs it.

    Logs name routes only, as paths contain secrets.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, and record it."""
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
            # Handled errors are already logged; don't let the server log them again.
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
