"""The description of all routes, as OpenAPI has it: with who may use each, and what refuses."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from referee.web.access import Access
from referee.web.guard import HEADER, READS

_TEXT = {
    "type": "object",
    "title": "TextTold",
    "description": "Why something is refused.",
    "properties": {"text": {"type": "string", "title": "Text", "description": "In a sentence."}},
    "required": ["text"],
}
_REF = {"schema": {"$ref": "#/components/schemas/TextTold"}}
#: What may be answered instead, before a route is asked.
_REFUSED = {
    "400": "This server does not answer to that name.",
    "403": "Not for this device, or not from one of the referee's own pages.",
}
_NOT_LOGGED_IN = {"401": "Log in with the PIN, or join by the code."}
_NOT_READ = {
    "411": "The length of the body is not said.",
    "413": "The body is too long.",
    "415": "The body is no JSON.",
}
_MALFORMED = {"422": "What is sent makes no sense."}


def described(app: FastAPI) -> dict[str, Any]:
    """The description; made once."""
    if app.openapi_schema is not None:
        return app.openapi_schema
    schema = app.openapi()
    schemas = schema.setdefault("components", {}).setdefault("schemas", {})
    schemas["TextTold"] = _TEXT
    # Malformed requests are refused in a sentence, not as the library would.
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schema["components"]["securitySchemes"] = {
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": "referee-8000",
            "description": "From /api/login or /join; the cookie's name ends in the server's port.",
        },
        "page": {
            "type": "apiKey",
            "in": "header",
            "name": HEADER,
            "description": "`token` of /api/session; needed with each change.",
        },
    }
    access: dict[str, Access] = app.state.access
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            _complete(operation, method.upper(), access[f"{method.upper()} {_declared(app, path)}"])
    return schema


def _declared(app: FastAPI, path: str) -> str:
    """The path as it was declared: OpenAPI leaves out that a name may have slashes."""
    access: dict[str, Access] = app.state.access
    names = (name.partition(" ")[2] for name in access)
    return next(name for name in names if name.replace(":path}", "}") == path)


def _complete(operation: dict[str, Any], method: str, access: Access) -> None:
    operation["x-access"] = access.name.lower()
    reads = method in READS
    refused = dict(_REFUSED)
    if access is not Access.WATCH:
        refused |= _NOT_LOGGED_IN
    if not reads:
        refused |= _NOT_READ
    responses = operation["responses"]
    if "422" in responses:
        refused |= _MALFORMED
        del responses["422"]
    for status, says in refused.items():
        responses.setdefault(status, {"description": says, "content": {"application/json": _REF}})
    needs: dict[str, list[str]] = {} if access is Access.WATCH else {"session": []}
    if not reads:
        needs |= {"page": []}
    if needs:
        operation["security"] = [needs]
