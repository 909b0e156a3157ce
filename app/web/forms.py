"""Switch declarations as a form, and a form's fields as options. No switch is named here."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from app.engine.game import Game
from app.engine.games import GAMES
from app.engine.options import Choice, Number, Options, Preset, Ranks, Steps, Switch, Titles, Value
from app.web.texts import Texts
from app.web.wording import value_key

_OF_RULE = ("name", "sentence", "example")
_WHOLE = re.compile(r"-?[0-9]{1,9}")


def catalogue(texts: Texts) -> list[dict[str, Any]]:
    """Every game with all that a form and a rules page need, in one language."""
    return [describe(game, texts) for game in GAMES.values()]


def describe(game: Game, texts: Texts) -> dict[str, Any]:
    """One game: presets first, then its sections of switches."""
    declared = game.declared
    return {
        "key": game.key,
        "name": texts.t(f"game.{game.key}"),
        "players": list(game.players(declared.resolve())),
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
        "conflicts": [
            {"keys": list(each.keys), "because": texts.say(declared.reason(each))} for each in declared.conflicts
        ],
    }


def _said(row: str, texts: Texts, *which: str) -> dict[str, str]:
    """These texts of a row of the rules page."""
    return {each: texts.t(f"{row}.{each}") for each in which}


def _preset(game: Game, preset: Preset, texts: Texts) -> dict[str, Any]:
    players = preset.players or game.players(game.declared.resolve({"preset": preset.key}))
    return {
        "id": preset.id,
        "key": preset.key,
        **_said(preset.id, texts, "name", "sentence"),
        "changes": dict(preset.changes),
        "source": preset.source,
        "players": list(players),
    }


def _switch(switch: Switch, texts: Texts) -> dict[str, Any]:
    return {
        "id": switch.id,
        "key": switch.key,
        **_said(switch.id, texts, *_OF_RULE),
        "source": switch.source,
        "default": switch.default,
        "domain": _domain(switch, texts),
    }


def _domain(switch: Switch, texts: Texts) -> dict[str, Any]:
    """What the values of a switch may be, with their labels."""
    described = switch.domain.describe()
    if "values" in described:
        described["values"] = [
            each | {"label": texts.t(value_key(switch, each["value"]))} for each in described["values"]
        ]
    if described.get("none_label") is not None:
        described["none_label"] = texts.t(value_key(switch, None))
    return described


def read(game: Game, fields: Mapping[str, str]) -> dict[str, Value]:
    """The options that texts ask for (`?preset=bga&jokers=1`). Whether they are good `Declared.resolve` says."""
    asked: dict[str, Value] = {}
    for key, text in fields.items():
        switch = game.declared.switch(key)
        asked[key] = text if switch is None else _value(switch, text.strip())
    return asked


def _value(switch: Switch, text: str) -> Value:
    """What was typed or chosen, as a value of the domain; where it is none, as it is, for the refusal to name."""
    match switch.domain:
        case Choice(labels):
            return next((value for value in labels if _typed(value) == text), text)
        case Number():
            if text == _typed(None):
                return None
            return _number(text)
        case Ranks():
            return "" if text == "-" else text.upper()
        case Titles():
            return [title.strip() for title in text.splitlines()] if "\n" in text else text
        case Steps():
            return [[_number(part) for part in line.replace(":", " ").split()] for line in text.splitlines()]


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


def differing(game: Game, options: Options, texts: Texts) -> list[dict[str, Any]]:
    """The switches in which options differ from their preset, each with its value in words."""
    changed = game.declared.differences(options)
    return [
        _switch(switch, texts) | {"value": changed[switch.key], "said": said(switch, changed[switch.key], texts)}
        for switch in game.declared.switches
        if switch.key in changed
    ]


def said(switch: Switch, value: Value, texts: Texts) -> str:
    """A switch's value as players read it."""
    match switch.domain:
        case Choice(labels):
            return texts.t(value_key(switch, value)) if value in labels else str(value)
        case Titles(labels) if isinstance(value, str):
            return texts.t(value_key(switch, value)) if value in labels else value
        case Number() if value is None:
            return texts.t(value_key(switch, None))
        case Steps():
            return ", ".join(f"{from_so_many}: ×{times}" for from_so_many, times in value) or "–"
        case _:
            return ", ".join(value) if isinstance(value, list | tuple) else str(value) if value != "" else "–"
