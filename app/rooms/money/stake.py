"""The stake of a match: the price of a point in the host's words, such as 10 cents or a sip.

>>> Stake.parse({"amount": 0.5, "unit": " euros "})
Stake(amount=0.5, unit='euros')
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict, cast

from msgspec import Meta, Struct

from app.engine.base.messages import MessageTemplate
from app.rooms.errors import RoomError
from app.rooms.people import names
from app.text_limits import TooLong, check_length

MAX_AMOUNT = 1000
MAX_UNIT_LENGTH = 24
"""Maximum characters in the unit."""

STAKE_IS = MessageTemplate(
    "room.stake_is",
    "A stake is a number above 0 and up to {most}, with at most two decimals, and a unit of at most "
    "{longest} characters, such as 10 “cents”.",
)


class StakeChange(Struct, frozen=True, forbid_unknown_fields=True):
    """The price of a point, as the host sets it."""

    amount: Annotated[
        float, Meta(gt=0, le=MAX_AMOUNT, description="The amount to pay for each point, with at most two decimals.")
    ]
    unit: Annotated[
        str, Meta(min_length=1, max_length=MAX_UNIT_LENGTH, description="The unit of the amount, in the plural.")
    ]


class StakeRecord(TypedDict):
    """The stake of a match, the price of a point, as JSON in the log."""

    amount: float
    unit: str


class StakeView(TypedDict):
    """The price of a point."""

    amount: Annotated[float, "The amount to pay for each point."]
    unit: Annotated[str, "The unit of the amount, in the plural."]
    unit_singular: Annotated[str, "The unit of the amount, in the singular."]


@dataclass(frozen=True, slots=True)
class Stake:
    """The stake of a match: the price of a point, as an amount of a unit such as cents or sips."""

    amount: float
    unit: str

    @classmethod
    def parse(cls, given: object) -> "Stake":
        """Return the stake from a host's input: a `StakeChange`, or JSON with `amount` and `unit`.

        Raises `RoomError` `bad_setting` if the amount or the unit is not acceptable.
        """
        if isinstance(given, StakeChange):
            given = {"amount": given.amount, "unit": given.unit}
        if not isinstance(given, Mapping) or set(cast("Mapping[str, Any]", given)) != {"amount", "unit"}:
            raise _stake_error()
        fields = cast("Mapping[str, Any]", given)
        amount, unit = fields["amount"], fields["unit"]
        if isinstance(amount, bool) or not isinstance(amount, int | float) or not isinstance(unit, str):
            raise _stake_error()
        try:
            # Cleaning may remove characters, so the raw text may be longer.
            unit = names.visible_text(check_length(unit, 10 * MAX_UNIT_LENGTH))
        except TooLong:
            raise _stake_error() from None
        if not 0 < amount <= MAX_AMOUNT or round(amount, 2) != amount or not 0 < len(unit) <= MAX_UNIT_LENGTH:
            raise _stake_error()
        return cls(amount, unit)

    def to_json(self) -> StakeRecord:
        """Return the stake as JSON for the log."""
        return {"amount": self.amount, "unit": self.unit}

    @property
    def view(self) -> StakeView:
        """The stake as JSON for the room's public view, with the unit in singular as well."""
        return {**self.to_json(), "unit_singular": singular_unit(self.unit)}

    def amount_for_points(self, points: int) -> tuple[int | float, str]:
        """Return what these points are worth at this stake: (amount, unit), with the unit in singular for 1."""
        # Compute in hundredths, which are exact whole numbers.
        amount = round(self.amount * 100 * points) / 100
        return int(amount) if amount == int(amount) else amount, singular_unit(self.unit) if amount == 1 else self.unit


_ENDINGS = (
    (r"(ss|sh|ch|x)es$", r"\1"),
    (r"([bdglmnprt])\1ies$", r"\1\1y"),
    (r"(?<=\w[^\Wsui])s$", ""),
)
"""English plural endings with their singular. Other units are left unchanged."""


def singular_unit(unit: str) -> str:
    """Return the singular of a unit that the host has given in plural.

    >>> [singular_unit(unit) for unit in ("sips", "pennies", "glasses of water", "Swiss francs", "gin", "kisses")]
    ['sip', 'penny', 'glass of water', 'Swiss franc', 'gin', 'kiss']
    """
    counted, of, rest = unit.partition(" of ")
    for ending, single in _ENDINGS:
        singular, changed = re.subn(ending, single, counted)
        if changed:
            return singular + of + rest
    return unit


def _stake_error() -> RoomError:
    return RoomError("bad_setting", STAKE_IS(most=MAX_AMOUNT, longest=MAX_UNIT_LENGTH))
