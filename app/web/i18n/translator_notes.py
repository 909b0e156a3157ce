"""Notes for translators: where a text is seen, what its placeholders are, and how long it may be.

The notes are in `translator_notes.json`, by the key of the text without its plural form. Only texts that are unclear
without a note have one.
"""

import json
from collections.abc import Mapping
from pathlib import Path


def translator_notes() -> Mapping[str, str]:
    """Return the notes for translators, by key."""
    notes: dict[str, str] = json.loads(Path(__file__).with_name("translator_notes.json").read_text(encoding="utf-8"))
    return notes
