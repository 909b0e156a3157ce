"""Switch declarations as a form, and a form's fields as options. No switch is named here."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any, Literal, TypedDict

from app.engine.base.options import (
    Choice,
    Number,
    NumberOrNone,
    Options,
    Points,
    Preset,
    Ranks,
    Several,
    Steps,
    Switch,
    Titles,
    Value,
)
from app.engine.games import GAMES
from app.engine.match.game import AnyGame
from app.web.i18n.catalogues import Texts
from app.web.i18n.declared_texts import value_key


class ValueShown(TypedDict):
    """One of the values to choose from."""

    value: Annotated[Any, "Itself."]
    label: Annotated[str, "What players read."]


class OneOf(TypedDict):
    """One of some values."""

    type: Annotated[Literal["choice"], "Which domain it is."]
    values: Annotated[list[ValueShown], "All of them."]


class WholeNumber(TypedDict):
    """A whole number, or maybe null."""

    type: Annotated[Literal["number"], "Which domain it is."]
    low: Annotated[int, "The lowest."]
    high: Annotated[int, "The highest."]
    none_label: Annotated[str | None, "What players read for null; null where it is no value."]


class SomeRanks(TypedDict):
    """A text of ranks."""

    type: Annotated[Literal["ranks"], "Which domain it is."]
    most: Annotated[int, "So many at most."]
    of: Annotated[str, "Those that there are."]


class SomeTitles(TypedDict):
    """A theme of titles, or a list of one's own."""

    type: Annotated[Literal["titles"], "Which domain it is."]
    values: Annotated[list[ValueShown], "The themes."]
    places: Annotated[list[str], "What a list of one's own has a title for."]


class SomePoints(TypedDict):
    """A scheme of points, or a list of one's own."""

    type: Annotated[Literal["points"], "Which domain it is."]
    values: Annotated[list[ValueShown], "The schemes."]
    places: Annotated[list[str], "What a list of one's own has a number for."]
    low: Annotated[int, "The lowest."]
    high: Annotated[int, "The highest."]


class SomeOf(TypedDict):
    """Any of some values."""

    type: Annotated[Literal["several"], "Which domain it is."]
    values: Annotated[list[ValueShown], "All of them."]


class SomeSteps(TypedDict):
    """Pairs of so many and so much."""

    type: Annotated[Literal["steps"], "Which domain it is."]
    most: Annotated[int, "So many pairs at most."]


class SwitchShown(TypedDict):
    """A switch, as a form and a rules page show it."""

    id: Annotated[str, "Its row on the rules page."]
    key: Annotated[str, "Its name among options."]
    name: Annotated[str, "What it is called."]
    sentence: Annotated[str, "What it does."]
    example: Annotated[str, "The same in cards."]
    source: Annotated[str, "Where it comes from."]
    also: Annotated[str, "What else it is called."]
    default: Annotated[Any, "Its value where nobody says another."]
    domain: Annotated[
        OneOf | WholeNumber | SomeRanks | SomeTitles | SomePoints | SomeOf | SomeSteps, "What its values may be."
    ]


class RuleShown(TypedDict):
    """A rule that is no switch."""

    id: Annotated[str, "Its row on the rules page."]
    name: Annotated[str, "What it is called."]
    sentence: Annotated[str, "What it says."]
    example: Annotated[str, "The same in cards."]
    source: Annotated[str, "Where it comes from."]


class SectionShown(TypedDict):
    """A section of a rules page."""

    key: Annotated[str, "Its own in this game."]
    name: Annotated[str, "What it is called."]
    switches: Annotated[list[SwitchShown], "In order."]
    rules: Annotated[list[RuleShown], "In order."]


class PresetShown(TypedDict):
    """A bundle of switches."""

    id: Annotated[str, "Its row on the rules page."]
    key: Annotated[str, "What options name it by."]
    name: Annotated[str, "What it is called."]
    sentence: Annotated[str, "What it is."]
    changes: Annotated[dict[str, Any], "The switches that differ from their defaults."]
    source: Annotated[str, "Where it comes from."]
    also: Annotated[str, "What else it is called."]
    picture: Annotated[str, "A few cards that stand for what is special."]
    mark: Annotated[str, "A sign or two beside them; empty: none."]
    players: Annotated[tuple[int, int], "The fewest and the most who can play."]


class ConflictShown(TypedDict):
    """Two switches that contradict each other."""

    keys: Annotated[tuple[str, str], "Those two."]
    because: Annotated[str, "Why, in a sentence."]


class GameShown(TypedDict):
    """A game with all that a form and a rules page need."""

    key: Annotated[str, "What rooms name it by."]
    name: Annotated[str, "What it is called."]
    also: Annotated[str, "What else it is called."]
    players: Annotated[tuple[int, int], "The fewest and the most who can play."]
    basics: Annotated[list[str], "How it goes, in a few sentences."]
    presets: Annotated[list[PresetShown], "The first is where a form begins."]
    sections: Annotated[list[SectionShown], "In the order of the rules page."]
    conflicts: Annotated[list[ConflictShown], "What can't be had together."]
    zero_sum: Annotated[str | None, "What it says of points that add up to nothing; null where they never do."]


class CatalogueShown(TypedDict):
    """What `GET /api/games` gives."""

    games: Annotated[list[GameShown], "Every game."]
    bots: Annotated[list[str], "The kinds of bots that are offered, the easiest first."]
    signs: Annotated[dict[str, str], "The head that each kind has at the table."]


_OF_RULE = ("name", "sentence", "example")
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_LISTED = re.compile(r"[\n,]")


def catalogue(texts: Texts) -> list[dict[str, Any]]:
    """Give every game as `GameShown`, in one language."""
    return [describe(game, texts) for game in GAMES.values()]


def names(texts: Texts) -> list[dict[str, Any]]:
    """Give what every game is called, and how many can play it: as in `GameShown`, which says much more."""
    return [_named(game, texts) for game in GAMES.values()]


def _named(game: AnyGame, texts: Texts) -> dict[str, Any]:
    players = list(game.players(game.declared.resolve()))
    return {"key": game.key, "name": texts.t(f"game.{game.key}"), "also": game.also, "players": players}


def describe(game: AnyGame, texts: Texts) -> dict[str, Any]:
    """Give one game as `GameShown`."""
    declared = game.declared
    return {
        **_named(game, texts),
        "basics": [texts.t(f"{game.key}.basics.{number}") for number in range(len(declared.basics))],
        "presets": [_preset(game, preset, texts) for preset in declared.presets],
        "sections": [
            {
                "key": section.key,
                "name": texts.t(f"{game.key}.section.{section.key}"),
                "switches": [_switch(switch, texts) for switch in section.switches],
                "rules": [asdict(rule) | _said(rule.id, texts, *_OF_RULE) for rule in section.rules],
            }
            for section in declared.sections
        ],
        "zero_sum": None if declared.zero_sum is None else texts.t(f"{game.key}.zero_sum"),
        "conflicts": [
            {"keys": [each.one.key, each.other.key], "because": texts.say(declared.reason(each))}
            for each in declared.conflicts
        ],
    }


def _said(row: str, texts: Texts, *which: str) -> dict[str, str]:
    """These texts of a row of the rules page."""
    return {each: texts.t(f"{row}.{each}") for each in which}


def _preset(game: AnyGame, preset: Preset, texts: Texts) -> dict[str, Any]:
    players = preset.players or game.players(game.declared.resolve({"preset": preset.key}))
    return {
        "id": preset.id,
        "key": preset.key,
        **_said(preset.id, texts, "name", "sentence"),
        "changes": dict(preset.changes),
        "source": preset.source,
        "also": preset.also,
        "picture": preset.picture,
        "mark": preset.mark,
        "players": list(players),
    }


def _switch(switch: Switch[Any], texts: Texts) -> dict[str, Any]:
    return {
        "id": switch.id,
        "key": switch.key,
        **_said(switch.id, texts, *_OF_RULE),
        "source": switch.source,
        "also": switch.also,
        "default": switch.default,
        "domain": _domain(switch, texts),
    }


def _domain(switch: Switch[Any], texts: Texts) -> dict[str, Any]:
    """What the values of a switch may be, with their labels."""
    described = switch.domain.describe()
    if "values" in described:
        described["values"] = [
            each | {"label": texts.t(value_key(switch, each["value"]))} for each in described["values"]
        ]
    if "places" in described:
        described["places"] = [texts.t(f"{switch.id}.place.{number}") for number in range(len(described["places"]))]
    if described.get("none_label") is not None:
        described["none_label"] = texts.t(value_key(switch, None))
    return described


def read(game: AnyGame, fields: Mapping[str, str]) -> dict[str, Value]:
    """The options that texts ask for (`?preset=bga&jokers=1`). Whether they are good `Declared.resolve` says."""
    asked: dict[str, Value] = {}
    for key, text in fields.items():
        switch = game.declared.switch(key)
        asked[key] = text if switch is None else _value(switch, text.strip())
    return asked


def _value(switch: Switch[Any], text: str) -> Value:
    """What was typed or chosen, as a value of the domain; where it is none, as it is, for the refusal to name."""
    match switch.domain:
        case Choice(labels):
            return next((value for value in labels if _typed(value) == text), text)
        case NumberOrNone() if text == _typed(None):
            return None
        case Number() | NumberOrNone():
            return _number(text)
        case Ranks():
            return "" if text == "-" else text.upper()
        case Titles():
            return [title.strip() for title in text.splitlines()] if "\n" in text else text
        case Points():
            parts = _LISTED.split(text)
            return [_number(part.strip()) for part in parts] if len(parts) > 1 else text
        case Several():
            return [] if text == "-" else text.replace(",", " ").split()
        case Steps():
            parts = [] if text in ("", "-") else _LISTED.split(text)
            return [[_number(number) for number in part.replace(":", " ").split()] for part in parts]
        case unknown:
            raise AssertionError(f"no form field for {unknown}")


def written(switch: Switch[Any], value: Any) -> str:
    """A value as a text that `read` reads."""
    match switch.domain:
        case Ranks():
            return str(value) or "-"
        case Titles() if isinstance(value, list | tuple):
            return "\n".join(map(str, value))
        case Points() | Several() if isinstance(value, list | tuple):
            return ",".join(map(str, value)) or "-"
        case Steps():
            return ",".join(f"{from_so_many}:{times}" for from_so_many, times in value) or "-"
        case _:
            return _typed(value)


def _number(text: str) -> int | str:
    return int(text) if _WHOLE.fullmatch(text) else text


def _typed(value: Value) -> str:
    """A value as a form's field holds it."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)


def differing(game: AnyGame, options: Options, texts: Texts) -> list[dict[str, Any]]:
    """The switches in which options differ from their preset, most telling first, each with its value in words."""
    changed = game.declared.differences(options).items()
    known = [(switch, value) for key, value in changed if (switch := game.declared.switch(key)) is not None]
    return [_switch(switch, texts) | {"value": value, "said": said(switch, value, texts)} for switch, value in known]


def said(switch: Switch[Any], value: Any, texts: Texts) -> str:
    """A switch's value as players read it."""
    match switch.domain:
        case Choice(labels):
            return texts.t(value_key(switch, value)) if value in labels else str(value)
        case Titles(labels) | Points(labels) if isinstance(value, str):
            return texts.t(value_key(switch, value)) if value in labels else value
        case Several(labels):
            return texts.listed([texts.t(value_key(switch, one)) for one in value if one in labels]) or "–"
        case NumberOrNone() if value is None:
            return texts.t(value_key(switch, None))
        case Steps():
            return ", ".join(f"{from_so_many}: ×{times}" for from_so_many, times in value) or "–"
        case _:
            return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value) if value != "" else "–"
