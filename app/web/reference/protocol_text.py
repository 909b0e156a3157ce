"""The protocol in words, from its schema: the client messages, and the meaning of every key of an update."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

Part = Mapping[str, Any]

_HEAD = """# What an update shows, key by key

<!-- Made from what rooms, games and app/web/protocol/ declare, by `python -m app schema keys`. -->

An [update](protocol.md#from-the-server) has `room`, `table` and `you`. `GET /api/protocol` has the same as a JSON
schema. A `?` marks keys that may be missing: of a table’s, most are there only while a hand lies on it. Cards are
written by rank and suit, `3c` or `Td`, and `Xb` and `Xr` for the jokers.
"""


def keys_page_text(parts: Part) -> str:
    """Return the Markdown page that explains every key of an update.

    `parts` are the schema's definitions by name.
    """
    tables = [parts[_reference_name(each)] for each in parts["Table"]["oneOf"]]
    shared = set.intersection(*(set(table["required"]) for table in tables))
    every = {**tables[0], "description": "In every game.", "properties": _select_properties(tables[0], shared)}
    every["properties"]["game"] = {**every["properties"]["game"], "enum": [_game_key(table) for table in tables]}
    del every["properties"]["game"]["const"]
    sections = [("`table`", every)]
    sections += [(f"`table` of `{_game_key(table)}`", _without_properties(table, shared)) for table in tables]
    sections += [("`you`", parts["You"]), ("`room`", parts["Room"])]
    named = dict.fromkeys(name for _, part in sections for name in _referenced_definitions(part, parts))
    sections += [(name, parts[name]) for name in named]
    return _HEAD + "".join(f"\n## {title}\n\n{_describe_keys(part)}" for title, part in sections)


def messages_table(parts: Part) -> str:
    """Return a Markdown table of the messages that clients may send.

    `parts` are the schema's definitions by name.
    """
    rows = [_message_row(parts[_reference_name(each)]) for each in parts["ClientMessage"]["anyOf"]]
    return "| `t` | fields | who | what |\n| --- | --- | --- | --- |\n" + "".join(rows)


def _message_row(message: Part) -> str:
    (t,) = message["properties"]["t"]["enum"]
    own = {key: field for key, field in message["properties"].items() if key not in ("t", "id")}
    fields = " ".join(f"`{key}{'' if key in message['required'] else '?'}`" for key in own)
    about = [f"`{key}`: {field['description']}" for key, field in own.items() if "description" in field]
    return f"| `{t}` | {fields} | {message['x-who']} | {' '.join([message['description'], *about])} |\n"


def _describe_keys(part: Part) -> str:
    about = part.get("description", "").strip()
    needed = part.get("required", ())
    keys = "".join(
        f"- `{key}{'' if key in needed else '?'}`, {_type_in_words(field)}: {field['description']}\n"
        for key, field in part["properties"].items()
    )
    return f"{about}\n\n{keys}" if about else keys


_WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "null": "null",
}


def _type_in_words(field: Part) -> str:
    """Return the type of a JSON schema field in words for the documentation, such as “list of whole number”.

    Types with a separate section become links.
    """
    if "$ref" in field:
        name = _reference_name(field)
        return f"[{name}]({'protocol.md#actions' if name == 'Action' else f'#{name.lower()}'})"
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    if "enum" in field:
        return " or ".join(f"`{json.dumps(value)}`" for value in field["enum"])
    if "anyOf" in field:
        return " or ".join(_type_in_words(each) for each in field["anyOf"])
    if field.get("type") == "array":
        items = _type_in_words(field["items"])
        return f"list of ({items})" if " or " in items else f"list of {items}"
    inner = field.get("additionalProperties")
    if isinstance(inner, dict):
        return f"object of {_type_in_words(inner)}"
    return _WORDS[field["type"]] if "type" in field else "anything"


def _referenced_definitions(part: Part, parts: Part) -> Iterator[str]:
    """Yield the names of all schema definitions that a part refers to, directly or through others.

    Actions are left out, as another page explains them.
    """
    for name in dict.fromkeys(re.findall(r"#/\$defs/(\w+)", json.dumps(part))):
        if name != "Action":
            yield name
            yield from _referenced_definitions(parts[name], parts)


def _reference_name(reference: Part) -> str:
    return str(reference["$ref"]).rpartition("/")[2]


def _game_key(table: Part) -> str:
    return str(table["properties"]["game"]["const"])


def _select_properties(part: Part, keys: set[str]) -> dict[str, Any]:
    return {key: field for key, field in part["properties"].items() if key in keys}


def _without_properties(part: Part, keys: set[str]) -> dict[str, Any]:
    rest = set(part["properties"]) - keys
    about = part["description"].partition("\n\n")[2]
    return {"description": about, "properties": _select_properties(part, rest), "required": part["required"]}
