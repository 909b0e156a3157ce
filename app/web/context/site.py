"""What the web has at hand: one object for every page, every socket and the end. `main.py` builds it."""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

import structlog
from starlette.requests import HTTPConnection

from app import bots
from app.engine.base.messages import Said, Sentence
from app.engine.match.match import Match
from app.rooms.live.registry import Registry
from app.rooms.live.room_actor import Runner
from app.rooms.ports.bot_workers import Thinker
from app.rooms.ports.bus import ASIDE, TO_ALL
from app.rooms.ports.storage import Unavailable
from app.settings import Settings
from app.store.store import Store
from app.web.assets.static_files import Assets
from app.web.assets.templates import Templates
from app.web.context.chat import Asides
from app.web.context.metrics import Metrics
from app.web.context.sessions import Known, Sessions
from app.web.context.watch_parties import Flocks
from app.web.http.rate_limit import Pace
from app.web.http.work_queue import SlowWork
from app.web.protocol import server_messages
from app.web.push.sender import Pusher

logger = structlog.get_logger("web")

SIGNED_OUT = TO_ALL
"""Begins hints between nodes about persons and devices."""


class OpenSocket(Protocol):
    """One open socket."""

    @property
    def person_id(self) -> str:
        """Whose connection this is, by the person's id."""
        ...

    @property
    def device_id(self) -> str:
        """By which of their devices they are here."""
        ...

    @property
    def known(self) -> Known | None:
        """The person and the device, where this is a table of a room."""
        ...

    @property
    def room_id(self) -> str:
        """The room that it shows; empty where it shows none."""
        ...

    def tell(self, notice: bytes | None) -> None:
        """Tell what everybody should read, if there is something."""
        ...

    def leave(self) -> None:
        """End politely, soon: the server goes."""
        ...

    def dismiss(self) -> None:
        """End politely, soon: this browser is nobody any more."""
        ...


NOT_WRITTEN = Sentence(
    "web.not_written",
    "The server can’t write anything down just now. Nothing is lost: what you do waits, and all goes on by itself.",
)


@dataclass
class Site:
    """One server's parts, and what it counts about its visitors."""

    settings: Settings
    store: Store
    registry: Registry
    people: Sessions
    assets: Assets
    templates: Templates
    metrics: Metrics
    pusher: Pusher | None = None
    """Calls people who are elsewhere; None: nobody is called."""
    thinker: Thinker | None = None
    """Thinks for bots; None: nobody does so elsewhere."""
    draining: bool = False
    open_sockets: set[OpenSocket] = field(default_factory=set[OpenSocket])
    looked_at: dict[tuple[str, int], Match] = field(default_factory=dict[tuple[str, int], Match])
    """Matches before a hand that somebody may look at next."""
    together: Flocks = field(default_factory=Flocks)
    notice: bytes | None = None
    """What everybody who has a socket here should read, as a frame."""
    _sockets: Counter[str] = field(default_factory=Counter[str])

    def __post_init__(self) -> None:
        limits = self.settings.limits
        self.asides = Asides(
            self.registry, self.store.chat_lines, None if self.store.heart is None else self.store.bus, limits
        )
        self.messages = Pace(limits.messages_per_second, 1, at_once=limits.messages_at_once)
        self.guesses = Pace(limits.guesses_per_minute, 60)
        self.seat_requests = Pace(limits.seat_requests_per_hour, 3600)
        self.questions = Pace(limits.questions_per_minute, 60)
        self.openings = Pace(limits.rooms_per_hour, 3600)
        self.import_bytes = Pace(limits.import_bytes_per_day, 24 * 3600)
        self.newcomers = Pace(limits.people_per_hour, 3600)
        # Checking a file takes seconds, and so does thinking about a turn: looking back does not wait for that.
        self.slow_work = SlowWork()
        self.imports = SlowWork()
        self.thinking = SlowWork()
        self.registry.rewound = self.save_people_again
        self._quiet = asyncio.Event()
        self._quiet.set()
        self.metrics.sockets.set_function(lambda: self._sockets[""])
        self.metrics.rooms.set_function(lambda: len(self.registry.awake()))

    @property
    def levels(self) -> tuple[str, ...]:
        """The kinds of bots that people may have here, the easiest first."""
        there_are = bots.kinds(thinks=self.settings.hard_workers != 0)
        return tuple(kind for kind in bots.LEVELS if kind in there_are)

    def said(self, key: str) -> Said:
        """A text of the catalogue, for a refusal to carry."""
        return self.templates.catalogues.english.said(key)

    def retry_ms(self) -> int:
        """When a client should come back: not all at the same moment."""
        return self.settings.retry_ms + random.randrange(self.settings.retry_ms + 1)

    def admit(self, client: str, person: str, room: str) -> bool:
        """Count a socket until it is released. False: there are too many already, and it is not counted."""
        limits = self.settings.limits
        keys = _counted_as(client, person, room)
        most = (limits.sockets, limits.sockets_per_address, limits.sockets_per_person)
        if any(self._sockets[key] >= limit for key, limit in zip(keys, most, strict=True)):
            return False
        self._sockets.update(keys)
        return True

    def release(self, client: str, person: str, room: str) -> None:
        """Count a socket no longer."""
        for key in _counted_as(client, person, room):
            self._sockets[key] -= 1
            if not self._sockets[key]:
                del self._sockets[key]

    def opened(self, socket: OpenSocket) -> None:
        """Remember an open socket, so that leaving can tell it."""
        self.open_sockets.add(socket)
        self._quiet.clear()

    def ended(self, socket: OpenSocket) -> None:
        """Forget a socket: all has been said to it."""
        self.open_sockets.discard(socket)
        if not self.open_sockets:
            self._quiet.set()

    def storage(self, trouble: str | None) -> None:
        """Show everybody at a table that nothing can be saved just now, or that it can be again."""
        if (self.notice is None) == (trouble is None):
            return
        stands = server_messages.Notice(t="notice", message=NOT_WRITTEN(), key=NOT_WRITTEN.key)
        frame = server_messages.encode(server_messages.Notice(t="notice") if trouble is None else stands).encode()
        self.notice = None if trouble is None else frame
        for socket in tuple(self.open_sockets):
            socket.tell(frame)

    async def save_people_again(self, runner: Runner) -> None:
        """Save the people again who are connected to a room whose last entries the database has lost.

        A person who can't be saved is signed out, and asked for a name by the page.
        """
        for socket in [each for each in self.open_sockets if each.room_id == runner.id]:
            if socket.known is None:
                continue
            try:
                await self.store.people.restore(socket.known, runner.id, datetime.now(UTC))
            except Unavailable:
                raise
            except Exception:
                logger.exception("a person could not be saved again")
                socket.dismiss()

    def signed_out(self, who: str) -> None:
        """A device, or a person with all of theirs, is signed out: what they have open ends, on every node."""
        self._dismiss(who)
        self.store.bus.publish(f"{SIGNED_OUT}{who}", 0)

    def heard(self, hint: str, _: int) -> None:
        """A hint from another node; how far rooms' logs are is not for us."""
        if hint.startswith(SIGNED_OUT):
            self._dismiss(hint.removeprefix(SIGNED_OUT))
        elif ASIDE in hint:
            self.asides.heard(hint)

    def _dismiss(self, who: str) -> None:
        self.together.dissolve(who)  # the others see the name of who leads
        self.asides.forget(who)
        self.looked_at.clear()  # a match before a hand may have a name that is forgotten
        for socket in tuple(self.open_sockets):
            if who in (socket.person_id, socket.device_id):
                socket.dismiss()

    async def drain(self) -> None:
        """Not ready any more; every socket is told to come back, and what is in flight is finished."""
        self.draining = True
        logger.info("leaving", sockets=len(self.open_sockets))
        for socket in tuple(self.open_sockets):
            socket.leave()
        try:
            async with asyncio.timeout(self.settings.drain_seconds):
                await self._quiet.wait()
        except TimeoutError:
            logger.warning("some sockets did not end in time", sockets=len(self.open_sockets))


def _counted_as(client: str, person: str, room: str) -> tuple[str, str, str]:
    return "", client, f"{person} {room}"


async def of(request: HTTPConnection) -> Site:
    """The site that a request came to, as a FastAPI dependency's body: one that is not async is called in a thread."""
    site: Site = request.app.state.site
    return site
