"""Find what a page in another language has left in English: texts of the English catalogue, and keys of texts."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import app.main  # noqa: F401 (modules declare their texts when they are imported)
from app import resources
from app.web.i18n.catalogues import ENGLISH, Catalogues
from app.web.i18n.declared_texts import bot_texts
from app.web.i18n.translations import Translation
from app.web.i18n.translator_notes import PLACEHOLDER

_ATTRIBUTES: Final = ("aria-label", "title", "placeholder", "alt")
_UNREAD: Final = ("script", "style", "noscript")
_EMPTY: Final = ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
_TRANSLATED: Final = re.compile(r'^msgstr.*\n(?:".*\n)*', re.MULTILINE)
_WORD: Final = re.compile("[A-Za-z]{3,}")
_NUMBER: Final = r"[\d.,\s−-]+"

CATALOGUES: Final = Catalogues()


@cache
def complete_languages() -> tuple[str, ...]:
    """Return the tags of the languages that have all texts, except English, the one with the longest texts first."""
    tags = (each.language for each in CATALOGUES.all_languages if each.language != ENGLISH)
    complete = [tag for tag in tags if Translation.read(_file(tag), ()).completeness == "all"]
    return tuple(sorted(complete, key=_width, reverse=True))


def read_translation(language: str) -> Translation:
    """Read the file of a language."""
    return Translation.read(_file(language))


def _file(language: str) -> Path:
    return resources.locale_folder() / f"{language}.po"


def _width(language: str) -> int:
    """Return how wide all texts of a language are, in Latin letters: Chinese and Japanese ones are twice as wide."""
    texts = _TRANSLATED.findall(_file(language).read_text(encoding="utf-8"))
    return sum(2 if letter > "\u2e80" else 1 for text in texts for letter in text)


class _English:
    """What no page in a language may show: English texts that the language lacks, also with filled placeholders.

    An English text that is also a text of the language is right: `texts --check` asks for `# same` there.
    """

    def __init__(self, language: str) -> None:
        english = CATALOGUES.english.catalogue
        own = set(CATALOGUES.for_language(language).catalogue.values())
        self._own = own
        left = {text for key, text in english.items() if text not in own and not key.startswith("list.")}
        keys = {key for key in english.keys() | CATALOGUES.sources.keys() if "." in key}
        self._whole = {text for text in left if _WORD.search(text)} | keys
        shown = {key.removeprefix("said."): text for key, text in CATALOGUES.for_language(language).catalogue.items()}
        self._names = {name for name in bot_texts().values() if shown.get(name, name) != name} - own
        """English names of bots, which rooms store."""
        self._filled = defaultdict[str, list[re.Pattern[str]]](list)
        """Patterns of texts with placeholders, by their longest word."""
        for text in left:
            literals, names = PLACEHOLDER.split(text)[::2], PLACEHOLDER.split(text)[1::2]
            if names and (words := _WORD.findall(" ".join(literals))):
                fillings = (_NUMBER if name == "count" else ".+" for name in names)
                pattern = "".join(map("{}{}".format, map(re.escape, literals), (*fillings, "")))
                self._filled[max(words, key=len)].append(re.compile(pattern, re.DOTALL))

    def has(self, text: str) -> bool:
        """Whether a text is one of these."""
        if text in self._own:
            return False
        words = set(_WORD.findall(text))
        filled = (pattern for word in words for pattern in self._filled.get(word, ()))
        return text in self._whole or bool(words & self._names) or any(each.fullmatch(text) for each in filled)


_english_for = cache(_English)


def untranslated(texts: Iterable[str], language: str) -> list[str]:
    """Return which of these texts of a page are English texts of the catalogue, or keys."""
    english = _english_for(language)
    shown = dict.fromkeys(text.replace("\u00ad", "").strip() for text in texts)
    return [text for text in shown if english.has(text)]


class _Reader(HTMLParser):
    """Collects the texts of a page, except parts that have a language of their own."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._language = language
        self._skipped = [False]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = dict(attrs)
        is_skipped = self._skipped[-1] or tag in _UNREAD or own.get("lang", self._language) != self._language
        if not is_skipped:
            self.texts += (own[name] or "" for name in _ATTRIBUTES if name in own)
        if tag not in _EMPTY:
            self._skipped.append(is_skipped)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _EMPTY:
            self._skipped.pop()

    def handle_data(self, data: str) -> None:
        if not self._skipped[-1]:
            self.texts.append(data)


def page_texts(page: str, language: str) -> list[str]:
    """Return the text nodes of a page, and the attributes that people read or hear."""
    reader = _Reader(language)
    reader.feed(page)
    return reader.texts
