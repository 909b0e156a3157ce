"""Build the updates of a room: each tells a connection the changes since the version of the view it got last.

Versions of the view are numbered, and a connection stores only the number of its last one. Each section of the view
stores when it changed, so an update can lead from any version to the newest: a slow reader misses nothing. The
public part is encoded once for all connections with the same last version, and the part for one seat is inserted. A
version is built when the first connection asks for it.

The median update after an action has 0.5 kB, the whole view 7.4 kB (docs/measurements/server.md).
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from msgspec import Struct

from app.engine.cards.action_codec import ACTION_SPECS
from app.engine.display.events import GameEvent, animations_by_event, prominence_by_event
from app.engine.match import views
from app.engine.match.match import Match
from app.rooms.model.member import Member
from app.rooms.model.state import MOST_PEOPLE, Room
from app.rooms.views import room_view
from app.rooms.views.guests import NO_GUESTS, Guests
from app.rooms.views.name_fields import NAME_FIELDS
from app.rooms.views.versioned_section import VersionedSection, encode, encode_without_brackets

VERSION = 5
"""The protocol version, sent with first updates. docs/protocol.md says which changes need a new number."""
MAX_EARLIER_EVENTS = 200
"""Maximum number of public events of the running hand that a new connection gets."""
MAX_RECENT_CHANGES = 16
"""Number of past changes whose events are kept for connections that missed them."""


@cache
def _encode_static_info() -> bytes:
    """Encode what every connection gets once, with its first update, because it never changes.

    Action forms, prominence and animations of events, and which JSON keys hold names. The result is cached.
    """
    actions = {name: form.to_json() for name, form in ACTION_SPECS.items()}
    return encode_without_brackets(
        {
            "protocol": VERSION,
            "actions": actions,
            "event_prominence": prominence_by_event(),
            "event_animations": animations_by_event(),
            "name_fields": NAME_FIELDS,
        }
    )


class ConnectionUpdate(Struct, frozen=True):
    """One encoded update of a room's view, for one connection."""

    text: bytes
    """The encoded update."""
    has_own_changes: bool
    """Whether the private part has changed, for example the person's legal actions."""


class _PublicUpdate(Struct, frozen=True):
    """The public part of an update from one version of a room's view to the newest, encoded once for all connections.

    The parts have no outer brackets, so that a private part can be inserted.
    """

    head: bytes
    """The first members of the update, with the sections that are sent whole."""
    changed: bytes
    events: bytes
    private: Sequence[GameEvent]
    """Events for some players only."""
    update: ConnectionUpdate
    """The complete update for members without private changes or private events. Not used for first updates."""


class _OwnView:
    """One member's private view of a room, in sections that store when they changed last."""

    __slots__ = ("_besides", "_cache_key", "_is_quiet", "_standing", "_turn", "lasting", "member", "newest", "number")

    def __init__(self, member: Member) -> None:
        self.member = member
        self.lasting: tuple[object, ...] | None = None
        """The stable inputs (`stable_view_inputs`) from which the stable part was built.

        If they change, find the member again.
        """
        self._standing, self._turn, self._besides = VersionedSection(), VersionedSection(), VersionedSection()
        self._is_quiet = False
        self._cache_key: tuple[object, ...] | None = None
        """The inputs of the last turn section; None: the section must be built each time."""
        self.number = 0
        """The version for which it was last updated."""
        self.newest = 0
        """The version of its last change."""

    def update_stable_part(
        self, number: int, room: Room, member: Member, guests: Guests, lasting: tuple[object, ...]
    ) -> None:
        """Build the sections of a member's private view that an action in a trick does not change.

        `number`: the version in which they are sent. `lasting`: the inputs from which they are built.
        """
        self.member, self.lasting, self._is_quiet, self._cache_key = (
            member,
            lasting,
            room_view.is_extra_you_stable(room),
            None,
        )
        self._standing.update(number, room_view.build_stable_you(room, member, guests))
        self._besides.update(number, room_view.build_extra_you(room, member))

    def update(self, number: int, room: Room) -> None:
        """Build the sections of a member's private view that any action may change, as of version `number`.

        Sections whose inputs are the same are kept.
        """
        self.number, member = number, self.member
        cache_key = room_view.turn_cache_key(room, member.name) if self._is_quiet else None
        if cache_key is None or cache_key != self._cache_key:
            self._cache_key = cache_key
            self._turn.update(number, room_view.build_turn(room, member))
            if not self._is_quiet:
                self._besides.update(number, room_view.build_extra_you(room, member))
            self.newest = max(self._standing.newest, self._turn.newest, self._besides.newest)

    @property
    def whole(self) -> int:
        """The version since which this private view has the same keys.

        A client with an older one needs the whole view.
        """
        return max(self._standing.whole, self._turn.whole, self._besides.whole)

    def changed_since(self, after: int) -> Mapping[str, object]:
        """Return the values of a member's private view that have changed after version `after`, by key."""
        if max(self._standing.newest, self._besides.newest) <= after:
            return self._turn.changed_since(after)
        return _changed_values((self._standing, self._turn, self._besides), after)


class _TableView:
    """The public view of a room's match, in sections that store when they changed last."""

    __slots__ = ("_face", "_hand", "_match", "_none", "_players", "_ranks", "_trick")

    def __init__(self) -> None:
        self._none = True
        """Whether no match exists."""
        self._match, self._hand, self._face, self._trick, self._players = (VersionedSection() for _ in range(5))
        self._ranks: Mapping[str, views.Ranked] = {}

    def update(self, number: int, match: Match | None, *, rebuild_all: bool) -> None:
        """Build the sections of the match's public view as of version `number`.

        `rebuild_all`: also those that an action in a trick does not change.
        """
        self._none = match is None
        if match is None:
            for section in (self._match, self._hand, self._face, self._trick):
                section.update(number, {})
            self._players.update_each(number, {}, views.player_view)
            return
        if rebuild_all:
            self._match.update(number, views.match_section(match))
            self._ranks = views.player_ranks(match)
        self._hand.update_memoized(number, views.hand_section_cache_key(match), views.hand_section, match)
        self._face.update(number, {**views.display_section(match)})
        self._trick.update(number, views.trick_section(match))
        self._players.update_each(number, views.player_view_inputs(match, self._ranks), views.player_view)

    @property
    def whole(self) -> int:
        """The version since which the match's view has the same keys and players.

        Older clients need the whole view.
        """
        return max(self._match.whole, self._hand.whole, self._face.whole, self._trick.whole, self._players.whole)

    def changed_since(self, after: int) -> Mapping[str, object] | None:
        """Return the values of the match's public view that have changed after version `after`, by key.

        None without a match.
        """
        if self._none:
            return None
        changed = _changed_values((self._match, self._hand, self._face, self._trick), after)
        if self._players.newest > after:
            changed["players"] = self._players.changed_since(after)
        return changed


class UpdateBuilder:
    """Builds the numbered versions of one room's view, and the updates between them, for all connections here."""

    def __init__(self) -> None:
        self.version = 0
        """Number of the newest version; 0: no version was built yet."""
        self._room, self._guests = Room(), NO_GUESTS
        self._now = 0
        self._settings, self._company, self._times = VersionedSection(), VersionedSection(), VersionedSection()
        self._table = _TableView()
        self._own_views: dict[str | None, _OwnView] = {}
        """Private views by person. Unknown people have none."""
        self._stable_inputs: tuple[object, ...] = ()
        """The inputs of all sections that an action in a trick does not change.

        A change of any input replaces the tuple.
        """
        self._recent_events: deque[tuple[int, Sequence[GameEvent]]] = deque(maxlen=MAX_RECENT_CHANGES)
        """The events of the last changes, oldest first, each with the first version that shows them.

        They are sent to connections that missed them.
        """
        self._public_updates: dict[tuple[int, bool], _PublicUpdate] = {}
        """Public parts of updates to the newest version.

        By the version that they start from, and whether they have the table.
        """

    def add_game_events(self, events: Sequence[GameEvent]) -> None:
        """Store game events, so that updates to the next version of the room's view contain them."""
        self._recent_events.append((self.version + 1, events))

    def forget_game_events(self) -> None:
        """Drop the stored game events, because they contain replaced names or lost moves.

        Updates then omit them.
        """
        self._recent_events.clear()

    def update_view(self, room: Room, now: int, guests: Guests = NO_GUESTS) -> None:
        """Start a new version of the room's view: build its public part from this state of the room.

        `now`: milliseconds since 1970. `guests`: the people without a name who watch.
        """
        self.version += 1
        self._room, self._guests, self._now = room, guests, now
        self._public_updates.clear()
        lasting = room_view.stable_view_inputs(room, guests)
        anew = lasting != self._stable_inputs
        if anew:
            self._settings.update(self.version, room.settings.view)
            self._company.update(self.version, room_view.build_stable_room(room, guests))
        self._times.update(self.version, room_view.build_clocks(room))
        self._table.update(self.version, room.match, rebuild_all=anew)
        self._stable_inputs = (
            lasting if anew else self._stable_inputs
        )  # set last: after an error, the next version rebuilds everything

    def prepare_own_views(self, persons: Iterable[str]) -> None:
        """Build in advance the private views of these persons, and the public update that most connections need."""
        for person in persons:
            self._refresh_own_view(person)
        self._build_public_update(self.version - 1, True)  # most connections have the previous version

    def build_update_for(self, person: str | None, last_shown: int, *, sees_table: bool = True) -> ConnectionUpdate:
        """Return the encoded update of the room's view from version `last_shown` to the newest, for this person.

        With 0, the connection has no version yet: it gets the whole view and the earlier events of the hand. Without
        `sees_table`, table and events are left out; call it so for people who are no members.
        """
        public = self._public_updates.get((last_shown, sees_table)) or self._build_public_update(last_shown, sees_table)
        own = self._own_views.get(person)
        if own is None or own.number != self.version:
            own = self._refresh_own_view(person)
            if own is None:
                you = _add_you_member(public.head, room_view.build_you(self._room, person))
                return ConnectionUpdate(_assemble_update(you, public.changed, public.events), True)
        is_new = own.newest > last_shown
        if not is_new and not public.private:
            return public.update
        head, changed, events, private = public.head, public.changed, public.events, public.private
        if own.whole > last_shown:
            head = _add_you_member(head, own.changed_since(0))
        elif is_new:
            changed = _add_you_member(changed, own.changed_since(last_shown))
        if private:
            events = _join_members(events, encode_without_brackets(_private_events_for(own.member, private)))
        return ConnectionUpdate(_assemble_update(head, changed, events), is_new)

    def _refresh_own_view(self, person: str | None) -> _OwnView | None:
        """Bring a member's private view to the newest version and return it; None for people who are not members."""
        own = self._own_views.get(person)
        if own is None or own.lasting is not self._stable_inputs:
            member = self._room.find_member(person)
            if member is None:
                self._own_views.pop(person, None)  # if the person returns, everything is sent
                return None
            if own is None:
                if len(self._own_views) >= MOST_PEOPLE:
                    self._own_views.clear()  # remove the views of people who have left
                own = self._own_views[person] = _OwnView(member)
            own.update_stable_part(self.version, self._room, member, self._guests, self._stable_inputs)
        try:
            own.update(self.version, self._room)
        except Exception:
            del self._own_views[person]  # incomplete: the next update builds it again
            raise
        return own

    def _build_public_update(self, last_shown: int, sees_table: bool) -> _PublicUpdate:
        """Encode the public part of updates from version `last_shown` to the newest, perhaps without the table.

        It is kept for other connections with the same last version.
        """
        first: dict[str, object] = {"t": "update", "seq": self._room.seq, "server_time": self._now}
        later: dict[str, object] = {}
        if room := _changed_values((self._settings, self._company, self._times), last_shown):
            (later if last_shown else first)["room"] = room
        if not sees_table:
            first |= {} if last_shown else {"table": None}
        elif self._table.whole > last_shown:
            first["table"] = self._table.changed_since(0)
        elif table := self._table.changed_since(last_shown):
            later["table"] = table
        happened = self._missed_game_events(last_shown) if last_shown and sees_table else []
        private = [event for event in happened if event.to is not None]
        head, changed, events = (
            encode_without_brackets(first),
            encode_without_brackets(later),
            encode_without_brackets(views.visible_events(happened, None)),
        )
        if not last_shown:
            head = _join_members(head, self._encode_first_update_extras(sees_table))
        public = _PublicUpdate(
            head, changed, events, private, ConnectionUpdate(_assemble_update(head, changed, events), False)
        )
        self._public_updates[last_shown, sees_table] = public
        return public

    def _missed_game_events(self, last_shown: int) -> list[GameEvent]:
        """Return the stored game events after version `last_shown` of the view, oldest first.

        Only the events of the last 16 changes are stored.
        """
        return [event for number, events in self._recent_events if number > last_shown for event in events]

    def _encode_first_update_extras(self, sees_table: bool) -> bytes:
        """Encode what only first updates contain: constant data, and the last 200 public events of the running hand."""
        run = self._room.run if sees_table else None
        events = () if run is None else run.hand.events[-MAX_EARLIER_EVENTS:]
        earlier = [{key: value for key, value in one.items() if key != "n"} for one in events]
        return _join_members(_encode_static_info(), encode_without_brackets({"hand_history": earlier}))


def _changed_values(sections: Iterable[VersionedSection], after: int) -> dict[str, object]:
    """Return the values of these sections of a view that have changed after version `after`, by key."""
    changed: dict[str, object] = {}
    for section in sections:
        if section.newest > after:
            changed |= section.changed_since(after)
    return changed


def _private_events_for(member: Member, private: Sequence[GameEvent]) -> list[Mapping[str, object]]:
    """Return, as JSON, those of these private game events that this member may see."""
    return [event.to_json() for event in private if event.to is not None and member.name in event.to]


def _join_members(one: bytes, other: bytes) -> bytes:
    """Join two encoded lists of JSON members, each without brackets and perhaps empty, with a comma if needed."""
    return b"%b,%b" % (one, other) if one and other else one or other


def _add_you_member(members: bytes, you: Mapping[str, object]) -> bytes:
    """Append the private view as member `you` to encoded JSON members without brackets."""
    return _join_members(members, b'"you":%b' % encode(you))


def _assemble_update(head: bytes, changed: bytes, events: bytes) -> bytes:
    """Return the message of an update: one JSON object from its encoded parts."""
    if changed:
        return b'{%b,"changed":{%b},"events":[%b]}' % (head, changed, events)
    return b'{%b,"events":[%b]}' % (head, events)
