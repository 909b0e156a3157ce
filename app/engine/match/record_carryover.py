"""Validate `carried`: a record's description of the match before the record's first hand.

Records are untrusted input. Without this check, a value of a wrong type would cause an error only later, in play.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from app.engine.display.point_reasons import Unit

MAX_NUMBER: Final = 2**53
"""Limit for points and hand numbers: larger integers are not read exactly by every JSON parser."""


def is_valid_carryover(carried: Any) -> bool:
    """Return whether the `carried` of a record has the form of `Match.carryover_to_json`, before it is read.

    The games' own `memory` is not checked.
    """
    return (
        _has_valid_fields(carried, CARRYOVER_FIELDS)
        and set(carried["seats"]) <= set(carried["totals"])
        and set(carried["hierarchy"]) <= set(carried["totals"])
        and len(set(carried["hierarchy"])) == len(carried["hierarchy"])
        and _is_reason_list(carried.get("entered", []))
    )


def _has_valid_fields(value: Any, fields: Mapping[str, Callable[[Any], bool]]) -> bool:
    return isinstance(value, dict) and all(key in value and fits(value[key]) for key, fits in fields.items())


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < MAX_NUMBER


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_text_list(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_points_by_name(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_number, value.values()))


def _is_standing(value: Any) -> bool:
    return isinstance(value, list) and all(_is_text(place) or _is_text_list(place) for place in value)


def _is_pending_decree(value: Any) -> bool:
    return _is_text_list(value) and len(value) == 2


def _is_reason_list(value: Any) -> bool:
    return isinstance(value, list) and all(_has_valid_fields(each, REASON_FIELDS) for each in value)


def _is_hand_result(value: Any) -> bool:
    return _has_valid_fields(value, RESULT_FIELDS) and _is_reason_list(value.get("reasons", []))


REASON_FIELDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "name": _is_text,
    "key": _is_text,
    "values": _is_object,
    "amount": _is_number,
    "unit": lambda value: _is_text(value) and value in get_args(Unit),
}
RESULT_FIELDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "dealer": _is_text,
    "standing": _is_standing,
    "titles": lambda value: isinstance(value, dict) and all(map(_is_text, value.values())),
    "ledger": _is_points_by_name,
    "events": _is_text_list,
}
CARRYOVER_FIELDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "seats": _is_text_list,
    "totals": _is_points_by_name,
    "hierarchy": _is_text_list,
    "dealt": lambda value: _is_number(value) and value >= 0,
    "dealer": lambda value: value is None or _is_text(value),
    "happened": _is_text_list,
    "unanswered": lambda value: isinstance(value, list) and all(map(_is_pending_decree, value)),
    "over": lambda value: isinstance(value, bool),
    "memory": _is_object,
    "last": lambda value: value is None or _is_hand_result(value),
}
