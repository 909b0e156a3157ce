"""A made-up language with accented English, to check that a catalogue replaces every text.

It has the plural forms of Polish: one, few, many and other. A text on a page with plain letters was not translated.
"""

import re

import app.main  # noqa: F401 (modules declare their texts when they are imported)
from app.web.i18n.catalogues import Texts

LANGUAGE = "pl"
FORMS = ("one", "few", "many", "other")
_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTED = "ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐ"
_ACCENTS = str.maketrans(_PLAIN, _ACCENTED)
_PLACE = re.compile(r"(\{\w+\})")


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
