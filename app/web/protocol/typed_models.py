"""Models of what games declare with `TypedDict`: the engine knows no pydantic, by which the wire is described.

>>> from typing import Annotated, TypedDict
>>> class Cut(TypedDict):
...     '''A card cut.'''
...     by: Annotated[str, "Whose it is."]
>>> of(Cut).model_json_schema()["properties"]
{'by': {'description': 'Whose it is.', 'title': 'By', 'type': 'string'}}
"""

import functools
import operator
import types
from collections.abc import Iterable
from keyword import iskeyword
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from pydantic import BaseModel, ConfigDict, Field, create_model


class ClosedModel(BaseModel):
    """No other fields, no conversions, no changes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


@functools.cache
def of(shape: Any) -> type[BaseModel]:
    """The model of a `TypedDict`."""
    optional = shape.__optional_keys__
    return create_model(shape.__name__, __base__=ClosedModel, __doc__=shape.__doc__, **fields(shape, optional))


def fields(shape: Any, optional: Iterable[str]) -> dict[str, Any]:
    """A shape's keys as fields for a model; those in `optional` may be missing, but null is no value of theirs."""
    made: dict[str, Any] = {}
    for key, hint in get_type_hints(shape, include_extras=True).items():
        kind, *about = _unwrapped(hint)
        default = None if key in optional else ...
        alias = key if iskeyword(key) else None
        made[f"{key}_" if alias else key] = (_modelled(kind), Field(default, alias=alias, description=about[0]))
    return made


def _unwrapped(hint: Any) -> tuple[Any, ...]:
    """A key's type and its sentence."""
    if get_origin(hint) is NotRequired:
        (hint,) = get_args(hint)
    assert get_origin(hint) is Annotated, "every key says what it means"
    return get_args(hint)


def marked(name: str) -> Any:
    """A mark for `protocol.schema()`: this stands there once under its name, and here only as a reference."""
    return Field(json_schema_extra={"x-type": name})


def _modelled(kind: Any) -> Any:
    """A type with models in place of shapes; a type annotated with a name is what the schema has under that name."""
    if get_origin(kind) is Annotated:
        plain, name = get_args(kind)
        return Annotated[plain, marked(name)]
    if is_typeddict(kind):
        return of(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is None or origin is Literal:
        return kind
    made = tuple(_modelled(each) for each in inner)
    return functools.reduce(operator.or_, made) if origin in (Union, types.UnionType) else origin[made]
