"""A finished hand as the statistics count it: places, points, titles, ledger lines and memorable moments."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from app.engine.display.events import GameEventJson, GameEventType

FELL = GameEventType(
    "fell",
    "{by} falls from first to last place.",
    you="You fall from first to last place.",
    after="{by} falls from {before} to {after}.",
    you_after="You fall from {before} to {after}.",
    highlighted=True,
)
ROSE = GameEventType(
    "rose",
    "{by} rises from last to first place.",
    you="You rise from last to first place.",
    after="{by} rises from {before} to {after}.",
    you_after="You rise from {before} to {after}.",
    highlighted=True,
)
"""Events for moving between the ends of the hierarchy in one hand. They are not announced at the table."""

BOT_MARK = ":"
"""Prefix of a bot's name in a player id. Ids of persons never begin with it."""


def player_id(person: str | None, name: str) -> str:
    """Return the id of a player for the statistics of all matches of a room.

    It is a person's id, or the marked name of a bot.

    >>> player_id("p1", "Ana"), player_id(None, "Magpie")
    ('p1', ':Magpie')
    """
    return person if person is not None else f"{BOT_MARK}{name}"


def is_person(player: str) -> bool:
    """Return whether a player id of the statistics is a person's id, not a bot's."""
    return not player.startswith(BOT_MARK)


def bot_name(player: str) -> str | None:
    """Return the name of a bot from its player id in the statistics, or None for a person."""
    return None if is_person(player) else player.removeprefix(BOT_MARK)


class PlayerResult(Struct, frozen=True):
    """The result of one player in a finished hand, as the statistics count it.

    A field is None if the game or the hand does not give it.
    """

    player: str
    """The player id (`player_id`)."""
    name: str
    """The player's name in that match."""
    place: int | None
    """The place, from 1; tied players have the same place. None if the player has no place in the standing."""
    points: int
    """Points won or lost in the hand."""
    total: int | None
    """Points in the match after the hand."""
    luck: int | None
    """Luck of the dealt cards, from 0 to 100 (`app/engine/cards/deal_luck.py`)."""
    title_before: str | None
    title: str | None
    rank_before: int | None
    """Rank in the hierarchy at the deal, from 1; None without a hierarchy."""
    rank: int | None
    """Rank in the hierarchy after the hand, from 1; None without a hierarchy."""


class LedgerLine(Struct, frozen=True):
    """One line of a hand's ledger in the statistics: an amount that a player won or lost, and the reason.

    `player` is the id, and `name` the name in that match. `key` and `values` are the translation key and values of the
    reason. A loss has a negative `amount`; `unit` says what it counts, such as points.
    """

    player: str
    name: str
    key: str
    """Translation key of the sentence for the reason."""
    values: Mapping[str, Any]
    amount: int
    unit: str


class HandHighlight(Struct, frozen=True):
    """A memorable event of a hand, as stored in the statistics: its type (`what`), its player and its details.

    `player` (id) and `name` are None for an event without a player. `values` are the event's other data.
    """

    n: int | None
    """Number of the action, from 1; 0 for the deal, None between hands."""
    what: str
    """The name of the event type."""
    player: str | None
    """The player who did it, or None for an event without a player."""
    name: str | None
    cause: str | None
    """Id of the option that made the event possible."""
    values: Mapping[str, Any]

    def to_event(self) -> GameEventJson:
        """Return the stored moment as the JSON event that all players were sent, to show it in a story."""
        by = {} if self.name is None else {"by": self.name}
        return {"e": self.what, **by, **self.values}


class FinishedHand(Struct, frozen=True):
    """A finished hand as the statistics count it: the results of its players, its ledger and its moments.

    `room` and `match_id` are ids, `number` counts the match's hands from 0, and `at` is the time of its end. `seats`
    has the players' results, `reasons` the ledger of points, and `moments` the memorable events.
    """

    room: str
    match_id: str
    number: int
    """Number of the hand in its match, from 0."""
    game: str
    at: datetime
    seats: tuple[PlayerResult, ...]
    reasons: tuple[LedgerLine, ...]
    moments: tuple[HandHighlight, ...]

    def seat_with_rank(self, rank: int, *, before: bool = False) -> PlayerResult | None:
        """Return the result of the player with a rank in the hierarchy (1 is the top); None if nobody has the rank.

        The rank is that after the hand, or before it with `before`.
        """
        for seat in self.seats:
            if rank == (seat.rank_before if before else seat.rank):
                return seat
        return None

    def top_seat(self, *, before: bool = False) -> PlayerResult | None:
        """Return the result of the player at the top of the hierarchy after the hand; None without a hierarchy.

        `before`: at the deal.
        """
        return self.seat_with_rank(1, before=before)

    def bottom_seat(self, *, before: bool = False) -> PlayerResult | None:
        """Return the result of the player ranked last after the hand (`before`: at the deal).

        None if only one rank exists, or in a game without a hierarchy.
        """
        ranks = [(seat.rank_before if before else seat.rank) or 0 for seat in self.seats]
        last = max(ranks, default=0)
        return self.seat_with_rank(last, before=before) if last > 1 else None

    def rank_reversals(self, action_number: int) -> tuple[HandHighlight, ...]:
        """Return moments for players who moved from one end of the hierarchy to the other in this hand.

        `action_number` is the number of the hand's last action; the moments get this number. They are stored in the
        statistics.
        """
        found: list[HandHighlight] = []
        ends = (
            (FELL, self.top_seat(before=True), self.bottom_seat()),
            (ROSE, self.bottom_seat(before=True), self.top_seat()),
        )
        for kind, before, after in ends:
            if before is not None and before is after:
                titles = {"before": before.title_before or "", "after": after.title or ""}
                found.append(HandHighlight(action_number, kind.name, after.player, after.name, None, titles))
        return tuple(found)
