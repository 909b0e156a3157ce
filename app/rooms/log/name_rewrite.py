"""Another name for somebody in all that is kept of a room: entries, snapshots, and what the history has of its matches.

All of that is JSON by now. Where a name may stand is said here by the keys: a name can be any word, such as “seated” or
“cards”, and only where it is a name it is replaced. `tests/rooms/log/test_name_rewrite.py` plays the same evenings
under other names and wants every byte to be the same.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from app.rooms.model import shuffle_proof
from app.rooms.ports.storage import StoredEntry
from app.text_limits import bounded, normalize

NEUTRAL: Final = "Somebody"
"""What people are called who are forgotten, with a number: no name of anybody."""

KEYS_ONLY: Final = frozenset({
    "cards", "seeds", "totals", "titles", "titles_before", "ledger", "names", "turns", "away", "waits", "points",
    "tallies", "claims", "luck", "former",
})  # fmt: skip
"""What may have names for keys, and none within."""
BY_NAME: Final = KEYS_ONLY | {"hues", "lies", "people", "memory", "to", "each", "accounts"}
"""What may have names for keys."""
NO_NAMES: Final = frozenset({
    "do", "e", "role", "stand_in", "lent", "going", "auto", "kind", "as", "call", "claim", "have", "want", "phase",
    "cause", "format", "game", "preset", "options", "settings", "clock", "code", "invite", "id", "person", "match_id",
    "secret", "value", "digest", "link", "bird", "colour", "cmd", "pack", "stock", "key", "unit", "banned", "answers",
    "commitment", "cut", "seed", "hash", "hashes", "promised", "how", "known", "blocks",
    "taken", "given", "card", "matter",
    "maker", "device", "link_maker", "link_device",
})  # fmt: skip
"""What has words of ours, cards and numbers, and no name, whatever it says."""
TEXTS: Final = frozenset({"text", "unanswered"})
"""What people wrote: names stand within it."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """Other names for some in what is kept."""

    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """By the name that each has there."""
    said: Mapping[str, str] = field(default_factory=dict[str, str])
    """By the names that people may mean in what they wrote."""
    plain: Collection[str] = ()
    """Names, as they are, of those who lose their looks and wishes."""


def renamed(kept: Any, names: Mapping[str, str], key: str = "", said: Mapping[str, str] | None = None) -> Any:
    """Give what is kept under this key with these names replaced; in texts, those of `said` if they are others.

    >>> renamed({"by": "Ana", "action": {"do": "Ana", "to": "Bob"}}, {"Ana": "Somebody 1"})
    {'by': 'Somebody 1', 'action': {'do': 'Ana', 'to': 'Bob'}}
    >>> renamed({"text": "Ana sings for Anabel"}, {"Ana": "Somebody 1"})
    {'text': 'Somebody 1 sings for Anabel'}
    """
    said = names if said is None else said
    if key in NO_NAMES or (key == "ranks" and isinstance(kept, str)):
        return kept
    match kept:
        case str() if key in TEXTS:
            return reworded(kept, said)
        case str():
            return kept if key in KEYS_ONLY else names.get(kept, kept)
        case list():
            return [renamed(each, names, key, said) for each in kept]
        case dict():
            return _in_object(kept, names, key, said)
        case _:
            return kept


def _in_object(kept: dict[str, Any], names: Mapping[str, str], key: str, said: Mapping[str, str]) -> dict[str, Any]:
    if "givers" in kept:
        # A proof, or the closed list of a deal: everything else in it is numbered.
        kept = {**kept, "givers": {n: names.get(name, name) for n, name in kept["givers"].items()}}
        return {each: renamed(of, names, each, said) if each in ("order", "list") else of for each, of in kept.items()}
    if "commitment" in kept and "pack" in kept and not names.keys().isdisjoint(kept["seeds"]):
        kept = dict(shuffle_proof.unnamed(kept))
    if key not in BY_NAME:
        return {each: renamed(value, names, each, said) for each, value in kept.items()}
    within = {"to": "cards", "accounts": ""}.get(key, key)  # gifts, by whom they are for
    return {names.get(each, each): renamed(value, names, within, said) for each, value in kept.items()}


# In what people wrote -----------------------------------------------------------------------------------------


def reworded(text: str, names: Mapping[str, str]) -> str:
    """Give a text with these names replaced, however their letters are written: large or small, with marks or without.

    Only whole words are names. What is misspelled otherwise nobody can tell from another word.

    >>> reworded("ZOË sings, zoe's friend too; Zoey does not", {"Zoe": "Somebody 1"})
    "Somebody 1 sings, Somebody 1's friend too; Zoey does not"
    """
    for name, other in names.items():
        text = _replaced(text, _folded(name)[0], other)
    return text


def _replaced(text: str, wanted: str, other: str) -> str:
    folded, places = _folded(text)
    made, done = "", 0
    for found in re.finditer(re.escape(wanted), folded) if wanted else ():
        start, end = places[found.start()], places[found.end()]
        if not (_goes_on(folded, found.start() - 1, found.start()) or _goes_on(folded, found.end() - 1, found.end())):
            made, done = f"{made}{text[done:start]}{other}", end
    return made + text[done:]


def _goes_on(text: str, before: int, after: int) -> bool:
    """Whether a word goes on from one of these characters, which are neighbours, to the other."""
    return before >= 0 and after < len(text) and _is_of_a_word(text[before]) and _is_of_a_word(text[after])


def _is_of_a_word(char: str) -> bool:
    return char == "_" or unicodedata.category(char)[0] in "LMN"


def _folded(text: str) -> tuple[str, list[int]]:
    """Give a text without large letters and marks on letters; and for each character of it, and for its end, where in
    the text it begins."""
    folded, places = "", list[int]()
    for place, char in enumerate(text):
        plain = normalize("NFKD", bounded(normalize("NFKD", bounded(char)).casefold()))
        plain = "".join(each for each in plain if not unicodedata.combining(each))
        folded += plain
        places += [place] * len(plain)
    return folded, [*places, len(text)]


# Whose names are ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Bearer:
    """A name in a room's log, from one entry to another, and whose it was: a seat may move to another browser."""

    name: str
    persons: set[str]
    first: int
    last: int | None = None
    """None: it is theirs still."""
    how: Literal["own", "chair", "lent"] = "own"
    """In a variation: had in the match that it comes from, or lent to who sits in such a chair."""

    def had_it(self, seq: int) -> bool:
        """Tell whether it was theirs at this entry."""
        return self.first <= seq and (self.last is None or seq <= self.last)


NAMING: Final = frozenset({"joined", "bot_came", "seat_moved", "sat_down"})
"""Kinds of entries that say whose a name is."""
VARIATION: Final = "resumed"
"""The kind of the entry with which a match goes on that began elsewhere."""
STARTING: Final = frozenset({"started", "continued", VARIATION})
"""Kinds of entries with which a match begins, or a volume of one."""


def bearers(log: Iterable[StoredEntry], chairs: Mapping[str, set[str]] | None = None) -> list[Bearer]:
    """Tell from these entries, in order, whose which names were.

    `chairs` are those of a variation, each with the persons whose name it is: who sits down there has it only lent.
    """
    told = _Told(chairs or {})
    for entry in log:
        told.read(entry)
    return told.found


class _Told:
    """Whose which names are, as far as a log is read."""

    def __init__(self, chairs: Mapping[str, set[str]]) -> None:
        self._now = {name: Bearer(name, set(persons), 1, how="chair") for name, persons in chairs.items()}
        self._sitting: dict[str, list[Bearer]] = {name: [] for name in chairs}
        """Who sat in each chair of a variation, one after the other, as long as it is one."""
        self._begun = not chairs
        self.found = list(self._now.values())

    def read(self, entry: StoredEntry) -> None:
        """Read the next entry."""
        if entry.kind not in NAMING:
            self._begun = self._begun or entry.kind == VARIATION
            return
        name, person = entry.data["name"], entry.data.get("person", "")
        if name in self._sitting and (self._sits(name, person) or entry.kind != "joined" or not self._begun):
            self._sat_down(name, person, entry)
            return
        had = self._now.get(name)
        if had is not None and (person in had.persons or entry.kind == "seat_moved"):
            had.persons.add(person)
            return
        for ended in (had, *self._sitting.pop(name, ())[-1:]):
            if ended is not None:
                ended.last = entry.seq - 1
        self._now[name] = Bearer(name, {person}, entry.seq)
        self.found.append(self._now[name])

    def _sits(self, name: str, person: str) -> bool:
        return any(person in each.persons for each in self._sitting[name])

    def _sat_down(self, name: str, person: str, entry: StoredEntry) -> None:
        before = self._sitting[name]
        if before and (person in before[-1].persons or entry.kind == "seat_moved"):
            before[-1].persons.add(person)
            return
        if before:
            before[-1].last = entry.seq - 1
        before.append(Bearer(name, {person}, entry.seq, how="lent"))
        self.found.append(before[-1])


_LOOKS: Final = {"bird": None, "colour": None, "called": None}


def entry_without(kind: str, data: dict[str, Any], renaming: Renaming) -> dict[str, Any]:
    """Give an entry's data without these names, nor the looks and wishes of those who are to have none."""
    if kind == "looks_changed" and data["name"] in renaming.plain:
        data = {**data, **_LOOKS}
    changed: dict[str, Any] = renamed(data, renaming.names, said=renaming.said)
    return changed


def snapshot_without(state: dict[str, Any], renaming: Renaming) -> dict[str, Any]:
    """Give a snapshot without these names, nor the looks and wishes of those who are to have none."""
    members = [{**each, **_LOOKS} if each["name"] in renaming.plain else each for each in state["members"]]
    changed: dict[str, Any] = renamed({**state, "members": members}, renaming.names, said=renaming.said)
    return changed


def neutral_in(kept: Any) -> set[str]:
    """Find the neutral names that stand anywhere in what is kept.

    >>> sorted(neutral_in([{"seats": ["Ana", "Somebody 1"]}, {"name": "Somebody 12"}]))
    ['Somebody 1', 'Somebody 12']
    """
    return set(re.findall(rf"{NEUTRAL} [0-9]+", json.dumps(kept)))


def neutral(taken: set[str]) -> str:
    """Give a neutral name that nobody has.

    >>> neutral({"Ana", "Somebody 1"})
    'Somebody 2'
    """
    return next(name for n in range(1, len(taken) + 2) if (name := f"{NEUTRAL} {n}") not in taken)


def is_neutral(name: str) -> bool:
    """Tell whether this is such a name."""
    return re.fullmatch(rf"{NEUTRAL} [0-9]+", name) is not None
