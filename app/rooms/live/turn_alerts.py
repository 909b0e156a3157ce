"""Decides when people are notified that a room waits for them, if none of their pages has been visible lately.

`awaited_persons` follows from the room alone; this module adds the state of the pages and the time. Whether and how
the notification is sent is decided outside of the rooms.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from app.rooms.model.state import Room
from app.rooms.model.vote_queries import eligible_voters

ALERT_DELAY: Final = 10.0
"""Seconds until a person is notified. If you have just looked away, you will probably look back by yourself."""
ALERT_INTERVAL: Final = 60.0
"""Minimum time between two notifications of one person about one room, in seconds."""

AlertReason: TypeAlias = Literal["turn", "asked"]
"""Why a room waits for a person: "turn" to act, "asked" to vote."""


@dataclass(frozen=True, slots=True)
class TurnAlert:
    """A notification to send to one person because a room waits for them. It contains no cards."""

    room: str
    """The room's id."""
    code: str
    game: str
    person: str
    matter: AlertReason
    until: int | None
    """When it will be too late to act, in milliseconds since 1970; None: there is no deadline."""


def awaited_persons(room: Room) -> Iterator[tuple[str, AlertReason]]:
    """Yield the ids of persons that the room waits for, each with the reason: "turn" to act, "asked" to vote.

    Nobody while the match is paused. Seats that a bot plays and players who are leaving get no "turn".
    """
    run = room.run
    if run is None or run.rest is not None:
        return
    for name in run.match.to_act:
        member = room.members[name]
        if member.person is not None and member.active_bot is None and member.going is None:
            yield member.person, "turn"
    if run.motion is not None:
        for name in eligible_voters(room):
            person = room.members[name].person
            if person is not None and name not in run.motion.agreed:
                yield person, "asked"


class _PendingAlert:
    """The state of one person's notification, since the room waits for them: its timer, and whether it was sent."""

    __slots__ = ("called", "timer")

    def __init__(self) -> None:
        self.timer: asyncio.TimerHandle | None = None
        self.called = False

    def cancel_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class TurnAlerts:
    """Decides for one loaded room when to notify persons that it waits for, if they don't see the room."""

    def __init__(self, send: Callable[[TurnAlert], None], has_visible_page: Callable[[str], bool]) -> None:
        """Store the callbacks.

        `send` must return quickly. `has_visible_page` tells whether a person has a visible page.
        """
        self._send = send
        self._has_visible_page = has_visible_page
        self._room = Room()
        self._reasons: dict[str, AlertReason] = {}
        """The persons that the room waits for, with the reason.

        Most of them have a visible page and need no notification.
        """
        self._pending: dict[str, _PendingAlert] = {}
        self._last_alerts: dict[str, float] = {}
        """When each person was last notified, in seconds of the event loop's clock."""

    def update_room(self, room: Room) -> None:
        """Take the room's new state: cancel notifications that became unnecessary, and schedule new ones."""
        self._room = room
        reasons: dict[str, AlertReason] = {}
        for person, matter in awaited_persons(room):
            reasons.setdefault(person, matter)
        before, self._reasons = self._reasons, reasons
        for person in [person for person in self._pending if person not in reasons]:
            self._pending.pop(person).cancel_timer()
        for person in reasons:
            if person not in before and not self._has_visible_page(person):
                self._schedule_alert(person)

    def on_visibility_changed(self, person: str) -> None:
        """React to a page of this person that was shown, hidden or closed, if the room waits for them.

        A visible page cancels the notification. Otherwise one is scheduled, if another person is connected.
        """
        if person not in self._reasons:
            return
        if self._has_visible_page(person):
            if (waiting := self._pending.get(person)) is not None:
                waiting.cancel_timer()
        elif self._has_others_connected(person):  # if no other person is connected, nobody waits
            self._schedule_alert(person)

    def close(self) -> None:
        """Cancel the planned notifications of a room that closes, and drop the callbacks."""
        for waiting in self._pending.values():
            waiting.cancel_timer()
        self._pending.clear()
        self._reasons = {}
        # Drop the callbacks, so that this object no longer keeps their owners in memory.
        self._send, self._has_visible_page = _ignore_alert, _always_visible

    def _has_others_connected(self, person: str) -> bool:
        return any(member.is_connected_person and member.person != person for member in self._room.members.values())

    def _schedule_alert(self, person: str) -> None:
        """Notify this person in 10 seconds or later, at most once while the room waits for them.

        Later if the last notification was less than a minute ago.
        """
        waiting = self._pending.setdefault(person, _PendingAlert())
        if waiting.timer is None and not waiting.called:
            loop = asyncio.get_running_loop()
            last = self._last_alerts.get(person)
            wait = ALERT_DELAY if last is None else max(ALERT_DELAY, last + ALERT_INTERVAL - loop.time())
            waiting.timer = loop.call_later(wait, self._send_alert, person)

    def _send_alert(self, person: str) -> None:
        waiting, room = self._pending[person], self._room
        waiting.timer = None
        waiting.called = True
        self._last_alerts[person] = asyncio.get_running_loop().time()
        member, run = room.find_member(person), room.run
        if member is None or run is None:
            return
        matter = self._reasons[person]
        if matter == "turn":
            until = room.clocks.turns.get(member.name)
        else:
            until = None if run.motion is None else run.motion.until
        self._send(TurnAlert(room.id, room.code, room.settings.game.key, person, matter, until))


def _ignore_alert(call: TurnAlert) -> None:
    """Do nothing. Replaces the callback that sends notifications after the room was closed."""


def _always_visible(person: str) -> bool:
    """Return True, so that nobody is notified.

    Replaces the check for visible pages after the room was closed.
    """
    return True
