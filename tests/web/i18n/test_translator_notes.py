"""Notes for translators belong to texts that exist, and name placeholders that these texts have."""

import re

from app.web.i18n.catalogues import Catalogues
from app.web.i18n.translator_notes import translator_notes

ENGLISH = Catalogues().english


def test_every_note_for_translators_belongs_to_a_text() -> None:
    assert not [key for key in translator_notes() if key not in ENGLISH]


def test_every_placeholder_in_a_note_is_in_the_text() -> None:
    unknown = {}
    for key, note in translator_notes().items():
        forms = [
            text for name, text in ENGLISH.catalogue.items() if re.fullmatch(rf"{re.escape(key)}(\.[a-z]+)?", name)
        ]
        named, known = (set(re.findall(r"\{\w+\}", text)) for text in (note, " ".join(forms)))
        if named - known:
            unknown[key] = named - known
    assert not unknown
