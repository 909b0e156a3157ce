"""Builds settings, store, rooms and web, and joins them: the only file that knows everybody."""

import asyncio
import contextlib
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta

import structlog
from fastapi import FastAPI
from starlette.routing import Mount

from app import __version__, resources
from app.background_tasks import TaskName, supervise
from app.rooms.live.registry import Registry, SystemClock
from app.rooms.live.turn_alerts import Call
from app.rooms.model.state import Draw
from app.rooms.ports.clock import Clock
from app.settings import Settings, read
from app.store.db.engines import place
from app.store.maintenance import backfill_hand_starts
from app.store.store import Store, open_store
from app.version import commit
from app.web.api import health, imports, me, push, saved_rules, watch_party
from app.web.api import matches as match_api
from app.web.api import rooms as room_api
from app.web.assets.css_bundles import joined
from app.web.assets.js_bundles import for_browsers
from app.web.assets.static_files import Assets
from app.web.assets.templates import Templates
from app.web.client_address import Scope
from app.web.context.metrics import Metrics, Observer, watch_lag
from app.web.context.sessions import Sessions
from app.web.context.site import Site
from app.web.http import errors
from app.web.http.guards import Guards, Receive, Send
from app.web.http.head_requests import Heads
from app.web.i18n.catalogues import Catalogues
from app.web.pages import account, highlights, lessons, matches, pwa, quick_start, rules, site, stats
from app.web.pages import rooms as room_pages
from app.web.push import encryption
from app.web.push.safe_post import PublicPost
from app.web.push.sender import Pusher
from app.web.room_socket import RoomSocket
from app.web.services import personal_data
from app.web.services.cleanup_job import tidy_daily
from app.web.transport import uvicorn_server
from app.web.transport.frame_batch import Outbox
from app.web.transport.garbage_collection import collect_rarely
from app.workers.pool import Pool, usual_workers

logger = structlog.get_logger("web")

ROUTERS = tuple(
    each.router
    for each in (
        health,
        room_pages,
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
"""All routes. They are tried in this order, so the most frequent stand first."""

REREAD_SECONDS = 5.0
"""How often rooms with sockets look into a log that other processes write, too."""


class App:
    """The whole application: ASGI outside, everything else inside."""

    def __init__(self, settings: Settings, clock: Clock, draw: Draw) -> None:
        self.settings = settings
        self._clock = clock
        self._draw = draw
        catalogues = Catalogues(resources.static() / "messages")
        static = resources.static()
        # Who watches files reads them in the browser, too: each by itself, with its comments.
        scripts = {} if settings.watch_files else for_browsers(static / "js")
        assets = Assets(static, lambda: {**catalogues.files(), **joined(static), **scripts}, watch=settings.watch_files)
        self._templates = Templates(resources.templates(), catalogues, assets, watch=settings.watch_files)
        self._assets = assets
        self._metrics = Metrics()
        self.outbox = Outbox()
        """Takes what is said over sockets: of one commit all together."""
        self.web = FastAPI(
            title="Pecking Order",
            summary="Climbing card games in the browser.",
            version=assets.version,
            docs_url=None,
            redoc_url=None,
            lifespan=lambda web: self.live(),
            routes=[Mount("/static", assets)],
        )
        errors.install(self.web, self._templates)
        for router in ROUTERS:
            self.web.include_router(router)
        sockets = RoomSocket(lambda: self.site)
        guards = Guards(
            Heads(self.web),
            sockets,
            settings,
            self._templates,
            refused=lambda code: self._metrics.refused.labels(code).inc(),
        )
        self._asgi = Observer(guards, self._metrics)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, one socket, or the server's life."""
        await self._asgi(scope, receive, send)

    @property
    def site(self) -> Site:
        """What the pages have at hand, while the server lives."""
        site: Site = self.web.state.site
        return site

    def not_accepted(self) -> None:
        """Count a connection for which no file could be opened."""
        self._metrics.not_accepted.inc()

    def compile(self) -> None:
        """Do before anybody comes what the first visitor of each page would wait for."""
        self._templates.compile()
        self._assets.read_scripts()
        self.web.openapi()  # FastAPI makes routes as they are asked for; to describe them all it makes them all

    async def drain(self) -> None:
        """Say goodbye to everybody and finish what is in flight."""
        await self.site.drain()

    @contextlib.asynccontextmanager
    async def live(self) -> AsyncIterator[None]:
        """From the first migration to the last commit: around all that is served.

        `BadUrl`, `Unavailable` and `InUse` say why there is no beginning.
        """
        async with self._open():
            yield

    @contextlib.asynccontextmanager
    async def _open(self) -> AsyncIterator[None]:
        settings = self.settings
        place = f"{socket.gethostname()}:{settings.port}" if settings.port else None
        observe = self._metrics.commits.observe
        async with open_store(
            settings.database_url,
            observe,
            self.outbox,
            place=place,
            heartbeat=settings.heartbeat_seconds,
            failed=self._metrics.task_failed,
        ) as store:
            pusher = await self._pusher(store)
            thinkers = self._thinkers()
            registry = self._registry(store, None if pusher is None else pusher.call, thinkers)
            self.web.state.site = Site(
                settings=settings,
                store=store,
                registry=registry,
                people=Sessions(store.people, timedelta(days=settings.idle_days)),
                assets=self._assets,
                templates=self._templates,
                metrics=self._metrics,
                pusher=pusher,
                thinker=thinkers,
            )
            jobs: dict[TaskName, Callable[[], Awaitable[object]]] = {
                "event loop lag": lambda: watch_lag(self._metrics),
                "deleting people": lambda: personal_data.finish_forgetting(self.site),
                "daily cleanup": lambda: tidy_daily(self.site, self._clock.now),
                "filling in starts of hands": lambda: backfill_hand_starts.fill_in(store.database),
            }
            tasks = [
                asyncio.create_task(supervise(name, work, self._metrics.task_failed), name=name)
                for name, work in jobs.items()
            ]
            unsubscribe = store.bus.subscribe(self.site.heard)
            store.database.health.subscribe(self.site.storage)
            try:
                yield
            finally:
                unsubscribe()
                for task in tasks:
                    task.cancel()
                await registry.close()
                if thinkers is not None:
                    await thinkers.close()
                if pusher is not None:
                    await pusher.close()

    async def _pusher(self, store: Store) -> Pusher | None:
        """Whoever calls people that are elsewhere, with the key that all nodes have; None where nobody is to be."""
        if not self.settings.push:
            return None
        key = await store.subscriptions.key(encryption.private_text(encryption.new_key()), self._clock.now())
        return Pusher(
            store.subscriptions,
            key,
            self._templates.catalogues.called,
            PublicPost(self.settings.push_trial),
            lambda outcome: self._metrics.pushes.labels(outcome).inc(),
            self.settings.push_services,
        )

    def _thinkers(self) -> Pool | None:
        """Whoever thinks for hard bots; None where nobody is to."""
        asked = self.settings.hard_workers
        workers = usual_workers() if asked is None else asked
        if not workers:
            return None
        pool = Pool(workers)
        self._metrics.thoughts.set_function(lambda: pool.waiting)
        return pool

    def _registry(self, store: Store, call: Callable[[Call], None] | None, thinkers: Pool | None) -> Registry:
        """The rooms of this process, which may share the log with others: it looks into it, should a hint be lost."""
        heart = store.heart
        if heart is None:
            return Registry(
                store.log,
                store.bus,
                self._clock,
                self._draw,
                call=call,
                thinker=thinkers,
                decided=self._metrics.decided,
                failed=self._metrics.update_failed,
            )
        registry = Registry(
            store.log,
            store.bus,
            self._clock,
            self._draw,
            reread=REREAD_SECONDS,
            node=heart.node,
            living=heart.living,
            call=call,
            thinker=thinkers,
            decided=self._metrics.decided,
            failed=self._metrics.update_failed,
        )
        heart.told = registry.living
        return registry


def create_app(
    settings: Settings | None = None, *, clock: Clock | None = None, draw: Draw = secrets.token_bytes
) -> App:
    """The application for these settings, or for those of the environment. `draw` gives bytes fit for secrets."""
    return App(settings or read(), clock or SystemClock(), draw)


def run(
    settings: Settings, listener: socket.socket, ready: Callable[[int], None], *, draw: Draw = secrets.token_bytes
) -> None:
    """Serve until told to stop; `ready` is told the port, `draw` gives random bytes fit for secrets."""
    app = create_app(settings, draw=draw)
    app.compile()
    config = uvicorn_server.config(app, settings, app.outbox, app.not_accepted)

    def started(port: int) -> None:
        collect_rarely()
        logger.info("started", version=__version__, commit=commit(), database=place(settings.database_url), port=port)
        ready(port)

    uvicorn_server.Server(config, app.live, app.drain, started).run(sockets=[listener])
