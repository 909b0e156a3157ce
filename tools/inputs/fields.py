"""Every field that a stranger can send, with its maximum length, read from the declarations themselves.

Messages of sockets are structs of msgspec, requests are models and parameters of FastAPI, headers are the table in
`client_address.py`. A field without a maximum is a fault: whatever looks at it takes as long as the stranger likes.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from app.text_limits import FREE_JSON, LONGEST, MOST_KEYS
from app.web.client_address import READ
from app.web.matches.import_files import DEEPEST, MOST_DIGITS
from app.web.protocol.client_messages import MESSAGES

Schema = Mapping[str, Any]
Unit = Literal["characters", "bytes", "parts", "keys", "digits", "levels"]


@dataclass(frozen=True, slots=True)
class Field:
    """One field that a stranger can fill."""

    where: str
    """The message, the request, or the kind of file."""
    name: str
    unit: Unit
    most: int | None
    """None: it has no maximum length, which is a fault."""


def fields(routers: Iterable[APIRouter]) -> Iterator[Field]:
    """List every field of messages, requests, headers and files."""
    yield from messages(MESSAGES)
    for router in routers:
        for route in router.routes:
            assert isinstance(route, APIRoute), f"{route} declares no fields"
            yield from requests(route)
    yield Field("any address", "path", "characters", LONGEST)
    yield Field("any address", "a field of the query", "characters", LONGEST)
    yield Field("a form sent without a script", "any field", "characters", LONGEST)
    yield Field("a form sent without a script", "all fields", "parts", MOST_KEYS)
    for header, most in READ.items():
        yield Field("header", header.decode(), "bytes", most)
    yield Field("file of records", "any text or key", "characters", LONGEST)
    yield Field("file of records", "any number", "digits", MOST_DIGITS)
    yield Field("file of records", "lists and objects in each other", "levels", DEEPEST)


def messages(kinds: Mapping[str, type[msgspec.Struct]]) -> Iterator[Field]:
    """List the fields of these messages."""
    for name, kind in kinds.items():
        [schema], within = msgspec.json.schema_components([kind])
        for field in in_schema(f"message {name}", "", schema, within):
            if field.name != "by":  # the server says it
                yield field


def requests(route: APIRoute) -> Iterator[Field]:
    """List the parameters and the body of a request."""
    where = f"{'/'.join(sorted(route.methods or ()))} {route.path}"
    for dependant in _with_dependencies(route.dependant):
        for parameter in (
            *dependant.path_params,
            *dependant.query_params,
            *dependant.header_params,
            *dependant.cookie_params,
            *dependant.body_params,
        ):
            declared = Annotated[parameter.field_info.annotation, parameter.field_info]  # type: ignore[name-defined]
            schema = TypeAdapter[Any](declared).json_schema()
            yield from in_schema(where, parameter.alias, schema, schema.get("$defs", {}))


def _with_dependencies(dependant: Dependant) -> Iterator[Dependant]:
    yield dependant
    for each in dependant.dependencies:
        yield from _with_dependencies(each)


def in_schema(where: str, name: str, schema: Schema, within: Mapping[str, Schema]) -> Iterator[Field]:
    """List the texts, lists and open objects of a JSON schema; `within` has the schemas that it refers to."""
    if "$ref" in schema:
        yield from in_schema(where, name, within[schema["$ref"].rpartition("/")[2]], within)
    for several in ("anyOf", "oneOf", "allOf"):
        for each in schema.get(several, ()):
            yield from in_schema(where, name, each, within)
    match schema.get("type"):
        case "string" if "enum" not in schema and "const" not in schema:
            yield Field(where, name, "characters", schema.get("maxLength"))
        case "array":
            yield Field(where, name, "parts", schema.get("maxItems"))
            yield from in_schema(where, f"{name}[]", schema.get("items", {"type": "string"}), within)
        case "object":
            for key, each in schema.get("properties", {}).items():
                yield from in_schema(where, f"{name}.{key}".lstrip("."), each, within)
            if schema.get("additionalProperties", "properties" not in schema):
                yield Field(where, name, "keys", schema.get("maxProperties"))
                marked = FREE_JSON.items() <= schema.items()
                yield Field(where, f"{name}.*", "characters", LONGEST if marked else None)
        case _:
            pass
