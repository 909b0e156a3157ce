"""The connections of one room in this process, and people who have just closed their last connection.

A connection stores only the number of the view that it was sent last, so memory stays bounded. A slow connection
gets all changes since that view when it can send again. Reloading a page closes a connection for a moment only, so
that is not reported.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection
from typing import Protocol, TypeAlias

from app.rooms.live.guests import OpenPages, pages_by_person
from app.rooms.views.delta import ConnectionUpdate

logger = logging.getLogger(__name__)

CROWD_PAUSE = 0.2
"""Seconds for which updates about arriving and leaving spectators are collected into one update.

If 100 spectators open the room at the same moment, each gets one update of their number. Without the pause, each
gets one update for every later spectator: 4,950 updates in place of 100.
"""


class RoomClosed(Exception):
    """Raised by a room that was unloaded or deleted; the caller should look the room up in the registry again."""


NewestUpdate: TypeAlias = Callable[["Connection"], ConnectionUpdate]
"""Returns the update that leads a connection to the newest view, whose number becomes its `last_shown`."""


class ClientTransport(Protocol):
    """What a room needs from a client's socket: write to it, and know how slow it is."""

    @property
    def lag(self) -> float:
        """The measured round-trip time to the client, in seconds.

        The room postpones deadlines for slow players by it.
        """
        ...

    @property
    def is_blocked(self) -> bool:
        """Whether the client reads too slowly, so that updates wait and messages such as chat are left out."""
        ...

    def send_texts(self, *encoded: bytes) -> None:
        """Write encoded text messages to the client's socket, each in its own frame."""
        ...


class Connection:
    """A socket's subscription to a room's updates: `on_update` announces one, `take_update` returns it.

    `on_update` is a callback and not a waiting task, because each play is announced to every connection.
    """

    def __init__(
        self,
        visitor: str,
        newest_update: NewestUpdate,
        on_close: Callable[["Connection"], None],
        on_page_changed: Callable[["Connection"], None],
        *,
        is_screen: bool,
    ) -> None:
        self.visitor = visitor
        """The id of the person at this connection."""
        self.person = None if is_screen else visitor
        """The same, or None if the connection can't act and shows only what any spectator may see."""
        self.is_visible = True
        """Whether the page is visible on its device, as last reported by the client."""
        self.only_watches = is_screen
        """Whether the page doesn't ask for a visitor's name, as last reported by the client."""
        self.on_update: Callable[[], None] = _do_nothing
        """Called when there is an update to take, and when the connection ends. It may close the connection."""
        self.transport: ClientTransport | None = None
        """The client, or None if the connection has no network transport."""
        self.last_shown = 0
        """Number of the view that was sent last; 0: none yet."""
        self.sees_table = True
        """Whether that view has the table, its events and the chat."""
        self._newest_update = newest_update
        self._on_close = on_close
        self._on_page_changed = on_page_changed
        self._has_update = True
        self._closed = False

    def take_update(self) -> ConnectionUpdate | None:
        """Return the encoded changes of the room since the last call, or None if there are none.

        The first update is complete. Raises `RoomClosed` if the connection has ended.
        """
        if self._closed:
            raise RoomClosed
        if not self._has_update:
            return None
        self._has_update = False
        return self._newest_update(self)

    def set_page_state(self, *, is_visible: bool, only_watches: bool) -> None:
        """Store whether the page is visible on its device and whether it only watches, and report a change."""
        if (is_visible, only_watches) != (self.is_visible, self.only_watches) and not self._closed:
            self.is_visible, self.only_watches = is_visible, only_watches
            self._on_page_changed(self)

    def close(self) -> None:
        """End a client's subscription to a room, because the socket or the room closed.

        The room removes it, and `on_update` is called a last time, so that the listener learns of the end.
        """
        if not self._closed:
            self._closed = True
            self._on_close(self)
        self.notify()
        self.on_update, self.transport = _do_nothing, None

    def notify(self) -> None:
        """Tell this connection's listener (`on_update`) that there is a new view or that the connection has ended.

        Errors in the listener are logged, so that they don't affect other connections.
        """
        self._has_update = True
        try:
            self.on_update()
        except Exception:  # an error in one listener must not affect the others
            logger.exception("sending an update to a connection failed")


def _do_nothing() -> None:
    """Do nothing: the default for callbacks that were not set, or were dropped after closing."""


def _ignore_person(person: str) -> None:
    """Do nothing. Replaces the callback for people who are gone after the room's connections were closed."""


class ConnectionSet:
    """All connections of one room in this process; knows which persons are here, and reports those who left."""

    def __init__(
        self, disconnect_grace: float, on_person_gone: Callable[[str], None], on_spectators_changed: Callable[[], None]
    ) -> None:
        """Store the callbacks.

        `on_person_gone` gets a person who has had no connection for `disconnect_grace` seconds.
        `on_spectators_changed` is called `CROWD_PAUSE` seconds after spectators came or left.
        """
        self._disconnect_grace = disconnect_grace
        self._on_person_gone = on_person_gone
        self._on_spectators_changed = on_spectators_changed
        self._connections: set[Connection] = set()
        self._connections_per_person: Counter[str] = Counter()
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._crowd_timer: asyncio.TimerHandle | None = None
        self._closed = False

    def __len__(self) -> int:
        """Return the number of connections."""
        return len(self._connections)

    @property
    def persons(self) -> Collection[str]:
        """The ids of persons with a connection to this room here, other than a screen."""
        return self._connections_per_person.keys()

    @property
    def is_abandoned(self) -> bool:
        """Whether the room has no connection here and no person who may come back within `disconnect_grace`.

        Then the room can be unloaded.
        """
        return not (self._connections or self._leaving)

    def pages_of_others(self, members: Collection[str | None]) -> dict[str, OpenPages]:
        """Return the open pages of all persons other than the room's members, by person."""
        return pages_by_person(
            (each.visitor, OpenPages(joining=not each.only_watches, screen=each.person is None))
            for each in self._connections
            if each.visitor not in members
        )

    def has_visible_page(self, person: str) -> bool:
        """Return whether this person has a page of the room open here that is visible on its device."""
        return any(each.person == person and each.is_visible for each in self._connections)

    def max_round_trip(self, persons: Collection[str | None]) -> float:
        """Return the longest round-trip time, in seconds, of connections of these persons; 0 if none is known."""
        peers = (each.transport for each in self._connections if each.person is not None and each.person in persons)
        return max((peer.lag for peer in peers if peer is not None), default=0.0)

    def add(self, connection: Connection) -> None:
        """Add a new connection to the room.

        Its person no longer counts as leaving, so is not reported as gone.
        """
        self._connections.add(connection)
        person = connection.person
        if person is not None:
            self._connections_per_person[person] += 1
            leaving = self._leaving.pop(person, None)
            if leaving is not None:
                leaving.cancel()

    def remove(self, connection: Connection) -> None:
        """Remove a connection from the room.

        If it was the person's last here, report them gone after a short time. They are not reported if they reconnect
        within `disconnect_grace` seconds, as when they reload the page.
        """
        self._connections.discard(connection)
        person = connection.person
        if person is None:
            return
        self._connections_per_person[person] -= 1
        if self._connections_per_person[person] <= 0:
            del self._connections_per_person[person]
            if not self._closed:
                self._leaving[person] = asyncio.get_running_loop().call_later(
                    self._disconnect_grace, self._on_grace_expired, person
                )

    def schedule_spectator_update(self) -> None:
        """Report in 0.2 seconds that spectators came or left, once for all people who come and go meanwhile."""
        if self._crowd_timer is None and not self._closed:
            self._crowd_timer = asyncio.get_running_loop().call_later(CROWD_PAUSE, self._report_spectators_changed)

    def notify_all(self) -> None:
        """Tell every connection of the room that there is a new view to fetch."""
        for connection in tuple(self._connections):
            connection.notify()

    def broadcast(self, frame: bytes) -> None:
        """Write an encoded message, such as a chat line, to every client that sees the table and reads fast enough.

        The message is in no view, so slow clients miss it.
        """
        for peer in [connection.transport for connection in self._connections if connection.sees_table]:
            if peer is not None and not peer.is_blocked:
                peer.send_texts(frame)

    def close(self) -> None:
        """Close every connection of a room that is unloaded, stop all timers here, and drop the callbacks.

        People whose connections end this way are not reported as gone.
        """
        self._closed = True
        for connection in tuple(self._connections):
            connection.close()
        for handle in (self._crowd_timer, *self._leaving.values()):
            if handle is not None:
                handle.cancel()
        # Drop the callbacks to the room actor, so that an unloaded room is freed at once, without garbage
        # collection.
        self._on_person_gone, self._on_spectators_changed = _ignore_person, _do_nothing

    def _on_grace_expired(self, person: str) -> None:
        self._leaving.pop(person, None)
        self._on_person_gone(person)

    def _report_spectators_changed(self) -> None:
        self._crowd_timer = None
        self._on_spectators_changed()
