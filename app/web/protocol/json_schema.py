"""The messages of `/ws/{code}` in both directions as one JSON schema.

`python -m app schema` prints it, as a schema, as types for the page or in words.
"""

from functools import reduce
from operator import or_
from typing import Any

import msgspec
from pydantic import TypeAdapter

from app.engine.cards.action_codec import FORMS
from app.engine.cards.cards import MOST_CARDS
from app.engine.display.events import EventShown
from app.rooms.views.delta import VERSION
from app.web.protocol import typed_models
from app.web.protocol.client_messages import MESSAGES
from app.web.protocol.server_messages import ServerMessage

_client: Any = reduce(or_, MESSAGES.values())

_server: TypeAdapter[Any] = TypeAdapter(ServerMessage)


def schema() -> dict[str, Any]:
    """Both directions as one JSON schema."""
    server = _server.json_schema(ref_template=_REF)
    parts = {**_asked_schemas(), **server.pop("$defs"), "ServerMessage": server}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Pecking Order: messages of /ws/{code}",
        "version": VERSION,
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": dict(sorted({**_marked(parts), "Action": _action_schema(), "Event": _event_schema()}.items())),
    }


_REF = "#/$defs/{model}"


def _asked_schemas() -> dict[str, Any]:
    """What clients say, by name. Who says it (`by`) is no part of the message: the socket knows."""
    (whole,), parts = msgspec.json.schema_components([_client], ref_template=_REF.replace("model", "name"))
    for kind in MESSAGES.values():
        part = parts[kind.__name__]
        del part["properties"]["by"]
        part["required"].remove("by")
        part["x-who"] = kind.who
    return {**parts, "ClientMessage": whole}


def _marked(part: Any) -> Any:
    """The same with our marks made references."""
    if isinstance(part, list):
        return [_marked(each) for each in part]
    if not isinstance(part, dict):
        return part
    if "x-type" in part:
        return {"$ref": f"#/$defs/{part['x-type']}"}
    return {key: _marked(value) for key, value in part.items() if not _is_title(key, value)}


def _is_title(key: str, value: Any) -> bool:
    """Pydantic's titles repeat the names; a field called `title` has an object here."""
    return key == "title" and isinstance(value, str)


def parts_of(shape: Any) -> dict[str, Any]:
    """Describe a declared shape and all that it is made of, by name."""
    part = typed_models.of(shape).model_json_schema(ref_template=_REF)
    inner: dict[str, Any] = _marked({**part.pop("$defs", {}), shape.__name__: part})
    return inner


def _event_schema() -> dict[str, Any]:
    """What all events have; they are open, as each may tell more."""
    return {**parts_of(EventShown)["EventShown"], "additionalProperties": True}


def _action_schema() -> dict[str, Any]:
    """The engine reads actions; here only which there are, and which particulars each may have."""
    cards = {"type": "string", "description": "Such as “7c 7d”."}
    kinds: dict[str, Any] = {
        "cards": cards,
        "at": {"type": "integer", "minimum": 0, "maximum": MOST_CARDS},
        "to": {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": cards}]},
    }
    return {
        "title": "Action",
        "description": "An action of a game. `by` stands only in records.",
        "anyOf": [
            {
                "type": "object",
                "properties": {
                    "do": {"const": name, "type": "string"},
                    **{field: kinds.get(field, {"type": "string"}) for field in sorted(form.fields)},
                    "by": {"type": "string"},
                },
                "required": ["do"],
                "additionalProperties": False,
            }
            for name, form in FORMS.items()
        ],
    }
