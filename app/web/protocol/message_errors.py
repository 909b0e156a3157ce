"""Explain invalid messages in a sentence for the developer of the client."""

import re
from math import isfinite
from typing import Any

from app.engine.base.messages import MessageTemplate, MessageValue, TranslatableMessage, join_with_spaces
from app.text_limits import MAX_TEXT_LENGTH

MAX_DEPTH = 8
"""Limit for the nesting depth of client messages."""
_UNCLEAN = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, and halves of surrogate pairs."""

ONE_JSON_OBJECT = MessageTemplate("message.one_json_object", "A message must be one JSON object.")
OBJECT_WITH_T = MessageTemplate("message.object_with_t", "A message must be an object with “t”.")
NO_SUCH_MESSAGE = MessageTemplate("message.no_such_message", "The message “{kind}” does not exist.")
MISSING = MessageTemplate("message.missing", "“{where}” is missing.")
DOES_NOT_BELONG = MessageTemplate("message.does_not_belong", "“{where}” does not belong in this message.")
IS_NONE = MessageTemplate("message.is_none", "“{where}” has the wrong type. Expected: {kind}.")
IS_WRONG = MessageTemplate("message.is_wrong", "“{where}”: {reason}.")
TOO_DEEP = MessageTemplate("message.too_deep", "nested too deeply")
TEXT_TOO_LONG = MessageTemplate("message.text_too_long", "a text has at most {most} characters")
NO_CONTROL_CHARACTERS = MessageTemplate("message.no_control_characters", "control characters are not allowed")
NUMBERS_ARE_FINITE = MessageTemplate("message.numbers_are_finite", "numbers are finite")

KINDS = {
    "str": MessageTemplate("message.kind.str", "string"),
    "int": MessageTemplate("message.kind.int", "integer"),
    "float": MessageTemplate("message.kind.float", "number"),
    "bool": MessageTemplate("message.kind.bool", "boolean"),
    "array": MessageTemplate("message.kind.array", "list"),
    "object": MessageTemplate("message.kind.object", "object"),
}
"""Names of types, by their name in `msgspec`."""
OF_LENGTH = MessageTemplate("message.of_length", "of length")

_WRONG = re.compile(
    r"Object missing required field `(?P<missing>.*?)`|Object contains unknown field `(?P<unknown>.*?)`"
    r"|Expected `(?P<kind>\w+)[^`]*`(?P<length> of length)?(?P<limit> [<>]=? .*?)?(?:, got .*?)?",
    re.DOTALL,
)
_PLACE = re.compile(r"(?P<said>.*?)(?: - at `\$\.?(?P<where>.*)`)?", re.DOTALL)


class BadMessage(Exception):
    """An invalid client message. `message_id` is its id, if that could be read."""

    def __init__(self, sentence: TranslatableMessage, message_id: str | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.message_id = message_id


def is_surely_within_limits(text: str) -> bool:
    """Return whether a quick look shows that `check_json_limits` accepts this JSON text, as it nearly always does."""
    if len(text) > MAX_TEXT_LENGTH or not (text.isascii() and text.isprintable()) or "\\" in text:
        return False
    return text.count("{") + text.count("[") <= MAX_DEPTH


def check_json_limits(value: Any, depth: int = 0, most: int = MAX_DEPTH) -> Any:
    """Return JSON unchanged; raise `ValueError` with a sentence if a limit is exceeded.

    Texts and keys have at most `MAX_TEXT_LENGTH` characters and no control characters; the nesting depth is at most
    `most`.
    """
    if isinstance(value, str):
        if len(value) > MAX_TEXT_LENGTH:
            raise ValueError(TEXT_TOO_LONG(most=MAX_TEXT_LENGTH))
        # `isprintable` is a fast check that most texts pass.
        if not value.isprintable() and _UNCLEAN.search(value):
            raise ValueError(NO_CONTROL_CHARACTERS())
    elif depth > most:
        raise ValueError(TOO_DEEP())
    elif isinstance(value, dict):
        for key, each in value.items():
            check_json_limits(key, depth + 1, most)
            check_json_limits(each, depth + 1, most)
    elif isinstance(value, list):
        for each in value:
            check_json_limits(each, depth + 1, most)
    elif isinstance(value, float) and not isfinite(value):
        raise ValueError(NUMBERS_ARE_FINITE())
    return value


def explain_validation_error(error: str) -> TranslatableMessage:
    """Return msgspec's error as a translatable message with its place, at most 60 characters.

    An error of another form stays in msgspec's words.

    >>> explain_validation_error("Object contains unknown field `tick` - at `$.clock`")
    '“clock.tick” does not belong in this message.'
    >>> explain_validation_error("Expected `str` of length <= 64 - at `$.name`")
    '“name” has the wrong type. Expected: string of length <= 64.'
    """
    place = _PLACE.fullmatch(error)
    assert place is not None
    said, where = place["said"], place["where"] or ""
    wrong = _WRONG.fullmatch(said)
    if wrong is None:
        return IS_WRONG(where=where[:60], reason=said)
    inner = wrong["missing"] or wrong["unknown"]
    if inner:
        where = f"{where}.{inner}" if where else inner
        return (MISSING if wrong["missing"] else DOES_NOT_BELONG)(where=where[:60])
    kind: MessageValue = KINDS[wrong["kind"]]() if wrong["kind"] in KINDS else wrong["kind"]
    limits: list[MessageValue] = [OF_LENGTH()] if wrong["length"] else []
    limits += [wrong["limit"].strip()] if wrong["limit"] else []
    return IS_NONE(where=where[:60], kind=join_with_spaces([kind, *limits]))
