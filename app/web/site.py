"""What the web has at hand: one object for every page, every socket and the end. `main.py` builds it."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

import structlog
from starlette.requests import HTTPConnection

from app.engine.match import Match
from app.engine.words import Said
from app.rooms.registry import Registry
from app.settings import Settings
from app.store.store import Store
from app.web.assets import Assets
from app.web.pace import Pace
from app.web.people import People
from app.web.telemetry import Metrics
from app.web.templating import Templates
from app.web.workshop import Workshop

logger = structlog.get_logger("web")

MOVED = "@"
"""Begins hints between nodes about persons. No room's code does."""


class Talk(Protocol):
    """One open socket."""

    @property
    def person_id(self) -> str:
        """Whose connection this is, by the person's id."""
        ...

    def leave(self) -> None:
        """End politely, soon: the server goes."""
        ...

    def dismiss(self) -> None:
        """End politely, soon: this browser is nobody any more."""
        ...


@dataclass
class Site:
    """One server's parts, and what it counts about its visitors."""

    settings: Settings
    store: Store
    registry: Registry
    people: People
    assets: Assets
    templates: Templates
    metrics: Metrics
    draining: bool = False
    talks: set[Talk] = field(default_factory=set[Talk])
    looked_at: dict[tuple[str, int], Match] = field(default_factory=dict[tuple[str, int], Match])
    """Matches before a hand that somebody may look at next."""
    _sockets: Counter[str] = field(default_factory=Counter[str])

    def __post_init__(self) -> None:
        limits = self.settings.limits
        self.messages = Pace(limits.messages_per_second, 1, at_once=limits.messages_at_once)
        self.guesses = Pace(limits.guesses_per_minute, 60)
        self.openings = Pace(limits.rooms_per_hour, 3600)
        self.newcomers = Pace(limits.people_per_hour, 3600)
        self.workshop = Workshop()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self.metrics.sockets.set_function(lambda: self._sockets[""])
        self.metrics.rooms.set_function(lambda: len(self.registry.awake()))

    def said(self, key: str) -> Said:
        """A text of the catalogue, for a refusal to carry."""
        return self.templates.catalogues.english.said(key)

    def retry_ms(self) -> int:
        """When a client should come back: not all at the same moment."""
        return self.settings.retry_ms + random.randrange(self.settings.retry_ms + 1)

    @contextmanager
    def counted(self, client: str, person: str, code: str) -> Iterator[bool]:
        """Count a socket as long as it is open. False: there are too many already."""
        limits = self.settings.limits
        keys = {"": limits.sockets, client: limits.sockets_per_address, f"{person} {code}": limits.sockets_per_person}
        if any(self._sockets[key] >= most for key, most in keys.items()):
            yield False
            return
        self._sockets.update(keys.keys())
        try:
            yield True
        finally:
            self._sockets.subtract(keys.keys())
            for key in keys:
                if not self._sockets[key]:
                    del self._sockets[key]

    @contextmanager
    def talking(self, talk: Talk) -> Iterator[None]:
        """Remember an open socket, so that leaving can tell it."""
        self.talks.add(talk)
        self._quiet.clear()
        try:
            yield
        finally:
            self.talks.discard(talk)
            if not self.talks:
                self._quiet.set()

    async def moved(self, person: str) -> None:
        """Somebody is in another browser now: what the old one has open ends, on every node."""
        self._dismiss(person)
        await self.store.bus.publish(f"{MOVED}{person}", 0)

    def heard(self, hint: str, _: int) -> None:
        """A hint from another node; those about rooms are not for us."""
        if hint.startswith(MOVED):
            self._dismiss(hint.removeprefix(MOVED))

    def _dismiss(self, person: str) -> None:
        for talk in tuple(self.talks):
            if talk.person_id == person:
                talk.dismiss()

    async def drain(self) -> None:
        """Not ready any more; every socket is told to come back, and what is in flight is finished."""
        self.draining = True
        logger.info("leaving", sockets=len(self.talks))
        for talk in tuple(self.talks):
            talk.leave()
        try:
            async with asyncio.timeout(self.settings.drain_seconds):
                await self._quiet.wait()
        except TimeoutError:
            logger.warning("some sockets did not end in time", sockets=len(self.talks))


def of(request: HTTPConnection) -> Site:
    """The site that a request came to, as a FastAPI dependency's body."""
    site: Site = request.app.state.site
    return site
