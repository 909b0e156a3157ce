"""The catalogues: what a person reads, by key, in the language that they read.

English is joined at start from `static/messages/en.json` (what pages and scripts say), from what engine, rooms and web
declare beside what speaks it (`app/engine/base/messages.py`), and from the declarations of the games. Any other
`static/messages/<language>.json` replaces whatever it has a text for. How many of something there are, which way lists
and numbers are written and which way a language is read comes from Babel here, and from `Intl` in the browser; but how
lists are put together is told along, since a slow phone takes a while to open what it knows of that.
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from babel import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal

from app.engine.base import messages
from app.engine.base.messages import Listed, Said
from app.engine.games import GAMES
from app.rooms.people import names
from app.web.client_address import Scope, header
from app.web.i18n.declared_texts import declared_texts

ENGLISH = "en"
COOKIE = "lang"
"""Which language somebody has chosen."""

TABLE = "table."
"""Before the name of a catalogue that is for tables, as they are first looked at."""
REST = "rest."
"""Before the name of one with what else is said at tables, once somebody does something."""
_ELSEWHERE = tuple(
    f"{prefix}."
    for prefix in (
        *("book", "device", "docs", "fair.verdict", "history", "home", "import", "match", "offline"),
        *("record", "recover", "replay", "seat_link", "stood_out", "story"),
    )
)
_AT_TABLES_TOO = ("book.open", "match.scenes")
_ONCE_ASKED = tuple(
    f"{prefix}."
    for prefix in (
        *GAMES,
        *("BIG-00", "PRES-00", "book", "chat", "clocks", "could", "error", "event", "fair", "faults", "footer", "form"),
        *("full", "hindsight", "join", "keep", "kept", "keys", "late", "ledger", "lobby", "match", "me", "menu"),
        *("mine", "name", "named", "nav", "new", "noun", "prospects", "reaction", "refused", "result", "room"),
        *("rules", "scene", "screen", "self", "settings", "settle", "share", "site", "stake", "tale", "talk"),
        *("together", "value", "wake", "watch", "what"),
    )
)
"""What tables say in a waiting room, in a sheet, when they refuse something, or tell of what has happened."""
_AT_ONCE_TOO = (
    *("chat.unread", "error.offline", "error.unknown", "late.game.you", "lobby.nobody", "lobby.wait", "lobby.you"),
    *("me.back", "me.clock", "me.points", "me.stay", "menu.sound", "menu.sure", "mine.label", "nav.home"),
    *("prospects.title", "result.match", "result.title", "rules.by", "rules.read", "share.qr", "watch.join"),
)

_OWN = ("language", "locale")
"""What a language calls itself, and how it writes numbers and lists, if not as its name says: no other's."""
_FORMS = ("zero", "one", "two", "few", "many", "other")
_DIGITS = "digits"
"""The name of its numerals, in a language that has its own."""
_FROM_THE_RIGHT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Letters of scripts that are written from right to left."""
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_LISTS: Final[Mapping[Literal["and", "or"], Literal["standard", "or"]]] = {"and": "standard", "or": "or"}
"""How Babel calls the ways in which lists are joined."""


class Texts:
    """Texts of one language by key, with `{name}` for what is filled in.

    >>> texts = Texts("en", {"hello": "Hello, {name}!", "cards.one": "one card", "cards.other": "{count} cards"})
    >>> texts.t("hello", name="Ana"), texts.t("cards", count=1), texts.t("cards", count=3), texts.t("nothing")
    ('Hello, Ana!', 'one card', '3 cards', 'nothing')
    """

    def __init__(self, language: str, catalogue: Mapping[str, str]) -> None:
        self.language = language
        self._locale = Locale.parse(catalogue.get("locale", language), sep="-")
        self.catalogue = {**catalogue, **_ways(self._locale)}
        self.direction = self._locale.text_direction

    def __contains__(self, key: str) -> bool:
        return key in self.catalogue or f"{key}.other" in self.catalogue

    @property
    def name(self) -> str:
        """What this language calls itself."""
        return self.catalogue.get("language") or self._locale.get_display_name() or self.language

    def t(self, key: str, /, **values: object) -> str:
        """The text of a key; with `count`, in the plural form the language has for it. An unknown key is itself."""
        return self._text(key, values) or (key if key not in self else "")

    def _text(self, key: str, values: Mapping[str, object]) -> str | None:
        known, count = self.catalogue, values.get("count")
        form = f"{key}.{self._locale.plural_form(count)}" if isinstance(count, int) else key
        text = known.get(form) or known.get(key) or known.get(f"{key}.other")
        return (
            None if text is None else messages.filled(text, {name: self._shown(each) for name, each in values.items()})
        )

    def _shown(self, value: object) -> str:
        if isinstance(value, Said | Listed):
            return self.say(value)
        return self.isolated(value) if isinstance(value, str) else self.number(value)

    def isolated(self, text: str) -> str:
        """Return a text, such as a name, that does not change the order of what stands around it.

        Digits and brackets beside a Hebrew or Arabic name would move in an English sentence. Unicode's isolates do for
        a text what `bdi` does for an element.
        """
        turns = bool(_FROM_THE_RIGHT.search(text)) != (self.direction == "rtl")
        return f"{_ISOLATE}{text}{_END_OF_ISOLATE}" if turns and not text.startswith(_ISOLATE) else text

    def when(self, ms: int) -> str:
        """A moment in epoch milliseconds, for who has no script that knows their time zone.

        >>> Texts("en", {}).when(1_760_000_000_000)
        'Oct 9, 2025, 08:53 UTC'
        """
        at = datetime.fromtimestamp(ms / 1000, UTC)
        return f"{format_date(at, 'medium', locale=self._locale)}, {at:%H:%M} UTC"

    def number(self, value: object) -> str:
        """A whole number; below zero it has a minus sign, not a hyphen. Anything else as it is."""
        if not isinstance(value, int) or isinstance(value, bool):
            return str(value)
        return str(format_decimal(value, locale=self._locale)).replace("-", "−")

    def signed(self, points: int) -> str:
        """A number of points, with its sign.

        >>> texts = Texts("en", {})
        >>> texts.signed(1), texts.signed(0), texts.signed(-1)
        ('+1', '0', '−1')
        """
        return f"{'+' if points > 0 else ''}{self.number(points)}"

    def say(self, said: str) -> str:
        """What was said, in this language; a text that is no more than that stays as it is."""
        if isinstance(said, Listed):
            return self.listed([self._shown(part) for part in said.parts], said.joint)
        if isinstance(said, Said):
            return str(said) if (text := self._text(said.key, said.values)) is None else text
        return str(said)

    def said(self, key: str) -> Said:
        """A text of the catalogue, for a refusal to carry."""
        return Said(self.t(key), key, {})

    def listed(self, parts: Sequence[str], joint: messages.Joint = "and") -> str:
        """Names as a sentence has them: “Ana, Bob and Cat”."""
        if joint == "space":
            return " ".join(parts)
        return format_list([self.isolated(part) for part in parts], _LISTS[joint], self._locale)


class Catalogues:
    """Every language there is, English first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._by_rule = declared_texts()
        self._read()

    def _read(self) -> None:
        """What the files say now."""
        written = {path.stem: _texts(path) for path in sorted(self._folder.glob("*.json"))}
        said = {key: text for key, text in self._by_rule.items() if key.startswith("game.") or ".conflict." in key}
        page = {**messages.english(), **said, **written.pop(ENGLISH)}
        english = {**self._by_rule, **page}
        self._texts = {ENGLISH: Texts(ENGLISH, english)}
        self._page_keys = {*page, *_ways(Locale.parse(ENGLISH)), _DIGITS}
        rest = {key: text for key, text in english.items() if key not in _OWN}
        for language, texts in written.items():
            self._texts[language] = Texts(language, {**rest, **_without_forms(rest, texts), **texts})
            names.reserve(texts[word.key] for word in names.RESERVED if word.key in texts)

    def refresh(self) -> None:
        """Read the files again: where they are watched."""
        self._read()

    @property
    def english(self) -> Texts:
        """The language that is there in any case."""
        return self._texts[ENGLISH]

    def called(self, language: str) -> Texts:
        """The texts of a language; English if there are none any more."""
        return self._texts.get(language, self.english)

    @property
    def all(self) -> Sequence[Texts]:
        """Each language."""
        return tuple(self._texts.values())

    def of(self, scope: Scope) -> Texts:
        """The language of a request: the one chosen, else the first of those its browser asks for, else English."""
        for wanted in (_chosen(scope), *_accepted(header(scope, b"accept-language") or "")):
            for language in (wanted, wanted.partition("-")[0]):
                if language in self._texts:
                    return self._texts[language]
        return self.english

    def files(self) -> dict[str, bytes]:
        """What a page's scripts fetch: a catalogue for each language, without the texts that the server fills in, and
        the two parts of what tables need of it, since people wait for the first of them to see their cards."""
        tables = {key for key in self._page_keys if _is_said_at_tables(key)}
        at_once = {key for key in tables if _is_said_at_once(key)}
        return {
            f"messages/{kind}{texts.language}.json": _file(texts.catalogue, keys)
            for texts in self.all
            for kind, keys in (("", self._page_keys), (TABLE, at_once), (REST, tables - at_once))
        }


def _is_said_at_tables(key: str) -> bool:
    return key.startswith(_AT_TABLES_TOO) or not key.startswith(_ELSEWHERE)


def _is_said_at_once(key: str) -> bool:
    return key.startswith(_AT_ONCE_TOO) or not key.startswith(_ONCE_ASKED)


def _ways(locale: Locale) -> dict[str, str]:
    """How a language writes lists, as patterns with `{0}` and `{1}` for their start, middle and end, and for two, and
    its digits where they are not 0 to 9. No file says otherwise: for the server's own texts Babel is asked.

    >>> _ways(Locale.parse("en-GB", sep="-"))["list.or.2"], _ways(Locale("fa"))["digits"]
    ('{0} or {1}', 'arabext')
    """
    lists = {
        f"list.{joint}.{place}": text
        for joint, style in _LISTS.items()
        for place, text in locale.list_patterns[style].items()
    }
    digits = locale.default_numbering_system
    return lists if digits == "latn" else {**lists, _DIGITS: digits}


def _without_forms(english: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """Plural forms of English where another language has forms of its own: it may have fewer, and never mixes."""
    own = {key.rpartition(".")[0] for key in other if key.rpartition(".")[2] in _FORMS}
    return {
        key: other.get(f"{key.rpartition('.')[0]}.other", text)
        for key, text in english.items()
        if key.rpartition(".")[2] in _FORMS and key.rpartition(".")[0] in own
    }


def _file(catalogue: Mapping[str, str], page_keys: Any) -> bytes:
    # A language may have forms that English has not.
    forms = {
        f"{base}.{form}"
        for base, _, last in (key.rpartition(".") for key in page_keys)
        if last in _FORMS
        for form in _FORMS
    }
    sent = {key: text for key, text in catalogue.items() if key in page_keys or key in forms}
    return json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode()


def _texts(path: Path) -> dict[str, str]:
    texts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return texts


def _chosen(scope: Scope) -> str:
    for part in (header(scope, b"cookie") or "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return ""


@lru_cache
def _accepted(accept: str) -> tuple[str, ...]:
    """Languages as a browser asks for them, the dearest first.

    >>> _accepted("fr-CH, de;q=0.7, en;q=0.8, *;q=0.5")
    ('fr-CH', 'en', 'de')
    """
    ranked: list[tuple[float, str]] = []
    for part in accept[:200].split(","):
        language, _, weight = part.strip().partition(";")
        try:
            ranked.append((-float(weight.strip().removeprefix("q=") or 1), language.strip()))
        except ValueError:
            continue
    return tuple(language for _, language in sorted(ranked, key=lambda each: each[0]) if language not in ("", "*"))
