"""Who is to be called back to the table: something is asked of them, and none of their pages has been in sight lately.

Who may be called for what follows from the room alone; here is what it takes besides, the pages and the time. Whether
and how somebody is called then is not a room's business.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from app.rooms.model.state import Room
from app.rooms.model.vote_queries import asked_of

WAIT: Final = 10.0
"""Seconds until somebody is called: who has just looked away sees it by themselves."""
PAUSE: Final = 60.0
"""Seconds between two calls of somebody to one room."""

Matter: TypeAlias = Literal["turn", "asked"]
"""It is their turn, or the table asks them something."""


@dataclass(frozen=True, slots=True)
class Call:
    """Somebody who is to be called. There are no cards in it."""

    room: str
    """Its id."""
    code: str
    game: str
    person: str
    matter: Matter
    until: int | None
    """When it will be too late, in milliseconds since 1970; None: as long as it takes."""


def awaited(room: Room) -> Iterator[tuple[str, Matter]]:
    """Give the persons who are asked for something now, with what it is. Nobody is whose seat a bot plays."""
    run = room.run
    if run is None or run.rest is not None:
        return
    for name in run.match.to_act:
        member = room.members[name]
        if member.person is not None and member.player is None and member.going is None:
            yield member.person, "turn"
    if run.motion is not None:
        for name in asked_of(room):
            person = room.members[name].person
            if person is not None and name not in run.motion.agreed:
                yield person, "asked"


class _Waiting:
    """Somebody who is waited for, without a break, and has not had the table in sight all the while."""

    __slots__ = ("called", "timer")

    def __init__(self) -> None:
        self.timer: asyncio.TimerHandle | None = None
        self.called = False

    def stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Calls:
    """The calls of one room that is awake."""

    def __init__(self, call: Callable[[Call], None], sees: Callable[[str], bool]) -> None:
        """`call` is told of each call, and is soon done with it; `sees` whether a person has a page in sight."""
        self._call = call
        self._sees = sees
        self._room = Room()
        self._asked: dict[str, Matter] = {}
        """Who is waited for, and for what; mostly they see it, and there is nothing else to know."""
        self._waiting: dict[str, _Waiting] = {}
        self._called: dict[str, float] = {}
        """When somebody was called last, in the event loop's time."""

    def look(self, room: Room) -> None:
        """Take the room as it is now."""
        self._room = room
        asked: dict[str, Matter] = {}
        for person, matter in awaited(room):
            asked.setdefault(person, matter)
        before, self._asked = self._asked, asked
        for person in [person for person in self._waiting if person not in asked]:
            self._waiting.pop(person).stop()
        for person in asked:
            if person not in before and not self._sees(person):
                self._let_wait(person)

    def looked(self, person: str) -> None:
        """Hear that a page of theirs came in sight, or went."""
        if person not in self._asked:
            return
        if self._sees(person):
            if (waiting := self._waiting.get(person)) is not None:
                waiting.stop()
        elif self._others_here(person):  # who leaves a table where nobody else is lets nobody wait
            self._let_wait(person)

    def close(self) -> None:
        """Call nobody any more."""
        for waiting in self._waiting.values():
            waiting.stop()
        self._waiting.clear()
        self._asked = {}
        # Whoever is called by this holds it.
        self._call, self._sees = _nobody, _always

    def _others_here(self, person: str) -> bool:
        return any(member.is_here and member.person != person for member in self._room.members.values())

    def _let_wait(self, person: str) -> None:
        """Call somebody who does not see that they are waited for, a little later and once."""
        waiting = self._waiting.setdefault(person, _Waiting())
        if waiting.timer is None and not waiting.called:
            loop = asyncio.get_running_loop()
            last = self._called.get(person)
            wait = WAIT if last is None else max(WAIT, last + PAUSE - loop.time())
            waiting.timer = loop.call_later(wait, self._due, person)

    def _due(self, person: str) -> None:
        waiting, room = self._waiting[person], self._room
        waiting.timer = None
        waiting.called = True
        self._called[person] = asyncio.get_running_loop().time()
        member, run = room.member_of(person), room.run
        if member is None or run is None:
            return
        matter = self._asked[person]
        if matter == "turn":
            until = room.clocks.turns.get(member.name)
        else:
            until = None if run.motion is None else run.motion.until
        self._call(Call(room.id, room.code, room.settings.game.key, person, matter, until))


def _nobody(call: Call) -> None:
    """Call nobody: the room is closed."""


def _always(person: str) -> bool:
    """Take everybody as being there: the room is closed."""
    return True
