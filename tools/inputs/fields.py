"""List every field that clients can send, with its maximum length, from the declarations in the code.

WebSocket messages are msgspec structs, requests are FastAPI models and parameters, and headers are a table in
`client_address.py`. A field without a maximum is an error, because a client could make its processing take any time.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from app.text_limits import FREE_JSON, MAX_TEXT_LENGTH, MOST_KEYS
from app.web.client_address import MAX_HEADER_BYTES
from app.web.matches.import_files import MAX_DEPTH, MAX_DIGITS
from app.web.protocol.client_messages import MESSAGES

Schema = Mapping[str, Any]
Unit = Literal["characters", "bytes", "parts", "keys", "digits", "levels"]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message, request, header or file that a client can fill, and its limit.

    `where` is the message, request or kind of file that has it. `most` is its maximum, counted in `unit`; None if it
    has none, which the command reports as an error.
    """

    where: str
    """The message, request or kind of file that has the field."""
    name: str
    unit: Unit
    most: int | None
    """Maximum in `unit`; None if the field has no maximum, which is an error."""


def all_input_fields(routers: Iterable[APIRouter]) -> Iterator[Field]:
    """Yield every field that clients can send: in WebSocket messages, requests, headers and files, with its limit."""
    yield from message_fields(MESSAGES)
    for router in routers:
        for route in router.routes:
            assert isinstance(route, APIRoute), f"{route} declares no fields"
            yield from request_fields(route)
    yield Field("any address", "path", "characters", MAX_TEXT_LENGTH)
    yield Field("any address", "a field of the query", "characters", MAX_TEXT_LENGTH)
    yield Field("a form sent without a script", "any field", "characters", MAX_TEXT_LENGTH)
    yield Field("a form sent without a script", "all fields", "parts", MOST_KEYS)
    for header, most in MAX_HEADER_BYTES.items():
        yield Field("header", header.decode(), "bytes", most)
    yield Field("file of records", "any text or key", "characters", MAX_TEXT_LENGTH)
    yield Field("file of records", "any number", "digits", MAX_DIGITS)
    yield Field("file of records", "lists and objects in each other", "levels", MAX_DEPTH)


def message_fields(kinds: Mapping[str, type[msgspec.Struct]]) -> Iterator[Field]:
    """Yield the fields of WebSocket messages with their limits; `kinds` gives the messages' structs by name."""
    for name, kind in kinds.items():
        [schema], within = msgspec.json.schema_components([kind])
        for field in fields_in_schema(f"message {name}", "", schema, within):
            if field.name != "by":  # set by the server
                yield field


def request_fields(route: APIRoute) -> Iterator[Field]:
    """Yield the fields in the parameters and the body of a request with their limits, dependencies included."""
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
            yield from fields_in_schema(where, parameter.alias, schema, schema.get("$defs", {}))


def _with_dependencies(dependant: Dependant) -> Iterator[Dependant]:
    yield dependant
    for each in dependant.dependencies:
        yield from _with_dependencies(each)


def fields_in_schema(where: str, name: str, schema: Schema, within: Mapping[str, Schema]) -> Iterator[Field]:
    """Yield the texts, lists and open objects of a JSON schema, with their limits, as fields that a client can fill.

    `where` and `name` describe the schema in the list. `within`: referenced schemas, by name.
    """
    if "$ref" in schema:
        yield from fields_in_schema(where, name, within[schema["$ref"].rpartition("/")[2]], within)
    for several in ("anyOf", "oneOf", "allOf"):
        for each in schema.get(several, ()):
            yield from fields_in_schema(where, name, each, within)
    match schema.get("type"):
        case "string" if "enum" not in schema and "const" not in schema:
            yield Field(where, name, "characters", schema.get("maxLength"))
        case "array":
            yield Field(where, name, "parts", schema.get("maxItems"))
            yield from fields_in_schema(where, f"{name}[]", schema.get("items", {"type": "string"}), within)
        case "object":
            for key, each in schema.get("properties", {}).items():
                yield from fields_in_schema(where, f"{name}.{key}".lstrip("."), each, within)
            if schema.get("additionalProperties", "properties" not in schema):
                yield Field(where, name, "keys", schema.get("maxProperties"))
                marked = FREE_JSON.items() <= schema.items()
                yield Field(where, f"{name}.*", "characters", MAX_TEXT_LENGTH if marked else None)
        case _:
            pass
