"""Access to the lessons of all games."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from app.engine.match.lesson import Lesson, load_lessons

from . import GAMES


@cache
def all_lessons() -> Mapping[str, Lesson]:
    """Return every lesson (explained first hand for beginners) of all games by its key; cached.

    They are in the order of the games.
    """
    folders = (Path(__file__).parent / game / "lessons" for game in GAMES)
    return {key: lesson for folder in folders for key, lesson in load_lessons(folder).items()}
