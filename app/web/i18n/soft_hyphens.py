"""Soft hyphens in titles and names of rules, so that long words break by the language's syllables in narrow places.

The syllables are in `locale/syllables.json`, which `python -m tools syllables` makes from dictionaries. The German one
takes 0.7 s and 18 MB to read, so servers don't read it. Japanese, Chinese and Vietnamese need no hyphens.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from app import resources

SOFT_HYPHEN: Final = "\u00ad"
LONG_WORD: Final = re.compile(r"[^\W\d_]{9,}")
_KEYS: Final = re.compile(r"title\.|game\.\w+$|\w+\.section\.|[A-Z]+-\d\d\.(?:name|variant)$")


def is_hyphenated(key: str) -> bool:
    """Return whether the text of a key gets soft hyphens on pages: a title, or a name of a game, section or rule.

    >>> is_hyphenated("PRES-16.name"), is_hyphenated("title.President"), is_hyphenated("PRES-16.sentence")
    (True, True, False)
    """
    return _KEYS.match(key) is not None


def syllables_path() -> Path:
    """Return the path of the file that has the long words of each language with hyphens between syllables."""
    return resources.locale_folder() / "syllables.json"


def add_soft_hyphens(text: str, words: Mapping[str, str]) -> str:
    """Return a text to be shown with soft hyphens in its long words. `words`: what `load_words` returns.

    >>> german = load_words("de")
    >>> add_soft_hyphens("Vizepräsident", german).replace(SOFT_HYPHEN, "-"), add_soft_hyphens("Xylophonist", german)
    ('Vize-prä-si-dent', 'Xylophonist')
    """
    return LONG_WORD.sub(lambda found: words.get(found[0], found[0]), text)


def load_words(language: str) -> Mapping[str, str]:
    """Return the long words of a language that have soft hyphens or need none; empty without a list of its words."""
    return _read_words(syllables_path()).get(language, {})


@cache
def _read_words(path: Path) -> Mapping[str, Mapping[str, str]]:
    if not path.exists():
        return {}
    syllables: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    return {
        language: {word.replace("-", ""): word.replace("-", SOFT_HYPHEN) for word in words}
        for language, words in syllables.items()
    }
