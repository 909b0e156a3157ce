"""The protocol as JSON schema, as TypeScript types and in words, generated on request."""

import json
from collections.abc import Callable
from typing import Any

from app.web.matches.hand_frames import FrameView
from app.web.protocol import json_schema
from app.web.reference import protocol_text
from app.web.services.lessons import LessonView
from app.web.services.rules_form import CatalogueView

FETCHED = (CatalogueView, FrameView, LessonView)
"""Types of data that scripts fetch over HTTP."""
_HEADER = "// Made by `python -m app schema types` from what rooms, games and the web declare. Change that, not this.\n"


def json_schema_text() -> str:
    """Return the protocol between browser and server as a JSON schema, as the text of a file."""
    return json.dumps(json_schema.protocol_schema(), indent=2, ensure_ascii=False) + "\n"


def typescript_text() -> str:
    """Return the protocol's types as TypeScript declarations, against which the types in static/js are checked."""
    parts: dict[str, Any] = json_schema.protocol_schema()["$defs"]
    for shape in FETCHED:
        parts |= json_schema.schemas_of_typed_dict(shape)
    return _HEADER + "".join(_typescript_declaration(name, part) for name, part in parts.items())


def protocol_keys_text() -> str:
    """Return the Markdown page that explains every key of an update, for the documentation."""
    return protocol_text.keys_page_text(json_schema.protocol_schema()["$defs"])


def messages_table_text() -> str:
    """Return the Markdown table of the messages that clients may send, for the page about the protocol."""
    return protocol_text.messages_table(json_schema.protocol_schema()["$defs"])


FORMS: dict[str, Callable[[], str]] = {
    "json": json_schema_text,
    "types": typescript_text,
    "keys": protocol_keys_text,
    "messages": messages_table_text,
}
"""The outputs of `python -m app schema`, by argument."""


def _typescript_declaration(name: str, part: dict[str, Any]) -> str:
    about = part.get("description", "").split("\n\n")[0].replace("\n", " ").strip()
    comment = f"\n/** {about} */\n" if about else "\n"
    return f"{comment}export type {name} = {_typescript_type(part, '')};\n"


def _typescript_type(part: dict[str, Any], indent: str) -> str:
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if "const" in part:
        return json.dumps(part["const"])
    if "enum" in part:
        return " | ".join(json.dumps(value) for value in part["enum"])
    for key in ("oneOf", "anyOf"):
        if key in part:
            return " | ".join(dict.fromkeys(_typescript_type(each, indent) for each in part[key]))
    match part.get("type"):
        case "string":
            return "string"
        case "integer" | "number":
            return "number"
        case "boolean":
            return "boolean"
        case "null":
            return "null"
        case "array":
            if "prefixItems" in part:
                return f"[{', '.join(_typescript_type(each, indent) for each in part['prefixItems'])}]"
            inner = _typescript_type(part.get("items", {}), indent)
            return f"Array<{inner}>"
        case "object":
            return _typescript_object(part, indent)
        case _:
            return "any"


def _typescript_object(part: dict[str, Any], indent: str) -> str:
    fields = part.get("properties")
    extra = part.get("additionalProperties", fields is None)
    if fields is None:
        return f"Record<string, {_typescript_type(extra, indent) if isinstance(extra, dict) else 'any'}>"
    inner = indent + "  "
    lines = []
    for name, field in fields.items():
        about = field.get("description")
        if about:
            lines.append(f"{inner}/** {about} */")
        mark = "" if name in part.get("required", ()) else "?"
        lines.append(f"{inner}{name}{mark}: {_typescript_type(field, inner)};")
    if extra:
        lines.append(f"{inner}[more: string]: unknown;")
    return "{\n" + "\n".join(lines) + f"\n{indent}}}"
