"""Who has sockets open here: the connections of one room in this process, and who has just closed their last one.

Connections hold no pictures, only the number of the one they were shown: a slow one is told what has changed since when
it is ready, and memory stays bounded. A page that is loaded again is gone for a blink only: nobody needs to hear of it.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection
from typing import Protocol, TypeAlias

from app.rooms.views.delta import ForOne

logger = logging.getLogger(__name__)

CROWD_PAUSE = 0.2
"""Seconds in which spectators who come and go share one update.

If 100 spectators open the room at the same moment, each gets one update of their number. Without the pause each would
get one for every spectator after them: 4,950 updates in place of 100."""


class RoomClosed(Exception):
    """The runner has stopped: find the room again."""


Newest: TypeAlias = Callable[[str | None, int], tuple[int, ForOne]]
"""Gives the newest picture's number and the update that leads to it, for a person (None: unknown) who was shown the
picture of this number (0: none yet)."""


class Distant(Protocol):
    """Whoever is at the other end of a line."""

    @property
    def lag(self) -> float:
        """Seconds from here to them and back."""
        ...

    @property
    def is_blocked(self) -> bool:
        """Whether they read too slowly, so that nothing more should be written now than has to be."""
        ...

    def texts(self, *encoded: bytes) -> None:
        """Write texts, encoded already, each in a frame of its own."""
        ...


class Connection:
    """One socket's view of a room: `take` gives the newest update not yet sent, and `news` is called when there is one.

    A call, and no task that waits: there are as many of these as there are seats, and each play is news for them all.
    """

    def __init__(
        self,
        person: str | None,
        newest: Newest,
        left: Callable[["Connection"], None],
        looked: Callable[["Connection"], None],
    ) -> None:
        self.person = person
        self.in_sight = True
        """Whether its page is one that somebody can see, as far as it has said."""
        self.news: Callable[[], None] = _nobody_listens
        """Called when there is something to take, and at the end; whoever is called may close the connection."""
        self.peer: Distant | None = None
        """Whoever it leads to, where it goes over a line."""
        self._newest = newest
        self._left = left
        self._looked = looked
        self._shown = 0
        self._has_news = True
        self._closed = False

    def take(self) -> ForOne | None:
        """Give the newest update; None if it was taken already. The first says it all. `RoomClosed` at the end."""
        if self._closed:
            raise RoomClosed
        if not self._has_news:
            return None
        self._has_news = False
        self._shown, told = self._newest(self.person, self._shown)
        return told

    def look(self, in_sight: bool) -> None:
        """Hear that its page has come in sight, or has gone."""
        if in_sight != self.in_sight and not self._closed:
            self.in_sight = in_sight
            self._looked(self)

    def close(self) -> None:
        """End the connection, because the socket is gone or the room closes."""
        if not self._closed:
            self._closed = True
            self._left(self)
        self.wake()
        self.news, self.peer = _nobody_listens, None

    def wake(self) -> None:
        """Tell whoever listens that there is news."""
        self._has_news = True
        try:
            self.news()
        except Exception:  # the others must not suffer
            logger.exception("somebody could not be told of news")


def _nobody_listens() -> None:
    """Do nothing: it will be asked for."""


def _nobody_minds(person: str) -> None:
    """Do nothing: the room is closed."""


class Attendance:
    """The connections of a room, and the persons behind them."""

    def __init__(self, blink: float, gone: Callable[[str], None], crowd: Callable[[], None]) -> None:
        """`gone` is told of a person who has had no connection for `blink` seconds; `crowd`, a little after nameless
        watchers came or went, that they did."""
        self._blink = blink
        self._gone = gone
        self._crowd = crowd
        self._connections: set[Connection] = set()
        self._persons: Counter[str] = Counter()
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._crowd_timer: asyncio.TimerHandle | None = None
        self._closed = False

    def __len__(self) -> int:
        """How many connections there are."""
        return len(self._connections)

    @property
    def persons(self) -> Collection[str]:
        """Everybody known who has a connection."""
        return self._persons.keys()

    @property
    def is_over(self) -> bool:
        """Whether nobody has a connection, and nobody is expected back in a blink."""
        return not (self._connections or self._leaving)

    def watchers(self, named: Collection[str | None]) -> int:
        """How many watch without being one of these persons: a person counts once, of the unknown each connection."""
        nameless = sum(1 for person in self._persons if person not in named)
        return nameless + len(self._connections) - self._persons.total()

    def sees(self, person: str) -> bool:
        """Tell whether this person has a page in sight."""
        return any(each.person == person and each.in_sight for each in self._connections)

    def lag(self, persons: Collection[str | None]) -> float:
        """How many seconds the slowest line of these persons takes, there and back; 0 if none is known."""
        peers = (each.peer for each in self._connections if each.person is not None and each.person in persons)
        return max((peer.lag for peer in peers if peer is not None), default=0.0)

    def came(self, connection: Connection) -> None:
        """Count a connection that was just opened."""
        self._connections.add(connection)
        person = connection.person
        if person is not None:
            self._persons[person] += 1
            leaving = self._leaving.pop(person, None)
            if leaving is not None:
                leaving.cancel()

    def left(self, connection: Connection) -> None:
        """Count a connection no longer; its person is gone if it was the last one and none follows in a blink."""
        self._connections.discard(connection)
        person = connection.person
        if person is None:
            return
        self._persons[person] -= 1
        if self._persons[person] <= 0:
            del self._persons[person]
            if not self._closed:
                self._leaving[person] = asyncio.get_running_loop().call_later(self._blink, self._left_for_good, person)

    def crowd_changed(self) -> None:
        """Call `crowd` after `CROWD_PAUSE`, once for all spectators who come and go meanwhile."""
        if self._crowd_timer is None and not self._closed:
            self._crowd_timer = asyncio.get_running_loop().call_later(CROWD_PAUSE, self._tell_crowd)

    def wake(self) -> None:
        """Tell every connection that there is news."""
        for connection in tuple(self._connections):
            connection.wake()

    def tell(self, frame: bytes) -> None:
        """Write this to everybody who reads: it is no part of any picture, and who does not read misses it."""
        for peer in [connection.peer for connection in self._connections]:
            if peer is not None and not peer.is_blocked:
                peer.texts(frame)

    def close(self) -> None:
        """Close every connection and forget who was leaving."""
        self._closed = True
        for connection in tuple(self._connections):
            connection.close()
        for handle in (self._crowd_timer, *self._leaving.values()):
            if handle is not None:
                handle.cancel()
        # Whoever listened holds this: a room that sleeps is to be counted away, and not to wait for the collector.
        self._gone, self._crowd = _nobody_minds, _nobody_listens

    def _left_for_good(self, person: str) -> None:
        self._leaving.pop(person, None)
        self._gone(person)

    def _tell_crowd(self) -> None:
        self._crowd_timer = None
        self._crowd()
