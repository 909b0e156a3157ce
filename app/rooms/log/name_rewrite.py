"""Replace a person's name in all stored data of a room: log events, snapshots, and the history of its matches.

All of it is JSON here. A name can be any word, such as “seated” or “cards”, so the keys decide where a value is a
name. `tests/rooms/log/test_name_rewrite.py` plays the same matches under other names and compares every byte.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from app.engine.cards.action_codec import MAX_DECREE_LENGTH
from app.rooms.model import shuffle_proof
from app.rooms.money.stake import MAX_UNIT_LENGTH
from app.rooms.people.names import NEUTRAL
from app.rooms.ports.storage import StoredEvent
from app.text_limits import check_length, normalize

KEYS_ONLY: Final = frozenset({
    "cards", "seeds", "totals", "titles", "titles_before", "ledger", "names", "turns", "away", "waits", "points",
    "tallies", "claims", "luck", "former",
})  # fmt: skip
"""Keys of objects whose keys may be names, but whose values never contain names."""
BY_NAME: Final = KEYS_ONLY | {"faces", "lies", "people", "memory", "to", "each", "accounts"}
"""Keys of objects whose keys may be names."""
NO_NAMES: Final = frozenset({
    "do", "e", "role", "stand_in", "lent", "going", "auto", "kind", "as", "call", "claim", "have", "want", "phase",
    "cause", "format", "game", "preset", "options", "clock", "code", "invite", "id", "person", "match_id",
    "secret", "value", "digest", "link", "bird", "colour", "pack", "stock", "key", "unit", "banned",
    "commitment", "cut", "seed", "hash", "hashes", "promised", "how", "known", "blocks",
    "taken", "given", "card", "matter", "subject",
    "maker", "device", "link_maker", "link_device",
})  # fmt: skip
"""Keys of values without names: fixed words, cards and numbers."""
TEXTS: Final = {"text": MAX_DECREE_LENGTH, "unanswered": MAX_DECREE_LENGTH}
"""Keys of texts written by people, which may contain names, with the longest text that can be read again."""


@dataclass(frozen=True, slots=True)
class NameRewrite:
    """The names to replace in a room's stored data, when a person's data is deleted."""

    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """New names, by stored name."""
    said: Mapping[str, str] = field(default_factory=dict[str, str])
    """Replacements for texts written by people, by the name that a text may contain."""
    plain: Collection[str] = ()
    """Stored names of people whose chosen name is removed."""


def replace_names(
    value: Any, names: Mapping[str, str], key: str = "", names_in_text: Mapping[str, str] | None = None
) -> Any:
    """Return a copy of stored JSON in which each name in `names` is replaced by its new name.

    `key`: the JSON key of `value`, which decides whether it is a name at all. `names_in_text`: the replacements for
    texts written by people, if they differ.

    >>> replace_names({"by": "Ana", "action": {"do": "Ana", "to": "Bob"}}, {"Ana": "Somebody 1"})
    {'by': 'Somebody 1', 'action': {'do': 'Ana', 'to': 'Bob'}}
    >>> replace_names({"text": "Ana sings for Anabel"}, {"Ana": "Somebody 1"})
    {'text': 'Somebody 1 sings for Anabel'}
    >>> replace_names({"ranks": ["K", "Bob"]}, {"K": "Somebody 1"}), replace_names({"ranks": "K"}, {"K": "Somebody 1"})
    ({'ranks': ['Somebody 1', 'Bob']}, {'ranks': 'K'})
    """
    names_in_text = names if names_in_text is None else names_in_text
    if key in NO_NAMES or (key == "ranks" and isinstance(value, str)):
        return value
    match value:
        case str() if key in TEXTS:
            return _replace_in_limited_text(value, names_in_text, TEXTS[key])
        case {"stake": {"unit": str(unit)} as stake} if key == "settings":
            return {**value, "stake": {**stake, "unit": _replace_in_limited_text(unit, names_in_text, MAX_UNIT_LENGTH)}}
        case _ if key == "settings":
            return value
        case [person, str(command)] if key == "cmd":  # clients choose the ids of commands
            return [person, replace_names_in_text(command, names_in_text)]
        case dict() if key == "answers":
            return {
                person: {replace_names_in_text(each, names_in_text): seq for each, seq in answered.items()}
                for person, answered in value.items()
            }
        case str():
            return value if key in KEYS_ONLY else names.get(value, value)
        case list():
            within = "" if key == "ranks" else key  # a list is a hierarchy, a text has ranks of cards
            return [replace_names(each, names, within, names_in_text) for each in value]
        case dict():
            return _replace_names_in_object(value, names, key, names_in_text)
        case _:
            return value


def _replace_names_in_object(
    mapping: dict[str, Any], names: Mapping[str, str], key: str, names_in_text: Mapping[str, str]
) -> dict[str, Any]:
    if "givers" in mapping:
        # A proof, or the closed list of a deal: its other parts have numbers in place of names.
        mapping = {**mapping, "givers": {n: names.get(name, name) for n, name in mapping["givers"].items()}}
        return {
            each: replace_names(of, names, each, names_in_text) if each in ("order", "list", "by", "cancelled") else of
            for each, of in mapping.items()
        }
    if "commitment" in mapping and "pack" in mapping and not names.keys().isdisjoint(mapping["seeds"]):
        mapping = dict(shuffle_proof.without_names(mapping))
    if key not in BY_NAME:
        return {each: replace_names(value, names, each, names_in_text) for each, value in mapping.items()}
    within = {"to": "cards", "accounts": ""}.get(key, key)  # cards given away, by recipient
    return {
        names.get(each, each): replace_names(value, names, within, names_in_text) for each, value in mapping.items()
    }


# Names in texts written by people -----------------------------------------------------------------------------


def replace_names_in_text(text: str, names: Mapping[str, str]) -> str:
    """Return a text with these names replaced where they are whole words, ignoring case and accents.

    Misspelled names are not recognized, because they could be other words.

    >>> replace_names_in_text("ZOË sings, zoe's friend too; Zoey does not", {"Zoe": "Somebody 1"})
    "Somebody 1 sings, Somebody 1's friend too; Zoey does not"
    """
    for name, other in names.items():
        text = _replace_word(text, _normalize_with_offsets(name)[0], other)
    return text


def _replace_in_limited_text(text: str, names: Mapping[str, str], most: int) -> str:
    """Return a text with names replaced, cut to `most` characters: a longer text could not be read again."""
    changed = replace_names_in_text(text, names)
    return text if changed == text else changed[:most].rstrip()


def _replace_word(text: str, word: str, other: str) -> str:
    folded, places = _normalize_with_offsets(text)
    result, done = "", 0
    for found in re.finditer(re.escape(word), folded) if word else ():
        start, end = places[found.start()], places[found.end()]
        if not (
            _is_inside_word(folded, found.start() - 1, found.start())
            or _is_inside_word(folded, found.end() - 1, found.end())
        ):
            result, done = f"{result}{text[done:start]}{other}", end
    return result + text[done:]


def _is_inside_word(text: str, before: int, after: int) -> bool:
    """Return whether the characters at `before` and `after` belong to one word, so that no name ends between them."""
    return before >= 0 and after < len(text) and _is_word_character(text[before]) and _is_word_character(text[after])


def _is_word_character(char: str) -> bool:
    return char == "_" or unicodedata.category(char)[0] in "LMN"


def _normalize_with_offsets(text: str) -> tuple[str, list[int]]:
    """Return a text in lower case without accents, and the index in `text` of each of its characters and of its end."""
    folded, places = "", list[int]()
    for place, char in enumerate(text):
        plain = normalize("NFKD", check_length(normalize("NFKD", check_length(char)).casefold()))
        plain = "".join(each for each in plain if not unicodedata.combining(each))
        folded += plain
        places += [place] * len(plain)
    return folded, [*places, len(text)]


# Owners of names ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class NameOwner:
    """A name in a room's log, for a range of log entries, with the persons who used it.

    Several persons own it if its seat moved to another browser. Needed to delete the name of one person only.
    """

    name: str
    persons: set[str]
    first: int
    last: int | None = None
    """The last entry; None: still valid."""
    how: Literal["own", "chair", "lent"] = "own"
    """The origin of the name.

    "own": chosen in this room. In a variation, "chair": the name of a seat in the original match; "lent": the same
    name, used by a person who takes that seat.
    """

    def was_owned_at(self, seq: int) -> bool:
        """Return whether log entry number `seq` is in the range in which these persons owned the name."""
        return self.first <= seq and (self.last is None or seq <= self.last)


NAMING: Final = frozenset({"joined", "bot_came", "seat_moved", "sat_down"})
"""Kinds of log events that assign a name to a person."""
RENAMING: Final = "looks_changed"
"""The kind of the log event with which a person chooses another name than that of their seat in a match."""
VARIATION: Final = "resumed"
"""The kind of the log event that starts a variation."""
STARTING: Final = frozenset({"started", "continued", VARIATION})
"""Kinds of log events that start a match, or a volume of a match."""


def find_name_owners(
    log: Iterable[StoredEvent], variation_seats: Mapping[str, set[str]] | None = None
) -> list[NameOwner]:
    """Return who owned each name in these log entries, which must be in order: needed to delete one person's name.

    `variation_seats`: the seats of a variation, each with the persons who own its name. A person who takes such a seat
    only borrows the name.
    """
    scan = _OwnerScan(variation_seats or {})
    for entry in log:
        scan.read_event(entry)
    return scan.found


class _OwnerScan:
    """Reads a room's log entry by entry and collects which persons owned which names."""

    def __init__(self, variation_seats: Mapping[str, set[str]]) -> None:
        self._now = {name: NameOwner(name, set(persons), 1, how="chair") for name, persons in variation_seats.items()}
        self._sitting: dict[str, list[NameOwner]] = {name: [] for name in variation_seats}
        """The persons who took each seat of a variation, in order."""
        self._begun = not variation_seats
        self.found = list(self._now.values())

    def read_event(self, entry: StoredEvent) -> None:
        """Take the next log entry into account. Only entries that assign a name to a person matter."""
        if entry.kind not in NAMING:
            self._begun = self._begun or entry.kind == VARIATION
            return
        name, person = entry.data["name"], entry.data.get("person", "")
        if name in self._sitting and (self._is_sitting(name, person) or entry.kind != "joined" or not self._begun):
            self._record_sitting(name, person, entry)
            return
        had = self._now.get(name)
        if had is not None and (person in had.persons or entry.kind == "seat_moved"):
            had.persons.add(person)
            return
        for ended in (had, *self._sitting.pop(name, ())[-1:]):
            if ended is not None:
                ended.last = entry.seq - 1
        self._now[name] = NameOwner(name, {person}, entry.seq)
        self.found.append(self._now[name])

    def _is_sitting(self, name: str, person: str) -> bool:
        return any(person in each.persons for each in self._sitting[name])

    def _record_sitting(self, name: str, person: str, entry: StoredEvent) -> None:
        before = self._sitting[name]
        if before and (person in before[-1].persons or entry.kind == "seat_moved"):
            before[-1].persons.add(person)
            return
        if before:
            before[-1].last = entry.seq - 1
        before.append(NameOwner(name, {person}, entry.seq, how="lent"))
        self.found.append(before[-1])


def rewrite_event(kind: str, data: dict[str, Any], renaming: NameRewrite) -> dict[str, Any]:
    """Return a log event's data with names replaced, for deleting a person's data.

    Also removes the chosen name of members listed in `renaming.plain`. Birds and colours stay, because the faces of
    other players depend on them.
    """
    if kind == RENAMING and data["name"] in renaming.plain:
        data = {**data, "called": None}
    changed: dict[str, Any] = replace_names(data, renaming.names, names_in_text=renaming.said)
    return changed


def rewrite_snapshot(state: dict[str, Any], renaming: NameRewrite) -> dict[str, Any]:
    """Return a room's snapshot with names replaced, for deleting a person's data.

    Also removes the chosen name of members listed in `renaming.plain`.
    """
    members = [{**each, "called": None} if each["name"] in renaming.plain else each for each in state["members"]]
    changed: dict[str, Any] = replace_names({**state, "members": members}, renaming.names, names_in_text=renaming.said)
    return changed


def find_neutral_names(value: Any) -> set[str]:
    """Return the names like “Somebody 3”, which replace names of deleted people, that occur anywhere in stored JSON.

    >>> sorted(find_neutral_names([{"seats": ["Ana", "Somebody 1"]}, {"name": "Somebody 12"}]))
    ['Somebody 1', 'Somebody 12']
    """
    return set(re.findall(rf"{NEUTRAL} [0-9]+", json.dumps(value)))


def free_neutral_name(taken: set[str]) -> str:
    """Return the first name like “Somebody 3” that is not taken, to replace the name of a deleted person.

    >>> free_neutral_name({"Ana", "Somebody 1"})
    'Somebody 2'
    """
    return next(name for n in range(1, len(taken) + 2) if (name := f"{NEUTRAL} {n}") not in taken)


def is_neutral_name(name: str) -> bool:
    """Return whether this is a name like “Somebody 3”, which has replaced the name of a deleted person."""
    return re.fullmatch(rf"{NEUTRAL} [0-9]+", name) is not None
