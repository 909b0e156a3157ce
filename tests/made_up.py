"""A made-up language with accented English, to check that a catalogue replaces every text.

It has the plural forms of Polish: one, few, many and other. A text on a page with plain letters was not translated.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import app.main  # noqa: F401 (modules declare their texts when they are imported)
from app.web.i18n.catalogues import Catalogues, Texts
from app.web.i18n.tiers import Completeness
from app.web.i18n.translations import Translation, new_catalog

LANGUAGE = "pl"
FORMS = ("one", "few", "many", "other")
_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTED = "ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐ"
_ACCENTS = str.maketrans(_PLAIN, _ACCENTED)
_PLACE = re.compile(r"(\{\w+\})")
_LONGER_BY = 0.4
_KEPT = re.compile(r"game\.\w+$|list\.|text\.|language$|locale$")
"""Keys of names of games, and of patterns without words."""


def made_up(text: str) -> str:
    """Translate a text, except its placeholders.

    >>> made_up("Play {cards}")
    'Ƥŀȧẏ {cards}'
    """
    return "".join(part if _PLACE.fullmatch(part) else part.translate(_ACCENTS) for part in _PLACE.split(text))


def catalogue(english: Texts) -> dict[str, str]:
    """Translate every English text, with all the plural forms of Polish."""
    texts: dict[str, str] = {}
    for key, text in english.catalogue.items():
        if key == "locale":
            continue
        base, _, form = key.rpartition(".")
        if form == "other" and f"{base}.one" in english.catalogue:
            texts |= {f"{base}.{each}": made_up(text) for each in FORMS}
        elif form != "one" or f"{base}.other" not in english.catalogue:
            texts[key] = made_up(text)
    return texts


def longer(text: str) -> str:
    """Return a text as a wordy language may have it: 40 % longer, between brackets that show whether it is cut.

    Vowels are doubled, so that words get longer, too. Texts of one or two letters stay as they are.

    >>> longer("Play {cards}"), longer("Choose what to do with them"), longer("Q")
    ('[Ƥŀȧẏ {cards}]', '[Ƈħǿǿǿǿşḗḗ ẇħȧȧŧ ŧǿǿ ḓǿǿ ẇīīŧħ ŧħḗḗḿ~]', 'Q')
    """
    letters = len(_PLACE.sub("", text))
    if letters <= 2:
        return text
    left = round(letters * _LONGER_BY) - 2
    parts = []
    for part in _PLACE.split(text):
        for letter in [part] if _PLACE.fullmatch(part) else part:
            doubled = left > 0 and letter in "aeiouAEIOU"
            left -= doubled
            parts.append(letter + letter.lower() * doubled)
    return f"[{made_up(''.join(parts))}{'~' * left}]"


def longer_catalogue(texts: Mapping[str, str]) -> dict[str, str]:
    """Return these texts by key, each 40 % longer. Names of games and patterns of lists stay as they are."""
    return {key: text if _KEPT.match(key) else longer(text) for key, text in texts.items()}


def write_po(path: Path, texts: Mapping[str, str], complete: Completeness = "all") -> None:
    """Write the PO file of a language with these texts by key, as `catalogue` returns them."""
    translation = Translation(path.stem, new_catalog(path.stem)).merge(Catalogues().sources)
    catalog = translation.catalog
    catalog.header_comment = catalog.header_comment.replace("Complete: no", f"Complete: {complete}")
    for message in catalog:
        key = message.context or ""
        if isinstance(message.string, str):
            message.string = texts.get(key, "") if key else message.string
        else:
            every = texts.get(key, texts.get(f"{key}.other", ""))
            message.string = tuple(texts.get(f"{key}.{form}", every) for form in translation.form_names())
    translation.write(path)
