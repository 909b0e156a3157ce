"""Translations: one PO file for each language except English, `locale/<language>.po`.

The key of a text is its context (`msgctxt`), and the English text its id. Babel reads and writes the files. A text that
is missing in a file, or fuzzy because its English has changed since, is shown in English.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from gettext import c2py
from io import BytesIO, StringIO
from pathlib import Path
from typing import Final, Literal, TypeAlias

from babel import Locale
from babel.messages import Catalog, Message, pofile

from app.web.i18n.tiers import COMPLETENESSES, Completeness, is_first_tier
from app.web.i18n.translator_notes import notes_for, order_of

MessageId: TypeAlias = str | tuple[str, ...]
"""What a PO file calls the id of a message: an English text, or its singular and plural."""
State: TypeAlias = Literal["done", "missing", "fuzzy"]

COUNT: Final = "{count}"
"""The placeholder that decides the plural form."""
_UNTRANSLATED: Final = frozenset({"locale"})
_DAMAGED_LINE: Final = re.compile(
    r"""\n(?!(?:msg\w+(?:\[\d+\])? )?"(?:[^"\\\n]+|\\.)*+"[ \t]*$)([^#\s].*)""", re.MULTILINE
)
"""A line without a comment, and without a text in quotes. Babel would cut the first and the last character."""
_KEY_LINE: Final = re.compile(r'^msgctxt "(.+)"', re.MULTILINE)
_FORMER_LINES: Final = re.compile(r"(?:^#\| .*\n)+", re.MULTILINE)
"""A former English text. Its parts are strings."""
_FORMER_PART: Final = re.compile(r'(?:msgid(?:_plural)? )?"(?:[^"\\]|\\.)*"')
_HEADER: Final = "# {language} texts of Pecking Order. docs/translating.md says how to edit them.\n# Complete: no"
_SAMPLES: Final = (*range(200), 1_000_000, 2_000_000)
"""Numbers that have all plural forms of every language."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """An English text to translate."""

    key: str
    """The key without a plural suffix."""
    english: Mapping[str, str]
    """The text by its full key, or its forms `one` and `other`."""

    @property
    def id(self) -> MessageId:
        """The id in PO files. A text with a count is plural there, also if it has one form in English."""
        texts = tuple(self.english.values())
        return (texts[0], texts[-1]) if len(texts) > 1 or COUNT in texts[0] else texts[0]

    @property
    def wordings(self) -> tuple[str, ...]:
        """The English text, or its two forms."""
        return tuple(self.english.values())


def source_texts(english: Mapping[str, str]) -> Mapping[str, SourceText]:
    """Return the texts to translate by their keys without plural suffixes. Empty texts stay empty.

    >>> texts = source_texts({"hand.one": "one card", "hand.other": "{count} cards", "turn.other": "Ana’s turn"})
    >>> texts["hand"].id, texts["turn.other"].id
    (('one card', '{count} cards'), 'Ana’s turn')
    """
    found = dict[str, SourceText]()
    for key, text in english.items():
        base, _, form = key.rpartition(".")
        # A file can’t have empty texts.
        if key in _UNTRANSLATED or not text or (form == "one" and f"{base}.other" in english):
            continue
        if form == "other" and (COUNT in text or f"{base}.one" in english):
            assert base not in english, f"{base} has plural forms, and a text without one"
            forms = {
                f"{base}.{each}": english[f"{base}.{each}"] for each in ("one", "other") if f"{base}.{each}" in english
            }
            found[base] = SourceText(base, forms)
        else:
            found[key] = SourceText(key, {key: text})
    return found


def in_file_order(sources: Mapping[str, SourceText]) -> Sequence[SourceText]:
    """Return the texts in the order of PO files: the first tier first, each tier in the order of the notes."""
    return sorted(sources.values(), key=lambda each: (not is_first_tier(each.key), order_of(each.key)))


class DamagedFile(Exception):
    """A PO file that can’t be read. The text names the file and the line."""

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(f"{path}, line {line}: {reason}")


class Translation:
    """The texts of one language, as its PO file has them."""

    def __init__(self, language: str, catalog: Catalog) -> None:
        self.language = language
        self.catalog = catalog
        self._messages = {message.context or str(message.id): message for message in catalog if message.id}
        index = c2py(catalog.plural_expr)
        locale = parse_language(language)
        self._index_by_form: dict[str, int] = {}
        for number in _SAMPLES:
            self._index_by_form.setdefault(locale.plural_form(number), index(number))
        numbers = Counter(self._index_by_form[locale.plural_form(number)] for number in _SAMPLES if number)
        self.forms_of_one_number = {form for form in range(catalog.num_plurals) if numbers[form] <= 1}
        """The plural forms for at most one number apart from 0, by their index. They need no number: “one card”."""
        # Whole numbers may never have this form, but texts without a number ask for it.
        self._index_by_form.setdefault("other", catalog.num_plurals - 1)

    @classmethod
    def read(cls, path: Path, keys: Collection[str] | None = None) -> "Translation":
        """Read a PO file, or its head and the texts with these keys. Raises `DamagedFile`."""
        locale = parse_language(path.stem)
        try:
            content = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise DamagedFile(path, line, "save the file as UTF-8") from None
        if damaged := _DAMAGED_LINE.search(content):
            raise DamagedFile(path, content.count("\n", 0, damaged.end()) + 1, f"check the quotes of {damaged[1]}")
        if keys is not None:
            content = _excerpt(content, keys)
        found = set[str]()
        for each in _KEY_LINE.finditer(content):
            if each[1] in found:
                line = content.count("\n", 0, each.start()) + 1
                raise DamagedFile(path, line, f"the second text with the key {each[1]}")
            found.add(each[1])
        try:
            catalog = pofile.read_po(StringIO(content), locale=locale, abort_invalid=True)
        except pofile.PoFileError as error:
            raise DamagedFile(path, error.lineno + 1, str(error).rpartition(" on ")[0]) from None
        catalog.locale = locale
        return cls(path.stem, catalog)

    def write(self, path: Path) -> None:
        """Write the PO file."""
        file = BytesIO()
        pofile.write_po(file, self.catalog, include_previous=True)
        path.write_bytes(_FORMER_LINES.sub(_mended, file.getvalue().decode()).encode())

    @property
    def completeness(self) -> Completeness | None:
        """Which texts the language has, as the head of the file says. None if it has no valid word."""
        lines = self.catalog.header_comment.splitlines()
        return next((each for each in COMPLETENESSES if f"# Complete: {each}" in lines), None)

    @property
    def keys(self) -> Iterable[str]:
        """The keys of all messages in the file."""
        return self._messages.keys()

    def form_names(self) -> list[str]:
        """Return the names of the plural forms, in the order of the file."""
        names = {index: form for form, index in reversed(self._index_by_form.items())}
        return [names[index] for index in sorted(names)]

    def message(self, key: str) -> Message | None:
        """Return the message with this key, if the file has it."""
        return self._messages.get(key)

    def unknown_keys(self, sources: Mapping[str, SourceText]) -> list[str]:
        """Return the keys of translations without an English text, or what a message without a key has in English."""
        return [key for key in self._messages if key not in sources and any(self.strings(key))]

    def strings(self, key: str) -> tuple[str, ...]:
        """Return the translation of a text, or its plural forms in the order of the file. Missing ones are empty."""
        message = self._messages.get(key)
        if message is None:
            return ()
        return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())

    def state(self, source: SourceText) -> State:
        """Return whether a text is translated."""
        message = self._messages.get(source.key)
        if message is None or not all(self.strings(source.key)):
            return "missing"
        return "fuzzy" if message.fuzzy or message_id(message) != source.id else "done"

    def texts(self, source: SourceText) -> Mapping[str, str]:
        """Return the translation of a text by full keys; empty if it is missing or fuzzy."""
        if self.state(source) != "done":
            return {}
        strings = self.strings(source.key)
        if len(set(strings)) == 1:
            return {source.key: strings[0]}
        return {f"{source.key}.{form}": strings[index] for form, index in self._index_by_form.items()}

    def merge(self, sources: Mapping[str, SourceText]) -> "Translation":
        """Return this translation with all texts of today.

        A text whose English has changed keeps its translation, marked as fuzzy. Texts without English are left out.
        """
        merged = new_catalog(self.language)
        for name in ("header_comment", "last_translator", "language_team", "creation_date", "revision_date"):
            setattr(merged, name, getattr(self.catalog, name))
        first = sum(map(is_first_tier, sources))
        end_of_tier = f"The {first} texts above are enough for “# Complete: first”."
        for number, source in enumerate(in_file_order(sources)):
            self._add_message(merged, source, [end_of_tier] if number == first else [])
        return Translation(self.language, merged)

    def _add_message(self, merged: Catalog, source: SourceText, remarks: Sequence[str]) -> None:
        before = self._messages.get(source.key)
        strings = self.strings(source.key)
        # A translation that is still fuzzy belongs to an older English text than the last one.
        former = _former_id(before.user_comments) if before is not None and before.fuzzy else ()
        if not former and before is not None and any(strings) and message_id(before) != source.id:
            former = message_id(before)
        last = strings[-1] if strings else ""
        filled: MessageId = last
        if not isinstance(source.id, str):
            filled = strings if len(strings) == merged.num_plurals else (last,) * merged.num_plurals
        message = merged.add(
            source.id,
            filled,
            flags=("fuzzy",) if former or (before is not None and before.fuzzy) else (),
            auto_comments=[*remarks, *notes_for(source.key, source.wordings)],
            # Babel reads the former English text as a comment of the translator.
            user_comments=[] if before is None else [each for each in before.user_comments if not each.startswith("|")],
            previous_id=former,
            context=source.key,
        )
        # Babel takes “50 % of” for a format.
        message.flags.discard("python-format")


def _former_id(comments: Iterable[str]) -> MessageId:
    """Return the former English text of a message, or () without one. `comments`: see `_add_message`."""
    lines = [each[1:] for each in comments if each.startswith("|")]
    catalog = pofile.read_po(StringIO("\n".join([*lines, 'msgstr[0] ""'])))
    return next((message_id(message) for message in catalog if message.id), ())


def _mended(former: re.Match[str]) -> str:
    """Return the lines of a former English text with one string in each. Babel breaks long ones between words."""
    parts = _FORMER_PART.findall(former[0].replace("\n#|", ""))
    return "".join(f"#| {part}\n" for part in parts)


def _excerpt(content: str, keys: Collection[str]) -> str:
    """Return a PO file with its head and only the messages with these keys, in the same lines.

    An empty line separates two messages.
    """
    head, *messages = content.split("\n\n")
    contexts = {f'msgctxt "{key}"' for key in keys}
    blanked = (each if not contexts.isdisjoint(each.split("\n")) else "\n" * each.count("\n") for each in messages)
    return "\n\n".join([head, *blanked])


def new_catalog(language: str) -> Catalog:
    """Return a catalog without messages. `language` is a language tag such as `de` or `pt-BR`."""
    locale = parse_language(language)
    return Catalog(
        locale,
        header_comment=_HEADER.format(language=locale.english_name),
        project="Pecking Order",
        version="1",
        msgid_bugs_address="docs/translating.md",
        last_translator="nobody",
        language_team=locale.english_name,
        fuzzy=False,
    )


def parse_language(language: str) -> Locale:
    """Return the locale of a language tag, such as `de` or `pt-BR`.

    Raises `ValueError` or `babel.UnknownLocaleError` for an invalid or unknown tag.
    """
    return Locale.parse(language, sep="-")


def message_id(message: Message) -> MessageId:
    """Return the English text of a message, or its singular and plural."""
    return message.id if isinstance(message.id, str) else tuple(message.id)
