"""Points and what they are for: a hand's ledger, one reason at a time.

Each game gives its reasons as it scores, in words that stand beside the rule; what a hand adds to a total is their sum,
which is stated nowhere else.

>>> LEFT = Sentence("example.left", {"one": "{count} card left", "other": "{count} cards left"})
>>> reasons = (because("Bob", LEFT(count=3), -3), because("Bob", LEFT(count=3), -1, "dimes"))
>>> added(("Ana", "Bob"), reasons, "points")
{'Ana': 0, 'Bob': -3}
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeAlias, TypedDict

from app.engine.base.messages import Said, Sentence, plain

Unit: TypeAlias = Literal["points", "stakes", "dimes"]
"""What is counted: points as the rules give them, points that are paid into a pot and won from it, or lives."""


class ReasonShown(TypedDict):
    """One thing that somebody gained or lost something for, as JSON."""

    name: Annotated[str, "Who."]
    key: Annotated[str, "What for, by its key in the catalogue."]
    values: Annotated[dict[str, Any], "What fills the places of that sentence, by name."]
    amount: Annotated[int, "How much; below zero if it was lost."]
    unit: Annotated[Unit, "What is counted; totals are kept in points or in stakes, dimes count apart."]


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that somebody gained or lost something for."""

    name: str
    key: str
    """Of the sentence that says it."""
    values: Mapping[str, Any]
    """What fills its places, as JSON has it."""
    amount: int
    unit: Unit = "points"

    def times(self, many: int) -> "Reason":
        """The same, so many times as much."""
        return replace(self, amount=self.amount * many)

    def to_json(self) -> ReasonShown:
        """As results tell it, under the names of the fields."""
        return {
            "name": self.name,
            "key": self.key,
            "values": dict(self.values),
            "amount": self.amount,
            "unit": self.unit,
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Reason":
        """The reason that `to_json` gave."""
        return cls(kept["name"], kept["key"], kept["values"], kept["amount"], kept["unit"])


def because(name: str, said: Said, amount: int, unit: Unit = "points") -> Reason:
    """So much for this player, and what for."""
    return Reason(name, said.key, {each: plain(value) for each, value in said.values.items()}, amount, unit)


def added(players: Iterable[str], reasons: Iterable[Reason], unit: Unit) -> dict[str, int]:
    """What these reasons add to the total of each of these players, where totals are kept in this unit."""
    points = dict.fromkeys(players, 0)
    for reason in reasons:
        if reason.unit == unit:
            points[reason.name] += reason.amount
    return points


DIMES = Sentence("ledger.dimes", {"one": "{count} dime", "other": "{count} dimes"})
AMOUNTS: Mapping[Unit, Sentence] = {"dimes": DIMES}
"""How pages say an amount in a unit that totals are not kept in; any other is a number with its sign."""
PLACE = Sentence("ledger.place", "Place {place} of {of}")


def for_places(standing: Sequence[str], points: Iterable[int]) -> tuple[Reason, ...]:
    """So many points for each place, from the first; a place that brings none is no reason."""
    return tuple(
        because(name, PLACE(place=place, of=len(standing)), each)
        for place, (name, each) in enumerate(zip(standing, points, strict=True), 1)
        if each
    )
