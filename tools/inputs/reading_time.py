"""Measure CPU time for hostile input: it may grow in proportion to the size of a text, but not faster.

Each input is read at sizes n, 2n and 4n. The best of five runs counts, because other load only makes runs slower.
With quadratic work, twice the text takes four times the time.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Any, Final

from app.engine.base.errors import RuleError
from app.engine.games import GAMES
from app.rooms.errors import RoomError
from app.rooms.money.stake import Stake
from app.rooms.people import chat, names
from app.settings import Limits
from app.text_limits import MAX_TEXT_LENGTH, TooLong
from app.web.client_address import MAX_HEADER_BYTES, with_forwarded_client
from app.web.http.errors import HttpError
from app.web.matches import import_files
from app.web.matches.saved_imports import file_limits
from app.web.matches.search import MatchQuery
from app.web.protocol.client_messages import MESSAGES, parse_message
from app.web.protocol.message_errors import BadMessage
from app.web.push.safe_post import NotPublicAddress, parse_endpoint
from app.web.services import rules_form, rules_link

RUNS: Final = 5
SIZES: Final = (1, 2, 4)
_TRUSTED: Final = (ip_network("127.0.0.0/8"),)
FASTER: Final = 8
"""Ratio of the times at 4n and n above which the work grows too fast.

Linear work has a ratio of 4, or somewhat more if the text no longer fits into the processor's cache. Quadratic work has
a ratio of 16.
"""
NEGLIGIBLE: Final = 0.02
"""Times up to this number of seconds never count as too long: merely copying megabytes can take that time."""

PATTERNS: Final[Mapping[str, str]] = {
    "letters": "a",
    "marks of one class": "\u0301",
    "letters that become 18": "\ufdfa",
    "spaces": " ",
    "invisible": "\u200b",
    "quotes": '"',
    "backslashes": "\\",
    "brackets": "[",
    "braces": "{",
    "digits": "9",
    "commas": "1,",
    "cards": "7c ",
    "percent signs": "%41",
    "dots": "a.",
}
"""Patterns that are repeated to make a hostile text, by name."""


@dataclass(frozen=True, slots=True)
class Input:
    """One kind of input from clients, with the function that reads it, to be tried with hostile text.

    `largest` is the number of characters of the longest tried text. `written` makes the input from a text, and `read`
    reads the input; only `read` is timed.
    """

    name: str
    largest: int
    """Number of characters of the longest tried text (4n)."""
    read: Callable[[Any], object]
    written: Callable[[str], object] = str
    """Converts the text to the input of `read`; its time is not measured."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The CPU time in seconds for reading one kind of input with one pattern of text, by size.

    `characters` is the number of characters at the largest size. `seconds` are the best times, smallest size first.
    """

    input: str
    pattern: str
    characters: int
    """Number of characters at the largest size."""
    seconds: tuple[float, ...]
    """Best CPU seconds by size, smallest size first."""

    @property
    def grows_too_fast(self) -> bool:
        """Whether the time for hostile input grows faster than the text (`FASTER`) and is not negligible."""
        return self.seconds[-1] > max(NEGLIGIBLE, FASTER * self.seconds[0])


def all_inputs() -> Iterator[Input]:
    """Yield every kind of input with text from clients, for the measurement of reading times.

    Inputs with a maximum length are tried with longer texts, too.
    """
    yield Input("name", 64_000, names.clean_name)
    yield Input("two names compared", MAX_TEXT_LENGTH, lambda text: names.look_alike(text, text[::-1]))
    yield Input("unit of a stake", 64_000, lambda text: Stake.parse({"amount": 1, "unit": text}))
    yield Input("line of the chat", 64_000, chat.clean_message)
    yield Input("push service", 64_000, parse_endpoint)
    yield Input(
        "filters of the history", 16_000, lambda text: MatchQuery.from_query({"q": text, "person": text, "to": text})
    )
    yield Input("link with rules", 16_000, lambda text: rules_link.parse_rules_link({"game": text, text: text}))
    yield Input("link with a preset", 16_000, lambda text: rules_link.parse_rules_link({"preset": text, text: text}))
    for game in GAMES.values():
        for switch in game.option_schema.all_options:
            yield Input(f"{game.key}.{switch.key} in a link", MAX_TEXT_LENGTH, _form_field_reader(game, switch.key))
    yield Input("X-Forwarded-For", MAX_HEADER_BYTES[b"x-forwarded-for"], _read_forwarded_header)
    for kind in MESSAGES:
        yield Input(f"message {kind}", 8_000, _message_reader(kind))
    files: dict[str, Callable[[str], bytes]] = {
        "file": lambda text: text.encode("utf-8", "replace"),
        "key of a file, twice": lambda text: f"{{{_as_json_string(text)}:1,{_as_json_string(text)}:2}}".encode(),
        "text in a file": lambda text: f'{{"format":{_as_json_string(text)}}}'.encode(),
        "list in a file": lambda text: f"[{text}1]".encode("utf-8", "replace"),
    }
    for name, written in files.items():
        yield Input(name, 4_000_000, lambda file: import_files.read_and_check(file, file_limits(Limits())), written)


def _as_json_string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _form_field_reader(game: Any, key: str) -> Callable[[str], object]:
    return lambda text: game.option_schema.resolve_options(rules_form.parse_options(game, {key: text}))


def _read_forwarded_header(text: str) -> object:
    said = text.encode("utf-8")[: MAX_HEADER_BYTES[b"x-forwarded-for"]]
    scope = {"type": "http", "scheme": "http", "client": ("127.0.0.1", 0), "headers": [(b"x-forwarded-for", said)]}
    return with_forwarded_client(scope, _TRUSTED)


def _message_reader(kind: str) -> Callable[[str], object]:
    fields = [name for name in MESSAGES[kind].__struct_fields__ if name not in ("by", "id")] or ["more"]

    def read(text: str) -> None:
        for field in fields:
            for value in (text, {text: text}, [text]):
                try:
                    parse_message(json.dumps({"t": kind, "id": "k", field: value}), by="p")
                except BadMessage:
                    continue

    return read


def measure_inputs(each: Iterable[Input], patterns: Mapping[str, str] = PATTERNS) -> Iterator[Cost]:
    """Measure reading times of every kind of input with every pattern of hostile text, and yield the costs.

    Each is read at three sizes, to see whether the time grows faster than the text.
    """
    for one in each:
        for name, pattern in patterns.items():
            yield measure_input(one, name, pattern)
        # Unicode normalization sorts marks of different classes.
        half = one.largest // 2
        yield measure_input(one, "marks of two classes", "\u0301" * half + "\u0316" * half)


def measure_input(one: Input, name: str, pattern: str) -> Cost:
    """Read a kind of input at each size, `RUNS` times, with text of this pattern; return the best times."""
    whole = (pattern * (1 + one.largest // len(pattern)))[: one.largest]
    middle = len(whole) // 2

    def text(size: int) -> str:
        # Around the middle, where both halves of a pattern meet.
        length = one.largest * size // SIZES[-1]
        return whole[middle - length // 2 : middle + (length + 1) // 2]

    seconds = tuple(_best_time(one.read, one.written(text(size))) for size in SIZES)
    return Cost(one.name, name, one.largest, seconds)


def _best_time(read: Callable[[Any], object], given: object) -> float:
    return min(_time_once(read, given) for _ in range(RUNS))


def _time_once(read: Callable[[Any], object], given: object) -> float:
    began = time.thread_time()
    with suppress(RoomError, RuleError, HttpError, BadMessage, NotPublicAddress, TooLong, ValueError):
        read(given)
    return time.thread_time() - began
