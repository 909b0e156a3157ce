"""Reasons for points: the ledger of a hand is the sum of its reasons.

Each game creates reasons while scoring, with a text declared next to the rule. Totals change only by these reasons.

>>> LEFT = MessageTemplate("example.left", {"one": "{count} card left", "other": "{count} cards left"})
>>> reasons = (point_reason("Bob", LEFT(count=3), -3), point_reason("Bob", LEFT(count=3), -1, "dimes"))
>>> sum_points(("Ana", "Bob"), reasons, "points")
{'Ana': 0, 'Bob': -3}
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeAlias, TypedDict

from app.engine.base.messages import MessageTemplate, TranslatableMessage, value_to_json

Unit: TypeAlias = Literal["points", "stakes", "dimes"]
"""The unit of an amount: points by the rules, stakes (points paid into a pot and won from it), or dimes (lives)."""


class ReasonView(TypedDict):
    """A reason why a player gained or lost points."""

    name: Annotated[str, "The name of the player."]
    key: Annotated[str, "The key of the reason in the message catalogue."]
    values: Annotated[dict[str, Any], "Values of the placeholders, by name."]
    amount: Annotated[int, "Number of units; negative: lost."]
    unit: Annotated[Unit, "What is counted. Totals are in points or stakes; dimes are counted separately."]


@dataclass(frozen=True, slots=True)
class PointReason:
    """One gain or loss of one player in a hand, with its reason: a line of the hand's ledger.

    `name` is the player. A loss has a negative `amount`, counted in `unit`.
    """

    name: str
    key: str
    """The key of the message that explains it."""
    values: Mapping[str, Any]
    """The message's values as JSON."""
    amount: int
    unit: Unit = "points"

    def multiplied_by(self, many: int) -> "PointReason":
        """Return the reason with its amount multiplied by `many`."""
        return replace(self, amount=self.amount * many)

    def to_json(self) -> ReasonView:
        """Return the reason as JSON, for views and storage; `from_json` reads it."""
        return {
            "name": self.name,
            "key": self.key,
            "values": dict(self.values),
            "amount": self.amount,
            "unit": self.unit,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "PointReason":
        """Return the reason for points that `to_json` wrote."""
        return cls(data["name"], data["key"], data["values"], data["amount"], data["unit"])


def point_reason(name: str, message: TranslatableMessage, amount: int, unit: Unit = "points") -> PointReason:
    """Return a line of the ledger: this player gains `amount`, or loses it if negative, for what the message says."""
    return PointReason(
        name, message.key, {each: value_to_json(value) for each, value in message.values.items()}, amount, unit
    )


@dataclass(frozen=True, slots=True)
class PointTransfer:
    """One player pays another; `said` is the reason for the payer, and `points` are positive."""

    payer: str
    receiver: str
    said: TranslatableMessage
    points: int


def transfer_reasons(transfers: Iterable[PointTransfer], received: MessageTemplate) -> Iterator[PointReason]:
    """Yield the two lines of the ledger for each transfer of points, none for 0 points.

    `received` is the reason for the receiver, with the payer as `name`.
    """
    for one in transfers:
        if one.points:
            yield point_reason(one.payer, one.said, -one.points)
            yield point_reason(one.receiver, received(name=one.payer), one.points)


def sum_points(players: Iterable[str], reasons: Iterable[PointReason], unit: Unit) -> dict[str, int]:
    """Return the sum of the amounts of these reasons in one unit for each player, 0 for players without any.

    Reasons in other units are ignored. Raises `KeyError` for a reason in this unit whose player is not in `players`.
    """
    points = dict.fromkeys(players, 0)
    for reason in reasons:
        if reason.unit == unit:
            points[reason.name] += reason.amount
    return points


DIMES = MessageTemplate("ledger.dimes", {"one": "{count} dime", "other": "{count} dimes"})
AMOUNTS: Mapping[Unit, MessageTemplate] = {"dimes": DIMES}
"""Texts for amounts in units that have no totals. Other amounts are shown as signed numbers."""
PLACE = MessageTemplate("ledger.place", "Place {place} of {of}")


def placement_reasons(standing: Sequence[str], points: Iterable[int]) -> tuple[PointReason, ...]:
    """Return a ledger line for each place in the final order of a hand that brings or costs points.

    `standing` is best first; `points` starts with the first place and has one number for each player.
    """
    return tuple(
        point_reason(name, PLACE(place=place, of=len(standing)), each)
        for place, (name, each) in enumerate(zip(standing, points, strict=True), 1)
        if each
    )
