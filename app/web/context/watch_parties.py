"""Watching a match together: who leads, where they are, and who goes along. In memory only, and bounded.

A *flock* is the people who look at one match together. One of them leads, and all others hear where that is, always
as a whole picture, so that a line that was down for a while has missed nothing. Its token is a meeting place and opens
nothing: who may see the match is asked elsewhere. A flock has its place on one server, and ends a few minutes after
its leader has gone.
"""

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, Protocol, TypedDict

from app.engine.base.messages import Said, Sentence
from app.web.context.sessions import Person
from app.web.http.errors import Refusal, not_found

MOST: Final = 1000
"""Flocks at the same time."""
MOST_OF_ADDRESS: Final = 20
"""Flocks at the same time whose leaders came from one address."""
MOST_IN_ONE: Final = 60
"""Pages that look on in one flock."""
AWAY_SECONDS: Final = 180
"""How long a flock waits for its leader."""

GONE = Sentence(
    "together.gone",
    "Nobody leads at this link any more: who led has gone, or is on another server. You can look on alone.",
)
NAMED = Sentence(
    "together.named", "Who leads needs a name: open or join a room first, and the others will see who leads."
)
NO_MORE = Sentence("together.no_more", "Many people are watching together right now: try again in a few minutes.")
IS_FULL = Sentence(
    "together.is_full", "As many as can watch together are here: at most {most} pages. You can look on alone."
)
NOT_YOU = Sentence("together.not_you", "{leader} leads now, so where all look is theirs to say.")
NOT_OFFERED = Sentence("together.not_offered", "{leader} leads, and has not offered it to others.")
NO_SUCH_HAND = Sentence("together.no_such_hand", "This match has no hand {hand}: its last is hand {last}.")


@dataclass(frozen=True, slots=True)
class Place:
    """A move of a match, and by whose eyes it is seen."""

    hand: int
    """From 0."""
    move: int
    """How many actions of the hand are made."""
    seat: str | None
    """None: all cards lie open."""


class TogetherShown(TypedDict):
    """A flock, as one of its pages is told of it."""

    leader: Annotated[str, "Who leads, by name."]
    hand: Annotated[int, "Where the leader is: the hand, from 0."]
    move: Annotated[int, "How many actions of it are made."]
    seat: Annotated[str | None, "By whose eyes; null: all cards lie open."]
    offered: Annotated[bool, "Whether somebody else may take the lead."]
    followers: Annotated[int, "How many others are here."]
    you: Annotated[Literal["leader", "may_lead", "follower"], "What whoever is told may do."]


class Onlooker(Protocol):
    """A page that looks on."""

    @property
    def person(self) -> Person | None:
        """Who looks at it, if we know them."""
        ...

    def wake(self) -> None:
        """Look again: something is new."""
        ...


@dataclass(eq=False)
class Flock:
    """The people who look at one match together."""

    token: str
    match: str
    hands: int
    """How many the match has, as far as we know."""
    leader: Person
    place: Place
    clock: Callable[[], float]
    address: str = ""
    """Where its first leader came from."""
    offered: bool = False
    ended: bool = False
    _pages: set[Onlooker] = field(default_factory=set[Onlooker])
    _heard: float = 0.0
    """When the leader was last here."""

    def __post_init__(self) -> None:
        self._heard = self.clock()

    @property
    def is_over(self) -> bool:
        """Whether nobody leads here any more."""
        is_led = any(self._role(page.person) == "leader" for page in self._pages)
        return self.ended or (not is_led and self.clock() - self._heard > AWAY_SECONDS)

    def shown_to(self, person: Person | None) -> TogetherShown:
        """What is to be seen of it."""
        return {
            "leader": _name(self.leader),
            "hand": self.place.hand,
            "move": self.place.move,
            "seat": self.place.seat,
            "offered": self.offered,
            "followers": len(
                {page if page.person is None else page.person.id for page in self._pages} - {self.leader.id}
            ),
            "you": self._role(person),
        }

    @contextmanager
    def joined(self, page: Onlooker) -> Iterator[None]:
        """Have a page look on, as long as this lasts."""
        # Its leader always finds a way back in.
        if len(self._pages) >= MOST_IN_ONE and self._role(page.person) != "leader":
            raise _refused(IS_FULL(most=MOST_IN_ONE))
        self._pages.add(page)
        self._tell()
        try:
            yield
        finally:
            self._pages.discard(page)
            self._note_leader(page.person)
            self._tell()

    def go(self, by: Person, place: Place, *, offered: bool) -> None:
        """Lead everybody to this place; `offered`: who wants to may take the lead from now on."""
        self._check_leader(by)
        if place.hand >= self.hands:
            raise Refusal(422, "bad_request", NO_SUCH_HAND(hand=place.hand, last=self.hands - 1))
        self.leader, self.place, self.offered = by, place, offered
        self._note_leader(by)
        self._tell()

    def check_may_lead(self, person: Person) -> None:
        """Refuse the lead to whom it is not offered."""
        if not self.offered and person.id != self.leader.id:
            raise _refused(NOT_OFFERED(leader=_name(self.leader)))
        check_named(person)

    def hand_over(self, to: Person) -> None:
        """Have somebody else lead from here on."""
        self.leader, self.offered = to, False
        self._note_leader(to)
        self._tell()

    def end(self, by: Person) -> None:
        """Have its leader end it."""
        self._check_leader(by)
        self.dissolve()

    def dissolve(self) -> None:
        """Let everybody know that it is over."""
        self.ended = True
        self._tell()

    def _role(self, person: Person | None) -> Literal["leader", "may_lead", "follower"]:
        if person is not None and person.id == self.leader.id:
            return "leader"
        return "may_lead" if self.offered and person is not None and person.name is not None else "follower"

    def _note_leader(self, person: Person | None) -> None:
        if self._role(person) == "leader":
            self._heard = self.clock()

    def _check_leader(self, by: Person) -> None:
        if by.id != self.leader.id:
            raise _refused(NOT_YOU(leader=_name(self.leader)))

    def _tell(self) -> None:
        for page in self._pages:
            page.wake()


class Flocks:
    """All who watch together on this server: one flock for each who leads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._by_token: dict[str, Flock] = {}

    def lead(self, leader: Person, match: str, hands: int, place: Place, address: str = "") -> Flock:
        """Begin to lead through a match, from this address; end whatever else they led.

        `Refusal` with status 503 if there are too many flocks, of this address or altogether.
        """
        check_named(leader)
        flock = Flock(secrets.token_urlsafe(16), match, hands, leader, place, self._clock, address)
        flock.go(leader, place, offered=False)
        others = {
            token: each for token, each in self._by_token.items() if not each.is_over and each.leader.id != leader.id
        }
        of_address = sum(each.address == address for each in others.values())
        if len(others) >= MOST or of_address >= MOST_OF_ADDRESS:
            raise Refusal(503, "trouble", NO_MORE(), {"Retry-After": str(AWAY_SECONDS)})
        self.dissolve(leader.id)
        self._by_token = others | {flock.token: flock}
        return flock

    def at(self, match: str, token: str) -> Flock:
        """The flock that meets at this token; a refusal where there is none."""
        flock = self._by_token.get(token)
        if flock is None or flock.match != match or flock.is_over:
            raise not_found(GONE())
        return flock

    def take(self, leader: Person, match: str, token: str) -> None:
        """Take the lead where it is offered. Whatever else they led is over."""
        flock = self.at(match, token)
        flock.check_may_lead(leader)
        if flock.leader.id != leader.id:
            self.dissolve(leader.id)
        flock.hand_over(leader)

    def dissolve(self, person: str) -> None:
        """End what somebody leads, by their id: they lead another, or are nobody any more."""
        for token, flock in tuple(self._by_token.items()):
            if flock.leader.id == person:
                flock.dissolve()
                del self._by_token[token]


def check_named(person: Person) -> None:
    """Refuse the lead to who has no name."""
    if person.name is None:
        raise _refused(NAMED())


def _name(person: Person) -> str:
    return person.name or ""


def _refused(sentence: Said) -> Refusal:
    return Refusal(409, "not_now", sentence)
