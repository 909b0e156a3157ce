"""Watch parties: several people replay a match together. In memory only, and limited in number.

One person leads. All others get the leader's position, always in full, so that a lost connection misses nothing. The
token of a party only identifies it; access to the match is checked elsewhere. A party lives on one node, and ends
`LEADER_TIMEOUT_SECONDS` after its leader has left.
"""

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, Protocol, TypedDict

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.web.context.sessions import Person
from app.web.http.errors import HttpError, not_found_error

MAX_PARTIES: Final = 1000
"""Limit for parties on this node."""
MAX_PARTIES_PER_ADDRESS: Final = 20
"""Limit for parties whose leaders came from one address."""
MOST_IN_ONE: Final = 60
"""Limit for the pages connected to one party."""
LEADER_TIMEOUT_SECONDS: Final = 180
"""Seconds a party waits for its leader to return."""

GONE = MessageTemplate(
    "together.gone",
    "Nobody is leading at this link now: the leader has left or is on another server. You can watch alone.",
)
NAMED = MessageTemplate("together.named", "You need a name to lead. Open or join a room first.")
NO_MORE = MessageTemplate(
    "together.no_more", "Too many people are watching together right now. Try again in a few minutes."
)
IS_FULL = MessageTemplate("together.is_full", "This watch party is full: it has {most} pages. You can watch alone.")
NOT_YOU = MessageTemplate("together.not_you", "{leader} is leading this replay, so only {leader} can move it.")
NOT_OFFERED = MessageTemplate("together.not_offered", "{leader} is leading and has not offered the lead.")
NO_SUCH_HAND = MessageTemplate("together.no_such_hand", "This match has no hand {hand}. Its last is hand {last}.")


@dataclass(frozen=True, slots=True)
class ReplayPosition:
    """A position in the replay of a match, and the seat from which it is seen."""

    hand: int
    """From 0."""
    move: int
    """The number of actions made in the hand."""
    seat: str | None
    """The seat whose cards are visible; None shows all cards."""


class WatchPartyView(TypedDict):
    """The state of a watch party, as one of its pages gets it."""

    leader: Annotated[str, "The name of the leader."]
    hand: Annotated[int, "The hand that the leader watches, from 0."]
    move: Annotated[int, "Number of actions of the hand before the leader’s position."]
    seat: Annotated[str | None, "The seat whose cards are visible; null: all cards are open."]
    offered: Annotated[bool, "Whether another person may take the lead."]
    followers: Annotated[int, "Number of pages that follow the leader."]
    you: Annotated[Literal["leader", "may_lead", "follower"], "The role of this page. may_lead: may take the lead."]


class WatchPartyPage(Protocol):
    """A page of a person who takes part in a watch party."""

    @property
    def person(self) -> Person | None:
        """The person who watches on this page, or None if unknown."""
        ...

    def notify(self) -> None:
        """Tell this page to fetch the watch party's view again, because it has changed."""
        ...


@dataclass(eq=False)
class WatchParty:
    """A group of people who replay one match together: one leads, and the others see the same position."""

    token: str
    match: str
    hands: int
    """The number of hands known when the party started."""
    leader: Person
    position: ReplayPosition
    clock: Callable[[], float]
    address: str = ""
    """The client address of the first leader."""
    offered: bool = False
    ended: bool = False
    _pages: set[WatchPartyPage] = field(default_factory=set[WatchPartyPage])
    _leader_seen_at: float = 0.0
    """Clock time at which the leader was last here."""

    def __post_init__(self) -> None:
        self._leader_seen_at = self.clock()

    @property
    def is_over(self) -> bool:
        """Whether the watch party has ended, or its leader has been away for more than three minutes."""
        is_led = any(self._role_of(page.person) == "leader" for page in self._pages)
        return self.ended or (not is_led and self.clock() - self._leader_seen_at > LEADER_TIMEOUT_SECONDS)

    def view_for(self, person: Person | None) -> WatchPartyView:
        """Return the watch party's state as sent to a page of this person (None: unknown)."""
        return {
            "leader": _display_name(self.leader),
            "hand": self.position.hand,
            "move": self.position.move,
            "seat": self.position.seat,
            "offered": self.offered,
            "followers": len(
                {page if page.person is None else page.person.id for page in self._pages} - {self.leader.id}
            ),
            "you": self._role_of(person),
        }

    @contextmanager
    def connected_page(self, viewer: WatchPartyPage) -> Iterator[None]:
        """Count a page as taking part while the context lasts; others are told of its coming and going.

        Raises `HttpError` if the party is full. The leader may always return.
        """
        # The leader may always return, even to a full party.
        if len(self._pages) >= MOST_IN_ONE and self._role_of(viewer.person) != "leader":
            raise _conflict_error(IS_FULL(most=MOST_IN_ONE))
        self._pages.add(viewer)
        self._notify_pages()
        try:
            yield
        finally:
            self._pages.discard(viewer)
            self._record_leader_presence(viewer.person)
            self._notify_pages()

    def move_to(self, by: Person, place: ReplayPosition, *, offered: bool) -> None:
        """Move everybody in the watch party to a position, because `by`, its leader, asks.

        `offered`: whether followers may take the lead from now on. Raises `HttpError` for anybody else, or if there is
        no such hand.
        """
        self._check_leader(by)
        if place.hand >= self.hands:
            raise HttpError(422, "bad_request", NO_SUCH_HAND(hand=place.hand, last=self.hands - 1))
        self.leader, self.position, self.offered = by, place, offered
        self._record_leader_presence(by)
        self._notify_pages()

    def check_may_lead(self, person: Person) -> None:
        """Raise `HttpError` unless this person may take the lead: it is offered, and they have a name.

        The leader may always take it.
        """
        if not self.offered and person.id != self.leader.id:
            raise _conflict_error(NOT_OFFERED(leader=_display_name(self.leader)))
        check_has_name(person)

    def transfer_lead(self, to: Person) -> None:
        """Make this person the leader of the watch party, end the offer of the lead, and update all its pages."""
        self.leader, self.offered = to, False
        self._record_leader_presence(to)
        self._notify_pages()

    def end_by_leader(self, by: Person) -> None:
        """End the watch party, because `by` asks; raises `HttpError` unless they lead it."""
        self._check_leader(by)
        self.close()

    def close(self) -> None:
        """End the watch party and tell its pages."""
        self.ended = True
        self._notify_pages()

    def _role_of(self, person: Person | None) -> Literal["leader", "may_lead", "follower"]:
        if person is not None and person.id == self.leader.id:
            return "leader"
        return "may_lead" if self.offered and person is not None and person.name is not None else "follower"

    def _record_leader_presence(self, person: Person | None) -> None:
        if self._role_of(person) == "leader":
            self._leader_seen_at = self.clock()

    def _check_leader(self, by: Person) -> None:
        if by.id != self.leader.id:
            raise _conflict_error(NOT_YOU(leader=_display_name(self.leader)))

    def _notify_pages(self) -> None:
        for page in self._pages:
            page.notify()


class WatchParties:
    """All watch parties of this process; each person leads at most one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._by_token: dict[str, WatchParty] = {}

    def start_party(
        self, leader: Person, match: str, hands: int, place: ReplayPosition, address: str = ""
    ) -> WatchParty:
        """Start a watch party at a position of a match and return it; another party of this leader ends.

        `hands`: number of hands. `address`: the leader's client address. Raises `HttpError`: 503 if there
        are too many parties, of this address or in all.
        """
        check_has_name(leader)
        flock = WatchParty(secrets.token_urlsafe(16), match, hands, leader, place, self._clock, address)
        flock.move_to(leader, place, offered=False)
        others = {
            token: each for token, each in self._by_token.items() if not each.is_over and each.leader.id != leader.id
        }
        of_address = sum(each.address == address for each in others.values())
        if len(others) >= MAX_PARTIES or of_address >= MAX_PARTIES_PER_ADDRESS:
            raise HttpError(503, "trouble", NO_MORE(), {"Retry-After": str(LEADER_TIMEOUT_SECONDS)})
        self.close_parties_of(leader.id)
        self._by_token = others | {flock.token: flock}
        return flock

    def find_party(self, match: str, token: str) -> WatchParty:
        """Return the running watch party with this token and match; raise 404 if it does not exist."""
        flock = self._by_token.get(token)
        if flock is None or flock.match != match or flock.is_over:
            raise not_found_error(GONE())
        return flock

    def take_lead(self, leader: Person, match: str, token: str) -> None:
        """Make this person the leader of a watch party, if the lead is offered; other parties they lead end.

        Raises `HttpError` if the lead is not offered, they have no name, or there is no such party.
        """
        flock = self.find_party(match, token)
        flock.check_may_lead(leader)
        if flock.leader.id != leader.id:
            self.close_parties_of(leader.id)
        flock.transfer_lead(leader)

    def close_parties_of(self, person: str) -> None:
        """End the watch parties that this person leads, because they lead another now or are signed out."""
        for token, flock in tuple(self._by_token.items()):
            if flock.leader.id == person:
                flock.close()
                del self._by_token[token]


def check_has_name(person: Person) -> None:
    """Raise `HttpError` if the person has no name, which the leader of a watch party needs."""
    if person.name is None:
        raise _conflict_error(NAMED())


def _display_name(person: Person) -> str:
    return person.name or ""


def _conflict_error(sentence: TranslatableMessage) -> HttpError:
    return HttpError(409, "not_now", sentence)
