"""Soft hyphens in titles and names of rules, so that long words break by the language's syllables in narrow places.

The syllables are in `locale/syllables.json`, which `python -m tools syllables` makes from dictionaries. The German one
takes 0.7 s and 18 MB to read, so servers don't read it. Japanese, Chinese and Vietnamese need no hyphens.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
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


def syllables_path() -> str:
    """Return the path of the file that has the long words of each language with hyphens between syllables."""
    return str(resources.locale_folder() / "syllables.json")


def add_soft_hyphens(text: str, language: str) -> str:
    """Return a text to be shown with soft hyphens in its long words; unknown words stay as they are.

    >>> add_soft_hyphens("Vizepräsident", "de").replace(SOFT_HYPHEN, "-"), add_soft_hyphens("Xylophonist", "de")
    ('Vize-prä-si-dent', 'Xylophonist')
    """
    words = load_words().get(language)
    return text if words is None else LONG_WORD.sub(lambda found: words.get(found[0], found[0]), text)


@cache
def load_words() -> Mapping[str, Mapping[str, str]]:
    """Return the long words with soft hyphens, by language and word."""
    with open(syllables_path(), encoding="utf-8") as file:
        syllables: dict[str, list[str]] = json.load(file)
    return {
        language: {word.replace("-", ""): word.replace("-", SOFT_HYPHEN) for word in words}
        for language, words in syllables.items()
    }
