"""What a refusal proposes, as data: cards that would do, from which its sentence is written.

A `Proposal` is made by the object that judges plays, and holds for everything that it covers: who holds such cards may
play them. `bots/refusals.py` tries that on random hands of every game.
"""

from dataclasses import dataclass
from typing import Any

from .cards import Cards


@dataclass(frozen=True, slots=True)
class Proposal:
    """Combinations that would do, by what they have in common; what is left out may be anything."""

    words: str
    """How a sentence says it, after “Play ”."""
    kind: str = ""
    size: int = 0
    ranks: tuple[str, ...] | None = None
    """What it may count as."""
    suits: str = ""
    """Its suits."""
    above: Any = None
    """The strength that it has to exceed."""
    natural: bool = False
    """Without wild cards."""
    cards: tuple[Cards, ...] = ()
    """These very cards, one or the other."""


def joined(words: list[str]) -> str:
    """Alternatives for a sentence.

    >>> joined(["a higher pair", "one two", "both jokers"])
    'a higher pair, one two or both jokers'
    """
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""
