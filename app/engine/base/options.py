"""Declare the options of a game. Form, help text, validation, types and tests derive from these declarations.

An `Option` has a rule id, a key, its possible values, a default and a sentence for players. A `Preset` lists only its
differences from the defaults. `OptionSchema` holds both for one game and resolves the options that a host asks for.
The `Domain` of an option gives the type of its values, so the type checker knows that `options[PACKS]` is a number.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, TypeAlias, TypeVar, cast

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, MessageValue, TranslatableMessage

T = TypeVar("T")
S = TypeVar("S")
OptionValue: TypeAlias = object
"""A value of an unknown option, as JSON can hold it."""

ONE_OF = MessageTemplate("value.one_of", "one of {values}")
A_NUMBER = MessageTemplate("value.number", "a whole number from {low} to {high}")
NUMBER_OR_NULL = MessageTemplate("value.number_or_null", "a whole number from {low} to {high}, or null")
SOME_RANKS = MessageTemplate(
    "value.ranks", "a text of at most {most} different ranks of {ranks}, such as “{one}”, or an empty text"
)
TITLES = MessageTemplate("value.titles", {"other": "one of {values}, or a list of {count} titles of your own"})
SEVERAL = MessageTemplate("value.several", "a list of any of {values}, each once")
POINTS = MessageTemplate(
    "value.points",
    {"other": "one of {values}, or a list of {count} whole numbers from {low} to {high}"},
)
PAIRS = MessageTemplate("value.pairs", "a list of pairs of whole numbers from 1 to 100, such as [[10, 2], [13, 3]]")


class Domain(Generic[T]):
    """The allowed values of an option of the rules. `T` is their type."""

    __slots__ = ()

    def expected_if_invalid(self, value: OptionValue) -> TranslatableMessage | None:
        """Return None for a valid value of the option, else a description of the valid values for the error message."""
        raise NotImplementedError

    def describe_for_form(self) -> dict[str, Any]:
        """Return the allowed values of an option as JSON for a form: `type`, and fields that depend on the domain."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Choice(Domain[T]):
    """The allowed values of an option: one of several named ones, each with a label for players; also booleans.

    `labels` gives the label of each allowed value.
    """

    labels: Mapping[T, str]

    def expected_if_invalid(self, value: OptionValue) -> TranslatableMessage | None:
        if any(value == known and type(value) is type(known) for known in self.labels):
            return None
        return ONE_OF(values=", ".join(_format_value(known) for known in self.labels))

    def describe_for_form(self) -> dict[str, Any]:
        return {"type": "choice", "values": [{"value": v, "label": label} for v, label in self.labels.items()]}


@dataclass(frozen=True, slots=True)
class Number(Domain[int]):
    """The allowed values of an option: a whole number from `low` to `high`."""

    low: int
    high: int

    def expected_if_invalid(self, value: OptionValue) -> TranslatableMessage | None:
        return None if _is_number(value, self.low, self.high) else A_NUMBER(low=self.low, high=self.high)

    def describe_for_form(self) -> dict[str, Any]:
        return {"type": "number", "low": self.low, "high": self.high, "none_label": None}


@dataclass(frozen=True, slots=True)
class NumberOrNone(Domain[int | None]):
    """The allowed values of an option: a whole number from `low` to `high`, or null.

    `none_label` tells players what null means.
    """

    low: int
    high: int
    none_label: str

    def expected_if_invalid(self, value: OptionValue) -> TranslatableMessage | None:
        good = value is None or _is_number(value, self.low, self.high)
        return None if good else NUMBER_OR_NULL(low=self.low, high=self.high)

    def describe_for_form(self) -> dict[str, Any]:
        return {"type": "number", "low": self.low, "high": self.high, "none_label": self.none_label}


def _is_number(value: OptionValue, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


@dataclass(frozen=True, slots=True)
class Ranks(Domain[str]):
    """The allowed values of an option: a text of different ranks, at most `most` of them and only from `of`.

    It may be empty.
    """

    most: int
    of: str = "3456789TJQKA2"

    def expected_if_invalid(self, value: OptionValue) -> TranslatableMessage | None:
        if (
            isinstance(value, str)
            and len(value) <= self.most
            and len(set(value)) == len(value)
            and set(value) <= set(self.of)
        ):
            return None
        return SOME_RANKS(most=self.most, ranks=self.of, one=self.of[0])

    def describe_for_form(self) -> dict[str, Any]:
        return {"type": "ranks", "most": self.most, "of": self.of}


@dataclass(frozen=True, slots=True)
class Titles(Domain[str | Sequence[str]]):
    """The allowed values of an option: a theme of titles by name, or the host's own list.

    `labels` gives the label of each theme. `places` names the places, best first; the list has a title for each.
    """

    labels: Mapping[str, str]
    places: Sequence[str]

    def expected_if_invalid(self, value: OptionValue) -> TranslatableMessage | None:
        if isinstance(value, str) and value in self.labels:
            return None
        if isinstance(value, list | tuple):
            titles = cast("Sequence[object]", value)
            if len(titles) == len(self.places) and all(isinstance(t, str) and 0 < len(t.strip()) <= 30 for t in titles):
                return None
        return TITLES(values=", ".join(self.labels), count=len(self.places))

    def describe_for_form(self) -> dict[str, Any]:
        values = [{"value": v, "label": label} for v, label in self.labels.items()]
        return {"type": "titles", "values": values, "places": list(self.places)}


@dataclass(frozen=True, slots=True)
class Points(Domain[str | Sequence[int]]):
    """The allowed values of an option: a point scheme by name, or the host's own list.

    `labels` gives the label of each scheme. `places` names the places, best first. The list has a whole number from
    `low` to `high` for each place.
    """

    labels: Mapping[str, str]
    places: Sequence[str]
    low: int
    high: int

    def expected_if_invalid(self, value: OptionValue) -> TranslatableMessage | None:
        if isinstance(value, str) and value in self.labels:
            return None
        if isinstance(value, list | tuple):
            points = cast("Sequence[object]", value)
            if len(points) == len(self.places) and all(_is_number(one, self.low, self.high) for one in points):
                return None
        return POINTS(values=", ".join(self.labels), count=len(self.places), low=self.low, high=self.high)

    def describe_for_form(self) -> dict[str, Any]:
        values = [{"value": v, "label": label} for v, label in self.labels.items()]
        return {"type": "points", "values": values, "places": list(self.places), "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class MultiChoice(Domain[Sequence[str]]):
    """The allowed values of an option: a list of named values, each at most once; it may be empty.

    `labels` gives each named value's label for players.
    """

    labels: Mapping[str, str]

    def expected_if_invalid(self, value: OptionValue) -> TranslatableMessage | None:
        if isinstance(value, list | tuple):
            some = cast("Sequence[object]", value)
            if all(isinstance(one, str) and one in self.labels for one in some) and len(set(some)) == len(some):
                return None
        return SEVERAL(values=", ".join(self.labels))

    def describe_for_form(self) -> dict[str, Any]:
        return {"type": "several", "values": [{"value": v, "label": label} for v, label in self.labels.items()]}


@dataclass(frozen=True, slots=True)
class MultiplierSteps(Domain[Sequence[Sequence[int]]]):
    """The allowed values of an option: a list of at most `most` pairs [threshold, factor].

    `[[10, 2], [13, 3]]` means: double from 10 cards on, treble from 13 on.
    """

    most: int = 10

    def expected_if_invalid(self, value: OptionValue) -> TranslatableMessage | None:
        good = isinstance(value, list | tuple) and len(cast("Sequence[object]", value)) <= self.most
        if good and all(_is_number_pair(step) for step in cast("Sequence[object]", value)):
            return None
        return PAIRS()

    def describe_for_form(self) -> dict[str, Any]:
        return {"type": "steps", "most": self.most}


def _is_number_pair(step: object) -> bool:
    if not isinstance(step, list | tuple):
        return False
    pair = cast("Sequence[object]", step)
    return len(pair) == 2 and all(_is_number(n, 1, 100) for n in pair)


def on_off_choice(no: str, yes: str) -> Choice[bool]:
    """Return the allowed values of an option that is off (False) or on (True), with a label for each.

    `no` is the label for off, `yes` the label for on.
    """
    return Choice({False: no, True: yes})


@dataclass(frozen=True, slots=True, eq=False)
class Option(Generic[T]):
    """One declared option of a game's rules, compared by identity.

    `key` names it in JSON, `id` on the rules page. `domain` has its allowed values. `sentence` is the help text that
    players read in the form. `source` is where the rule comes from, if not from the source of the whole game.
    """

    id: str
    key: str
    domain: Domain[T]
    default: T
    sentence: str
    example: str
    """An example of the rule with cards, for the rules page."""
    source: str = ""
    label: str = ""
    """A short name for forms. If empty, it is derived from the key."""
    also: str = ""
    """Other names, in any language, by which the search finds this option."""
    is_permission: bool = False
    """Whether the option allows additional actions when on. Then a refusal names this option when it is off."""
    short: Mapping[Any, str] | str = ""
    """What the short rules say of this option: a sentence for each value, or one with `{value}` for all but the
    default. Values without a sentence are not mentioned."""

    @property
    def name(self) -> str:
        """Return the option's short name for forms: its label, or else its key in words."""
        return self.label or self.key.replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class FixedRule:
    """A rule of a game without an option.

    Its id is shown on the rules page and names the record that tests the rule. `sentence` states the rule, `example`
    shows it with cards, and `source` is where it comes from, if not from the source of the whole game.
    """

    id: str
    name: str
    sentence: str
    example: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a game's rules page, with its options (`switches`) in order and its fixed rules."""

    key: str
    name: str
    switches: tuple[Option[Any], ...]
    rules: tuple[FixedRule, ...] = ()
    importance: int = 0
    """The influence of this section's options on a hand. Where space is short, changed options of high value come
    first."""


@dataclass(frozen=True, slots=True)
class PlayedExample:
    """An example that pages draw: the cards of each play, or of each player, and what happens in it."""

    plays: tuple[str, ...]
    """Cards of each play in a trick, or of each player, such as `("8c 8d", "Jh Js")`."""
    caption: str
    """Says what happens in the example, for readers with and without the drawing."""


@dataclass(frozen=True, slots=True)
class Survey:
    """The number of sources for each answer to questions about a game. The most common answers make a preset."""

    answers: Mapping[str, str]
    """The answers with their counts by question, most common first."""
    sources: str
    """Names of the sources. They are not translated."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of a game's options that players can choose; `changes` has only its differences from the defaults."""

    id: str
    key: str
    name: str
    sentence: str
    changes: Mapping[str, OptionValue] = field(default_factory=dict[str, OptionValue])
    source: str = ""
    players: tuple[int, int] | None = None
    """Fewest and most players, where they differ from the game's own limits."""
    also: str = ""
    """Other names for the preset, in any language."""
    picture: str = ""
    """At most five cards that show what is special about the preset."""
    mark: str = ""
    """One or two symbols beside the picture."""
    mark_text: str = ""
    """The meaning of `mark`, in at most five words."""
    example: PlayedExample | None = None
    """An example with cards for its short rules."""
    survey: Survey | None = None
    """The counts from which the preset was made; None if it has one source."""
    variant_of: str = ""
    """The key of the preset with which it shares one entry in lists; "" if it has its own entry."""
    variant: str = ""
    """Its name within the shared entry, which offers a choice; "" if the entry is not shared."""


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """One answer to a `RuleQuestion` about a game's rules, and the options that it sets."""

    key: str
    text: str
    """The rule as a short sentence, which also stands in the summary of all answers."""
    sets: Mapping[str, OptionValue]
    """The options that the answer sets, by key. It is in force if all of them have these values."""
    picture: str = ""
    """At most five cards, or places of players: `first`, `second` and `last`."""
    mark: str = ""
    """At most three symbols beside the picture."""


@dataclass(frozen=True, slots=True)
class RuleQuestion:
    """A question about a game's rules that people can answer without the names of options: "How do you play it?"."""

    key: str
    sentence: str
    answers: tuple[RuleAnswer, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Conflict(Generic[S, T]):
    """Two options whose values contradict each other if `is_conflict`, called with both values, is true.

    The error names both options (`one`, `other`) and the `reason`.
    """

    one: Option[S]
    other: Option[T]
    is_conflict: Callable[[S, T], object]
    reason: str
    suggest_values: Callable[[S, T], TranslatableMessage] | None = None
    """Returns a message with values that would work; None if `reason` already says so."""
    allows_existing_rooms: bool = False
    """Whether rooms that already have these options may keep them: they were created before the conflict was
    declared."""


@dataclass(frozen=True, slots=True)
class ZeroSum:
    """Declares that in a game some players' gains are others' losses: points and pot payments of a hand sum to zero.

    `applies` tells for which options this is so.
    """

    sentence: str
    """The explanation for players on the rules page."""
    applies: Callable[["Options"], bool] = lambda options: True


class Options:
    """The resolved options of one match, each with a value: `options[JOKERS]`.

    `preset` is the key of the preset they are based on. Never keeps state that changes during a match.
    """

    __slots__ = ("_hash", "_values", "preset")

    def __init__(self, preset: str, values: Mapping[str, OptionValue]) -> None:
        object.__setattr__(self, "preset", preset)
        object.__setattr__(self, "_values", dict(values))
        object.__setattr__(self, "_hash", hash(repr(sorted(values.items()))))

    preset: str
    _values: dict[str, Any]
    _hash: int

    def __getitem__(self, switch: Option[T]) -> T:
        value: T = self._values[switch.key]
        return value

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError("options are frozen")

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        # Options are often used as a cache key: avoid comparing option by option.
        if isinstance(other, Options):
            return self is other or (self._hash == other._hash and self._values == other._values)
        return NotImplemented

    @property
    def values_by_key(self) -> Mapping[str, OptionValue]:
        """Return every option's value by the option's key, in the order of the rules page; read-only."""
        return MappingProxyType(self._values)

    def with_value(self, switch: Option[T], value: T) -> "Options":
        """Return a copy with one option changed, without checking for conflicts.

        Raises KeyError for an unknown option.
        """
        if switch.key not in self._values:
            raise KeyError(switch.key)
        return Options(self.preset, {**self._values, switch.key: value})

    def to_json(self) -> dict[str, OptionValue]:
        """Return all options with their values, and the preset, as JSON for storage.

        `OptionSchema.resolve_options` reads it back.
        """
        return {"preset": self.preset, **self._values}


MAX_RESOLVED_OPTIONS = 100
"""Number of resolved options cached for each game."""

CONTRADICTION = MessageTemplate(
    "refused.contradiction",
    "“{one}: {shown}” and “{other}: {shown_other}” can’t be combined. {because}",
)
CONTRADICTION_INSTEAD = MessageTemplate(
    "refused.contradiction_instead",
    "“{one}: {shown}” and “{other}: {shown_other}” can’t be combined. {because} {instead}",
)
ShortLine: TypeAlias = MessageTemplate | Option[Any] | Callable[["Options"], TranslatableMessage | None]
"""A line of short rules: a sentence, the sentence of an option's value, or a function of the options."""


@dataclass(frozen=True, slots=True)
class ShortRules:
    """The lines of a game's short rules, with an example of the basic game.

    Sentences of options that no list names stand between `play` and `result`, as far as the limit of words allows. Such
    an option comes before the lines of `if_room`.
    """

    play: tuple[ShortLine, ...]
    """Aim, order of cards, leads, plays and passing."""
    result: tuple[ShortLine, ...]
    """Places, exchange, points and the end of the match."""
    example: PlayedExample
    best_players: tuple[int, int]
    """Fewest and most players with whom the game is at its best."""
    if_room: tuple[ShortLine, ...] = ()
    """Lines of `play` and `result` that are left out if there are too many words, the most important first."""


NO_SUCH_VALUE = MessageTemplate("refused.no_such_value", "“{key}” can’t be {shown}. Allowed: {wanted}.")
NO_SUCH_SWITCH = MessageTemplate("refused.no_such_switch", "This game has no option “{name}”.")
NO_SUCH_PRESET = MessageTemplate("refused.no_such_preset", "The preset “{name}” does not exist. Presets: {known}.")
OPTIONS_ARE_AN_OBJECT = MessageTemplate(
    "refused.options_are_an_object",
    "Options must be an object: a preset and options with their values.",
)


@dataclass(frozen=True)
class OptionSchema:
    """All options and presets of one game. A new room begins with the first preset.

    One preset is the basic game, with every option at its default. `conflicts` are pairs of options that contradict
    each other.
    """

    sections: tuple[Section, ...]
    presets: tuple[Preset, ...]
    short_rules: ShortRules
    conflicts: tuple[Conflict[Any, Any], ...] = ()
    zero_sum: ZeroSum | None = None
    """When the gains of some players are losses of others; None if never, with any options."""
    basics: tuple[str, ...] = ()
    """How to play with the first preset, for beginners: one paragraph per entry."""
    questions: tuple[RuleQuestion, ...] = ()
    """How people play it: at most six questions above the form, with two to four answers each."""
    source: str = ""
    """Where the options, rules and presets come from that name no `source`, such as a website; "" for a new game."""

    @cached_property
    def all_options(self) -> tuple[Option[Any], ...]:
        """Return every option of the game in the order of the rules page."""
        return tuple(switch for section in self.sections for switch in section.switches)

    @cached_property
    def _options_by_key(self) -> Mapping[str, Option[Any]]:
        return {switch.key: switch for switch in self.all_options}

    @cached_property
    def _resolved_cache(self) -> dict[str, Options]:
        """Return the cache of resolved options, by request, because most rooms ask for the same options."""
        return {}

    @cached_property
    def _keys_by_importance(self) -> tuple[str, ...]:
        """Return the keys of all options of the game, those of the most important sections first."""
        sections = sorted(self.sections, key=lambda section: -section.importance)
        return tuple(switch.key for section in sections for switch in section.switches)

    @property
    def fixed_rules(self) -> tuple[FixedRule, ...]:
        """Return every rule of the game without an option, in the order of the rules page."""
        return tuple(rule for section in self.sections for rule in section.rules)

    @cached_property
    def basic_preset(self) -> Preset:
        """Return the preset of the basic game, without changes. Stored options that name no preset are based on it."""
        return next(preset for preset in self.presets if not preset.changes)

    @property
    def basic_game_id(self) -> str:
        """Return the rule id of the basic game. Errors that belong to no other rule name it."""
        return self.basic_preset.id

    @property
    def names_by_id(self) -> dict[str, str]:
        """Return the name of every option, fixed rule and preset of the game by its id on the rules page."""
        return {
            **{switch.id: switch.name for switch in self.all_options},
            **{rule.id: rule.name for rule in self.fixed_rules},
            **{preset.id: preset.name for preset in self.presets},
        }

    def is_zero_sum(self, options: Options) -> bool:
        """Return whether, with these options, some players' gains are others' losses, the pot included."""
        return self.zero_sum is not None and self.zero_sum.applies(options)

    def conflict_message(self, conflict: Conflict[Any, Any]) -> TranslatableMessage:
        """Return the message that explains why two options contradict each other, for players.

        Conflicts with the same reason share one key, so that a page loads each reason once.
        """
        number = [each.reason for each in self.conflicts].index(conflict.reason)
        return TranslatableMessage(conflict.reason, f"{self.basic_game_id}.conflict.{number}", {})

    def find_option(self, key: str) -> Option[Any] | None:
        """Return the game's option with this key, or None."""
        return self._options_by_key.get(key)

    def find_preset(self, key: str) -> Preset | None:
        """Return the game's preset with this key, or None."""
        return next((p for p in self.presets if p.key == key), None)

    def new_room_options(self) -> Options:
        """Return the options of a new room whose host has chosen none: those of the first preset."""
        return self.resolve_options({"preset": self.presets[0].key})

    def resolve_options(self, requested: object = None, *, already_accepted: bool = False) -> Options:
        """Return the full options for a request: defaults, then the requested preset, then single values; cached.

        Without a preset the basic game is meant. Set `already_accepted` for stored options. Then conflicts with
        `allows_existing_rooms` are ignored, so that old rooms and matches can go on. Raises `RuleError` with code
        `bad_option` and a message that explains the error.
        """
        shown = f"{already_accepted} {requested!r}"
        found = self._resolved_cache.get(shown)
        if found is None:
            found = self._parse_options({} if requested is None else requested, already_accepted=already_accepted)
            if len(self._resolved_cache) >= MAX_RESOLVED_OPTIONS:
                self._resolved_cache.clear()
            self._resolved_cache[shown] = found
        return found

    def _parse_options(self, requested: object, *, already_accepted: bool) -> Options:
        if not isinstance(requested, Mapping):
            raise RuleError("bad_option", OPTIONS_ARE_AN_OBJECT())
        requested_values = dict(cast("Mapping[str, OptionValue]", requested))
        preset = self._require_preset(requested_values.pop("preset", self.basic_preset.key))
        values = {switch.key: switch.default for switch in self.all_options} | dict(preset.changes)
        for key, value in requested_values.items():
            self.check_value(key, value)
            values[key] = value
        options = Options(preset.key, values)
        for conflict in self.conflicts:
            if not (already_accepted and conflict.allows_existing_rooms):
                self._check_conflict(conflict, options)
        return options

    def check_value(self, key: str, value: object) -> None:
        """Raise `RuleError` (`bad_option`) unless the key, of an option or `preset`, and its value are valid.

        Conflicts between options are not checked.
        """
        if key == "preset":
            self._require_preset(value)
            return
        switch = self.find_option(key)
        if switch is None:
            raise RuleError("bad_option", NO_SUCH_SWITCH(name=str(key)[:30]))
        expected = switch.domain.expected_if_invalid(value)
        if expected is not None:
            raise RuleError("bad_option", NO_SUCH_VALUE(key=key, shown=_format_value(value)[:60], wanted=expected))

    def _require_preset(self, key: object) -> Preset:
        preset = self.find_preset(key) if isinstance(key, str) else None
        if preset is None:
            known = ", ".join(p.key for p in self.presets)
            raise RuleError("bad_option", NO_SUCH_PRESET(name=str(key)[:30], known=known))
        return preset

    def _check_conflict(self, conflict: Conflict[Any, Any], options: Options) -> None:
        one, other = conflict.one, conflict.other
        value, theirs = options[one], options[other]
        if not conflict.is_conflict(value, theirs):
            return
        values: dict[str, MessageValue] = {
            "one": one.key,
            "shown": _format_value(value),
            "other": other.key,
            "shown_other": _format_value(theirs),
            "because": self.conflict_message(conflict),
        }
        if conflict.suggest_values is None:
            raise RuleError("bad_option", CONTRADICTION(**values))
        raise RuleError("bad_option", CONTRADICTION_INSTEAD(**values, instead=conflict.suggest_values(value, theirs)))

    def changes_from_preset(self, options: Options) -> dict[str, OptionValue]:
        """Return the values that differ from the options' own preset, by key, those of important sections first."""
        preset = self.find_preset(options.preset)
        assert preset is not None
        base = {switch.key: switch.default for switch in self.all_options} | dict(preset.changes)
        values = options.values_by_key
        return {key: values[key] for key in self._keys_by_importance if values[key] != base[key]}


def _format_value(value: OptionValue) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return value or "“”"
        case _:
            return str(value)
