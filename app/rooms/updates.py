"""What a room shows, as updates: each tells a connection what has changed since what it was shown.

Pictures are numbered, and a connection remembers the number of the last one it was shown, nothing else. Each part
knows when it changed, so an update can be made from any picture to the newest: whoever reads slowly misses nothing.
What is public is put together once for all who were shown the same picture; what a seat alone may know is spliced in.
A picture is taken when the first connection asks for it: one that nobody gets costs nothing.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from app.engine import views
from app.engine.actions import FORMS
from app.engine.events import Event, motions, tones
from app.engine.match import Match

from . import pictures
from .member import Member
from .named import NAMED
from .room import MOST_PEOPLE, Room
from .sections import KeptSection, encode

VERSION = 3
"""Of the protocol, whose page says what may change under the same number. A connection's first update tells it."""
EARLIER = 200
"""Public events of the running hand that a new connection is told."""
RECENT = 16
"""Changes whose events are told to whoever missed them."""


@cache
def _lasting() -> bytes:
    """Encode what is told once: what each action is done with, how loud events are, what is seen to move, and
    where names stand."""
    actions = encode({name: form.to_json() for name, form in FORMS.items()})
    told = (VERSION, actions, encode(tones()), encode(motions()), encode(NAMED))
    return b'"protocol":%d,"actions":%b,"tones":%b,"motions":%b,"named":%b' % told


class _Public(NamedTuple):
    """What is put together once for all who were shown the same picture."""

    head: bytes
    """The first members of the update, with those that take the place of what was there."""
    changed: bytes
    """Members of its `changed`."""
    events: bytes
    """Members of its `events`."""
    private: Sequence[Event]
    """What happened that is for some only."""
    frame: bytes
    """The whole update, for who was shown a picture before and has nothing of their own to hear."""


class _Own:
    """What one member alone may know."""

    __slots__ = ("_number", "lasting", "member", "you")

    def __init__(self, member: Member, lasting: object) -> None:
        self.member = member
        self.lasting = lasting
        """What all that is made of which lasts, the member, too: who they are is to be asked when that is another."""
        self.you = KeptSection()
        self._number = 0

    def take(self, number: int, room: Room) -> None:
        """Be as it is in this picture, if it is not yet."""
        if self._number < number:
            self._number, member = number, self.member
            own = pictures.makes_yours(room, member)
            self.you.take(number, lambda: pictures.yours(room, member), None if own is None else (self.lasting, *own))

    def since(self, shown: int) -> tuple[bytes, bytes]:
        """Give all of it as a member, if it has other keys than in that picture; else the members that changed."""
        changed = self.you.changed(shown)
        return (b'"you":{%b}' % changed, b"") if self.you.whole > shown else (b"", changed)


class _Table:
    """What everybody may know of the match."""

    __slots__ = ("_hand", "_match", "_none", "_players", "_ranks", "_trick")

    def __init__(self) -> None:
        self._none = True
        """Whether there is no match."""
        self._match, self._hand, self._trick, self._players = (KeptSection() for _ in range(4))
        self._ranks: Mapping[str, views.Ranked] = {}

    def take(self, number: int, match: Match | None, *, anew: bool) -> None:
        """Be as it is in this picture. `anew`: also what an action in a trick leaves as it is."""
        self._none = match is None
        if match is None:
            for section in (self._match, self._hand, self._trick, self._players):
                section.take(number, dict)
            return
        if anew:
            self._match.take(number, lambda: views.of_match(match))
            self._ranks = views.ranked(match)
        self._hand.take(number, lambda: views.of_hand(match), views.makes_hand(match))
        self._trick.take(number, lambda: views.of_trick(match))
        self._players.take(number, lambda: views.players(match, self._ranks))

    def since(self, shown: int) -> tuple[bytes, bytes]:
        """Give all of it as a member, if it has other keys or players than in that picture; else what changed of it."""
        if max(self._match.whole, self._hand.whole, self._trick.whole, self._players.whole) > shown:
            return b'"table":%b' % (b"null" if self._none else b"{%b}" % self._since(0)), b""
        changed = self._since(shown)
        return b"", changed and b'"table":{%b}' % changed

    def _since(self, shown: int) -> bytes:
        players = self._players.changed(shown)
        named = players and b'"players":{%b}' % players
        return _joined(self._match.changed(shown), self._hand.changed(shown), self._trick.changed(shown), named)


class Updates:
    """What is shown of one room in this process."""

    def __init__(self) -> None:
        self.number = 0
        """Of the newest picture; 0: none was taken yet."""
        self._room = Room()
        self._now = 0
        self._settings, self._company, self._times = KeptSection(), KeptSection(), KeptSection()
        self._table = _Table()
        self._own: dict[str, _Own] = {}
        """By person."""
        self._lasting: tuple[object, ...] = ()
        """What an action in a trick leaves as it is: another one when any of it is another."""
        self._recent: deque[tuple[int, Sequence[Event]]] = deque(maxlen=RECENT)
        """The last changes, oldest first, each with the number of the first picture that shows it: what a connection
        has missed is told along."""
        self._public: dict[int, _Public] = {}
        """Of the newest picture, by the one that was shown before it."""

    def happened(self, events: Sequence[Event]) -> None:
        """Keep what the next picture is to tell."""
        self._recent.append((self.number + 1, events))

    def forget(self) -> None:
        """Forget what happened lately."""
        self._recent.clear()

    def take(self, room: Room, now: int, watchers: int) -> None:
        """Take a picture: what is public of it."""
        self.number += 1
        self._room, self._now = room, now
        self._public.clear()
        lasting = pictures.lasting(room, watchers)
        anew = lasting != self._lasting
        if anew:
            self._lasting = lasting
            self._settings.take(self.number, lambda: room.settings.shown)
            self._company.take(self.number, lambda: pictures.company(room, watchers))
        self._times.take(self.number, lambda: pictures.times(room))
        self._table.take(self.number, room.match, anew=anew)

    def frame(self, person: str | None, shown: int = 0) -> bytes:
        """Encode what one person is told who was shown that picture; 0: none yet, so it is all there is, with what
        happened in the hand so far."""
        public = self._public.get(shown)
        if public is None:
            public = self._public[shown] = self._told_to_all(shown)
        own = self._own_of(person)
        if own is None:
            you, yours, heard = b'"you":%b' % encode(pictures.you(self._room, person)), b"", b""
        elif own.you.newest <= shown and not public.private:
            return public.frame
        else:
            you, yours = own.since(shown)
            heard = _heard(own.member, public.private)
        if shown and not (you or yours or heard):
            return public.frame
        changed = _joined(public.changed, yours and b'"you":{%b}' % yours)
        first = b"" if shown else self._first()
        return _frame(_joined(public.head, you), changed, _joined(public.events, heard), first)

    def _own_of(self, person: str | None) -> _Own | None:
        """Find what a person alone may know, as it is now; None for who has no name here."""
        own = self._own.get(person or "")
        if own is None or own.lasting is not self._lasting:
            member = self._room.member_of(person)
            if person is None or member is None:
                self._own.pop(person or "", None)  # whoever comes back is told all of it
                return None
            if own is None:
                if len(self._own) >= MOST_PEOPLE:
                    self._own.clear()  # people come and go
                own = self._own[person] = _Own(member, self._lasting)
            own.member, own.lasting = member, self._lasting
        own.take(self.number, self._room)
        return own

    def _told_to_all(self, shown: int) -> _Public:
        """Put together what is public."""
        room = _joined(self._settings.changed(shown), self._company.changed(shown), self._times.changed(shown))
        whole, changed = self._table.since(shown)
        if shown:
            changed = _joined(room and b'"room":{%b}' % room, changed)
        else:
            whole = _joined(b'"room":{%b}' % room, whole)
        events = [event for number, happened in self._recent if number > shown > 0 for event in happened]
        private = [event for event in events if event.to is not None]
        head = _joined(b'"t":"update","seq":%d,"now":%d' % (self._room.seq, self._now), whole)
        public = encode(views.events_for(events, None))[1:-1]
        return _Public(head, changed, public, private, _frame(head, changed, public))

    def _first(self) -> bytes:
        """Give the members of a connection's first update only: what lasts, and what happened in this hand so far (of a
        long one, lately), for a page that has just been opened."""
        run = self._room.run
        events = () if run is None else run.hand.events[-EARLIER:]
        earlier = encode([{key: value for key, value in one.items() if key != "n"} for one in events])
        return b'%b,"earlier":%b' % (_lasting(), earlier)


def _heard(member: Member, private: Sequence[Event]) -> bytes:
    """Encode what happened that is for some only, this member among them, as members of a list."""
    heard = [event.to_json() for event in private if event.to is not None and member.name in event.to]
    return encode(heard)[1:-1] if heard else b""


def _frame(head: bytes, changed: bytes, events: bytes, first: bytes = b"") -> bytes:
    """Put an update together of its members, and those of its `changed` and its `events`."""
    return b"{%b}" % _joined(head, changed and b'"changed":{%b}' % changed, b'"events":[%b]' % events, first)


def _joined(*members: bytes) -> bytes:
    """Give members of an object or a list as one text; some may be empty."""
    return b",".join(filter(None, members))
