"""English texts of declarations by key: names and sentences of options, rules, presets, games, statistics and bots.

The texts of a row of the rules page have its id (`PRES-16.name`, `PRES-16.sentence`, `PRES-16.value.true`). Texts
without a row have the game's key (`big_two.section.deal`, `big_two.basics.0`). So a catalogue can replace each of them.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from app.bots import LEVELS
from app.engine.base.options import (
    Choice,
    MultiChoice,
    NumberOrNone,
    Option,
    OptionValue,
    Points,
    RuleAnswer,
    RuleQuestion,
    Titles,
)
from app.engine.base.short_rules import short_texts
from app.engine.games import GAMES
from app.engine.games.lessons import all_lessons
from app.engine.match.game import AnyGame
from app.engine.match.lesson import lesson_text_key
from app.rooms.people import names
from app.store.history.tallies import NUMBERS

INVENTED: Final = "invented.name"
"""Key of the pattern of invented names."""
SOMEBODY: Final = "invented.somebody"
"""Key of the name of people who deleted their data."""
MANNER: Final = "invented.manner"
"""Prefix of the keys of the first words of invented names."""
BIRD: Final = "invented.bird"
"""Prefix of the keys of the birds in invented names, and of names of bots without a level."""
_OF_BOTS: Final = "bots"
SOURCES: Final = {
    text: f"source.{text.lower().replace(' ', '_')}"
    for text in (
        "common",
        "house rule",
        "Vietnamese Wikipedia",
        "Vietnamese score sheets",
        "the rules sheet of Ceausescu",
        "28 descriptions and 15 apps",
    )
}
"""Keys of the sources of rules that need a translation. Other sources are names, like the other names of rules."""


def declared_texts() -> dict[str, str]:
    """Return the English texts of games, lessons and statistics by key, so that catalogues can replace them."""
    games = {key: text for game in GAMES.values() for key, text in _texts_of_game(game)}
    sources = {key: text for text, key in SOURCES.items()}
    return {
        **games,
        **sources,
        **dict(_lesson_texts()),
        **dict(_names_of_numbers()),
        **bot_texts(),
        **_invented_names(),
    }


def bot_texts() -> dict[str, str]:
    """Return the names and decrees of bots by key, and the name of people who deleted their data.

    Rooms store them in English; they are translated for display.
    """
    levels = [
        (f"{kind}.{what}.{number}", text)
        for kind, level in LEVELS.items()
        for what, texts in (("name", level.names), ("decree", level.decrees))
        for number, text in enumerate(texts)
    ]
    return {SOMEBODY: names.NEUTRAL, **{f"{_OF_BOTS}.{key}": text for key, text in levels}, **_keyed(BIRD, names.BIRDS)}


def _invented_names() -> dict[str, str]:
    return {INVENTED: "{manner} {bird}", **_keyed(MANNER, names.MANNERS)}


def _keyed(key: str, words: Iterable[str]) -> dict[str, str]:
    return {f"{key}.{word.lower()}": word for word in words}


def value_key(switch: Option[Any], value: OptionValue) -> str:
    """Return the key of the text that names a value of a game option.

    Forms translate the values of options by it.

    >>> from app.engine.games import GAMES
    >>> value_key(GAMES["president"].option_schema.all_options[0], 1)
    'PRES-01.value.1'
    """
    return f"{switch.id}.value.{value if isinstance(value, str) else json.dumps(value)}"


def question_key(game: AnyGame, question: RuleQuestion, answer: RuleAnswer | None = None) -> str:
    """Return the key of the text of a question about a game's rules, or of one of its answers."""
    return f"{game.key}.question.{question.key}" + ("" if answer is None else f".{answer.key}")


def _names_of_numbers() -> Iterator[tuple[str, str]]:
    for number in NUMBERS:
        if number.name:
            yield f"book.{number.key}", number.name
        if number.name_with_titles:
            yield f"book.{number.key}.as", number.name_with_titles


def _texts_of_game(game: AnyGame) -> Iterator[tuple[str, str]]:
    declared = game.option_schema
    yield f"game.{game.key}", game.name
    yield f"game.{game.key}.sentence", game.sentence
    yield f"{game.key}.example", declared.short_rules.example.caption
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
            yield from _value_labels(switch)
            yield from short_texts(switch).items()
    for preset in declared.presets:
        yield f"{preset.id}.name", preset.name
        yield f"{preset.id}.sentence", preset.sentence
        if preset.mark_text:
            yield f"{preset.id}.mark", preset.mark_text
        if preset.variant:
            yield f"{preset.id}.variant", preset.variant
        if preset.example is not None:
            yield f"{preset.id}.example", preset.example.caption
        if preset.survey is not None:
            for number, (survey_answer, counted) in enumerate(preset.survey.answers.items()):
                yield f"{preset.id}.survey.{number}.question", survey_answer
                yield f"{preset.id}.survey.{number}.answers", counted
    for question in declared.questions:
        yield question_key(game, question), question.sentence
        for answer in question.answers:
            yield question_key(game, question, answer), answer.text
    for conflict in declared.conflicts:
        yield declared.conflict_message(conflict).key, conflict.reason


def _lesson_texts() -> Iterator[tuple[str, str]]:
    """Yield (key, English text) for all texts of all lessons."""
    for key, lesson in all_lessons().items():
        yield f"lesson.{key}.name", lesson.name
        for step in lesson.steps:
            yield lesson_text_key(key, step), step.says
            if step.why:
                yield lesson_text_key(key, step, "why"), step.why


def _value_labels(switch: Option[Any]) -> Iterator[tuple[str, str]]:
    match switch.domain:
        case Choice(labels) | MultiChoice(labels):
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
