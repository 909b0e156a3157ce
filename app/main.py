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
from app.rooms.calling import Call
from app.rooms.ports import Clock
from app.rooms.registry import Registry, SystemClock
from app.rooms.room import Draw
from app.rooms.steps import NextTurn
from app.settings import Settings, read
from app.store import beginnings
from app.store.database import place
from app.store.store import Store, open_store
from app.tasks import TaskName, supervise
from app.version import commit
from app.web import (
    api,
    books,
    errors,
    health,
    house_rules,
    imports,
    installing,
    leading,
    learning,
    me,
    mine,
    moments,
    pages,
    playing_now,
    sealed,
    server,
    subscribing,
)
from app.web.address import Scope
from app.web.assets import Assets
from app.web.circles import look_seldom
from app.web.front import Front
from app.web.guards import Guards, Receive, Send
from app.web.head import Heads
from app.web.outbox import Outbox
from app.web.people import Sessions
from app.web.public_post import PublicPost
from app.web.pushing import Pusher
from app.web.scripts import for_browsers
from app.web.site import Site
from app.web.socket import RoomSocket
from app.web.stylesheets import joined
from app.web.telemetry import Metrics, Observer, watch_lag
from app.web.templating import Templates
from app.web.texts import Catalogues
from app.web.tidying import tidy_daily
from app.workers.pool import Pool, usual_workers

logger = structlog.get_logger("web")

ROUTERS = tuple(
    each.router
    for each in (
        health,
        pages,
        playing_now,
        learning,
        installing,
        api,
        me,
        house_rules,
        subscribing,
        imports,
        leading,
        books,
        moments,
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
        self._turn = NextTurn()
        """In which rooms decide what has come, and after which that is written."""
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
            Front(Heads(self.web), lambda: self.site),
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
            soon=self._turn.follow,
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
                "deleting people": lambda: mine.finish_forgetting(self.site),
                "daily cleanup": lambda: tidy_daily(self.site, self._clock.now),
                "filling in starts of hands": lambda: beginnings.fill_in(store.database),
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
        key = await store.subscriptions.key(sealed.private_text(sealed.new_key()), self._clock.now())
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
                turn=self._turn,
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
            turn=self._turn,
            failed=self._metrics.update_failed,
        )
        heart.told = registry.living
        return registry


def create_app(
    settings: Settings | None = None, *, clock: Clock | None = None, draw: Draw = secrets.token_bytes
) -> App:
    """The application for these settings, or for those of the environment. `draw` gives bytes fit for secrets."""
    return App(settings or read(), clock or SystemClock(), draw)


def run(settings: Settings, listener: socket.socket, ready: Callable[[int], None]) -> None:
    """Serve until told to stop; `ready` is told the port."""
    app = create_app(settings)
    app.compile()
    config = server.config(app, settings, app.outbox, app.not_accepted)

    def started(port: int) -> None:
        look_seldom()
        logger.info("started", version=__version__, commit=commit(), database=place(settings.database_url), port=port)
        ready(port)

    server.Server(config, app.live, app.drain, started).run(sockets=[listener])
