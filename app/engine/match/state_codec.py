"""States of hands as plain data and back, whole: for another process. Equal states give equal bytes.

A value is itself, or a list that begins with its sort: `c` a card, `cs` cards, `t` a tuple, `f` a set, `d` a mapping,
or the name of its class. Fields that are no part of a value, such as the rules of a hand, are left out, and handed in
when it is read back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

from msgspec import Struct, msgpack

from app.engine.base.frozen import Value
from app.engine.cards.cards import Card

_ENGINE = "app.engine"


def packed(value: object) -> bytes:
    """A state, or anything that is made of the like."""
    return msgpack.encode(_plain(value))


def unpacked(data: bytes, **left_out: object) -> Any:
    """What `packed` gave, with these for the fields that were left out."""
    return _whole(msgpack.decode(data), left_out)


def _plain(value: Any) -> Any:
    if isinstance(value, Card):
        return ["c", str(value)]
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, tuple):
        items: tuple[Any, ...] = value
        if items and all(isinstance(item, Card) for item in items):
            return ["cs", " ".join(items)]
        return ["t", *map(_plain, items)]
    if isinstance(value, frozenset):
        return ["f", *map(_plain, sorted(value))]
    if isinstance(value, Mapping):
        return ["d", *([_plain(key), _plain(one)] for key, one in value.items())]
    of = type(value)
    return [f"{of.__module__}:{of.__qualname__}", *(_plain(getattr(value, name)) for name in _fields(of))]


def _whole(data: Any, left_out: Mapping[str, object]) -> Any:
    if not isinstance(data, list):
        return data
    sort, *items = data
    match sort:
        case "c":
            return Card(items[0])
        case "cs":
            return tuple(map(Card, items[0].split()))
        case "t":
            return tuple(_whole(item, left_out) for item in items)
        case "f":
            return frozenset(_whole(item, left_out) for item in items)
        case "d":
            return {_whole(key, left_out): _whole(one, left_out) for key, one in items}
        case _:
            of = _class(sort)
            values = (_whole(item, left_out) for item in items)
            return of(**dict(zip(_fields(of), values, strict=True)), **{name: left_out[name] for name in _left_out(of)})


def _class(name: str) -> type[Any]:
    module, _, inner = name.partition(":")
    if not module.startswith(f"{_ENGINE}."):
        raise ValueError(f"{name} is no state of a hand")
    found: type[Any] = getattr(import_module(module), inner)
    return found


def _fields(of: type[Any]) -> Sequence[str]:
    if issubclass(of, Value):
        return of.parts()
    if issubclass(of, Struct):
        return of.__struct_fields__
    if not is_dataclass(of):
        raise TypeError(f"{of.__qualname__} is no state of a hand")
    return [field.name for field in fields(of) if field.init]


def _left_out(of: type[Any]) -> Sequence[str]:
    return [*of.apart] if issubclass(of, Value) else []
