"""Short rules: a game's rules for newcomers in at most 100 words, built from the options that a room plays by."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from app.engine.base.messages import MessageTemplate, TranslatableMessage, join_with_commas
from app.engine.base.options import Option, Options, OptionSchema, ShortLine

MAX_WORDS: Final = 100
"""Largest number of words in short rules. Ranks, suits and numbers count as none."""

MORE: Final = MessageTemplate("short.more", "More rules apply.")

_WORD: Final = re.compile(r"[^\W\d_]{2,}")


def short_sentences(declared: OptionSchema, options: Options) -> tuple[TranslatableMessage, ...]:
    """Return the short rules of a match with these options. A message has one sentence or two.

    If sentences of options exceed the limit of words, the last message says that there are more rules.
    """
    others = _unlisted_options(declared)
    said = _say_lines(declared, options)
    optional = [line for line in (*others, *declared.short_rules.if_room) if line in said]
    left = MAX_WORDS - count_words(*(sentence for line, sentence in said.items() if line not in optional))
    special = [said[line] for line in others if line in said]
    more = [MORE()] if special and count_words(*special) > left else []
    left -= count_words(*more)
    for line in optional:
        if count_words(said[line]) <= left:
            left -= count_words(said[line])
        else:
            del said[line]
    return (*said.values(), *more)


def special_sentences(declared: OptionSchema, options: Options) -> tuple[TranslatableMessage, ...]:
    """Return the rules of a match that a game's questions don't ask about, where they differ from the basic game.

    These are the sentences of its short rules that the basic game with the same answers doesn't have.
    """
    answered = {key for question in declared.questions for answer in question.answers for key in answer.sets}
    basic = {each.key: each.default for each in declared.all_options}
    basic |= {key: value for key, value in options.values_by_key.items() if key in answered}
    usual = _say_lines(declared, Options(declared.basic_preset.key, basic)).values()
    return tuple(sentence for sentence in _say_lines(declared, options).values() if sentence not in usual)


def _unlisted_options(declared: OptionSchema) -> list[Option[Any]]:
    """Return the options whose sentences no list of short rules names."""
    listed = {*declared.short_rules.play, *declared.short_rules.result}
    return [option for option in declared.all_options if option not in listed]


def _say_lines(declared: OptionSchema, options: Options) -> dict[ShortLine, TranslatableMessage]:
    """Return all sentences of short rules by line, without a limit of words."""
    short = declared.short_rules
    lines = (*short.play, *_unlisted_options(declared), *short.result)
    return {line: sentence for line in lines if (sentence := _say_line(line, options)) is not None}


def count_words(*texts: str) -> int:
    """Return the number of words in texts; ranks, suits and numbers count as none.

    >>> count_words("Low to high: 3 to 10, J, Q, K, A, 2.")
    4
    """
    return sum(len(_WORD.findall(text)) for text in texts)


def _say_line(line: ShortLine, options: Options) -> TranslatableMessage | None:
    if isinstance(line, MessageTemplate):
        return line()
    if callable(line):
        return line(options)
    value, texts = options[line], line.short
    if isinstance(texts, str):
        if not texts or value == line.default:
            return None
        shown = value if isinstance(value, int) else join_with_commas(str(each).replace("T", "10") for each in value)
        return _fill(texts, f"{line.id}.short", {"value": shown})
    text = texts.get(value) if isinstance(value, str | int) else None
    return None if text is None else _fill(text, _key(line, value), {})


def short_texts(option: Option[Any]) -> Mapping[str, str]:
    """Return the texts of an option's sentences in short rules, by key in the message catalogue."""
    if isinstance(option.short, str):
        return {f"{option.id}.short": option.short} if option.short else {}
    return {_key(option, value): text for value, text in option.short.items()}


def _key(option: Option[Any], value: object) -> str:
    return f"{option.id}.short.{value if isinstance(value, str) else json.dumps(value)}"


def _fill(text: str, key: str, values: Mapping[str, Any]) -> TranslatableMessage:
    return TranslatableMessage(text.format(**values), key, values)
