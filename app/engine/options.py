"""Declaring switches: each stands in one place, and form, help, validation and tests come from there.

A `Switch` has an id of the rules pages, a key, its values, a default and a sentence for players. A `Preset`
lists only how it differs from the defaults. `Declared` holds both for one game and resolves what a host asks for.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from .errors import RuleError
from .words import Said, Sentence

Value: TypeAlias = Any
"""What JSON can hold: a text, a number, true, false, null or a list."""


ONE_OF = Sentence("value.one_of", "one of {values}")
A_NUMBER = Sentence("value.number", "a whole number from {low} to {high}")
NUMBER_OR_NULL = Sentence("value.number_or_null", "a whole number from {low} to {high} or null")
SOME_RANKS = Sentence(
    "value.ranks", "a text of at most {most} different ranks of {ranks}, such as “{one}”, or an empty one"
)
TITLES = Sentence("value.titles", {"other": "one of {values}, or a list of {count} titles of your own"})
PAIRS = Sentence("value.pairs", "a list of pairs of whole numbers from 1 to 100, such as [[10, 2], [13, 3]]")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some named values; each has a label for players. Booleans are a choice too."""

    labels: Mapping[Value, str]

    def check(self, value: Value) -> Said | None:
        """None if the value is good, else what would be."""
        if any(value == known and type(value) is type(known) for known in self.labels):
            return None
        return ONE_OF(values=", ".join(_shown(known) for known in self.labels))

    def describe(self) -> dict[str, Any]:
        """For a form: the values with their labels."""
        return {"type": "choice", "values": [{"value": v, "label": label} for v, label in self.labels.items()]}


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, or null where that is allowed (`none_label` says what null means)."""

    low: int
    high: int
    none_label: str | None = None

    def check(self, value: Value) -> Said | None:
        """None if the value is good, else what would be."""
        if value is None and self.none_label is not None:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high:
            return None
        return (NUMBER_OR_NULL if self.none_label else A_NUMBER)(low=self.low, high=self.high)

    def describe(self) -> dict[str, Any]:
        """Describe the values for a form: `type`, and what this domain adds to it."""
        return {"type": "number", "low": self.low, "high": self.high, "none_label": self.none_label}


@dataclass(frozen=True, slots=True)
class Ranks:
    """A text of different ranks, at most so many, maybe none."""

    most: int
    of: str = "3456789TJQKA2"

    def check(self, value: Value) -> Said | None:
        """None if the value is good, else what would be."""
        if (
            isinstance(value, str)
            and len(value) <= self.most
            and len(set(value)) == len(value)
            and set(value) <= set(self.of)
        ):
            return None
        return SOME_RANKS(most=self.most, ranks=self.of, one=self.of[0])

    def describe(self) -> dict[str, Any]:
        """Describe the values for a form: `type`, and what this domain adds to it."""
        return {"type": "ranks", "most": self.most, "of": self.of}


@dataclass(frozen=True, slots=True)
class Titles:
    """A theme of titles by name, or the host's own list of exactly so many."""

    labels: Mapping[str, str]
    places: Sequence[str]

    def check(self, value: Value) -> Said | None:
        """None if the value is good, else what would be."""
        if isinstance(value, str) and value in self.labels:
            return None
        if isinstance(value, list | tuple):
            titles = cast("Sequence[object]", value)
            if len(titles) == len(self.places) and all(isinstance(t, str) and 0 < len(t.strip()) <= 30 for t in titles):
                return None
        return TITLES(values=", ".join(self.labels), count=len(self.places))

    def describe(self) -> dict[str, Any]:
        """Describe the values for a form: `type`, and what this domain adds to it."""
        values = [{"value": v, "label": label} for v, label in self.labels.items()]
        return {"type": "titles", "values": values, "places": list(self.places)}


@dataclass(frozen=True, slots=True)
class Steps:
    """A list of pairs [from so many, times so much], such as `[[10, 2], [13, 3]]`."""

    most: int = 10

    def check(self, value: Value) -> Said | None:
        """None if the value is good, else what would be."""
        good = isinstance(value, list | tuple) and len(cast("Sequence[object]", value)) <= self.most
        if good and all(_is_step(step) for step in cast("Sequence[object]", value)):
            return None
        return PAIRS()

    def describe(self) -> dict[str, Any]:
        """Describe the values for a form: `type`, and what this domain adds to it."""
        return {"type": "steps", "most": self.most}


def _is_step(step: object) -> bool:
    if not isinstance(step, list | tuple):
        return False
    pair = cast("Sequence[object]", step)
    return len(pair) == 2 and all(isinstance(n, int) and not isinstance(n, bool) and 1 <= n <= 100 for n in pair)


Domain: TypeAlias = Choice | Number | Ranks | Titles | Steps


def flag(no: str, yes: str) -> Choice:
    """A switch that is off or on, with what each means for players."""
    return Choice({False: no, True: yes})


@dataclass(frozen=True, slots=True)
class Switch:
    """One declared switch. The sentence is written for players, who read it in the form."""

    id: str
    key: str
    domain: Domain
    default: Value
    sentence: str
    example: str
    """The rule in cards, for the rules page."""
    source: str = "pagat.com"
    label: str = ""
    """A short name for forms; the key in words if left out."""
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
    switches: tuple[Switch, ...]
    rules: tuple[Rule, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two switches that contradict each other: where `clash` holds of their values, both keys are named."""

    keys: tuple[str, str]
    clash: Callable[[Value, Value], object]
    because: str


class Options(Mapping[str, Value]):
    """The switches of one match, resolved: every key has its value. `options.jokers` reads like `options["jokers"]`.

    `preset` is the bundle they came from. Running state never lives here.
    """

    __slots__ = ("_hash", "_values", "preset")

    def __init__(self, preset: str, values: Mapping[str, Value]) -> None:
        object.__setattr__(self, "preset", preset)
        object.__setattr__(self, "_values", dict(values))
        object.__setattr__(self, "_hash", hash(repr(sorted(values.items()))))

    preset: str
    _values: dict[str, Value]
    _hash: int

    def __getitem__(self, key: str) -> Value:
        return self._values[key]

    def __getattr__(self, key: str) -> Value:
        try:
            return self._values[key]
        except KeyError:
            raise AttributeError(key) from None

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError("options are frozen")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        # What is looked up by options is looked up often: no step for each switch.
        if isinstance(other, Options):
            return self is other or (self._hash == other._hash and self._values == other._values)
        return super().__eq__(other)

    def but(self, key: str, value: Value) -> "Options":
        """These with one switch turned, whether or not it then contradicts another."""
        if key not in self._values:
            raise KeyError(key)
        return Options(self.preset, {**self._values, key: value})

    def to_json(self) -> dict[str, Value]:
        """Every switch with its value, and the preset; `Declared.resolve` reads it back."""
        return {"preset": self.preset, **self._values}


CONTRADICTION = Sentence(
    "refused.contradiction",
    "“{one}: {shown}” and “{other}: {shown_other}” contradict each other: {because}",
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
    conflicts: tuple[Conflict, ...] = ()
    basics: tuple[str, ...] = ()
    """How the basic game is played, for somebody who never has: a paragraph each."""

    @property
    def switches(self) -> tuple[Switch, ...]:
        """Every switch in the order of the rules page."""
        return tuple(switch for section in self.sections for switch in section.switches)

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

    def reason(self, conflict: Conflict) -> Said:
        """Why two switches contradict each other."""
        return Said(conflict.because, f"{self.basic}.conflict.{self.conflicts.index(conflict)}", {})

    def switch(self, key: str) -> Switch | None:
        """The switch with this key."""
        return next((s for s in self.switches if s.key == key), None)

    def preset(self, key: str) -> Preset | None:
        """The preset with this key."""
        return next((p for p in self.presets if p.key == key), None)

    def resolve(self, given: object = None) -> Options:
        """What a host asks for, on top of the preset named, on top of the defaults; `bad_option` says what is wrong."""
        if given is None:
            given = {}
        if not isinstance(given, Mapping):
            raise RuleError("bad_option", OPTIONS_ARE_AN_OBJECT())
        asked = dict(cast("Mapping[str, Value]", given))
        preset = self.preset(key) if isinstance(key := asked.pop("preset", self.presets[0].key), str) else None
        if preset is None:
            known = ", ".join(p.key for p in self.presets)
            raise RuleError("bad_option", NO_SUCH_PRESET(name=str(key)[:30], known=known))
        values = {switch.key: switch.default for switch in self.switches} | dict(preset.changes)
        for key, value in asked.items():
            switch = self.switch(key)
            if switch is None:
                raise RuleError("bad_option", NO_SUCH_SWITCH(name=str(key)[:30]))
            wanted = switch.domain.check(value)
            if wanted is not None:
                raise RuleError("bad_option", NO_SUCH_VALUE(key=key, shown=_shown(value)[:60], wanted=wanted))
            values[key] = value
        options = Options(preset.key, values)
        for conflict in self.conflicts:
            one, other = conflict.keys
            if conflict.clash(options[one], options[other]):
                raise RuleError(
                    "bad_option",
                    CONTRADICTION(
                        one=one,
                        shown=_shown(options[one]),
                        other=other,
                        shown_other=_shown(options[other]),
                        because=self.reason(conflict),
                    ),
                )
        return options

    def differences(self, options: Options) -> dict[str, Value]:
        """What these options change from their own preset."""
        preset = self.preset(options.preset)
        assert preset is not None
        base = {switch.key: switch.default for switch in self.switches} | dict(preset.changes)
        return {key: value for key, value in options.items() if value != base[key]}


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
