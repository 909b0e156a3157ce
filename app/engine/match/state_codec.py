"""Encode complete hand states as bytes for another process, and decode them. Equal states give equal bytes.

A value is stored as itself, or as a list that begins with its type. The types are `c` (card), `cs` (cards), `t`
(tuple), `f` (set), `d` (mapping), or the name of a class. Transient fields, such as the rules of a hand, are left
out. The caller passes them when decoding.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

from msgspec import Struct, msgpack

from app.engine.base.frozen import FrozenState
from app.engine.cards.cards import Card

_ENGINE = "app.engine"


def encode_state(value: object) -> bytes:
    """Return a hand state, or a value built from such states, as bytes for another process; `decode_state` reads them.

    Transient fields, such as the rules, are left out, so the caller must pass them to `decode_state`. Equal values give
    equal bytes. Values may be numbers, texts, cards, tuples, frozen sets, mappings and the engine's state classes.
    """
    return msgpack.encode(_to_plain_data(value))


def decode_state(data: bytes, **left_out: object) -> Any:
    """Return the value that `encode_state` encoded, with `left_out` for the fields it omits, such as `rules`."""
    return _from_plain_data(msgpack.decode(data), left_out)


def _to_plain_data(value: Any) -> Any:
    if isinstance(value, Card):
        return ["c", str(value)]
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, tuple):
        items: tuple[Any, ...] = value
        if items and all(isinstance(item, Card) for item in items):
            return ["cs", " ".join(items)]
        return ["t", *map(_to_plain_data, items)]
    if isinstance(value, frozenset):
        return ["f", *map(_to_plain_data, sorted(value))]
    if isinstance(value, Mapping):
        return ["d", *([_to_plain_data(key), _to_plain_data(one)] for key, one in value.items())]
    of = type(value)
    return [
        f"{of.__module__}:{of.__qualname__}",
        *(_to_plain_data(getattr(value, name)) for name in _encoded_fields(of)),
    ]


def _from_plain_data(data: Any, left_out: Mapping[str, object]) -> Any:
    if not isinstance(data, list):
        return data
    sort, *items = data
    match sort:
        case "c":
            return Card(items[0])
        case "cs":
            return tuple(map(Card, items[0].split()))
        case "t":
            return tuple(_from_plain_data(item, left_out) for item in items)
        case "f":
            return frozenset(_from_plain_data(item, left_out) for item in items)
        case "d":
            return {_from_plain_data(key, left_out): _from_plain_data(one, left_out) for key, one in items}
        case _:
            of = _find_class(sort)
            values = (_from_plain_data(item, left_out) for item in items)
            return of(
                **dict(zip(_encoded_fields(of), values, strict=True)),
                **{name: left_out[name] for name in _omitted_fields(of)},
            )


def _find_class(name: str) -> type[Any]:
    module, _, inner = name.partition(":")
    if not module.startswith(f"{_ENGINE}."):
        raise ValueError(f"{name} is no state of a hand")
    found: type[Any] = getattr(import_module(module), inner)
    return found


def _encoded_fields(of: type[Any]) -> Sequence[str]:
    if issubclass(of, FrozenState):
        return of.persistent_fields()
    if issubclass(of, Struct):
        return of.__struct_fields__
    if not is_dataclass(of):
        raise TypeError(f"{of.__qualname__} is no state of a hand")
    return [field.name for field in fields(of) if field.init]


def _omitted_fields(of: type[Any]) -> Sequence[str]:
    return [*of.transient_fields] if issubclass(of, FrozenState) else []
