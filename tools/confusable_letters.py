"""Make app/rooms/people/letters.json: the scripts of all letters, and the letters that look the same.

    python -m venv build/letters && build/letters/bin/pip install fonttools==4.68.0 confusable-homoglyphs==3.3.1
    build/letters/bin/python -m tools.confusable_letters

The scripts come from fontTools, which carries Scripts.txt and ScriptExtensions.txt of the Unicode Character Database.
The look-alikes come from confusable-homoglyphs, which carries confusables.txt of UTS 39. The server needs neither
package: the file has all that it uses, with the versions that it was made from.
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
"""The codes of characters that all scripts share, that take the script of their base, and that are unassigned."""
LRM = "\u200e"
"""The package has this mark around letters that are written from right to left."""


def main() -> None:
    """Write the file."""
    tables = {
        "about": "Made by tools/confusable_letters.py, which says how. Data: © Unicode, Inc., https://www.unicode.org/license.txt",
        "versions": {
            **{name: version(name) for name in ("fonttools", "confusable-homoglyphs")},
            "Scripts.txt": _version_of_scripts(),
            "confusables.txt": "15.1.0",  # the newest when that release was made, on 2024-01-30
        },
        "scripts": scripts(),
        "look_alikes": look_alikes(),
    }
    FILE.write_text(json.dumps(tables, indent=0) + "\n")


def _version_of_scripts() -> str:
    text = importlib.resources.files("fontTools.unicodedata").joinpath("Scripts.py").read_text(encoding="utf-8")
    found = re.search(r"Scripts-([\d.]+)\.txt", text)
    assert found is not None, "Scripts.py doesn't tell its version"
    return found[1]


def scripts() -> dict[str, str]:
    """List the ranges of code points by the codes of the scripts that use them, such as `Hira Kana`."""
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


def look_alikes() -> dict[str, str]:
    """List the characters that look like a prototype, by that prototype, which may be several characters.

    The package keeps each line of confusables.txt in both directions. In that file no prototype has another prototype,
    so the lines make stars, with the prototype in the middle.
    """
    text = importlib.resources.files("confusable_homoglyphs").joinpath("confusables.json").read_text(encoding="utf-8")
    beside: dict[str, set[str]] = {}
    for key, others in json.loads(text).items():
        beside.setdefault(_plain(key), set()).update(_plain(other["c"]) for other in others)
    in_sequences = {char for key in beside if len(key) > 1 for char in key}
    found: dict[str, str] = {}
    for key, others in sorted(beside.items()):
        if len(others) == 1:
            (other,) = others
            if len(beside[other]) > 1 or min((key, other), key=lambda one: _order(one, in_sequences)) == other:
                continue  # the other one is the prototype
        assert all(beside[other] == {key} and len(other) == 1 for other in others), f"no star: {key!r}"
        found[key] = "".join(sorted(others))
    return found


def _plain(text: str) -> str:
    return text.strip(LRM) or text


def _order(text: str, in_sequences: set[str]) -> tuple[bool, bool, str]:
    """Sort the prototype of two first: it is the one that stands for several characters, or stands in such a row."""
    return len(text) == 1, text not in in_sequences, text


if __name__ == "__main__":
    main()
