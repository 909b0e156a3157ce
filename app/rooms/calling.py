"""Who is to be called back to the table: something is asked of them, and none of their pages has been in sight lately.

Who may be called for what follows from the room alone; here is what it takes besides, the pages and the time. Whether
and how somebody is called then is not a room's business.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from .asking import asked_of
from .room import Room

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
    if run.match.running:
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
    """Somebody who is waited for, without a break."""

    __slots__ = ("called", "matter", "timer")

    def __init__(self, matter: Matter) -> None:
        self.matter = matter
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
        self._waiting: dict[str, _Waiting] = {}
        self._called: dict[str, float] = {}
        """When somebody was called last, in the event loop's time."""

    def look(self, room: Room) -> None:
        """Take the room as it is now."""
        self._room = room
        asked: dict[str, Matter] = {}
        for person, matter in awaited(room):
            asked.setdefault(person, matter)
        for person in self._waiting.keys() - asked.keys():
            self._waiting.pop(person).stop()
        for person, matter in asked.items():
            waiting = self._waiting.get(person)
            if waiting is None:
                waiting = self._waiting[person] = _Waiting(matter)
                self._consider(person, waiting)
            waiting.matter = matter

    def looked(self, person: str) -> None:
        """Hear that a page of theirs came in sight, or went."""
        waiting = self._waiting.get(person)
        # Who leaves a table where nobody else is lets nobody wait.
        if waiting is not None and (self._sees(person) or self._others_here(person)):
            self._consider(person, waiting)

    def close(self) -> None:
        """Call nobody any more."""
        for waiting in self._waiting.values():
            waiting.stop()
        self._waiting.clear()
        # Whoever is called by this holds it.
        self._call, self._sees = _nobody, _always

    def _others_here(self, person: str) -> bool:
        return any(member.is_here and member.person != person for member in self._room.members.values())

    def _consider(self, person: str, waiting: _Waiting) -> None:
        if self._sees(person):
            waiting.stop()
        elif waiting.timer is None and not waiting.called:
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
        if waiting.matter == "turn":
            until = room.clocks.turns.get(member.name)
        else:
            until = None if run.motion is None else run.motion.until
        self._call(Call(room.id, room.code, room.settings.game.key, person, waiting.matter, until))


def _nobody(call: Call) -> None:
    """Call nobody: the room is closed."""


def _always(person: str) -> bool:
    """Take everybody as being there: the room is closed."""
    return True
