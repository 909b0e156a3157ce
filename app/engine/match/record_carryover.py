"""What a record says of the match before its first hand, where that is not the first of all: whether it can be so.

A record comes from anybody. Whatever is not of the type that a match has there would fail only later, as it is played.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from app.engine.display.point_reasons import Unit

MOST: Final = 2**53
"""Points and hands: beyond this, JSON is no longer read alike by everybody."""


def can_be(carried: Any) -> bool:
    """Whether this is what `Match.carried` may give. What games remember for themselves is not looked into."""
    return (
        _has(carried, FIELDS)
        and set(carried["seats"]) <= set(carried["totals"])
        and set(carried["hierarchy"]) <= set(carried["totals"])
        and len(set(carried["hierarchy"])) == len(carried["hierarchy"])
        and _reasons(carried.get("entered", []))
    )


def _has(value: Any, fields: Mapping[str, Callable[[Any], bool]]) -> bool:
    return isinstance(value, dict) and all(key in value and fits(value[key]) for key, fits in fields.items())


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < MOST


def _object(value: Any) -> bool:
    return isinstance(value, dict)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _points(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_number, value.values()))


def _places(value: Any) -> bool:
    return isinstance(value, list) and all(_text(place) or _texts(place) for place in value)


def _decree(value: Any) -> bool:
    return _texts(value) and len(value) == 2


def _reasons(value: Any) -> bool:
    return isinstance(value, list) and all(_has(each, REASON) for each in value)


def _result(value: Any) -> bool:
    return _has(value, RESULT) and _reasons(value.get("reasons", []))


REASON: Final[Mapping[str, Callable[[Any], bool]]] = {
    "name": _text,
    "key": _text,
    "values": _object,
    "amount": _number,
    "unit": lambda value: _text(value) and value in get_args(Unit),
}
RESULT: Final[Mapping[str, Callable[[Any], bool]]] = {
    "dealer": _text,
    "standing": _places,
    "titles": lambda value: isinstance(value, dict) and all(map(_text, value.values())),
    "ledger": _points,
    "events": _texts,
}
FIELDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "seats": _texts,
    "totals": _points,
    "hierarchy": _texts,
    "dealt": lambda value: _number(value) and value >= 0,
    "dealer": lambda value: value is None or _text(value),
    "happened": _texts,
    "unanswered": lambda value: isinstance(value, list) and all(map(_decree, value)),
    "over": lambda value: isinstance(value, bool),
    "memory": _object,
    "last": lambda value: value is None or _result(value),
}
