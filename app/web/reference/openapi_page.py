"""The OpenAPI description as a plain page: FastAPI's page needs external and inline scripts."""

from typing import Any


def endpoints_by_tag(openapi: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the endpoints of an OpenAPI description grouped by tag, for the page that documents the HTTP API.

    Each has its method, path, texts, parameters, body fields and responses.
    """
    schemas: dict[str, Any] = openapi.get("components", {}).get("schemas", {})
    found: dict[str, list[dict[str, Any]]] = {}
    for path, methods in openapi["paths"].items():
        for method, endpoint in methods.items():
            tag = endpoint.get("tags", ["server"])[0]
            found.setdefault(tag, []).append(_endpoint_view(method.upper(), path, endpoint, schemas))
    return [{"tag": tag, "endpoints": endpoints} for tag, endpoints in found.items()]


def _endpoint_view(method: str, path: str, endpoint: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    body = endpoint.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    return {
        "method": method,
        "path": path,
        "summary": endpoint.get("summary", ""),
        "description": endpoint.get("description", ""),
        "parameters": [
            {
                "name": each["name"],
                "in": each["in"],
                "type": _type_name(each["schema"]),
                "required": each.get("required", False),
                "description": each.get("description", ""),
            }
            for each in endpoint.get("parameters", ())
        ],
        "body": [] if body is None else _field_rows(body, schemas),
        "answers": [
            {
                "status": status,
                "description": each.get("description", ""),
                "fields": _field_rows(_response_schema(each), schemas),
            }
            for status, each in endpoint["responses"].items()
        ],
    }


def _response_schema(response: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = response.get("content", {}).get("application/json", {}).get("schema", {})
    return schema


def _field_rows(schema: dict[str, Any], schemas: dict[str, Any]) -> list[dict[str, Any]]:
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    whole = schemas.get(name, schema)
    return [
        {
            "name": key,
            "type": _type_name(field),
            "required": key in whole.get("required", ()),
            "description": field.get("description", ""),
        }
        for key, field in whole.get("properties", {}).items()
    ]


def _type_name(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_type_name(each) for each in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_type_name(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))
