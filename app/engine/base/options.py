"""Declaring switches: each stands in one place, and form, help, validation, types and tests come from there.

A `Switch` has an id of the rules pages, a key, its values, a default and a sentence for players. A `Preset`
lists only how it differs from the defaults. `Declared` holds both for one game and resolves what a host asks for.
A switch's `Domain` says of what type its values are, so that `options[PACKS]` is a number to the type checker.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeVar, cast

from app.engine.base.errors import RuleError
from app.engine.base.messages import Said, Sentence, Word

T = TypeVar("T")
S = TypeVar("S")
Value: TypeAlias = object
"""A value of some switch, nobody knows of which: what JSON can hold."""

ONE_OF = Sentence("value.one_of", "one of {values}")
A_NUMBER = Sentence("value.number", "a whole number from {low} to {high}")
NUMBER_OR_NULL = Sentence("value.number_or_null", "a whole number from {low} to {high} or null")
SOME_RANKS = Sentence(
    "value.ranks", "a text of at most {most} different ranks of {ranks}, such as “{one}”, or an empty one"
)
TITLES = Sentence("value.titles", {"other": "one of {values}, or a list of {count} titles of your own"})
SEVERAL = Sentence("value.several", "a list of any of {values}, each once")
POINTS = Sentence(
    "value.points",
    {"other": "one of {values}, or a list of {count} whole numbers from {low} to {high}"},
)
PAIRS = Sentence("value.pairs", "a list of pairs of whole numbers from 1 to 100, such as [[10, 2], [13, 3]]")


class Domain(Generic[T]):
    """What the values of a switch may be. `T` is their type."""

    __slots__ = ()

    def check(self, value: Value) -> Said | None:
        """Say what would be good where the value is not; None if it is."""
        raise NotImplementedError

    def describe(self) -> dict[str, Any]:
        """Describe the values for a form: `type`, and what this domain adds to it."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Choice(Domain[T]):
    """One of some named values; each has a label for players. Booleans are a choice too."""

    labels: Mapping[T, str]

    def check(self, value: Value) -> Said | None:
        if any(value == known and type(value) is type(known) for known in self.labels):
            return None
        return ONE_OF(values=", ".join(_shown(known) for known in self.labels))

    def describe(self) -> dict[str, Any]:
        return {"type": "choice", "values": [{"value": v, "label": label} for v, label in self.labels.items()]}


@dataclass(frozen=True, slots=True)
class Number(Domain[int]):
    """A whole number."""

    low: int
    high: int

    def check(self, value: Value) -> Said | None:
        return None if _is_number(value, self.low, self.high) else A_NUMBER(low=self.low, high=self.high)

    def describe(self) -> dict[str, Any]:
        return {"type": "number", "low": self.low, "high": self.high, "none_label": None}


@dataclass(frozen=True, slots=True)
class NumberOrNone(Domain[int | None]):
    """A whole number, or null. `none_label` says to players what null means."""

    low: int
    high: int
    none_label: str

    def check(self, value: Value) -> Said | None:
        good = value is None or _is_number(value, self.low, self.high)
        return None if good else NUMBER_OR_NULL(low=self.low, high=self.high)

    def describe(self) -> dict[str, Any]:
        return {"type": "number", "low": self.low, "high": self.high, "none_label": self.none_label}


def _is_number(value: Value, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


@dataclass(frozen=True, slots=True)
class Ranks(Domain[str]):
    """A text of different ranks, at most so many, maybe none."""

    most: int
    of: str = "3456789TJQKA2"

    def check(self, value: Value) -> Said | None:
        if (
            isinstance(value, str)
            and len(value) <= self.most
            and len(set(value)) == len(value)
            and set(value) <= set(self.of)
        ):
            return None
        return SOME_RANKS(most=self.most, ranks=self.of, one=self.of[0])

    def describe(self) -> dict[str, Any]:
        return {"type": "ranks", "most": self.most, "of": self.of}


@dataclass(frozen=True, slots=True)
class Titles(Domain[str | Sequence[str]]):
    """A theme of titles by name, or the host's own list of exactly so many."""

    labels: Mapping[str, str]
    places: Sequence[str]

    def check(self, value: Value) -> Said | None:
        if isinstance(value, str) and value in self.labels:
            return None
        if isinstance(value, list | tuple):
            titles = cast("Sequence[object]", value)
            if len(titles) == len(self.places) and all(isinstance(t, str) and 0 < len(t.strip()) <= 30 for t in titles):
                return None
        return TITLES(values=", ".join(self.labels), count=len(self.places))

    def describe(self) -> dict[str, Any]:
        values = [{"value": v, "label": label} for v, label in self.labels.items()]
        return {"type": "titles", "values": values, "places": list(self.places)}


@dataclass(frozen=True, slots=True)
class Points(Domain[str | Sequence[int]]):
    """A scheme of points by name, or the host's own list: one whole number for each of these places."""

    labels: Mapping[str, str]
    places: Sequence[str]
    low: int
    high: int

    def check(self, value: Value) -> Said | None:
        if isinstance(value, str) and value in self.labels:
            return None
        if isinstance(value, list | tuple):
            points = cast("Sequence[object]", value)
            if len(points) == len(self.places) and all(_is_number(one, self.low, self.high) for one in points):
                return None
        return POINTS(values=", ".join(self.labels), count=len(self.places), low=self.low, high=self.high)

    def describe(self) -> dict[str, Any]:
        values = [{"value": v, "label": label} for v, label in self.labels.items()]
        return {"type": "points", "values": values, "places": list(self.places), "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class Several(Domain[Sequence[str]]):
    """A list of some named values, each once; maybe none."""

    labels: Mapping[str, str]

    def check(self, value: Value) -> Said | None:
        if isinstance(value, list | tuple):
            some = cast("Sequence[object]", value)
            if all(isinstance(one, str) and one in self.labels for one in some) and len(set(some)) == len(some):
                return None
        return SEVERAL(values=", ".join(self.labels))

    def describe(self) -> dict[str, Any]:
        return {"type": "several", "values": [{"value": v, "label": label} for v, label in self.labels.items()]}


@dataclass(frozen=True, slots=True)
class Steps(Domain[Sequence[Sequence[int]]]):
    """A list of pairs [from so many, times so much], such as `[[10, 2], [13, 3]]`."""

    most: int = 10

    def check(self, value: Value) -> Said | None:
        good = isinstance(value, list | tuple) and len(cast("Sequence[object]", value)) <= self.most
        if good and all(_is_step(step) for step in cast("Sequence[object]", value)):
            return None
        return PAIRS()

    def describe(self) -> dict[str, Any]:
        return {"type": "steps", "most": self.most}


def _is_step(step: object) -> bool:
    if not isinstance(step, list | tuple):
        return False
    pair = cast("Sequence[object]", step)
    return len(pair) == 2 and all(_is_number(n, 1, 100) for n in pair)


def flag(no: str, yes: str) -> Choice[bool]:
    """A switch that is off or on, with what each means for players."""
    return Choice({False: no, True: yes})


@dataclass(frozen=True, slots=True, eq=False)
class Switch(Generic[T]):
    """One declared switch, itself and no other. The sentence is written for players, who read it in the form."""

    id: str
    key: str
    domain: Domain[T]
    default: T
    sentence: str
    example: str
    """The rule in cards, for the rules page."""
    source: str = "pagat.com"
    label: str = ""
    """A short name for forms; the key in words if left out."""
    also: str = ""
    """What else it is called, and in which languages: whoever looks for that finds it."""
    permits: bool = False
    """Whether more may be played where it is on, so that it is what refuses where it is off."""

    @property
    def name(self) -> str:
        """The short name for forms."""
        return self.label or self.key.replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that nobody can switch, but that has an id: the rules page shows it, and a record proves it."""

    id: str
    name: str
    sentence: str
    example: str
    source: str = "pagat.com"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the rules page with its switches in order, and the rules there that nobody can switch."""

    key: str
    name: str
    switches: tuple[Switch[Any], ...]
    rules: tuple[Rule, ...] = ()
    tells: int = 0
    """How much what is changed here tells of a hand: where there is room for little, what tells most comes first."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A named bundle: only what differs from the defaults."""

    id: str
    key: str
    name: str
    sentence: str
    changes: Mapping[str, Value] = field(default_factory=dict[str, Value])
    source: str = "pagat.com"
    players: tuple[int, int] | None = None
    """Fewest and most players, where they differ from the game's own."""
    also: str = ""
    """What else it is called, in any language."""
    picture: str = ""
    """A few cards that stand for what is special, at most five."""
    mark: str = ""
    """A sign or two beside them."""


@dataclass(frozen=True, slots=True, eq=False)
class Conflict(Generic[S, T]):
    """Two switches that contradict each other: where `clash` holds of their values, both are named."""

    one: Switch[S]
    other: Switch[T]
    clash: Callable[[S, T], object]
    because: str
    instead: Callable[[S, T], Said] | None = None
    """Says which values would work, for a refusal; None where `because` says it."""
    later: bool = False
    """Whether rooms were made before this was refused. They go on with what they have."""


@dataclass(frozen=True, slots=True)
class ZeroSum:
    """When what some gain others lose: then the points of a hand, and what it puts into a pot, add up to nothing."""

    sentence: str
    """For players, on the rules page."""
    holds: Callable[["Options"], bool] = lambda options: True


class Options:
    """The switches of one match, resolved: every one has its value, `options[JOKERS]`.

    `preset` is the bundle they came from. Running state never lives here.
    """

    __slots__ = ("_hash", "_values", "preset")

    def __init__(self, preset: str, values: Mapping[str, Value]) -> None:
        object.__setattr__(self, "preset", preset)
        object.__setattr__(self, "_values", dict(values))
        object.__setattr__(self, "_hash", hash(repr(sorted(values.items()))))

    preset: str
    _values: dict[str, Any]
    _hash: int

    def __getitem__(self, switch: Switch[T]) -> T:
        value: T = self._values[switch.key]
        return value

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError("options are frozen")

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        # What is looked up by options is looked up often: no step for each switch.
        if isinstance(other, Options):
            return self is other or (self._hash == other._hash and self._values == other._values)
        return NotImplemented

    @property
    def by_key(self) -> Mapping[str, Value]:
        """Every value by the key of its switch, in the order of the rules page."""
        return MappingProxyType(self._values)

    def but(self, switch: Switch[T], value: T) -> "Options":
        """These with one switch turned, whether or not it then contradicts another."""
        if switch.key not in self._values:
            raise KeyError(switch.key)
        return Options(self.preset, {**self._values, switch.key: value})

    def to_json(self) -> dict[str, Value]:
        """Every switch with its value, and the preset; `Declared.resolve` reads it back."""
        return {"preset": self.preset, **self._values}


REMEMBERED = 100
"""Options of one game that are not worked out again when they are asked for again."""

CONTRADICTION = Sentence(
    "refused.contradiction",
    "“{one}: {shown}” and “{other}: {shown_other}” contradict each other: {because}",
)
CONTRADICTION_INSTEAD = Sentence(
    "refused.contradiction_instead",
    "“{one}: {shown}” and “{other}: {shown_other}” contradict each other: {because} {instead}",
)
NO_SUCH_VALUE = Sentence("refused.no_such_value", "“{key}” can’t be {shown}: it is {wanted}.")
NO_SUCH_SWITCH = Sentence("refused.no_such_switch", "There is no switch “{name}” in this game.")
NO_SUCH_PRESET = Sentence("refused.no_such_preset", "There is no preset “{name}”; there are: {known}.")
OPTIONS_ARE_AN_OBJECT = Sentence(
    "refused.options_are_an_object",
    "Options are an object: a preset and switches with their values.",
)


@dataclass(frozen=True)
class Declared:
    """All switches and presets of one game. The first preset is the basic game, all defaults."""

    sections: tuple[Section, ...]
    presets: tuple[Preset, ...]
    conflicts: tuple[Conflict[Any, Any], ...] = ()
    zero_sum: ZeroSum | None = None
    """None: whatever the options are, nobody pays for what others gain."""
    basics: tuple[str, ...] = ()
    """How the basic game is played, for somebody who never has: a paragraph each."""

    @cached_property
    def switches(self) -> tuple[Switch[Any], ...]:
        """Every switch in the order of the rules page."""
        return tuple(switch for section in self.sections for switch in section.switches)

    @cached_property
    def _by_key(self) -> Mapping[str, Switch[Any]]:
        return {switch.key: switch for switch in self.switches}

    @cached_property
    def _resolved(self) -> dict[str, Options]:
        """Options by what was asked for: nearly all rooms ask for the same, and then have the very same."""
        return {}

    @cached_property
    def _most_telling(self) -> tuple[str, ...]:
        """The key of every switch, those that tell most of a hand first."""
        sections = sorted(self.sections, key=lambda section: -section.tells)
        return tuple(switch.key for section in sections for switch in section.switches)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule that nobody can switch, in the order of the rules page."""
        return tuple(rule for section in self.sections for rule in section.rules)

    @property
    def basic(self) -> str:
        """The id of the basic game: the row of its first preset."""
        return self.presets[0].id

    @property
    def rows(self) -> dict[str, str]:
        """Every row of the rules page by its id: what the switch, the rule that nobody can switch, or the preset is
        called."""
        return {
            **{switch.id: switch.name for switch in self.switches},
            **{rule.id: rule.name for rule in self.rules},
            **{preset.id: preset.name for preset in self.presets},
        }

    def is_zero_sum(self, options: Options) -> bool:
        """Whether what some gain others lose, by these options."""
        return self.zero_sum is not None and self.zero_sum.holds(options)

    def reason(self, conflict: Conflict[Any, Any]) -> Said:
        """Why two switches contradict each other."""
        return Said(conflict.because, f"{self.basic}.conflict.{self.conflicts.index(conflict)}", {})

    def switch(self, key: str) -> Switch[Any] | None:
        """The switch with this key."""
        return self._by_key.get(key)

    def preset(self, key: str) -> Preset | None:
        """The preset with this key."""
        return next((p for p in self.presets if p.key == key), None)

    def resolve(self, given: object = None, *, kept: bool = False) -> Options:
        """Return what a host asks for, on top of the preset named, on top of the defaults.

        `kept`: these options were accepted once and stored. Then conflicts that were declared later are let be, so that
        old rooms and matches go on. Raises `RuleError` bad_option, which says what is wrong.
        """
        asked = f"{kept} {given!r}"
        found = self._resolved.get(asked)
        if found is None:
            found = self._read({} if given is None else given, kept=kept)
            if len(self._resolved) >= REMEMBERED:
                self._resolved.clear()
            self._resolved[asked] = found
        return found

    def _read(self, given: object, *, kept: bool) -> Options:
        if not isinstance(given, Mapping):
            raise RuleError("bad_option", OPTIONS_ARE_AN_OBJECT())
        asked = dict(cast("Mapping[str, Value]", given))
        preset = self._preset_called(asked.pop("preset", self.presets[0].key))
        values = {switch.key: switch.default for switch in self.switches} | dict(preset.changes)
        for key, value in asked.items():
            self.check(key, value)
            values[key] = value
        options = Options(preset.key, values)
        for conflict in self.conflicts:
            if not (kept and conflict.later):
                self._check_apart(conflict, options)
        return options

    def check(self, key: str, value: object) -> None:
        """Look at one part of what is asked for by itself, a switch or the preset; `bad_option` says what is wrong."""
        if key == "preset":
            self._preset_called(value)
            return
        switch = self.switch(key)
        if switch is None:
            raise RuleError("bad_option", NO_SUCH_SWITCH(name=str(key)[:30]))
        wanted = switch.domain.check(value)
        if wanted is not None:
            raise RuleError("bad_option", NO_SUCH_VALUE(key=key, shown=_shown(value)[:60], wanted=wanted))

    def _preset_called(self, key: object) -> Preset:
        preset = self.preset(key) if isinstance(key, str) else None
        if preset is None:
            known = ", ".join(p.key for p in self.presets)
            raise RuleError("bad_option", NO_SUCH_PRESET(name=str(key)[:30], known=known))
        return preset

    def _check_apart(self, conflict: Conflict[Any, Any], options: Options) -> None:
        one, other = conflict.one, conflict.other
        mine, theirs = options[one], options[other]
        if not conflict.clash(mine, theirs):
            return
        values: dict[str, Word] = {
            "one": one.key,
            "shown": _shown(mine),
            "other": other.key,
            "shown_other": _shown(theirs),
            "because": self.reason(conflict),
        }
        if conflict.instead is None:
            raise RuleError("bad_option", CONTRADICTION(**values))
        raise RuleError("bad_option", CONTRADICTION_INSTEAD(**values, instead=conflict.instead(mine, theirs)))

    def differences(self, options: Options) -> dict[str, Value]:
        """What these options change from their own preset, most telling first."""
        preset = self.preset(options.preset)
        assert preset is not None
        base = {switch.key: switch.default for switch in self.switches} | dict(preset.changes)
        values = options.by_key
        return {key: values[key] for key in self._most_telling if values[key] != base[key]}


def _shown(value: Value) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return value or "“”"
        case _:
            return str(value)
