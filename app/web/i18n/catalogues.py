"""Message catalogues: texts by key and language.

English is combined at start from `static/messages/en.json` (texts of pages and scripts), the messages declared in
engine, rooms and web (`app/engine/base/messages.py`), and the declarations of the games. A file `locale/<language>.po`
replaces the texts that it has (`translations.py`). Plural rules, list and number formats, and the text direction come
from Babel on the server and from `Intl` in browsers. List patterns are sent to browsers all the same, as a slow phone
loads its own only after a delay.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set as AbstractSet
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache, partial, reduce
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal
from urllib.parse import parse_qsl

import structlog
from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.dates import format_date, format_skeleton, format_time, get_datetime_format
from babel.lists import format_list
from babel.numbers import format_decimal

from app import resources
from app.engine.base import messages
from app.engine.base.messages import MessageList, TranslatableMessage
from app.engine.games import GAMES
from app.rooms.people import names
from app.web.client_address import Scope, header
from app.web.i18n.declared_texts import SOMEBODY, bot_texts, declared_texts
from app.web.i18n.soft_hyphens import SOFT_HYPHEN, add_soft_hyphens, load_words
from app.web.i18n.translations import DamagedFile, Translation, source_texts

logger = structlog.get_logger("web")

ENGLISH = "en"
COOKIE = "lang"
"""The cookie with the chosen language."""
LONGEST_QUERY: Final = 2000
"""Bytes of an address's query in which a language is looked for."""

TABLE = "table."
"""Name prefix of the catalogues with the texts that a table needs for its first view."""
REST = "rest."
"""Name prefix of the catalogues with the other texts of tables, needed after the first action."""
FAIR = "fair."
"""Name prefix of the catalogues with the texts about fair deals, and of their keys. Lessons have no such deals."""
_KINDS: Final = ("", TABLE, REST, FAIR)
"""Name prefixes of the catalogues of a language, for pages and for tables."""
_ELSEWHERE = tuple(
    f"{prefix}."
    for prefix in (
        *(
            "account",
            "album",
            "book",
            "device",
            "docs",
            "error.home",
            "error.no_book",
            "error.no_invite",
            "error.no_match",
            "error.not_of_room",
            "error.text",
            "error.title",
            "fair.verdict",
            "footer.docs",
            "footer.operator",
        ),
        *("footer.text", "hands", "hindsight", "history", "home", "import", "join.watch", "kept", "learn.by_playing"),
        *("match", "me.ends", "me.nemesis", "me.none", "me.picture", "me.places", "me.rating", "me.room"),
        *("me.somebody", "me.title", "me.victim"),
        *(
            "message",
            "nav.history",
            "nav.main",
            "nav.mine",
            "nav.rules",
            "nav.skip",
            "new_room",
            "offline",
            "picture",
            "privacy",
        ),
        *("record", "recover", "replay", "room.phase", "rules.adds_up", "rules.all", "rules.also"),
        *("rules.at_table", "rules.basics", "rules.best", "rules.by_these", "rules.contents", "rules.here"),
        *("rules.other_names", "rules.others", "rules.presets", "rules.print", "rules.source", "rules.title"),
        *("rules.unknown", "scene", "seat_link", "settle.then", "site", "stood_out", "story"),
        *("starting.page", "survey", "together"),
        *(f"{game}.short" for game in GAMES),
    )
)
"""Texts that tables don't need. `message.` is for developers of clients. The server sends short rules as sentences."""
_AT_TABLES_TOO = ("book.open", "match.scenes")
_ON_REQUEST = tuple(
    f"{prefix}."
    for prefix in (
        *GAMES,
        *(f"{game.option_schema.presets[0].id.partition('-')[0]}-00" for game in GAMES.values()),
        *("back", "book", "chase.loses", "chase.loses_ace", "chase.reason", "chat", "clocks"),
        *("coach", "could", "end", "error", "event", "fair", "faults", "footer", "form", "full", "given", "guest"),
        *("hear", "join", "keep", "kept", "key", "keys", "late", "ledger", "lobby", "look", "match", "menu", "mine"),
        *("missed", "name", "named", "new", "next", "noun", "pace", "points", "prospects", "reaction", "reserve"),
        *("refused", "result", "room", "rules", "screen", "seat_offer", "self", "settings", "settle", "share"),
        *("sound", "stake", "stand_in", "starting", "sympathy", "tale", "talk", "together", "told", "value"),
        *("voice", "wake", "watch", "web", "what"),
    )
)
"""Texts of tables for the lobby, sheets, refusals, events, results and screen readers, which the first view does not
need."""
_AT_ONCE_TOO = (
    *("chat.unread", "error.offline", "error.unknown", "menu.leave", "menu.sound", "menu.sure", "mine.label"),
    *("next.in", "pace.finish", "prospects.title", "rules.by"),
    *("rules.read", "share.qr", "watch.join"),
)

_OWN = ("language", "locale")
"""Keys that no other language inherits: the language's name, and the locale of English dates and numbers."""
_SAID = "said."
"""Prefix of keys that have an English name or decree of a bot, for its translation."""
_SHOWN = "shown."
"""Prefix of keys that have a title, for its form with soft hyphens. Seats show it."""
_VOICE = "voice."
"""Prefix of dry remarks. Each kind has variants, numbered from 1, and a language may have fewer than English."""
_FORMS = ("zero", "one", "two", "few", "many", "other")
_DIGITS = "digits"
"""Key for the name of a language's numerals, if they are not 0 to 9."""
_TAG: Final = re.compile("[A-Za-z0-9-]{2,35}")
"""A language tag, of the longest length that browsers send."""
_FROM_THE_RIGHT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Characters of scripts written from right to left."""
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_LISTS: Final[Mapping[Literal["and", "or"], Literal["standard", "or"]]] = {"and": "standard", "or": "or"}
"""Babel's names for the styles of lists."""


class Texts:
    """The texts of one language by key, with placeholders such as `{name}`.

    >>> texts = Texts("en", {"hello": "Hello, {name}!", "cards.one": "one card", "cards.other": "{count} cards"})
    >>> texts.t("hello", name="Ana"), texts.t("cards", count=1), texts.t("cards", count=3), texts.t("nothing")
    ('Hello, Ana!', 'one card', '3 cards', 'nothing')
    """

    def __init__(self, language: str, catalogue: Mapping[str, str]) -> None:
        self.language = language
        self._locale = Locale.parse(catalogue.get("locale", language), sep="-")
        self.catalogue = {**catalogue, **_patterns(self._locale)}
        self.direction = self._locale.text_direction
        self._shown_names: Mapping[str, str] = {}

    def __contains__(self, key: str) -> bool:
        return key in self.catalogue or f"{key}.other" in self.catalogue

    @property
    def name(self) -> str:
        """The name of this language in the language itself."""
        return self.catalogue.get("language") or self._locale.get_display_name() or self.language

    def t(self, key: str, /, **values: object) -> str:
        """Return the text of a key with its placeholders filled; with `count`, in the plural form for that number.

        If the key is unknown, the key itself is returned.
        """
        return self._find_text(key, values) or (key if key not in self else "")

    def _find_text(self, key: str, values: Mapping[str, object]) -> str | None:
        known, count = self.catalogue, values.get("count")
        form = f"{key}.{self._locale.plural_form(count)}" if isinstance(count, int) else key
        text = known.get(form) or known.get(key) or known.get(f"{key}.other")
        return (
            None
            if text is None
            else messages.fill_placeholders(text, {name: self._format_value(each) for name, each in values.items()})
        )

    def _format_value(self, value: object) -> str:
        if isinstance(value, TranslatableMessage | MessageList):
            return self.say(value)
        return self.isolate_direction(value) if isinstance(value, str) else self.number(value)

    def isolate_direction(self, text: str) -> str:
        """Return a text, such as a name to be shown, so that its writing direction does not reorder the text around it.

        Digits and brackets beside a Hebrew or Arabic name would move in an English sentence. Unicode isolates do for
        plain text what `bdi` does in HTML.
        """
        text = self.shown_name(text)
        turns = bool(_FROM_THE_RIGHT.search(text)) != (self.direction == "rtl")
        return f"{_ISOLATE}{text}{_END_OF_ISOLATE}" if turns and not text.startswith(_ISOLATE) else text

    def when(self, ms: int) -> str:
        """Return a time in epoch milliseconds as text in UTC, for pages without scripts, which know no time zone.

        >>> Texts("en", {}).when(1_760_000_000_000)
        'Oct 9, 2025, 08:53 UTC'
        """
        time = format_time(datetime.fromtimestamp(ms / 1000, UTC), "HH:mm", locale=self._locale)
        pattern = str(get_datetime_format("medium", locale=self._locale)).replace("'", "")
        return messages.fill_placeholders(pattern, {"0": f"{time} UTC", "1": self.day(ms)})

    def day(self, ms: int) -> str:
        """Return the day of a time in epoch milliseconds as text, in UTC.

        >>> Texts("en", {}).day(1_760_000_000_000)
        'Oct 9, 2025'
        """
        return str(format_date(datetime.fromtimestamp(ms / 1000, UTC), "medium", locale=self._locale))

    def month(self, ms: int) -> str:
        """Return the month of a time in epoch milliseconds as text, in UTC.

        >>> Texts("en", {}).month(1_760_000_000_000)
        'October 2025'
        >>> Texts("ja", {}).month(1_760_000_000_000)
        '2025年10月'
        """
        return str(format_skeleton("yMMMM", datetime.fromtimestamp(ms / 1000, UTC), locale=self._locale))

    def number(self, value: object) -> str:
        """Return a whole number in the language's format, with a minus sign. Other values become plain text."""
        if not isinstance(value, int) or isinstance(value, bool):
            return str(value)
        return _format_number(value, self._locale)

    def signed(self, points: int) -> str:
        """Return a number of points in the language's format, with its sign.

        >>> texts = Texts("en", {})
        >>> texts.signed(1), texts.signed(0), texts.signed(-1)
        ('+1', '0', '−1')
        """
        return f"{'+' if points > 0 else ''}{self.number(points)}"

    def say(self, said: str) -> str:
        """Return a translatable message, or a list of them, as text in this language; plain text stays unchanged."""
        if isinstance(said, MessageList):
            return self.join_list([self._format_value(part) for part in said.parts], said.joint)
        if isinstance(said, TranslatableMessage):
            return str(said) if (text := self._find_text(said.key, said.values)) is None else text
        return str(said)

    def message(self, key: str) -> TranslatableMessage:
        """Return the text of a key as a translatable message, for use in an error.

        An unknown key gives the key itself as text.
        """
        return TranslatableMessage(self.t(key), key, {})

    def join_list(self, parts: Sequence[str], joint: messages.ListJoiner = "and") -> str:
        """Join names as in a sentence: “Ana, Bob and Cat”."""
        if joint == "space":
            return " ".join(parts)
        if joint == "unit":
            pattern = _comma_pattern(self._locale)
            return reduce(pattern.format, map(self.isolate_direction, parts)) if parts else ""
        return format_list([self.isolate_direction(part) for part in parts], _LISTS[joint], self._locale)

    def join_sentences(self, parts: Iterable[str]) -> str:
        """Join whole sentences as the language does: with a space, or without one. Empty texts are left out.

        >>> Texts("ja", {"text.sentences": "{0}{1}"}).join_sentences(["一。", "", "二。"])
        '一。二。'
        """
        pattern = self.catalogue.get("text.sentences", "{0} {1}")
        return reduce(
            lambda said, text: messages.fill_placeholders(pattern, {"0": said, "1": text}) if said else text,
            filter(None, parts),
            "",
        )

    def bot_text(self, text: str) -> str:
        """Return the name or the decree of a bot in this language; rooms and records have it in English.

        >>> texts = Texts("de", {"said.Pip": "Piep"})
        >>> texts.bot_text("Pip"), texts.bot_text("Pip 2"), texts.bot_text("Ana")
        ('Piep', 'Piep 2', 'Ana')
        """
        name, space, number = text.rpartition(" ")
        if number.isdigit() and f"{_SAID}{name}" in self.catalogue:
            return f"{self.catalogue[_SAID + name]}{space}{number}"
        return self.catalogue.get(f"{_SAID}{text}", text)

    def with_bots(self, players: Iterable[tuple[str, bool]]) -> "Texts":
        """Return texts that show bots by their names in this language, for a page about one room or match.

        `players`: all names, each with whether it is a bot. A bot keeps its English name if another player has the
        translated one.
        """
        is_bot = dict(players)
        translated = {name: self.bot_text(name) for name, bot in is_bot.items() if bot}
        shown = {name: other for name, other in translated.items() if other != name and other not in is_bot}
        if not shown:
            return self
        texts = copy(self)
        texts._shown_names = shown
        return texts

    def player_names(self, players: Sequence[Mapping[str, Any]]) -> list[str]:
        """Return the names of players (JSON with `name` and `bot`) of one room or match for display, in their order."""
        texts = self.with_bots((player["name"], bool(player["bot"])) for player in players)
        return [texts.shown_name(player["name"]) for player in players]

    def shown_name(self, name: str) -> str:
        """Return a player's name for display.

        The names of bots (see `with_bots`) and of people who deleted their data are in this language.
        """
        return self.bot_text(name) if name.startswith(names.NEUTRAL) else self._shown_names.get(name, name)

    def labelled(self, label: str, text: str) -> str:
        """Put a label before a text, as the language does: “Ana: 7”.

        >>> Texts("fr", {"text.label": "{0} : {1}"}).labelled("Ana", "7")
        'Ana : 7'
        """
        return self.t("text.label", **{"0": label, "1": text}) if "text.label" in self else f"{label}: {text}"


@dataclass(frozen=True, slots=True)
class Language:
    """A language that visitors can choose."""

    language: str
    """Its tag, such as `de`."""
    name: str
    """Its name in the language itself."""
    direction: str


@dataclass(frozen=True, slots=True)
class LateFiles:
    """Generated files that are made when the first of them is needed."""

    digest: bytes
    """A hash of the file from which they are made."""
    make: Callable[[], Mapping[str, bytes]]
    """Returns their contents by path."""


class Catalogues:
    """The texts of all languages that the server has, English first.

    At start only English is built, with a few texts of the others. Another language is read when its first visitor
    comes, which takes 0.1 s of CPU and 5 MB of memory.
    """

    def __init__(self, folder: Path | None = None, *, unfinished: bool = False) -> None:
        """Load English, and find the complete languages in a folder of PO files, by default that of the program.

        `unfinished`: also find languages that are not complete.
        """
        self._folder = folder or resources.locale_folder()
        self._unfinished = unfinished
        self._by_rule = declared_texts()
        self._changed_at: Mapping[Path, int] = {}
        self._texts: dict[str, Texts] = {}
        """The texts of languages that were needed so far."""
        self._reading = Lock()
        self.reload()

    def reload(self) -> None:
        """Load English and the names of all languages, if a file has changed. A damaged file is logged and left out.

        Also reserves words of each language that nobody may have as a name.
        """
        paths = sorted(self._folder.glob("*.po"))
        changed_at = {path: path.stat().st_mtime_ns for path in (_english_file(), *paths)}
        if changed_at == self._changed_at:
            return
        said = {key: text for key, text in self._by_rule.items() if key.startswith("game.") or ".conflict." in key}
        page = {**messages.english_texts(), **said, **_read_english()}
        self.sources = source_texts({**self._by_rule, **page})
        english = Texts(ENGLISH, {**self._by_rule, **page})
        self._page_keys = {*page, *_patterns(Locale.parse(ENGLISH)), _DIGITS}
        found = {ENGLISH: _language_of(english)}
        reserved = [word.key for word in names.RESERVED]
        keys = (*reserved, SOMEBODY, "language")
        for path in paths:
            try:
                start = Translation.read(path, keys)
            except DamagedFile as error:
                logger.warning("translation not read", reason=str(error))
                continue
            if self._unfinished or start.completeness in {"first", "all"}:
                few = {key: text for key in keys for text in start.texts(self.sources[key]).values()}
                found[start.language] = _language_of(Texts(start.language, few))
                names.reserve_words((few[key] for key in reserved if key in few), few.get(SOMEBODY, names.NEUTRAL))
        self._languages, self._texts, self._changed_at = found, {ENGLISH: english}, changed_at

    def _translate(self, translation: Translation) -> Texts:
        """Return the texts of a language: its own ones, and the English ones that it lacks."""
        own = {key: texts for key, source in self.sources.items() if (texts := translation.texts(source))}
        remarks = {key.rpartition(".")[0] for key in own if key.startswith(_VOICE)}
        silent = {key: "" for key, text in self.english.catalogue.items() if not text}
        catalogue = silent | {
            full: text
            for key, source in self.sources.items()
            if key in own or (key not in _OWN and key.rpartition(".")[0] not in remarks)
            for full, text in own.get(key, source.english).items()
        }
        said = {f"{_SAID}{text}": catalogue[key] for key, text in bot_texts().items() if catalogue[key] != text}
        titles = (text for key, text in catalogue.items() if key.startswith("title."))
        words = load_words(translation.language)
        shown = {f"{_SHOWN}{text}": add_soft_hyphens(text, words) for text in titles}
        shown = {key: text for key, text in shown.items() if SOFT_HYPHEN in text}
        return Texts(translation.language, catalogue | said | shown)

    @property
    def english(self) -> Texts:
        """The English texts, which are complete."""
        return self._texts[ENGLISH]

    def for_language(self, language: str) -> Texts:
        """Return the texts of a language, or of English if the server does not have it or its file is damaged."""
        if language not in self._languages:
            return self.english
        if language not in self._texts:
            with self._reading:
                if language not in self._texts:
                    self._texts[language] = self._read_or_english(language)
        return self._texts[language]

    def _read_or_english(self, language: str) -> Texts:
        try:
            return self._translate(Translation.read(self._folder / f"{language}.po"))
        except DamagedFile as error:
            logger.warning("translation not read", reason=str(error))
            return self.english

    @property
    def all_languages(self) -> Sequence[Language]:
        """All languages, English first."""
        return tuple(self._languages.values())

    def for_request(self, scope: Scope, chosen: str | None = None) -> Texts:
        """Return the texts in the language for a request. `chosen`: the language of the person, if known.

        The language is the one in the address, else the one of the person, else the one chosen by cookie, else the
        first known one in Accept-Language, else English.
        """
        return self.find_language(_address_language(scope), chosen, *_browser_languages(scope)) or self.english

    def requested_language(self, scope: Scope) -> str | None:
        """Return the tag of the language that a browser asks for first, by cookie or Accept-Language.

        It may be one that the server lacks. None if the browser asks for none.
        """
        return next((tag for tag in _browser_languages(scope) if best_language(tag, (tag,)) is not None), None)

    def find_language(self, *requested: str | None) -> Texts | None:
        """Return the texts of the first of these language tags that the server has a language for; None without one."""
        available = tuple(self._languages)
        found = (best_language(language, available) for language in requested if language)
        return next((self.for_language(language) for language in found if language is not None), None)

    def build_script_catalogues(self) -> dict[str, bytes | LateFiles]:
        """Return the catalogue files for scripts, by path: for each language one for pages and three for tables.

        Texts that only the server uses are left out. The first table file has what a player needs to see the cards.
        """
        files: dict[str, bytes | LateFiles] = {**self._script_files(ENGLISH)}
        for language in self._languages.keys() - {ENGLISH}:
            digest = hashlib.sha256((self._folder / f"{language}.po").read_bytes()).digest()
            late = LateFiles(digest, partial(self._script_files, language))
            files |= {f"messages/{kind}{language}.json": late for kind in _KINDS}
        return files

    def _script_files(self, language: str) -> dict[str, bytes]:
        tables = {key for key in self._page_keys if _is_table_text(key)}
        fair = {key for key in tables if key.startswith(FAIR) and key != "fair.title"}
        at_once = {key for key in tables if _is_first_view_text(key)}
        # At an upgrade, the files of all languages are made and stored. That must not keep all texts in memory.
        catalogue = (self._texts.get(language) or self._read_or_english(language)).catalogue
        own = {key for key in catalogue if key.startswith((_SAID, _SHOWN))}
        keys = (self._page_keys | own, at_once | own, tables - at_once - fair, fair)
        return {
            f"messages/{kind}{language}.json": _encode_catalogue(catalogue, each)
            for kind, each in zip(_KINDS, keys, strict=True)
        }


def _language_of(texts: Texts) -> Language:
    return Language(texts.language, texts.name, texts.direction)


def _is_table_text(key: str) -> bool:
    return key.startswith(_AT_TABLES_TOO) or not f"{key}.".startswith(_ELSEWHERE)


def _is_first_view_text(key: str) -> bool:
    return key.startswith(_AT_ONCE_TOO) or not key.startswith(_ON_REQUEST)


def _patterns(locale: Locale) -> dict[str, str]:
    """Return how scripts write a language's lists and numbers. No catalogue file changes it; the server uses Babel.

    The patterns of lists have `{0}` and `{1}`, and are for start, middle and end of a list, and for pairs. Numbers have
    their decimal sign, and the name of the numerals if these are not 0 to 9.

    >>> _patterns(Locale.parse("en-GB", sep="-"))["list.or.2"]
    '{0} or {1}'
    >>> _patterns(Locale("de"))["decimal"]
    ','
    >>> _patterns(Locale("fa"))["digits"]
    'arabext'
    """
    lists = {
        f"list.{joint}.{place}": text
        for joint, style in _LISTS.items()
        for place, text in locale.list_patterns[style].items()
    }
    lists |= {f"list.unit.{place}": _comma_pattern(locale) for place in ("start", "middle", "end", "2")}
    digits = locale.default_numbering_system
    patterns = {**lists, "decimal": locale.number_symbols[digits]["decimal"]}
    return patterns if digits == "latn" else {**patterns, _DIGITS: digits}


def _comma_pattern(locale: Locale) -> str:
    """Return the pattern for the middle of a list, which has no conjunction: `{0}, {1}`."""
    return str(locale.list_patterns["standard"]["middle"])


def _encode_catalogue(catalogue: Mapping[str, str], page_keys: AbstractSet[str]) -> bytes:
    # A language may have other plural forms than English.
    bases = {_without_form(key) for key in page_keys}
    sent = {key: text for key, text in catalogue.items() if key in page_keys or _without_form(key) in bases}
    return json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode()


def _without_form(key: str) -> str:
    """Return a key without its plural suffix, if it has one."""
    base, _, form = key.rpartition(".")
    return base if form in _FORMS else key


def _english_file() -> Path:
    return resources.static_folder() / "messages" / f"{ENGLISH}.json"


def _read_english() -> dict[str, str]:
    texts: dict[str, str] = json.loads(_english_file().read_text(encoding="utf-8"))
    return texts


def _address_language(scope: Scope) -> str | None:
    """Return the language in the address (`?language=de`), for pages that have their own language, or None."""
    query = scope.get("query_string", b"")[:LONGEST_QUERY]
    return dict(parse_qsl(query.decode("latin-1"))).get("language") if b"language=" in query else None


def _browser_languages(scope: Scope) -> tuple[str, ...]:
    """Return the tags of the languages that a browser asks for: that of the cookie, then those in Accept-Language."""
    return (_language_cookie(scope), *_accepted_languages(header(scope, b"accept-language") or ""))


def _language_cookie(scope: Scope) -> str:
    for part in (header(scope, b"cookie") or "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return ""


@lru_cache(maxsize=4096)
def _format_number(number: int, locale: Locale) -> str:
    """Return a number as text. Babel takes 24 µs for each, and a page of statistics has over a thousand."""
    return str(format_decimal(number, locale=locale)).replace("-", "−")


@lru_cache
def _accepted_languages(accept: str) -> tuple[str, ...]:
    """Return the languages of an Accept-Language header, most preferred first.

    >>> _accepted_languages("fr-CH, de;q=0.7, en;q=0.8, *;q=0.5")
    ('fr-CH', 'en', 'de')
    """
    ranked: list[tuple[float, str]] = []
    for part in accept[:200].split(","):
        language, _, weight = part.strip().partition(";")
        try:
            ranked.append((-float(weight.strip().removeprefix("q=") or 1), language.strip()))
        except ValueError:
            continue
    ranked.sort(key=lambda each: each[0])
    return tuple(language for weight_below_0, language in ranked if weight_below_0 < 0 and language not in ("", "*"))


@lru_cache(maxsize=1024)
def best_language(requested: str, available: tuple[str, ...]) -> str | None:
    """Return which of these languages is closest to a language tag; None if none is the same language.

    A language in another script or of another country is better than none.

    >>> best_language("zh-TW", ("en", "zh-Hans")), best_language("zh-TW", ("en", "zh-Hans", "zh-Hant"))
    ('zh-Hans', 'zh-Hant')
    >>> best_language("pt-BR", ("pt-PT", "pt-BR")), best_language("de-AT", ("en", "de")), best_language("fr", ("en",))
    ('pt-BR', 'de', None)
    """
    try:
        requested_locale = _likely_locale(requested) if _TAG.fullmatch(requested) else None
    except (ValueError, UnknownLocaleError):
        requested_locale = None
    if requested_locale is None:
        return None
    same = [language for language in available if _likely_locale(language).language == requested_locale.language]

    def closeness(language: str) -> tuple[bool, bool]:
        locale = _likely_locale(language)
        return locale.script == requested_locale.script, locale.territory == requested_locale.territory

    return max(same, key=closeness, default=None)


def _likely_locale(language: str) -> Locale:
    """Return the locale of a language tag, with the script and the country that it most likely means.

    Raises `ValueError` or `UnknownLocaleError` for an invalid or unknown tag.
    """
    locale = Locale.parse(language, sep="-")
    return Locale.parse(get_global("likely_subtags").get(str(locale), str(locale)))
