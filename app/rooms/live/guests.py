"""The guests of one room: people without a name who watch, at this node (server process) and at the others.

Nodes tell each other their guests in hints, which may be lost. So each node repeats its list, and a list that is not
repeated in time is dropped. Guests are not in the log.
"""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress

import msgspec
from msgspec import Struct

from app.rooms.model.state import RandomBytes
from app.rooms.ports.bus import SIDE_MESSAGE_MARK, decode_from_hint, encode_for_hint
from app.rooms.views.guests import Guests, build_guests

MOST_LISTED = 40
"""The most guests in the list of a room, and in the list of a node. All are counted."""
LIST_LASTS = 60.0
"""Seconds after which the list of another node is dropped if it was not repeated."""

_PREFIX = f"{SIDE_MESSAGE_MARK}.guests-"
"""Follows the room's id in a hint with a node's guests. No person has an empty id, so it is no line of the chat."""


class OpenPages(Struct, frozen=True, array_like=True):
    """The open pages of one person in a room."""

    joining: bool
    """Whether a page asks for the person's name."""
    screen: bool
    """Whether all pages are unable to act, such as that of a television."""


class RoomGuest(Struct, frozen=True, array_like=True):
    """A guest as nodes know them."""

    person: str
    number: int
    """Random, for people and commands in place of the id."""
    since: int
    """When the guest came, in milliseconds since 1970."""
    pages: OpenPages


class NodeGuests(Struct, frozen=True, array_like=True):
    """The guests at one node, as it tells them to the others."""

    node: str
    listed: tuple[RoomGuest, ...] = ()
    """The guests who came first."""
    more: int = 0
    """Number of all other guests."""
    more_joining: int = 0
    """Number of those whose page asks for their name."""
    asks: bool = False
    """Whether the other nodes should tell theirs."""


class RoomGuests:
    """The guests of one room at all nodes, as far as this node knows."""

    def __init__(self, node: str, random_bytes: RandomBytes) -> None:
        self._random_bytes = random_bytes
        self._known: dict[str, RoomGuest] = {}
        """The guests here, by person, in the order in which they came."""
        self.here = NodeGuests(node)
        """The guests at this node."""
        self.persons: Mapping[int, str] = {}
        """The person ids of all listed guests at all nodes, by number."""
        self._elsewhere: dict[str, tuple[NodeGuests, float]] = {}
        """What each other node has told, and when."""

    def update_here(self, pages: Mapping[str, OpenPages], now: int) -> bool:
        """Take the open pages of all guests here, by person, and return whether anything has changed.

        `now`: milliseconds since 1970, for guests who are new.
        """
        before, known = self.here, self._known
        self._known = {person: each for person, each in known.items() if person in pages}
        for person, opened in pages.items():
            old = known.get(person)
            number, since = (self._new_number(), now) if old is None else (old.number, old.since)
            self._known[person] = RoomGuest(person, number, since, opened)
        guests = tuple(self._known.values())
        listed, others = guests[:MOST_LISTED], guests[MOST_LISTED:]
        self.here = NodeGuests(before.node, listed, len(others), sum(each.pages.joining for each in others))
        self._number_persons()
        return self.here != before

    def _new_number(self) -> int:
        return int.from_bytes(self._random_bytes(4))

    def accept(self, news: NodeGuests, at: float) -> None:
        """Store what another node told at this time, in seconds of the event loop."""
        if news.node != self.here.node:
            self._elsewhere[news.node] = (news, at)
            self._number_persons()

    def drop_lists(self, live_nodes: Collection[str], since: float) -> bool:
        """Drop the lists of nodes that are dead or have told nothing since this time; return whether any was dropped.

        `since`: seconds of the event loop.
        """
        before = self._elsewhere
        self._elsewhere = {
            node: (lists, at) for node, (lists, at) in before.items() if node in live_nodes and at >= since
        }
        self._number_persons()
        return len(self._elsewhere) < len(before)

    def view(self, members: Collection[str | None]) -> Guests:
        """Return what the room shows of its guests. `members`: the ids of people with a name, who are no guests."""
        lists = self._all_lists()
        guests = sorted(self._by_person(members).values(), key=lambda each: each.since)
        return build_guests(
            len(guests) + sum(each.more for each in lists),
            sum(each.pages.joining for each in guests) + sum(each.more_joining for each in lists),
            ({"number": one.number, "since": one.since, "screen": one.pages.screen} for one in guests[:MOST_LISTED]),
        )

    def _number_persons(self) -> None:
        self.persons = {guest.number: guest.person for each in self._all_lists() for guest in each.listed}

    def _all_lists(self) -> list[NodeGuests]:
        return [self.here, *(each for each, _ in self._elsewhere.values())]

    def _by_person(self, members: Collection[str | None]) -> dict[str, RoomGuest]:
        """Return each listed guest once, by person: a person may have pages at several nodes."""
        found: dict[str, RoomGuest] = {}
        for each in self._all_lists():
            for guest in each.listed:
                other = found.get(guest.person, guest)
                if guest.person not in members:
                    found[guest.person] = min(guest, other, key=lambda one: one.since)
        return found


def encode_hint(room: str, guests: NodeGuests) -> str:
    """Return the hint that tells other nodes the guests of the room with this id at a node."""
    return f"{room}{_PREFIX}{encode_for_hint(guests)}"


def decode_hint(hint: str) -> tuple[str, NodeGuests] | None:
    """Return the room's id and the guests of a hint by `encode_hint`; None for any other hint."""
    room, found, text = hint.partition(_PREFIX)
    if found:
        with suppress(ValueError, msgspec.MsgspecError):  # of another version
            return room, decode_from_hint(text, NodeGuests)
    return None


def pages_by_person(pages: Iterable[tuple[str, OpenPages]]) -> dict[str, OpenPages]:
    """Join the pages of each person."""
    found: dict[str, OpenPages] = {}
    for person, page in pages:
        other = found.get(person, page)
        found[person] = OpenPages(page.joining or other.joining, page.screen and other.screen)
    return found
