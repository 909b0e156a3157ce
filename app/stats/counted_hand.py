"""A hand as the book counts it: who sat where at its end, what it brought them, and what people will speak of."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from app.engine.display.events import EventJson, EventType

FELL = EventType(
    "fell",
    "{by} falls from the top to the bottom.",
    you="You fall from the top to the bottom.",
    after="{by} falls from {before} to {after}.",
    you_after="You fall from {before} to {after}.",
    moment=True,
)
ROSE = EventType(
    "rose",
    "{by} rises from the bottom to the top.",
    you="You rise from the bottom to the top.",
    after="{by} rises from {before} to {after}.",
    you_after="You rise from {before} to {after}.",
    moment=True,
)
"""From one end of the hierarchy to the other in a single hand: nobody tells it at the table."""

BOT_MARK = ":"
"""Before a bot's name, where a person would have an id. No id begins so."""


def player_id(person: str | None, name: str) -> str:
    """Who is meant in one room over all its matches: a person by id, whatever their name; a bot by its name.

    >>> player_id("p1", "Ana"), player_id(None, "Magpie")
    ('p1', ':Magpie')
    """
    return person if person is not None else f"{BOT_MARK}{name}"


def is_person(player: str) -> bool:
    """Whether a player is a person."""
    return not player.startswith(BOT_MARK)


def bot_name(player: str) -> str | None:
    """What a bot is called; None for a person, whom the id says nothing of."""
    return None if is_person(player) else player.removeprefix(BOT_MARK)


class Placed(Struct, frozen=True):
    """One player of a hand."""

    player: str
    """See `player_id`."""
    name: str
    """As in that match."""
    place: int | None
    """From 1; those who share one have the same. None: they have no place in the standing."""
    points: int
    """What the hand added."""
    total: int | None
    """Afterwards, in the match."""
    luck: int | None
    """0 to 100: what their cards were worth as dealt (`app/engine/cards/deal_luck.py`)."""
    title_before: str | None
    title: str | None
    rank_before: int | None
    """From 1, in the hierarchy as it was at the deal; None where there was none."""
    rank: int | None
    """From 1, in the hierarchy after the hand."""


class LedgerLine(Struct, frozen=True):
    """One line of the ledger: what somebody got or lost for what."""

    player: str
    name: str
    key: str
    """Of the sentence that says it."""
    values: Mapping[str, Any]
    amount: int
    unit: str


class Remembered(Struct, frozen=True):
    """A moment of a hand."""

    n: int | None
    """0 at the deal, k at the k-th action; None: between hands."""
    what: str
    """The name of the event."""
    player: str | None
    """Who did it, if it was somebody."""
    name: str | None
    cause: str | None
    """Id of the switch behind it."""
    values: Mapping[str, Any]

    def event(self) -> EventJson:
        """Give back the event, as everybody was told it."""
        by = {} if self.name is None else {"by": self.name}
        return {"e": self.what, **by, **self.values}


class Played(Struct, frozen=True):
    """A hand that is over."""

    room: str
    match_id: str
    number: int
    """From 0, in its match."""
    game: str
    at: datetime
    seats: tuple[Placed, ...]
    reasons: tuple[LedgerLine, ...]
    moments: tuple[Remembered, ...]

    def ranked(self, rank: int, *, before: bool = False) -> Placed | None:
        """Find who has this rank after the hand (or had it before); None where nobody has."""
        for seat in self.seats:
            if rank == (seat.rank_before if before else seat.rank):
                return seat
        return None

    def highest(self, *, before: bool = False) -> Placed | None:
        """Find who is at the top of the hierarchy: a king, a president."""
        return self.ranked(1, before=before)

    def lowest(self, *, before: bool = False) -> Placed | None:
        """Find who is at its bottom, if that is somebody else."""
        ranks = [(seat.rank_before if before else seat.rank) or 0 for seat in self.seats]
        last = max(ranks, default=0)
        return self.ranked(last, before=before) if last > 1 else None

    def falls(self, n: int) -> tuple[Remembered, ...]:
        """Tell who went from one end of the hierarchy to the other, with the hand's last action, the `n`-th."""
        found: list[Remembered] = []
        ends = (FELL, self.highest(before=True), self.lowest()), (ROSE, self.lowest(before=True), self.highest())
        for kind, before, after in ends:
            if before is not None and before is after:
                titles = {"before": before.title_before or "", "after": after.title or ""}
                found.append(Remembered(n, kind.name, after.player, after.name, None, titles))
        return tuple(found)
