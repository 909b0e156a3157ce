"""Facts for the match history. Each is stored in the same transaction as the log event that completes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from app.rooms.ports.addresses import Address


@dataclass(frozen=True, slots=True)
class HighlightFact:
    """A memorable game event of a match, stored so that the history can show it as a highlight."""

    n: int | None
    """0 at the deal, k at the k-th action of the hand; None: between hands, before this deal."""
    name: str
    """The name of the game event."""
    by: str | None
    cause: str | None
    """The id of the option that caused it."""
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """Fact for the match history: a match has started; its first hand is dealt next."""

    match_id: str
    room: str
    """The room's id."""
    game: str
    options: dict[str, Any]
    """The values of all options, with the preset."""
    players: tuple[tuple[str | None, str], ...]
    """(person, name) in seating order; a bot has None as person."""
    at: datetime
    continues: str | None = None
    """The id of the previous volume, if this is a later volume of a long match."""
    carried: dict[str, Any] | None = None
    """The initial state of a later volume or a variation: a record’s `carried`."""
    origin: Mapping[str, Any] | None = None
    """The source of its cards, if they are known: a variation, or the deals of another match (`Origin`)."""


@dataclass(frozen=True, slots=True)
class PlayerJoinedMatch:
    """Fact for the match history: a player joined a running match."""

    match_id: str
    person_id: str | None
    """None for bots."""
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PointsEntered:
    """Fact for the match history: points were added outside of a hand.

    For example the credit at the start of a match, or of a player who joins later.
    """

    match_id: str
    hand: int
    """The number of the following hand, from 0."""
    reasons: list[dict[str, Any]]
    """name, key, values, amount, unit, as in the `reasons` of a result."""
    at: datetime


@dataclass(frozen=True, slots=True)
class Hierarchies:
    """The hierarchy of the players before and after a hand; empty in a game without hierarchy."""

    before: tuple[str, ...] = ()
    """Best first."""
    titles_before: Mapping[str, str] = field(default_factory=dict[str, str])
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HandStarted:
    """Fact for the match history: a hand was dealt. Stores what is needed to replay this hand alone."""

    match_id: str
    number: int
    """The hand's number in the match, from 0."""
    before: Mapping[str, Any]
    """The state of the match before the deal, like a record’s `carried`: enough to replay this hand alone."""


@dataclass(frozen=True, slots=True)
class HandAborted:
    """Fact for the match history: a hand was aborted because the match was stopped. It does not count."""

    match_id: str
    number: int
    """The hand's number in the match, from 0."""
    record: dict[str, Any]
    """Like the record of a finished hand, up to the last action."""
    events: Sequence[Mapping[str, Any]]
    result: Mapping[str, Any]
    """Like the result of a finished hand, with the places so far, and without titles and points."""
    at: datetime
    room: str
    moments: tuple[HighlightFact, ...] = ()


@dataclass(frozen=True, slots=True)
class HandEnded:
    """Fact for the match history and the statistics: a hand has ended, with its record and result."""

    match_id: str
    number: int
    """The hand's number in the match, from 0."""
    record: dict[str, Any]
    """One element of a record's `hands`: dealer, cards, stock, seed, actions, between; `fair` proves the deal."""
    events: Sequence[Mapping[str, Any]]
    """The public events in order, for replay; `n` is 0 at the deal, k at the k-th action."""
    result: Mapping[str, Any]
    """dealer, standing, titles, ledger, events, reasons (`HandResult.to_json`)."""
    totals: dict[str, int]
    at: datetime
    room: str
    game: str
    people: Mapping[str, str | None]
    """Person ids by name, of everybody with a current or former seat in the match; None for bots."""
    luck: Mapping[str, int] = field(default_factory=dict[str, int])
    """How good the dealt cards were, as a percentile by name: see `app/engine/cards/deal_luck.py`."""
    ranks: Hierarchies = Hierarchies()
    moments: tuple[HighlightFact, ...] = ()
    amended: bool = False
    """An action before the next deal changed the result, so this fact replaces the earlier one for the hand."""
    counts: bool = True
    """Whether statistics count it. Hands with known cards don't count."""


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """Fact for the match history: a match, or a volume of a long match, has ended or was stopped."""

    match_id: str
    totals: dict[str, int]
    winners: tuple[str, ...]
    """Empty if the match was stopped before it had winners."""
    at: datetime
    between: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Actions after the last hand: a last element of the record's `hands`, if there are any."""
    moments: tuple[HighlightFact, ...] = ()
    """Highlights among these actions."""
    people: Mapping[str, str | None] = field(default_factory=dict[str, "str | None"])
    """Person ids by name, as in `HandEnded`."""
    cancelled: Sequence[Mapping[str, Any]] = ()
    """The deals that were cancelled after the last hand: the record's `cancelled`."""


@dataclass(frozen=True, slots=True)
class AddressChanged:
    """Fact for the store of addresses: a room has a new address. Old ones lead only these members to it."""

    room: str
    """The room's id."""
    address: "Address"
    members: tuple[str, ...]
    """Ids of members. For other people, the old addresses never existed."""
    at: datetime


@dataclass(frozen=True, slots=True)
class PlayersMerged:
    """Fact for the statistics: two person ids count as one player of a room.

    The reason is that the host let a player in with another browser.
    """

    room: str
    before: str
    """The id of the person who had the seat."""
    now: str
    """The id of the person who has it now."""


@dataclass(frozen=True, slots=True)
class PlayersSeparated:
    """Fact for the statistics: this person's earlier identities in a room count as different players again."""

    room: str
    person: str


Fact: TypeAlias = (
    PlayersMerged
    | PlayersSeparated
    | MatchStarted
    | PlayerJoinedMatch
    | PointsEntered
    | HandStarted
    | HandEnded
    | HandAborted
    | MatchEnded
    | AddressChanged
)
