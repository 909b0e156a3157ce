"""Facts about matches for the history: rows that are written in the transaction of the event that completes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from app.rooms.ports.addresses import Address


@dataclass(frozen=True, slots=True)
class Memorable:
    """Something in a match that people will speak of later."""

    n: int | None
    """0 at the deal, k at the k-th action of the hand; None: between hands, before this deal."""
    name: str
    """Of the event."""
    by: str | None
    cause: str | None
    """Id of the switch that made it happen."""
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The first hand of a match is about to be dealt."""

    match_id: str
    room: str
    """The room's id."""
    game: str
    options: dict[str, Any]
    """As resolved, with the preset."""
    players: tuple[tuple[str | None, str], ...]
    """(person, name), as seated; None for bots."""
    at: datetime
    continues: str | None = None
    """The id of the volume before, of a match that was too long for one."""
    carried: dict[str, Any] | None = None
    """The society that it goes on with, in another volume or as a variation: a record’s `carried`."""
    origin: Mapping[str, Any] | None = None
    """Where its cards come from, if they are known: a variation, or the deals of another match (`Origin`)."""


@dataclass(frozen=True, slots=True)
class PlayerCame:
    """Somebody joined a match that had begun."""

    match_id: str
    person_id: str | None
    """None for bots."""
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PointsEntered:
    """Points came to totals outside of any hand: the credit that a match begins with, or a newcomer's."""

    match_id: str
    hand: int
    """Before which hand, from 0."""
    reasons: list[dict[str, Any]]
    """name, key, values, amount, unit, as in the `reasons` of a result."""
    at: datetime


@dataclass(frozen=True, slots=True)
class Hierarchies:
    """The hierarchy before a hand and after it; empty in a game without one."""

    before: tuple[str, ...] = ()
    """Best first."""
    titles_before: Mapping[str, str] = field(default_factory=dict[str, str])
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HandBegan:
    """A hand is dealt."""

    match_id: str
    number: int
    """From 0."""
    before: Mapping[str, Any]
    """The society right before the deal, as a record’s `carried`: with it the hand can be played again by itself."""


@dataclass(frozen=True, slots=True)
class HandCut:
    """A hand was cut off: the table stopped in the middle of it, and it counts for nothing."""

    match_id: str
    number: int
    """From 0."""
    record: dict[str, Any]
    """As of a hand that ended, as far as it was played."""
    events: Sequence[Mapping[str, Any]]
    result: Mapping[str, Any]
    """As of a hand that ended, with who was out by then in its standing, and without titles and points."""
    at: datetime
    room: str
    moments: tuple[Memorable, ...] = ()


@dataclass(frozen=True, slots=True)
class HandEnded:
    """A hand is over."""

    match_id: str
    number: int
    """From 0."""
    record: dict[str, Any]
    """One element of a record's `hands`: dealer, cards, stock, seed, actions, between; `fair` proves the deal."""
    events: Sequence[Mapping[str, Any]]
    """The public events as they happened, for replay; `n` is 0 at the deal, k at the k-th action."""
    result: Mapping[str, Any]
    """dealer, standing, titles, ledger, events, reasons (`HandResult.to_json`)."""
    totals: dict[str, int]
    at: datetime
    room: str
    game: str
    people: Mapping[str, str | None]
    """Who was whom: the person of each name that has had a place in the match; None for bots."""
    luck: Mapping[str, int] = field(default_factory=dict[str, int])
    """What the cards dealt were worth, by name: see `app/engine/cards/deal_luck.py`."""
    ranks: Hierarchies = Hierarchies()
    moments: tuple[Memorable, ...] = ()
    amended: bool = False
    """Told once more: what was done before the next deal changed how it ended. It replaces what was told."""
    counts: bool = True
    """Whether the book counts it: not where the cards were known before."""


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A match is over, by its rules or because the table stops."""

    match_id: str
    totals: dict[str, int]
    winners: tuple[str, ...]
    """Empty if the table stopped before there were any."""
    at: datetime
    between: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """What was done after the last hand: a last element of the record's `hands`, if there is anything in it."""
    moments: tuple[Memorable, ...] = ()
    """What of that people will speak of later."""
    people: Mapping[str, str | None] = field(default_factory=dict[str, "str | None"])
    """As of a hand."""


@dataclass(frozen=True, slots=True)
class Readdressed:
    """A room has another code and invitation; the old ones lead nobody but these to the new."""

    room: str
    """The room's id."""
    address: "Address"
    members: tuple[str, ...]
    """Persons who are of the room: to others it is as if they had never been there."""
    at: datetime


@dataclass(frozen=True, slots=True)
class PlayersJoined:
    """Two persons are one player of a room: the host let the second in as the first, with another browser."""

    room: str
    before: str
    """The id of the person who had the seat."""
    now: str
    """The id of the person who has it."""


@dataclass(frozen=True, slots=True)
class PlayersApart:
    """This person's earlier identities in a room count as other players again."""

    room: str
    person: str


Fact: TypeAlias = (
    PlayersJoined
    | PlayersApart
    | MatchStarted
    | PlayerCame
    | PointsEntered
    | HandBegan
    | HandEnded
    | HandCut
    | MatchEnded
    | Readdressed
)
