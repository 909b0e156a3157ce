"""`AppContext`: one object with all parts of the server, for pages, sockets and shutdown. `main.py` builds it."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

import structlog
from starlette.requests import HTTPConnection

from app import bots
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.match.match import Match
from app.rooms.live.registry import Registry
from app.rooms.live.room_actor import RoomActor
from app.rooms.ports.bot_workers import BotWorkers
from app.rooms.ports.bus import ALL_NODES_PREFIX, SIDE_MESSAGE_MARK
from app.rooms.ports.storage import StorageUnavailable
from app.settings import Network, Settings
from app.store.store import Store
from app.web.assets.static_files import Assets
from app.web.assets.templates import Templates
from app.web.context.chat import ChatAndReactions
from app.web.context.log_limits import LogLimits
from app.web.context.metrics import Metrics
from app.web.context.sessions import Sessions, SignedInDevice
from app.web.context.watch_parties import WatchParties
from app.web.http.ban_list import BanList
from app.web.http.rate_limit import RateLimiter
from app.web.http.work_queue import WorkQueue
from app.web.protocol import server_messages
from app.web.push.sender import PushSender
from app.workers.pool import WorkerPool

logger = structlog.get_logger("web")

SIGNED_OUT = ALL_NODES_PREFIX
"""Prefix of hints between nodes that sign out a person or device."""


class OpenSocket(Protocol):
    """An open connection of a page, to a room or a watch party, as far as `AppContext` uses it."""

    @property
    def person_id(self) -> str:
        """The id of the person at this socket; empty for an unknown visitor."""
        ...

    @property
    def device_id(self) -> str:
        """The id of the signed-in device at this socket; empty for an unknown visitor."""
        ...

    @property
    def client(self) -> str:
        """The address of the client, as limits count it."""
        ...

    @property
    def known(self) -> SignedInDevice | None:
        """The person and the device, if they are known and this socket shows a room; otherwise None."""
        ...

    @property
    def room_id(self) -> str:
        """The id of the room that the socket shows, or "" if it shows none."""
        ...

    def send_notice(self, notice: bytes | None) -> None:
        """Send a notice for everyone, already encoded, to this page; None sends nothing."""
        ...

    def close_for_restart(self) -> None:
        """Close this socket soon with a goodbye that asks the page to reconnect, because the server stops."""
        ...

    def close_signed_out(self) -> None:
        """Close this socket soon with a goodbye, because its device was signed out."""
        ...


NOT_WRITTEN = MessageTemplate(
    "web.not_written",
    "Saving has to wait. No move is lost.",
)


@dataclass
class AppContext:
    """All parts of one server process, with its rate limits and the counts of open sockets."""

    settings: Settings
    store: Store
    registry: Registry
    people: Sessions
    assets: Assets
    templates: Templates
    metrics: Metrics
    import_workers: WorkerPool[bytes]
    """Worker processes that read imported files (`web/matches/import_worker.py`)."""
    push_sender: PushSender | None = None
    """Sends push notifications; None if they are disabled."""
    bot_workers: BotWorkers | None = None
    """Worker processes for bots, or None if bots have no workers."""
    bans: BanList = field(default_factory=BanList)
    """The networks whose requests are refused."""
    draining: bool = False
    open_sockets: set[OpenSocket] = field(default_factory=set[OpenSocket])
    match_cache: dict[tuple[str, int], Match] = field(default_factory=dict[tuple[str, int], Match])
    """Cached match states by match id and hand number, for replays."""
    picture_cache: dict[object, bytes] = field(default_factory=dict[object, bytes])
    """Cached pictures of matches as PNG, by their contents."""
    arrivals: dict[str, Callable[[], None]] = field(default_factory=dict[str, Callable[[], None]])
    """For each guest who joined by the form and whose page has no socket yet: ends their connection until then."""
    watch_parties: WatchParties = field(default_factory=WatchParties)
    exporting: set[str] = field(default_factory=set[str])
    """Ids of the people who are downloading a file of all their matches from this node."""
    must_empty_log: asyncio.Event = field(default_factory=asyncio.Event)
    """Set if SQLite's log may still hold a deleted name. A background task empties the log then."""
    notice: bytes | None = None
    """The current notice for everyone with a socket on this node, as an encoded frame, or None."""
    _sockets: Counter[str] = field(default_factory=Counter[str])

    def __post_init__(self) -> None:
        limits = self.settings.limits
        self.chat = ChatAndReactions(
            self.registry, self.store.chat, None if self.store.heart is None else self.store.bus, limits
        )
        self.message_limiter = RateLimiter(limits.messages_per_second, 1, burst=limits.messages_at_once)
        self.guess_limiter = RateLimiter(limits.guesses_per_minute, 60)
        self.seat_request_limiter = RateLimiter(limits.seat_requests_per_hour, 3600)
        self.picture_limiter = RateLimiter(limits.pictures_per_minute, 60)
        self.analysis_limiter = RateLimiter(limits.hindsight_per_minute, 60)
        self.log_limits = LogLimits(limits)
        self.room_opening_limiter = RateLimiter(limits.rooms_per_hour, 3600)
        self.import_byte_limiter = RateLimiter(limits.import_bytes_per_day, 24 * 3600)
        self.new_person_limiter = RateLimiter(limits.people_per_hour, 3600)
        # Separate queues: checking a file or analysing a turn takes seconds, and must not delay replays.
        self.work_queue = WorkQueue()
        self.import_queue = WorkQueue(at_once=self.import_workers.size, of_an_address=1)
        self.analysis_queue = WorkQueue()
        self.registry.on_rewound = self.save_people_again
        self._all_sockets_closed = asyncio.Event()
        self._all_sockets_closed.set()
        self.metrics.sockets.set_function(lambda: self._sockets[""])
        self.metrics.rooms.set_function(lambda: len(self.registry.loaded_rooms()))
        self.metrics.nodes.set_function(lambda: 1 if self.store.heart is None else len(self.store.heart.alive_nodes))
        self.metrics.oldest_command.set_function(
            lambda: max((actor.oldest_unanswered_seconds for actor in self.registry.loaded_rooms()), default=0)
        )

    @property
    def available_bot_levels(self) -> tuple[str, ...]:
        """The bot levels offered on this server, easiest first; hard only with worker processes."""
        there_are = bots.available_bots(with_workers=self.settings.hard_workers != 0)
        return tuple(kind for kind in bots.LEVELS if kind in there_are)

    def message(self, key: str) -> TranslatableMessage:
        """Return the catalogue's text for a key as a translatable message, for use in an error."""
        return self.templates.catalogues.english.message(key)

    def random_retry_ms(self) -> int:
        """Return the milliseconds after which a client should reconnect, randomised to spread the load."""
        return self.settings.retry_ms + random.randrange(self.settings.retry_ms + 1)

    def try_count_socket(self, client: str, person: str, room: str) -> bool:
        """Count a new socket by address, person and room; return False, without counting, if a limit is reached.

        The caller must call `uncount_socket` with the same values when it is closed.
        """
        limits = self.settings.limits
        keys = _socket_count_keys(client, person, room)
        most = (limits.sockets, limits.sockets_per_address, limits.sockets_per_person)
        if any(self._sockets[key] >= limit for key, limit in zip(keys, most, strict=True)):
            return False
        self._sockets.update(keys)
        return True

    def uncount_socket(self, client: str, person: str, room: str) -> None:
        """Stop counting a socket that was closed, with the values given to `try_count_socket`."""
        for key in _socket_count_keys(client, person, room):
            self._sockets[key] -= 1
            if not self._sockets[key]:
                del self._sockets[key]

    def register_socket(self, socket: OpenSocket) -> None:
        """Register an open socket, so that it gets notices and is closed at a sign-out or shutdown."""
        self.open_sockets.add(socket)
        self._all_sockets_closed.clear()

    def unregister_socket(self, socket: OpenSocket) -> None:
        """Unregister a socket that is closed. `drain` waits until all sockets are unregistered."""
        self.open_sockets.discard(socket)
        if not self.open_sockets:
            self._all_sockets_closed.set()

    def show_storage_notice(self, problem: str | None) -> None:
        """Show on all connected pages that the server can't save (`problem` is the reason), or take this back (None).

        Pages get a repeated problem again: it tells a page that waits for an answer that its connection works.
        """
        if self.notice is None and problem is None:
            return
        stands = server_messages.Notice(t="notice", message=NOT_WRITTEN(), key=NOT_WRITTEN.key)
        frame = server_messages.encode_message(
            server_messages.Notice(t="notice") if problem is None else stands
        ).encode()
        self.notice = None if problem is None else frame
        for socket in tuple(self.open_sockets):
            socket.send_notice(frame)

    async def save_people_again(self, actor: RoomActor) -> None:
        """Save the connected people of a room again after the database has lost its last entries.

        A person who can't be saved is signed out; the page then asks for a name.
        """
        for socket in [each for each in self.open_sockets if each.room_id == actor.id]:
            if socket.known is None:
                continue
            try:
                await self.store.people.restore_person(socket.known, actor.id, datetime.now(UTC))
            except StorageUnavailable:
                raise
            except Exception:
                logger.exception("saving a person again failed")
                socket.close_signed_out()

    def close_signed_out_sockets(self, person_or_device_id: str) -> None:
        """Close all sockets of a signed-out device, or of a person with all devices, on every node."""
        self.close_sockets_of(person_or_device_id)
        self.store.bus.publish(f"{SIGNED_OUT}{person_or_device_id}", 0)

    def on_bus_hint(self, hint: str, _: int) -> None:
        """Handle a hint from another node: a sign-out or a chat message.

        Hints about room logs are ignored here.
        """
        if hint.startswith(SIGNED_OUT):
            self.close_sockets_of(hint.removeprefix(SIGNED_OUT))
        elif SIDE_MESSAGE_MARK in hint:
            self.chat.on_bus_hint(hint)

    def close_sockets_of(self, person_or_device_id: str) -> None:
        """Close the sockets of a signed-out device or person on this node, and drop what is in memory of them."""
        self.watch_parties.close_parties_of(person_or_device_id)  # followers see the leader's name
        self.chat.delete_lines_of(person_or_device_id)
        self.store.sums_cache.clear()
        # Cached matches and pictures may contain a deleted name.
        self.match_cache.clear()
        self.picture_cache.clear()
        for socket in tuple(self.open_sockets):
            if person_or_device_id in (socket.person_id, socket.device_id):
                socket.close_signed_out()

    def ban(self, networks: Collection[Network]) -> None:
        """Refuse requests of these networks from now on, and of no others; close the sockets of newly banned ones."""
        if self.bans.replace(networks):
            for socket in tuple(self.open_sockets):
                if self.bans.covers(socket.client):
                    socket.close_for_restart()

    async def drain(self) -> None:
        """Ask all clients to reconnect elsewhere, because the server stops, and wait until all sockets are closed.

        Later handshakes get a goodbye, and `/readyz` reports that the server is not ready. The wait ends after
        `drain_seconds`.
        """
        self.draining = True
        logger.info("shutting down", sockets=len(self.open_sockets))
        for socket in tuple(self.open_sockets):
            socket.close_for_restart()
        try:
            async with asyncio.timeout(self.settings.drain_seconds):
                await self._all_sockets_closed.wait()
        except TimeoutError:
            logger.warning("sockets still open after the time to shut down", sockets=len(self.open_sockets))


def _socket_count_keys(client: str, person: str, room: str) -> tuple[str, str, str]:
    return "", client, f"{person} {room}"


async def site_of(request: HTTPConnection) -> AppContext:
    """Return the `AppContext` of the server that handles a request, as a FastAPI dependency.

    It is async because FastAPI calls other functions in threads.
    """
    site: AppContext = request.app.state.site
    return site
