"""Build the updates of a room: each tells a connection what has changed since the picture it was shown last.

Pictures of the room are numbered, and a connection remembers the number of its last one, nothing else. Each part of a
picture knows when it changed, so there is an update from any picture to the newest: a slow reader misses nothing. The
public part is encoded once for all connections that were shown the same picture. The part for one seat is spliced in.
A picture is taken when the first connection asks for it.

The median update after an action has 0.5 kB. The whole `room`, `table` and `you` have 7.4 kB, and a new connection is
told 12.6 kB with the events of the hand so far (four players, 300 actions of `evening` in
tests/rooms/views/test_delta.py, 2026-11-27).
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from msgspec import Struct

from app.engine.cards.action_codec import FORMS
from app.engine.display.events import Event, motions, tones
from app.engine.match import views
from app.engine.match.match import Match
from app.rooms.model.member import Member
from app.rooms.model.state import MOST_PEOPLE, Room
from app.rooms.views import room_view
from app.rooms.views.name_fields import NAMED
from app.rooms.views.versioned_section import KeptSection, encode, inside

VERSION = 4
"""The version of the protocol: docs/protocol.md says what may change under one number. First updates have it."""
EARLIER = 200
"""Public events of the running hand that a new connection is told."""
RECENT = 16
"""Changes whose events are told to whoever missed them."""


@cache
def _lasting() -> bytes:
    """Encode what is told once: what each action is done with, how loud events are, what is seen to move, and
    where names stand."""
    actions = {name: form.to_json() for name, form in FORMS.items()}
    return inside({"protocol": VERSION, "actions": actions, "tones": tones(), "motions": motions(), "named": NAMED})


class ForOne(Struct, frozen=True):
    """What one connection is told."""

    text: bytes
    """An update, encoded."""
    own: bool
    """Whether what one alone may know, such as what one may do, is another in it than before."""


class _Public(Struct, frozen=True):
    """What is put together once for all who were shown the same picture, encoded, without brackets."""

    head: bytes
    """The first members of the update, with those that take the place of what was there."""
    changed: bytes
    events: bytes
    private: Sequence[Event]
    """What happened that is for some only."""
    told: ForOne
    """The whole update, for who was shown a picture before and has nothing of their own to hear."""


class _Own:
    """What one member alone may know."""

    __slots__ = ("_besides", "_is_quiet", "_made_of", "_standing", "_turn", "lasting", "member", "newest", "number")

    def __init__(self, member: Member) -> None:
        self.member = member
        self.lasting: tuple[object, ...] | None = None
        """What lasts of all that it is made of, the member, too: who they are is to be asked when that is another."""
        self._standing, self._turn, self._besides = KeptSection(), KeptSection(), KeptSection()
        self._is_quiet = False
        self._made_of: tuple[object, ...] | None = None
        """All that the turn was made of the last time, if it need not be made anew."""
        self.number = 0
        """Of the newest picture in which it was looked at."""
        self.newest = 0
        """Since which picture all of it is as it is."""

    def take_lasting(self, number: int, room: Room, member: Member, lasting: tuple[object, ...]) -> None:
        """Be as it is in this picture as far as that lasts."""
        self.member, self.lasting, self._is_quiet, self._made_of = member, lasting, room_view.is_quiet(room), None
        self._standing.take(number, room_view.standing(room, member))
        self._besides.take(number, room_view.besides(room, member))

    def take(self, number: int, room: Room) -> None:
        """Be as it is in this picture."""
        self.number, member = number, self.member
        made_of = room_view.makes_turn(room, member.name) if self._is_quiet else None
        if made_of is None or made_of != self._made_of:
            self._made_of = made_of
            self._turn.take(number, room_view.turn(room, member))
            if not self._is_quiet:
                self._besides.take(number, room_view.besides(room, member))
            self.newest = max(self._standing.newest, self._turn.newest, self._besides.newest)

    @property
    def whole(self) -> int:
        """Since which picture it has the keys that it has."""
        return max(self._standing.whole, self._turn.whole, self._besides.whole)

    def changed(self, after: int) -> Mapping[str, object]:
        """Give what has changed of it after this picture."""
        if max(self._standing.newest, self._besides.newest) <= after:
            return self._turn.changed(after)
        return _changed((self._standing, self._turn, self._besides), after)


class _Table:
    """What everybody may know of the match."""

    __slots__ = ("_face", "_hand", "_match", "_none", "_players", "_ranks", "_trick")

    def __init__(self) -> None:
        self._none = True
        """Whether there is no match."""
        self._match, self._hand, self._face, self._trick, self._players = (KeptSection() for _ in range(5))
        self._ranks: Mapping[str, views.Ranked] = {}

    def take(self, number: int, match: Match | None, *, anew: bool) -> None:
        """Be as it is in this picture. `anew`: also what an action in a trick leaves as it is."""
        self._none = match is None
        if match is None:
            for section in (self._match, self._hand, self._face, self._trick):
                section.take(number, {})
            self._players.take_each(number, {}, views.player)
            return
        if anew:
            self._match.take(number, views.of_match(match))
            self._ranks = views.ranked(match)
        self._hand.take_made(number, views.makes_hand(match), views.of_hand, match)
        self._face.take(number, {**views.of_face(match)})
        self._trick.take(number, views.of_trick(match))
        self._players.take_each(number, views.makes_players(match, self._ranks), views.player)

    @property
    def whole(self) -> int:
        """Since which picture it has the keys and the players that it has: whoever saw an older one needs all of it."""
        return max(self._match.whole, self._hand.whole, self._face.whole, self._trick.whole, self._players.whole)

    def changed(self, after: int) -> Mapping[str, object] | None:
        """Give what has changed of it after this picture; None where there is no match."""
        if self._none:
            return None
        changed = _changed((self._match, self._hand, self._face, self._trick), after)
        if self._players.newest > after:
            changed["players"] = self._players.changed(after)
        return changed


class Updates:
    """What is shown of one room in this process."""

    def __init__(self) -> None:
        self.number = 0
        """Of the newest picture; 0: none was taken yet."""
        self._room = Room()
        self._now = 0
        self._settings, self._company, self._times = KeptSection(), KeptSection(), KeptSection()
        self._table = _Table()
        self._own: dict[str | None, _Own] = {}
        """By person; who is unknown has nothing."""
        self._lasting: tuple[object, ...] = ()
        """What an action in a trick leaves as it is: another one when any of it is another."""
        self._recent: deque[tuple[int, Sequence[Event]]] = deque(maxlen=RECENT)
        """The last changes, oldest first, each with the number of the first picture that shows it: what a connection
        has missed is told along."""
        self._public: dict[int, _Public] = {}
        """Of the newest picture, by the one that was shown before it."""

    def happened(self, events: Sequence[Event]) -> None:
        """Keep the events that the next picture is to tell."""
        self._recent.append((self.number + 1, events))

    def forget(self) -> None:
        """Forget what happened lately."""
        self._recent.clear()

    def take(self, room: Room, now: int, watchers: int) -> None:
        """Take a picture: what is public of it."""
        self.number += 1
        self._room, self._now = room, now
        self._public.clear()
        lasting = room_view.lasting(room, watchers)
        anew = lasting != self._lasting
        if anew:
            self._settings.take(self.number, room.settings.shown)
            self._company.take(self.number, room_view.company(room, watchers))
        self._times.take(self.number, room_view.times(room))
        self._table.take(self.number, room.match, anew=anew)
        self._lasting = lasting if anew else self._lasting  # last: after an error the next picture takes all of it

    def prepare(self, persons: Iterable[str]) -> None:
        """Find what these alone may know, as it is in this picture, and what is new in it: they are told soon."""
        for person in persons:
            self._own_of(person)
        self._told_to_all(self.number - 1)  # most were shown the one before

    def told(self, person: str | None, shown: int) -> ForOne:
        """Encode the update for a person.

        `shown` is the number of the last picture that the connection was shown. 0, if there was none, gives the whole
        room and the earlier events of the hand.
        """
        public = self._public.get(shown) or self._told_to_all(shown)
        own = self._own.get(person)
        if own is None or own.number != self.number:
            own = self._own_of(person)
            if own is None:
                you = _with_you(public.head, room_view.you(self._room, person))
                return ForOne(_encoded(you, public.changed, public.events), True)
        is_new = own.newest > shown
        if not is_new and not public.private:
            return public.told
        head, changed, events, private = public.head, public.changed, public.events, public.private
        if own.whole > shown:
            head = _with_you(head, own.changed(0))
        elif is_new:
            changed = _with_you(changed, own.changed(shown))
        if private:
            events = _and(events, inside(_heard(own.member, private)))
        return ForOne(_encoded(head, changed, events), is_new)

    def _own_of(self, person: str | None) -> _Own | None:
        """Find what a person alone may know, as it is now; None for who has no name here."""
        own = self._own.get(person)
        if own is None or own.lasting is not self._lasting:
            member = self._room.member_of(person)
            if member is None:
                self._own.pop(person, None)  # whoever comes back is told all of it
                return None
            if own is None:
                if len(self._own) >= MOST_PEOPLE:
                    self._own.clear()  # people come and go
                own = self._own[person] = _Own(member)
            own.take_lasting(self.number, self._room, member, self._lasting)
        try:
            own.take(self.number, self._room)
        except Exception:
            del self._own[person]  # half taken: the next update makes all of it
            raise
        return own

    def _told_to_all(self, shown: int) -> _Public:
        """Put together what is public."""
        first: dict[str, object] = {"t": "update", "seq": self._room.seq, "now": self._now}
        later: dict[str, object] = {}
        if room := _changed((self._settings, self._company, self._times), shown):
            (later if shown else first)["room"] = room
        if self._table.whole > shown:
            first["table"] = self._table.changed(0)
        elif table := self._table.changed(shown):
            later["table"] = table
        happened = self._missed(shown) if shown else []
        private = [event for event in happened if event.to is not None]
        head, changed, events = inside(first), inside(later), inside(views.events_for(happened, None))
        if not shown:
            head = _and(head, self._first())
        public = _Public(head, changed, events, private, ForOne(_encoded(head, changed, events), False))
        self._public[shown] = public
        return public

    def _missed(self, shown: int) -> list[Event]:
        """List the events since that picture, oldest first."""
        return [event for number, events in self._recent if number > shown for event in events]

    def _first(self) -> bytes:
        """Give the members of a connection's first update only: what lasts, and what happened in this hand so far (of a
        long one, lately), for a page that has just been opened."""
        run = self._room.run
        events = () if run is None else run.hand.events[-EARLIER:]
        earlier = [{key: value for key, value in one.items() if key != "n"} for one in events]
        return _and(_lasting(), inside({"earlier": earlier}))


def _changed(sections: Iterable[KeptSection], after: int) -> dict[str, object]:
    """Give the values of these sections that have changed after this picture, by their keys."""
    changed: dict[str, object] = {}
    for section in sections:
        if section.newest > after:
            changed |= section.changed(after)
    return changed


def _heard(member: Member, private: Sequence[Event]) -> list[Mapping[str, object]]:
    """List what happened that is for some only, this member among them."""
    return [event.to_json() for event in private if event.to is not None and member.name in event.to]


def _and(one: bytes, other: bytes) -> bytes:
    """Put what stands inside the same brackets together."""
    return b"%b,%b" % (one, other) if one and other else one or other


def _with_you(members: bytes, you: Mapping[str, object]) -> bytes:
    """Put what one alone may know beside what all do."""
    return _and(members, b'"you":%b' % encode(you))


def _encoded(head: bytes, changed: bytes, events: bytes) -> bytes:
    """Put an update together."""
    if changed:
        return b'{%b,"changed":{%b},"events":[%b]}' % (head, changed, events)
    return b'{%b,"events":[%b]}' % (head, events)
