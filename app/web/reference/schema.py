"""The protocol as JSON schema, as JavaScript types and in words: made where it is asked for, and kept nowhere."""

import json
from collections.abc import Callable
from typing import Any

from app.web.matches.frames import FrameShown
from app.web.protocol import json_schema
from app.web.reference import protocol_text
from app.web.services.lessons import LessonShown
from app.web.services.rules_form import CatalogueShown

FETCHED = (CatalogueShown, FrameShown, LessonShown)
"""What the page's scripts fetch besides what the socket tells them."""
_HEADER = "// Made by `python -m app schema types` from what rooms, games and the web declare. Change that, not this.\n"


def json_text() -> str:
    """Give the schema as a file has it."""
    return json.dumps(json_schema.schema(), indent=2, ensure_ascii=False) + "\n"


def types_text() -> str:
    """Give the same as TypeScript declarations, for checking the JSDoc types of static/js."""
    parts: dict[str, Any] = json_schema.schema()["$defs"]
    for shape in FETCHED:
        parts |= json_schema.parts_of(shape)
    return _HEADER + "".join(_declaration(name, part) for name, part in parts.items())


def keys_text() -> str:
    """Give the page that explains every key of an update."""
    return protocol_text.text(json_schema.schema()["$defs"])


def messages_text() -> str:
    """Give the table of what clients say, for the protocol's page."""
    return protocol_text.messages(json_schema.schema()["$defs"])


FORMS: dict[str, Callable[[], str]] = {
    "json": json_text,
    "types": types_text,
    "keys": keys_text,
    "messages": messages_text,
}
"""What `python -m app schema` prints, by what it is asked for."""


def _declaration(name: str, part: dict[str, Any]) -> str:
    about = part.get("description", "").split("\n\n")[0].replace("\n", " ").strip()
    comment = f"\n/** {about} */\n" if about else "\n"
    return f"{comment}export type {name} = {_type(part, '')};\n"


def _type(part: dict[str, Any], indent: str) -> str:
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if "const" in part:
        return json.dumps(part["const"])
    if "enum" in part:
        return " | ".join(json.dumps(value) for value in part["enum"])
    for key in ("oneOf", "anyOf"):
        if key in part:
            return " | ".join(dict.fromkeys(_type(each, indent) for each in part[key]))
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
                return f"[{', '.join(_type(each, indent) for each in part['prefixItems'])}]"
            inner = _type(part.get("items", {}), indent)
            return f"Array<{inner}>"
        case "object":
            return _object(part, indent)
        case _:
            return "any"


def _object(part: dict[str, Any], indent: str) -> str:
    fields = part.get("properties")
    extra = part.get("additionalProperties", fields is None)
    if fields is None:
        return f"Record<string, {_type(extra, indent) if isinstance(extra, dict) else 'any'}>"
    inner = indent + "  "
    lines = []
    for name, field in fields.items():
        about = field.get("description")
        if about:
            lines.append(f"{inner}/** {about} */")
        mark = "" if name in part.get("required", ()) else "?"
        lines.append(f"{inner}{name}{mark}: {_type(field, inner)};")
    if extra:
        lines.append(f"{inner}[more: string]: unknown;")
    return "{\n" + "\n".join(lines) + f"\n{indent}}}"
