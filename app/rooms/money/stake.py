"""What is played for: a stake a point in the host's own words, such as 10 cents or a sip.

>>> Stake.read({"amount": 0.5, "unit": " euros "})
Stake(amount=0.5, unit='euros')
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict, cast

from msgspec import Meta, Struct

from app.engine.base.messages import Sentence
from app.rooms.errors import RoomError
from app.rooms.people import names
from app.text_limits import TooLong, bounded

MOST = 1000
LONGEST_UNIT = 24
"""Characters in what is paid."""

STAKE_IS = Sentence(
    "room.stake_is",
    "A stake is so much a point, above 0 and at most {most} with no more than two decimals, of something that has a "
    "name of at most {longest} characters: 10 of “cents”, 1 of “sips”.",
)


class StakeChange(Struct, frozen=True, forbid_unknown_fields=True):
    """So much of something for each point."""

    amount: Annotated[float, Meta(gt=0, le=MOST, description="How much.")]
    unit: Annotated[str, Meta(min_length=1, max_length=LONGEST_UNIT, description="Of what, as one says of several.")]


class StakeKept(TypedDict):
    """So much of something for each point, as the log has it."""

    amount: float
    unit: str


class StakeShown(TypedDict):
    """So much of something for each point."""

    amount: Annotated[float, "How much."]
    unit: Annotated[str, "Of what, as one says of several."]
    one: Annotated[str, "Of what, as one says of one."]


@dataclass(frozen=True, slots=True)
class Stake:
    """So much of something for each point."""

    amount: float
    unit: str

    @classmethod
    def read(cls, given: object) -> "Stake":
        """Read a stake as a host asks for it; raise `RoomError` bad_setting if it can't be used."""
        if isinstance(given, StakeChange):
            given = {"amount": given.amount, "unit": given.unit}
        if not isinstance(given, Mapping) or set(cast("Mapping[str, Any]", given)) != {"amount", "unit"}:
            raise _bad()
        asked = cast("Mapping[str, Any]", given)
        amount, unit = asked["amount"], asked["unit"]
        if isinstance(amount, bool) or not isinstance(amount, int | float) or not isinstance(unit, str):
            raise _bad()
        try:
            # Some characters of it may go, so it may be longer before that.
            unit = names.visible(bounded(unit, 10 * LONGEST_UNIT))
        except TooLong:
            raise _bad() from None
        if not 0 < amount <= MOST or round(amount, 2) != amount or not 0 < len(unit) <= LONGEST_UNIT:
            raise _bad()
        return cls(amount, unit)

    def to_json(self) -> StakeKept:
        """As the log keeps it."""
        return {"amount": self.amount, "unit": self.unit}

    @property
    def shown(self) -> StakeShown:
        """As everybody sees it."""
        return {**self.to_json(), "one": one_of(self.unit)}

    def worth(self, points: int) -> tuple[int | float, str]:
        """So many points in what they are played for: how much, and of what."""
        # Hundredths are whole numbers, and add up.
        amount = round(self.amount * 100 * points) / 100
        return int(amount) if amount == int(amount) else amount, one_of(self.unit) if amount == 1 else self.unit


_ENDINGS = (
    (r"(ss|sh|ch|x)es$", r"\1"),
    (r"([bdglmnprt])\1ies$", r"\1\1y"),
    (r"(?<=\w[^\Wsui])s$", ""),
)
"""How English says several, and one; what is said otherwise stays as the host says it."""


def one_of(unit: str) -> str:
    """What is said of one where the host says this of several.

    >>> [one_of(unit) for unit in ("sips", "pennies", "glasses of water", "Swiss francs", "gin", "kisses")]
    ['sip', 'penny', 'glass of water', 'Swiss franc', 'gin', 'kiss']
    """
    counted, of, rest = unit.partition(" of ")
    for ending, single in _ENDINGS:
        told, changed = re.subn(ending, single, counted)
        if changed:
            return told + of + rest
    return unit


def _bad() -> RoomError:
    return RoomError("bad_setting", STAKE_IS(most=MOST, longest=LONGEST_UNIT))
