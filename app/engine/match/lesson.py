"""Lessons: a recorded first hand, with explanations for the player in one of its seats.

Lessons are stored with the games, in `games/<game>/lessons/<lesson>.json`. The moves of a lesson are a record that
the engine replays, so a lesson can't contradict the rules. Only its sentences are written by hand.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence of a lesson (`says`), shown at one point of its recorded hand."""

    id: str
    """Unique within the lesson."""
    hand: int
    """Index of the hand in the record, from 0."""
    move: int
    """Number of the hand's actions after which the sentence is shown; 0: right after the deal."""
    says: str
    points: str = ""
    """What the sentence points at: `trick`, `hand`, `signs`, `me`, `actions`, `result`, `seats`, `seat NAME` or
    `cards 3c 3d`. Empty: nothing in particular."""
    why: str = ""
    """Shown if the learner tries another move."""


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One lesson: a recorded first hand, with sentences that explain it to the player in the seat `learner`."""

    name: str
    learner: str
    """The learner's seat."""
    record: dict[str, Any]
    """A `climbing-record/1` in which all actions are legal."""
    steps: tuple[LessonStep, ...]
    """In the order shown."""

    @property
    def game(self) -> str:
        """Return the key of the game that the lesson teaches."""
        return str(self.record["game"])


def load_lessons(folder: Path) -> Mapping[str, Lesson]:
    """Return every lesson in a folder of JSON files by its key, which is the file's name without the extension."""
    return {path.stem: msgspec.json.decode(path.read_bytes(), type=Lesson) for path in sorted(folder.glob("*.json"))}


def rename_players(lesson: Lesson, names: Mapping[str, str]) -> Lesson:
    """Return a lesson whose players have other names, for example those of bots in another language."""

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return names.get(value, value)
        if isinstance(value, list):
            return [renamed(each) for each in value]
        if isinstance(value, dict):
            return {names.get(key, key): renamed(each) for key, each in value.items()}
        return value

    def pointing(step: LessonStep) -> LessonStep:
        what, space, name = step.points.partition(" ")
        return replace(step, points=what + space + (renamed(name) if what == "seat" else name))

    steps = tuple(pointing(step) for step in lesson.steps)
    return replace(lesson, record=renamed(lesson.record), steps=steps)


def lesson_text_key(lesson: str, step: LessonStep, part: str = "says") -> str:
    """Return the translation key of a text in a lesson's step: of its sentence, or of another `part`.

    >>> lesson_text_key("president", LessonStep("lead", 0, 0, "You lead."))
    'lesson.president.lead.says'
    """
    return f"lesson.{lesson}.{step.id}.{part}"
