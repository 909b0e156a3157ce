"""What is wrong with a message that is none, in a sentence for whoever wrote the program that sent it."""

import re
from math import isfinite
from typing import Any

from app.engine.base.messages import Said, Sentence, Word, beside
from app.text_limits import LONGEST

DEEPEST = 8
"""Levels of lists and objects in what a client sends."""
_UNCLEAN = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, and halves of surrogate pairs."""

ONE_JSON_OBJECT = Sentence("message.one_json_object", "A message is one JSON object.")
OBJECT_WITH_T = Sentence("message.object_with_t", "A message is an object with “t”.")
NO_SUCH_MESSAGE = Sentence("message.no_such_message", "There is no message “{kind}”.")
MISSING = Sentence("message.missing", "“{where}” is missing.")
DOES_NOT_BELONG = Sentence("message.does_not_belong", "“{where}” does not belong in this message.")
IS_NONE = Sentence("message.is_none", "“{where}”: Input should be a valid {kind}.")
IS_WRONG = Sentence("message.is_wrong", "“{where}”: {reason}.")
TOO_DEEP = Sentence("message.too_deep", "nested too deeply")
TEXT_TOO_LONG = Sentence("message.text_too_long", "a text has at most {most} characters")
NO_CONTROL_CHARACTERS = Sentence("message.no_control_characters", "control characters are not allowed")
NUMBERS_ARE_FINITE = Sentence("message.numbers_are_finite", "numbers are finite")

KINDS = {
    "str": Sentence("message.kind.str", "string"),
    "int": Sentence("message.kind.int", "integer"),
    "float": Sentence("message.kind.float", "number"),
    "bool": Sentence("message.kind.bool", "boolean"),
    "array": Sentence("message.kind.array", "list"),
    "object": Sentence("message.kind.object", "object"),
}
"""What something may have to be, by its name in `msgspec`."""
OF_LENGTH = Sentence("message.of_length", "of length")

_WRONG = re.compile(
    r"Object missing required field `(?P<missing>.*?)`|Object contains unknown field `(?P<unknown>.*?)`"
    r"|Expected `(?P<kind>\w+)[^`]*`(?P<length> of length)?(?P<limit> [<>]=? .*?)?(?:, got .*?)?",
    re.DOTALL,
)
_PLACE = re.compile(r"(?P<said>.*?)(?: - at `\$\.?(?P<where>.*)`)?", re.DOTALL)


class BadMessage(Exception):
    """What came is not one of our messages. `message_id` is its id, if that could be read."""

    def __init__(self, sentence: Said, message_id: str | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.message_id = message_id


def is_clean(text: str) -> bool:
    """Tell whether JSON shows at a glance that `cleaned` would refuse nothing in it, as nearly all of it does."""
    if len(text) > LONGEST or not (text.isascii() and text.isprintable()) or "\\" in text:
        return False
    return text.count("{") + text.count("[") <= DEEPEST


def cleaned(value: Any, depth: int = 0, most: int = DEEPEST) -> Any:
    """Return JSON as it is; raise `ValueError` with a sentence if the store or the page could not take it.

    No text in it, and no key, is longer than `LONGEST`; there are no control characters, and at most `most` levels.
    """
    if isinstance(value, str):
        if len(value) > LONGEST:
            raise ValueError(TEXT_TOO_LONG(most=LONGEST))
        # Most texts can be printed as they are, and are told apart from the others sooner so.
        if not value.isprintable() and _UNCLEAN.search(value):
            raise ValueError(NO_CONTROL_CHARACTERS())
    elif depth > most:
        raise ValueError(TOO_DEEP())
    elif isinstance(value, dict):
        for key, each in value.items():
            cleaned(key, depth + 1, most)
            cleaned(each, depth + 1, most)
    elif isinstance(value, list):
        for each in value:
            cleaned(each, depth + 1, most)
    elif isinstance(value, float) and not isfinite(value):
        raise ValueError(NUMBERS_ARE_FINITE())
    return value


def explained(error: str) -> Said:
    """Say what `msgspec` says. What it has no key for is quoted as it is.

    >>> explained("Object contains unknown field `tick` - at `$.clock`")
    '“clock.tick” does not belong in this message.'
    >>> explained("Expected `str` of length <= 64 - at `$.name`")
    '“name”: Input should be a valid string of length <= 64.'
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
    kind: Word = KINDS[wrong["kind"]]() if wrong["kind"] in KINDS else wrong["kind"]
    limits: list[Word] = [OF_LENGTH()] if wrong["length"] else []
    limits += [wrong["limit"].strip()] if wrong["limit"] else []
    return IS_NONE(where=where[:60], kind=beside([kind, *limits]))
