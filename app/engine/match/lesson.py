"""A first hand that teaches: a record, and what is said of its moves to whoever sits in one of its seats.

Lessons lie beside the games, in `games/<game>/lessons/<lesson>.json`. What happens in one is a record, which the engine
plays: so a lesson can't tell of a game what its rules would not do. Only the sentences are its own.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec


class Remark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence, said when the hand has come so far. If the next move is the learner's, it asks for that move."""

    id: str
    """Its own in the lesson."""
    hand: int
    """Which hand of the record, from 0."""
    move: int
    """After so many of the hand's actions; 0: as the cards are dealt."""
    says: str
    points: str = ""
    """What the sentence speaks of: `trick`, `hand`, `signs`, `me`, `actions`, `result`, `seats`, `seat NAME` or `cards
    3c 3d`; nothing if it is nowhere in particular."""
    why: str = ""
    """Said to who tries another move instead."""


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One lesson."""

    name: str
    learner: str
    """The seat of whoever learns."""
    record: dict[str, Any]
    """A `climbing-record/1`, all of whose actions are legal."""
    steps: tuple[Remark, ...]
    """In the order in which they are said."""

    @property
    def game(self) -> str:
        """The key of the game that it teaches."""
        return str(self.record["game"])


def read(folder: Path) -> Mapping[str, Lesson]:
    """Every lesson that lies in a folder, by its key: the name of its file."""
    return {path.stem: msgspec.json.decode(path.read_bytes(), type=Lesson) for path in sorted(folder.glob("*.json"))}


def text_key(lesson: str, step: Remark, part: str = "says") -> str:
    """The key of a sentence, for other languages.

    >>> text_key("president", Remark("lead", 0, 0, "You lead."))
    'lesson.president.lead.says'
    """
    return f"lesson.{lesson}.{step.id}.{part}"
