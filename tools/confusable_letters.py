"""Make app/rooms/people/letters.json: the scripts of all letters, and the letters that look the same.

    python -m venv build/letters && build/letters/bin/pip install fonttools==4.68.0 confusable-homoglyphs==3.3.1
    build/letters/bin/python -m tools.confusable_letters

The scripts come from fontTools, which contains Scripts.txt and ScriptExtensions.txt of the Unicode Character Database.
The look-alikes come from confusable-homoglyphs, which contains confusables.txt of UTS 39. The server needs neither
package, because the JSON file has all the data, with the versions of its sources.
"""

import importlib.resources
import json
import re
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent.parent / "app" / "rooms" / "people" / "letters.json"
WITHOUT_SCRIPT = {"Zyyy", "Zinh", "Zzzz"}
"""Script codes to skip: characters shared by all scripts, characters that inherit a script, and unassigned ones."""
LRM = "\u200e"
"""Direction mark that confusable-homoglyphs puts around right-to-left letters."""


def main() -> None:
    """Write app/rooms/people/letters.json again: the scripts of all letters, and the letters that look the same."""
    tables = {
        "about": "Made by tools/confusable_letters.py, which says how. Data: © Unicode, Inc., https://www.unicode.org/license.txt",
        "versions": {
            **{name: version(name) for name in ("fonttools", "confusable-homoglyphs")},
            "Scripts.txt": _scripts_file_version(),
            "confusables.txt": "15.1.0",  # the newest at the package's release on 2024-01-30
        },
        "scripts": code_point_ranges_by_script(),
        "look_alikes": look_alikes_by_prototype(),
    }
    FILE.write_text(json.dumps(tables, indent=0) + "\n")


def _scripts_file_version() -> str:
    text = importlib.resources.files("fontTools.unicodedata").joinpath("Scripts.py").read_text(encoding="utf-8")
    found = re.search(r"Scripts-([\d.]+)\.txt", text)
    assert found is not None, "Scripts.py doesn't tell its version"
    return found[1]


def code_point_ranges_by_script() -> dict[str, str]:
    """Return ranges of code points in hexadecimal, by the scripts that use them, such as `Hira Kana`.

    Code points without a script are left out. Names with mixed scripts are found by it.
    """
    unicodedata: Any = __import__("fontTools.unicodedata", fromlist=["script_extension"])
    found: dict[str, list[list[int]]] = {}
    for point in range(sys.maxunicode + 1):
        codes = set(unicodedata.script_extension(chr(point)))
        if codes & WITHOUT_SCRIPT:
            continue
        ranges = found.setdefault(" ".join(sorted(codes)), [])
        if ranges and ranges[-1][1] == point - 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return {codes: " ".join(f"{first:x}-{last:x}" for first, last in found[codes]) for codes in sorted(found)}


def look_alikes_by_prototype() -> dict[str, str]:
    """Return the look-alike characters by prototype (the one that stands for all); it may be several characters.

    The package stores each pair of confusables.txt in both directions. In that file no prototype has another prototype,
    so the pairs form stars around the prototypes.
    """
    text = importlib.resources.files("confusable_homoglyphs").joinpath("confusables.json").read_text(encoding="utf-8")
    beside: dict[str, set[str]] = {}
    for key, others in json.loads(text).items():
        beside.setdefault(_without_direction_mark(key), set()).update(
            _without_direction_mark(other["c"]) for other in others
        )
    in_sequences = {char for key in beside if len(key) > 1 for char in key}
    found: dict[str, str] = {}
    for key, others in sorted(beside.items()):
        if len(others) == 1:
            (other,) = others
            if (
                len(beside[other]) > 1
                or min((key, other), key=lambda one: _prototype_sort_key(one, in_sequences)) == other
            ):
                continue  # `other` is the prototype
        assert all(beside[other] == {key} and len(other) == 1 for other in others), f"no star: {key!r}"
        found[key] = "".join(sorted(others))
    return found


def _without_direction_mark(text: str) -> str:
    return text.strip(LRM) or text


def _prototype_sort_key(text: str, in_sequences: set[str]) -> tuple[bool, bool, str]:
    """Return a sort key that puts the prototype of two look-alike texts (which stands for both) first.

    The prototype is the text of several characters, or else the character that is part of such a text.
    """
    return len(text) == 1, text not in in_sequences, text


if __name__ == "__main__":
    main()
