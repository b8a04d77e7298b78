"""`/docs`: the OpenAPI document as a page, without scripts and without the internet.

What it says is made by the routes; machines read `/openapi.json`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from finrag_pipeline.serve.page.rendering import plain

router = APIRouter()

Json = dict[str, Any]


@router.get("/docs")
def api(request: Request) -> HTMLResponse:
    """Every route: what it takes and gives."""
    document: Json = request.app.openapi()
    return HTMLResponse(
        plain(
            "api.html",
            title=document["info"]["title"],
            version=document["info"]["version"],
            operations=list(_operations(document)),
        )
    )


def _operations(document: Json) -> Iterator[Json]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            fields = list(_parameters(operation)) + list(_fields(document, body.get("schema", {})))
            responses = [
                {"status": status, "description": told["description"], "types": _types(told)}
                for status, told in operation["responses"].items()
            ]
            yield {
                "method": method.upper(),
                "path": path,
                "description": operation.get("description", operation.get("summary", "")),
                "fields": fields,
                "responses": responses,
            }


def _parameters(operation: Json) -> Iterator[Json]:
    for each in operation.get("parameters", ()):
        yield {
            "name": each["name"],
            "place": each["in"],
            "type": _type(each["schema"]),
            "required": each.get("required", False),
            "description": each.get("description", each["schema"].get("description", "")),
        }


def _fields(document: Json, schema: Json) -> Iterator[Json]:
    schema = _resolved(document, schema)
    for name, field in schema.get("properties", {}).items():
        yield {
            "name": name,
            "place": "body",
            "type": _type(field),
            "required": name in schema.get("required", ()),
            "description": field.get("description", ""),
        }


def _resolved(document: Json, schema: Json) -> Json:
    name = schema.get("$ref", "").rpartition("/")[2]
    return document["components"]["schemas"][name] if name else schema


def _type(schema: Json) -> str:
    """A schema in a few words.

    >>> _type({"anyOf": [{"type": "integer", "maximum": 200, "minimum": 1}, {"type": "null"}]})
    'integer 1 to 200'
    >>> _type({"type": "array", "items": {"$ref": "#/components/schemas/ChatMessage"}})
    'list of ChatMessage'
    """
    if "enum" in schema:
        return ", ".join(str(each) for each in schema["enum"] if each is not None)
    if "anyOf" in schema:
        kinds = [_type(each) for each in schema["anyOf"] if each.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    kind = str(schema.get("format") or schema.get("type") or schema.get("const", "any"))
    if {"minimum", "maximum"} <= schema.keys():
        return f"{kind} {schema['minimum']:g} to {schema['maximum']:g}"
    return kind


def _types(response: Json) -> str:
    told = (
        _type(content.get("schema", {})) if name == "application/json" else name
        for name, content in response.get("content", {}).items()
    )
    return ", ".join(told)
