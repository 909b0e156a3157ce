"""The lessons of all games."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from app.engine.match.lesson import Lesson, read

from . import GAMES


@cache
def lessons() -> Mapping[str, Lesson]:
    """Every lesson by its key, game by game."""
    folders = (Path(__file__).parent / game / "lessons" for game in GAMES)
    return {key: lesson for folder in folders for key, lesson in read(folder).items()}
