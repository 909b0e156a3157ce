"""Build settings, store, rooms and web, and connect them. Only this file knows all of them."""

import asyncio
import contextlib
import logging
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import structlog
from fastapi import FastAPI
from starlette.responses import Response
from starlette.routing import Mount

from app import __version__, resources
from app.background_tasks import TaskName, run_with_restarts
from app.bots.search.monte_carlo import SearchResult
from app.rooms.live.registry import Registry, SystemClock
from app.rooms.live.turn_alerts import TurnAlert
from app.rooms.model.state import RandomBytes
from app.rooms.ports.clock import Clock
from app.rooms.ports.storage import StorageUnavailable
from app.settings import Settings, load_settings
from app.store.db.engines import describe_location
from app.store.db.waiting import wait_for_database
from app.store.maintenance import backfill_hand_starts
from app.store.store import Store, open_store
from app.version import commit_hash
from app.web.api import health, imports, matches as match_api, me, push, rooms as room_api, saved_rules, watch_party
from app.web.assets.css_bundles import bundle_stylesheets
from app.web.assets.js_bundles import build_browser_files
from app.web.assets.other_versions import OtherVersions
from app.web.assets.static_files import Assets
from app.web.assets.templates import SiteOperator, Templates
from app.web.client_address import Scope
from app.web.context.metrics import Metrics, RequestMetricsMiddleware, measure_event_loop_lag
from app.web.context.sessions import Sessions
from app.web.context.site import AppContext
from app.web.context.warning_counts import WarningCounts
from app.web.http import errors
from app.web.http.ban_list import BanList
from app.web.http.guards import Receive, RequestGuards, Send
from app.web.http.head_requests import HeadRequestMiddleware
from app.web.http.http_error import HttpError
from app.web.i18n.catalogues import Catalogues
from app.web.live_figures import NodeFigures, collect_figures, listening_for_commands, open_socket_folder
from app.web.matches.saved_imports import create_import_workers
from app.web.pages import (
    account,
    highlights,
    invitation,
    lessons,
    matches,
    pwa,
    quick_start,
    rooms as room_pages,
    rules,
    site,
    stats,
)
from app.web.push.safe_post import PublicHttpsClient
from app.web.push.sender import PushSender, new_server_key
from app.web.room_socket import RoomSocket
from app.web.services import personal_data
from app.web.services.cleanup_job import run_cleanup_loop
from app.web.services.operators import follow_operators
from app.web.starting import ServerStart, StartingSite
from app.web.state_dump import dumping_on_signal
from app.web.transport import uvicorn_server
from app.web.transport.frame_batch import WriteBatch
from app.web.transport.garbage_collection import exclude_present_objects
from app.workers.pool import WorkerPool, create_bot_workers, default_worker_count

logger = structlog.get_logger("web")

ROUTERS = tuple(
    each.router
    for each in (
        health,
        room_pages,
        invitation,
        quick_start,
        lessons,
        matches,
        rules,
        account,
        site,
        pwa,
        room_api,
        match_api,
        me,
        saved_rules,
        push,
        imports,
        watch_party,
        stats,
        highlights,
    )
)
"""All routes, in the order in which they are tried: the most frequent first."""

REREAD_SECONDS = 5.0
"""Seconds between two checks of rooms with connections for log entries of other processes."""
_STORE_AGAIN_SECONDS = 5.0
"""Seconds before static files are stored again after an outage of the database."""


@dataclass(frozen=True, slots=True)
class Pages:
    """All pages, the API and the sockets. It takes seconds to build them, so the server listens before."""

    web: FastAPI
    templates: Templates
    assets: Assets

    def warm_up(self, check: Callable[[], None]) -> None:
        """Do slow work before the first visitor comes: compile templates, and read scripts.

        `check` is called between the steps, and may raise an error to stop.
        """
        for step in (*self.templates.compile_steps(), self.assets.preload_script_graph):
            check()
            step()


def build_pages(catalogues: Catalogues, *, watch: bool, check: Callable[[], None] = lambda: None) -> Pages:
    """Build all pages, with bundles of scripts and style sheets. With `watch`, changed files are read again.

    `check` is called between the steps, and may raise an error to stop.
    """
    static = resources.static_folder()
    # With `watch`, the browser loads each source file separately, with its comments.
    scripts = {} if watch else build_browser_files(static / "js")
    check()
    assets = Assets(
        static,
        lambda: {**catalogues.build_script_catalogues(), **bundle_stylesheets(static), **scripts},
        watch=watch,
        sources=resources.locale_folder(),
    )
    check()
    templates = Templates(resources.templates_folder(), catalogues, assets, watch=watch)
    web = FastAPI(
        title="Pecking Order",
        summary="Climbing card games in the browser.",
        version=assets.version,
        docs_url=None,
        redoc_url=None,
        routes=[Mount("/static", assets)],
    )
    errors.install_error_handlers(web, templates)
    for router in ROUTERS:
        check()
        # `include_router` would build each route a second time, which takes 0.2 s of CPU and 2 MB.
        web.router.routes.extend(router.routes)
    return Pages(web, templates, assets)


class App:
    """The whole server as an ASGI application: builds store, rooms and web from settings, and connects them.

    It answers at once, with a page that says that the server starts. Inside `lifespan` it answers with all pages.
    """

    def __init__(self, settings: Settings, clock: Clock, draw: RandomBytes, socket_folder: Path | None = None) -> None:
        self.settings = settings
        self._socket_folder = socket_folder
        self._warnings = WarningCounts()
        self._since = datetime.now(UTC)
        self._clock = clock
        self._draw = draw
        self._catalogues = Catalogues(unfinished=settings.watch_files)
        self._metrics = Metrics()
        self.outbox = WriteBatch()
        """Collects socket messages, so that those of one commit are sent together."""
        self._start = ServerStart(self._metrics)
        self._starting = StartingSite(
            settings, self._catalogues, self._metrics, self._start.progress, resources.static_folder()
        )
        self._pages: Pages | None = None
        """None while the server starts."""
        self._sockets = RoomSocket(lambda: self.site)
        self._bans = BanList()
        self._guards = RequestGuards(
            HeadRequestMiddleware(self._answer_request),
            self._answer_socket,
            settings,
            self._error_response,
            refused=lambda code: self._metrics.refused.labels(code).inc(),
            bans=self._bans,
        )
        self._asgi = RequestMetricsMiddleware(self._guards, self._metrics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI request, socket or lifespan."""
        await self._asgi(scope, receive, send)

    async def _answer_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._starting.answer_request if self._pages is None else self._pages.web)(scope, receive, send)

    async def _answer_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._starting.refuse_socket if self._pages is None else self._sockets)(scope, receive, send)

    def _error_response(self, scope: Scope, error: HttpError) -> Response:
        if self._pages is None:
            return self._starting.error_response(scope, error)
        return errors.error_response(
            self._pages.templates, scope, error.status, error.code, error.sentence, error.headers
        )

    @property
    def web(self) -> FastAPI:
        """The application with all routes. It exists only while the server runs."""
        assert self._pages is not None
        return self._pages.web

    @property
    def site(self) -> AppContext:
        """The context that all pages and sockets share (store, rooms, settings …).

        It exists only while the server runs.
        """
        site: AppContext = self.web.state.site
        return site

    def count_rejected_connection(self) -> None:
        """Count, for the metrics, a connection that was refused because too many files were open."""
        self._metrics.not_accepted.inc()

    async def drain(self) -> None:
        """Tell all clients that the server stops, and wait until their sockets are closed, within a time limit.

        While the server starts, end the start instead. A migration ends between two batches.
        """
        if self._pages is None:
            self._start.stop()
        else:
            await self.site.drain()

    @contextlib.asynccontextmanager
    async def lifespan(self, *, for_visitors: bool = False) -> AsyncIterator[None]:
        """Build all pages, open the store and start all services, and stop them at the end.

        `for_visitors`: also do slow work before the first visitor comes, and store the static files. Raises `BadUrl`,
        `StorageUnavailable` or `DatabaseLocked` if the server can't start, and `StartStopped` if `drain` was called
        meanwhile.
        """
        async with contextlib.AsyncExitStack() as stack:
            if for_visitors:
                stack.enter_context(dumping_on_signal(lambda: None if self._pages is None else self.site))
            logging.getLogger().addHandler(self._warnings)
            stack.callback(logging.getLogger().removeHandler, self._warnings)
            await stack.enter_async_context(listening_for_commands(self._socket_folder, self._collect_figures))
            async with self._start.shown():
                for url in (self.settings.unpooled_database_url, self.settings.database_url):
                    await asyncio.to_thread(wait_for_database, url, self._start.stopped)
                self._start.check()
                store = await stack.enter_async_context(self._open_store())
                self._start.check()
                pages = await asyncio.to_thread(self._build_pages, for_visitors=for_visitors)
                await stack.enter_async_context(self._run_services(store, pages))
                if not self.settings.watch_files:
                    pages.assets.other_versions = OtherVersions(store.static_files, pages.assets.version)
            self._pages = pages
            if for_visitors and pages.assets.other_versions is not None:
                storing = asyncio.create_task(self._store_files(pages.assets.other_versions, pages.assets))
                stack.callback(storing.cancel)
            yield

    async def _collect_figures(self) -> NodeFigures:
        return await collect_figures(
            self.settings,
            None if self._pages is None else self.site,
            self._start.progress.newest,
            self._guards.believed_proxies,
            self._warnings.last_day(),
            self._since,
        )

    async def _store_files(self, other_versions: OtherVersions, assets: Assets) -> None:
        """Store the static files of this version, for pages that stay open during the next upgrade."""

        async def store() -> None:
            while True:
                try:
                    await other_versions.save_own(assets.page_files(), assets.pack_files)
                except StorageUnavailable:  # the outage is logged
                    await asyncio.sleep(_STORE_AGAIN_SECONDS)
                else:
                    return

        await run_with_restarts("storing static files", store, self._metrics.count_task_error)

    def _build_pages(self, *, for_visitors: bool) -> Pages:
        settings = self.settings
        pages = build_pages(self._catalogues, watch=settings.watch_files, check=self._start.check)
        if settings.operator_name or settings.operator_contact or settings.privacy_url:
            privacy = settings.privacy_url or "/privacy"
            pages.templates.operator = SiteOperator(settings.operator_name, settings.operator_contact, privacy)
        if for_visitors:
            pages.warm_up(self._start.check)
        return pages

    def _open_store(self) -> contextlib.AbstractAsyncContextManager[Store]:
        settings = self.settings
        return open_store(
            settings.database_url,
            self._metrics.commits.observe,
            self.outbox,
            direct_url=settings.database_direct_url,
            place=f"{socket.gethostname()}:{settings.port}" if settings.port else None,
            heartbeat=settings.heartbeat_seconds,
            failed=self._metrics.count_task_error,
            report=self._start.progress.report,
            stop=self._start.stopped,
        )

    @contextlib.asynccontextmanager
    async def _run_services(self, store: Store, pages: Pages) -> AsyncIterator[None]:
        pusher = await self._create_pusher(store)
        bot_workers = self._create_worker_pool()
        import_workers = create_import_workers()
        registry = self._create_registry(store, None if pusher is None else pusher.enqueue_call, bot_workers)
        site = pages.web.state.site = AppContext(
            settings=self.settings,
            store=store,
            registry=registry,
            people=Sessions(store.people, timedelta(days=self.settings.idle_days)),
            assets=pages.assets,
            templates=pages.templates,
            metrics=self._metrics,
            import_workers=import_workers,
            push_sender=pusher,
            bot_workers=bot_workers,
            bans=self._bans,
        )
        jobs: dict[TaskName, Callable[[], Awaitable[object]]] = {
            "event loop lag": lambda: measure_event_loop_lag(self._metrics),
            "deleting people": lambda: personal_data.run_person_deletions(site),
            "daily cleanup": lambda: run_cleanup_loop(site, self._clock.now),
            "changes of operators": lambda: follow_operators(site, self._clock.now),
            "filling in starts of hands": lambda: backfill_hand_starts.backfill_all(store.database),
        }
        tasks = [
            asyncio.create_task(run_with_restarts(name, work, self._metrics.count_task_error), name=name)
            for name, work in jobs.items()
        ]
        unsubscribe = store.bus.subscribe(site.on_bus_hint)
        store.database.health.subscribe(site.show_storage_notice)
        try:
            yield
        finally:
            unsubscribe()
            for task in tasks:
                task.cancel()
            await registry.close()
            if bot_workers is not None:
                await bot_workers.close()
            await import_workers.close()
            if pusher is not None:
                await pusher.close()

    async def _create_pusher(self, store: Store) -> PushSender | None:
        """Create the sender of push notifications, or None if push is disabled in the settings.

        All nodes share its key, which is stored on the first call.
        """
        if not self.settings.push:
            return None
        key = await store.subscriptions.server_key(new_server_key, self._clock.now())
        return PushSender(
            store.subscriptions,
            key,
            self._catalogues.for_language,
            PublicHttpsClient(self.settings.test_push_service),
            lambda result: self._metrics.pushes.labels(result).inc(),
            self.settings.push_services,
        )

    def _create_worker_pool(self) -> WorkerPool[SearchResult] | None:
        """Create the pool of processes in which hard bots think, or None if the settings allow no hard bots."""
        worker_count = self.settings.hard_workers
        workers = default_worker_count() if worker_count is None else worker_count
        if not workers:
            return None
        pool = create_bot_workers(workers)
        self._metrics.thoughts.set_function(lambda: pool.queued_jobs)
        return pool

    def _create_registry(
        self, store: Store, call: Callable[[TurnAlert], None] | None, worker_pool: WorkerPool[SearchResult] | None
    ) -> Registry:
        """Create the registry that loads and runs this process's rooms.

        If other nodes share the database, the registry also checks the log regularly, in case a hint is lost. `call`
        sends alerts to people whose turn it is.
        """
        heart = store.heart
        if heart is None:
            return Registry(
                store.log,
                store.bus,
                self._clock,
                self._draw,
                send_alert=call,
                bot_workers=worker_pool,
                on_bot_decision=self._metrics.count_bot_decision,
                count_failure=self._metrics.count_update_error,
            )
        registry = Registry(
            store.log,
            store.bus,
            self._clock,
            self._draw,
            log_check_interval=REREAD_SECONDS,
            node=heart.node,
            live_nodes=heart.alive_nodes,
            send_alert=call,
            bot_workers=worker_pool,
            on_bot_decision=self._metrics.count_bot_decision,
            count_failure=self._metrics.count_update_error,
        )
        heart.on_alive_nodes = registry.set_live_nodes
        return registry


def create_app(
    settings: Settings | None = None,
    *,
    clock: Clock | None = None,
    random_bytes: RandomBytes = secrets.token_bytes,
    socket_folder: Path | None = None,
) -> App:
    """Create the server's ASGI application with these settings, by default those of the environment.

    `clock` tells the time, by default the system's. `random_bytes` shuffles and makes secrets, so it must be
    unpredictable. `socket_folder`: where the operator's commands reach the server (`app/web/live_figures.py`).
    """
    return App(settings or load_settings(), clock or SystemClock(), random_bytes, socket_folder)


def run_server(
    settings: Settings,
    listener: socket.socket,
    on_ready: Callable[[int], None],
    *,
    random_bytes: RandomBytes = secrets.token_bytes,
) -> None:
    """Run the server on the socket `listener` until it is told to stop. Returns only then.

    `on_ready` gets the port once all pages are served; until then, a page says that the server starts. `random_bytes`
    must be suitable for secrets.
    """
    app = create_app(settings, random_bytes=random_bytes, socket_folder=open_socket_folder())
    config = uvicorn_server.build_server_config(app, settings, app.outbox, app.count_rejected_connection)

    def started(port: int) -> None:
        exclude_present_objects()
        logger.info(
            "started",
            version=__version__,
            commit=commit_hash(),
            database=describe_location(settings.database_url),
            port=port,
        )
        on_ready(port)

    life = partial(app.lifespan, for_visitors=True)
    uvicorn_server.Server(config, life, app.drain, started).run(sockets=[listener])
