"""Two rules of Unicode's UTS 39 for letters in names: scripts that may be mixed, and letters that look alike.

The tables are in letters.json, which tools/confusable_letters.py makes and which states the versions of its data.

>>> from app.text_limits import check_length
>>> [mixes_scripts(check_length(name)) for name in ("Ana", "\\u0410na", "Ana 123 \\u2600")]
[False, True, False]
>>> skeleton(check_length("\\u13aana")), skeleton(check_length("Emma"))  # the first has a Cherokee letter
('Ana', 'Ernrna')
"""

import json
import unicodedata
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from app.text_limits import MAX_TEXT_LENGTH, Bounded, normalize, truncate

_WRITING_SYSTEMS: Final[Mapping[str, frozenset[str]]] = {
    "Hani": frozenset({"Hanb", "Jpan", "Kore"}),
    "Hira": frozenset({"Jpan"}),
    "Kana": frozenset({"Jpan"}),
    "Hang": frozenset({"Kore"}),
    "Bopo": frozenset({"Hanb"}),
}
"""The writing systems of East Asia, by the scripts that they contain."""
_BESIDE_LATIN: Final = frozenset({"Hanb", "Jpan", "Kore"})
"""The writing systems that may be mixed with Latin letters in one name."""


@dataclass(frozen=True, slots=True)
class _Tables:
    ranges: Sequence[tuple[int, int, frozenset[str]]]
    """The first and the last letter of a range, with the scripts that use its letters."""
    firsts: Sequence[int]
    prototypes: Mapping[int, str]


@cache
def _tables() -> _Tables:
    """Read the tables when the first name is checked: they take 2.5 MB."""
    tables = json.loads(files(__package__).joinpath("letters.json").read_text(encoding="utf-8"))
    ranges = sorted(
        (int(first, 16), int(last, 16), frozenset(codes.split()))
        for codes, ranges in tables["scripts"].items()
        for first, last in (each.split("-") for each in ranges.split())
    )
    prototypes = str.maketrans({char: to for to, chars in tables["look_alikes"].items() for char in chars})
    return _Tables(ranges, [first for first, _, _ in ranges], prototypes)


def mixes_scripts(name: Bounded) -> bool:
    """Return whether a name mixes alphabets, as in a Latin word with a Cyrillic letter, so that it may deceive.

    The rule is the level “highly restrictive” of UTS 39: one script, or Latin together with one writing system of
    China, Japan or Korea. Digits, symbols and emoji belong to no script.
    """
    scripts = [of for of in map(_scripts_of, name) if of is not None]
    beside_latin = [of for of in scripts if "Latn" not in of]
    if not scripts or frozenset.intersection(*scripts):
        return False
    return not (beside_latin and frozenset.intersection(_BESIDE_LATIN, *beside_latin))


def skeleton(text: Bounded) -> Bounded:
    """Return the text with every letter replaced by the letter that it looks like, to compare names.

    The result is never shown. If it becomes longer than the greatest length of texts, it is cut.
    """
    replaced = normalize("NFD", text).translate(_tables().prototypes)
    return truncate(normalize("NFD", truncate(replaced, MAX_TEXT_LENGTH)), MAX_TEXT_LENGTH)


def replace_latin_lookalikes(name: Bounded) -> str:
    """Return the name with letters of other scripts replaced by Latin letters that look the same.

    Letters without such a twin stay. Used to propose a name in place of one with mixed alphabets.

    >>> from app.text_limits import check_length
    >>> replace_latin_lookalikes(check_length("\u0410na \u0414"))
    'Ana Д'
    """
    return "".join(_latin_lookalike(char) for char in name)


def _latin_lookalike(char: str) -> str:
    of = _scripts_of(char)
    if of is None or "Latn" in of:
        return char
    twin = char.translate(_tables().prototypes)
    return twin if all("Latn" in (_scripts_of(each) or ()) for each in twin) else char


def _scripts_of(char: str) -> frozenset[str] | None:
    """Return the codes of scripts and writing systems that use this letter; None if it fits all scripts."""
    if unicodedata.category(char)[0] not in "LM":
        return None
    tables = _tables()
    place = bisect_right(tables.firsts, ord(char)) - 1
    if place < 0 or ord(char) > tables.ranges[place][1]:
        return None
    own = tables.ranges[place][2]
    return own.union(*(_WRITING_SYSTEMS[code] for code in own if code in _WRITING_SYSTEMS))
