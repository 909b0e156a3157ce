"""Build pydantic models from the `TypedDict`s of games: the engine does not depend on pydantic.

>>> from typing import Annotated, TypedDict
>>> class Cut(TypedDict):
...     '''A card cut.'''
...     by: Annotated[str, "Whose it is."]
>>> model_of(Cut).model_json_schema()["properties"]
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

    # Most models only describe the protocol. Building all of them at import takes 0.1 s of CPU and 3 MB.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


@functools.cache
def model_of(shape: Any) -> type[BaseModel]:
    """Return the model of a `TypedDict`."""
    optional = shape.__optional_keys__
    return create_model(shape.__name__, __base__=ClosedModel, __doc__=shape.__doc__, **model_fields_of(shape, optional))


def model_fields_of(shape: Any, optional: Iterable[str]) -> dict[str, Any]:
    """Return a `TypedDict`'s keys as model fields. Keys in `optional` may be missing, but must not be null."""
    fields: dict[str, Any] = {}
    for key, hint in get_type_hints(shape, include_extras=True).items():
        kind, *about = _type_and_description(hint)
        default = None if key in optional else ...
        alias = key if iskeyword(key) else None
        fields[f"{key}_" if alias else key] = (
            _replace_typed_dicts_by_models(kind),
            Field(default, alias=alias, description=about[0]),
        )
    return fields


def _type_and_description(hint: Any) -> tuple[Any, ...]:
    """Return a key's type and its description."""
    if get_origin(hint) is NotRequired:
        (hint,) = get_args(hint)
    assert get_origin(hint) is Annotated, "every key says what it means"
    return get_args(hint)


def reference_to(name: str) -> Any:
    """Return a field that the schema shows as a reference to the type with this name (`json_schema.py`)."""
    return Field(json_schema_extra={"x-type": name})


def _replace_typed_dicts_by_models(kind: Any) -> Any:
    """Return a type with models in place of `TypedDict`s. `Annotated[..., name]` becomes a reference to that name."""
    if get_origin(kind) is Annotated:
        plain, name = get_args(kind)
        return Annotated[plain, reference_to(name)]
    if is_typeddict(kind):
        return model_of(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is None or origin is Literal:
        return kind
    replaced = tuple(_replace_typed_dicts_by_models(each) for each in inner)
    return functools.reduce(operator.or_, replaced) if origin in (Union, types.UnionType) else origin[replaced]
