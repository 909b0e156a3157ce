"""Processor time for hostile input: it may grow with the size of a text, and no faster.

Each input is read at sizes n, 2n and 4n. Of five runs the best counts: others only add what else the machine does. Work
that grows with the square takes four times as long for twice the text.
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
from app.text_limits import LONGEST, TooLong
from app.web.client_address import READ, seen_through_proxies
from app.web.http.errors import Refusal
from app.web.matches import import_files
from app.web.matches.search import HistoryAsked
from app.web.protocol.client_messages import MESSAGES, parse
from app.web.protocol.message_errors import BadMessage
from app.web.push.safe_post import NotPublic, place_of
from app.web.services import rules_form, rules_link

RUNS: Final = 5
SIZES: Final = (1, 2, 4)
_TRUSTED: Final = (ip_network("127.0.0.0/8"),)
FASTER: Final = 8
"""Times as long for four times the text, from where on the work grows faster than the text. A square is 16 times; what
is in step with the text is 4 times, and somewhat more where a longer text no longer fits into the processor's cache."""
NEGLIGIBLE: Final = 0.02
"""Seconds, below which the size does not matter: megabytes are copied in less, and that says nothing of the work."""

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
"""What a text is made of, again and again."""


@dataclass(frozen=True, slots=True)
class Input:
    """One way in for a stranger's text."""

    name: str
    largest: int
    """Characters of the longest text that is tried: 4n."""
    read: Callable[[Any], object]
    written: Callable[[str], object] = str
    """Make what is read of such a text; that is not measured."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What reading an input took at each size."""

    input: str
    pattern: str
    characters: int
    """At the largest size."""
    seconds: tuple[float, ...]
    """By size, smallest first."""

    @property
    def grows_too_fast(self) -> bool:
        """Whether the time grows faster than the text."""
        return self.seconds[-1] > max(NEGLIGIBLE, FASTER * self.seconds[0])


def inputs() -> Iterator[Input]:
    """List every way in for a stranger's text; those that hold it to a length get more than they take."""
    yield Input("name", 64_000, names.clean)
    yield Input("two names compared", LONGEST, lambda text: names.alike(text, text[::-1]))
    yield Input("unit of a stake", 64_000, lambda text: Stake.read({"amount": 1, "unit": text}))
    yield Input("line of the chat", 64_000, chat.cleaned)
    yield Input("push service", 64_000, place_of)
    yield Input("filters of the history", 16_000, lambda text: HistoryAsked.of({"q": text, "person": text, "to": text}))
    yield Input("link with rules", 16_000, lambda text: rules_link.understood({"game": text, text: text}))
    yield Input("link with a preset", 16_000, lambda text: rules_link.understood({"preset": text, text: text}))
    for game in GAMES.values():
        for switch in game.declared.switches:
            yield Input(f"{game.key}.{switch.key} in a link", LONGEST, _field_of_form(game, switch.key))
    yield Input("X-Forwarded-For", READ[b"x-forwarded-for"], _through_a_proxy)
    for kind in MESSAGES:
        yield Input(f"message {kind}", 8_000, _message(kind))
    files: dict[str, Callable[[str], bytes]] = {
        "file": lambda text: text.encode("utf-8", "replace"),
        "key of a file, twice": lambda text: f"{{{_quoted(text)}:1,{_quoted(text)}:2}}".encode(),
        "text in a file": lambda text: f'{{"format":{_quoted(text)}}}'.encode(),
        "list in a file": lambda text: f"[{text}1]".encode("utf-8", "replace"),
    }
    for name, written in files.items():
        yield Input(name, 4_000_000, lambda file: import_files.read(file, Limits()), written)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _field_of_form(game: Any, key: str) -> Callable[[str], object]:
    return lambda text: game.declared.resolve(rules_form.read(game, {key: text}))


def _through_a_proxy(text: str) -> object:
    said = text.encode("utf-8")[: READ[b"x-forwarded-for"]]
    scope = {"type": "http", "scheme": "http", "client": ("127.0.0.1", 0), "headers": [(b"x-forwarded-for", said)]}
    return seen_through_proxies(scope, _TRUSTED)


def _message(kind: str) -> Callable[[str], object]:
    fields = [name for name in MESSAGES[kind].__struct_fields__ if name not in ("by", "id")] or ["more"]

    def read(text: str) -> None:
        for field in fields:
            for value in (text, {text: text}, [text]):
                try:
                    parse(json.dumps({"t": kind, "id": "k", field: value}), by="p")
                except BadMessage:
                    continue

    return read


def measured(each: Iterable[Input], patterns: Mapping[str, str] = PATTERNS) -> Iterator[Cost]:
    """Read every input with every pattern, at three sizes, and give what each took."""
    for one in each:
        for name, pattern in patterns.items():
            yield cost(one, name, pattern)
        # Unicode sorts marks of two classes, one after the other.
        half = one.largest // 2
        yield cost(one, "marks of two classes", "\u0301" * half + "\u0316" * half)


def cost(one: Input, name: str, pattern: str) -> Cost:
    """Read an input at each size, five times, and give the best time of each."""
    whole = (pattern * (1 + one.largest // len(pattern)))[: one.largest]
    middle = len(whole) // 2

    def text(size: int) -> str:
        # Around the middle, where both halves of a pattern meet.
        length = one.largest * size // SIZES[-1]
        return whole[middle - length // 2 : middle + (length + 1) // 2]

    seconds = tuple(_best(one.read, one.written(text(size))) for size in SIZES)
    return Cost(one.name, name, one.largest, seconds)


def _best(read: Callable[[Any], object], given: object) -> float:
    return min(_once(read, given) for _ in range(RUNS))


def _once(read: Callable[[Any], object], given: object) -> float:
    began = time.thread_time()
    with suppress(RoomError, RuleError, Refusal, BadMessage, NotPublic, TooLong, ValueError):
        read(given)
    return time.thread_time() - began
