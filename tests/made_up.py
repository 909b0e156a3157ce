"""A language made up from English, to see that a catalogue replaces every text: its letters are accented.

It counts as Polish does: one, few, many and other. What is on a page and still has plain letters was not translated.
"""

import re

import app.main  # noqa: F401 (whatever speaks declares its words when it is loaded)
from app.web.i18n.catalogues import Texts

LANGUAGE = "pl"
FORMS = ("one", "few", "many", "other")
_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTED = "ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐ"
_ACCENTS = str.maketrans(_PLAIN, _ACCENTED)
_PLACE = re.compile(r"(\{\w+\})")


def made_up(text: str) -> str:
    """A text in the made-up language; what is filled in stays.

    >>> made_up("Play {cards}")
    'Ƥŀȧẏ {cards}'
    """
    return "".join(part if _PLACE.fullmatch(part) else part.translate(_ACCENTS) for part in _PLACE.split(text))


def catalogue(english: Texts) -> dict[str, str]:
    """Every text of English in it, with all its plural forms, each with a mark of its own."""
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
