"""Notes for translators: where a text is seen, what fills its placeholders, and its greatest length.

`translator_notes.json` has them. `seen` says where texts are seen, by the beginning of their keys; the longest
beginning counts. A note may be another beginning, whose note it repeats. PO files have the order of `seen`: what a
visitor meets first comes first. `placeholders` says what
fills a placeholder in most texts. `texts` has notes for single texts, by the key without its plural form. “At most 20
characters.” in a note limits the length of a text without its placeholders. `games` has the notes of a game that `seen`
lacks: the beginning has the game's key, or the letters of its rule ids.
"""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from app.engine.games import GAMES

PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")
_LIMIT: Final = re.compile(r"\b[Aa]t most (\d+) characters\.")


@cache
def translator_notes() -> Mapping[str, Mapping[str, str]]:
    """Return the parts of the notes; `seen` has all notes in full, and includes `games` with the names of all games."""
    notes: dict[str, dict[str, str]] = json.loads(
        Path(__file__).with_name("translator_notes.json").read_text(encoding="utf-8")
    )
    of_games = {
        beginning.format(key=key, ids=game.option_schema.basic_game_id.partition("-")[0]): note.format(game=game.name)
        for beginning, note in notes["games"].items()
        for key, game in GAMES.items()
    }
    seen = {at: notes["seen"].get(note, note) for at, note in notes["seen"].items()}
    return {**notes, "seen": seen | {at: note for at, note in of_games.items() if at not in seen}}


def notes_for(key: str, wordings: Iterable[str]) -> list[str]:
    """Return the notes for a text, one a line. `wordings`: the English text, or its plural forms."""
    notes = translator_notes()
    own = notes["texts"].get(key, "")
    used = dict.fromkeys(PLACEHOLDER.findall(" ".join(wordings)))
    explained = [
        f"{{{name}}}: {notes['placeholders'][name]}"
        for name in used
        if f"{{{name}}}" not in own and name in notes["placeholders"]
    ]
    return [*filter(None, (place_of(key), own)), *explained]


def place_of(key: str) -> str:
    """Return where a text is seen, or "" if no note says it."""
    return translator_notes()["seen"].get(_beginning(key), "")


def order_of(key: str) -> int:
    """Return the number of the place where a text is seen, in the order of the notes."""
    return [*translator_notes()["seen"], ""].index(_beginning(key))


@cache
def _beginning(key: str) -> str:
    """Return the longest beginning of a key that has a note, or ""."""
    return max((each for each in translator_notes()["seen"] if f"{key}.".startswith(each)), key=len, default="")


def length_limit(key: str) -> int | None:
    """Return the greatest number of characters of a text, without its placeholders. None if it has no limit."""
    found = _LIMIT.search(translator_notes()["texts"].get(key, "")) or _LIMIT.search(place_of(key))
    return int(found[1]) if found else None
