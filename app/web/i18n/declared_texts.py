"""The words of the declarations, by key: what switches, rules, presets and games are called and say in English.

A row of the rules page has its texts under its id (`PRES-16.name`, `PRES-16.sentence`, `PRES-16.value.true`), what has
no id under its game (`big_two.section.deal`, `big_two.basics.0`). So every one of them can be replaced by a catalogue.
"""

import json
from collections.abc import Iterator
from typing import Any

from app.engine.base.options import Choice, NumberOrNone, Points, Several, Switch, Titles, Value
from app.engine.games import GAMES
from app.engine.games.lessons import lessons
from app.engine.match.game import AnyGame
from app.engine.match.lesson import text_key


def declared_texts() -> dict[str, str]:
    """Every text of every game's declarations in English, by key."""
    return {key: text for game in GAMES.values() for key, text in _texts(game)} | dict(_taught())


def value_key(switch: Switch[Any], value: Value) -> str:
    """The key of a value's label.

    >>> from app.engine.games import GAMES
    >>> value_key(GAMES["president"].declared.switches[0], 1)
    'PRES-01.value.1'
    """
    return f"{switch.id}.value.{value if isinstance(value, str) else json.dumps(value)}"


def _texts(game: AnyGame) -> Iterator[tuple[str, str]]:
    declared = game.declared
    yield f"game.{game.key}", game.name
    yield f"game.{game.key}.sentence", game.sentence
    for number, paragraph in enumerate(declared.basics):
        yield f"{game.key}.basics.{number}", paragraph
    if declared.zero_sum is not None:
        yield f"{game.key}.zero_sum", declared.zero_sum.sentence
    for section in declared.sections:
        yield f"{game.key}.section.{section.key}", section.name
        for rule in section.rules:
            yield f"{rule.id}.name", rule.name
            yield f"{rule.id}.sentence", rule.sentence
            yield f"{rule.id}.example", rule.example
        for switch in section.switches:
            yield f"{switch.id}.name", switch.name
            yield f"{switch.id}.sentence", switch.sentence
            yield f"{switch.id}.example", switch.example
            yield from _labels(switch)
    for preset in declared.presets:
        yield f"{preset.id}.name", preset.name
        yield f"{preset.id}.sentence", preset.sentence
    for conflict in declared.conflicts:
        yield declared.reason(conflict).key, conflict.because


def _taught() -> Iterator[tuple[str, str]]:
    """What lessons say."""
    for key, lesson in lessons().items():
        yield f"lesson.{key}.name", lesson.name
        for step in lesson.steps:
            yield text_key(key, step), step.says
            if step.why:
                yield text_key(key, step, "why"), step.why


def _labels(switch: Switch[Any]) -> Iterator[tuple[str, str]]:
    match switch.domain:
        case Choice(labels) | Several(labels):
            for value, label in labels.items():
                yield value_key(switch, value), label
        case Titles(labels, places) | Points(labels, places):
            for value, label in labels.items():
                yield value_key(switch, value), label
            for number, place in enumerate(places):
                yield f"{switch.id}.place.{number}", place
        case NumberOrNone(none_label=label):
            yield value_key(switch, None), label
        case _:
            pass
