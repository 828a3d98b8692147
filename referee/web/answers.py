"""Answers in the language of whoever asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fastapi.responses import JSONResponse
from starlette.requests import HTTPConnection

from referee.words import LANGUAGES, localised

if TYPE_CHECKING:
    from referee.web.site import Site

NO_STORE = {"Cache-Control": "no-store"}


def language_of(connection: HTTPConnection) -> str:
    """The language that is asked for: in the address, else by the house, else by the browser."""
    wanted = connection.query_params.get("lang", "")
    if wanted in LANGUAGES:
        return wanted
    return house_language(connection) or _browsers(connection)


def house_language(connection: HTTPConnection) -> str:
    """What the house has chosen for its screens; empty if they are in each device's language."""
    app = connection.scope.get("app")
    site: Site | None = None if app is None else getattr(app.state, "site", None)
    return "" if site is None or site.house is None else site.house.settings.language


def _browsers(connection: HTTPConnection) -> str:
    """The first one that the browser likes best."""
    best, liking = LANGUAGES[0], 0.0
    for each in connection.headers.get("accept-language", "").split(","):
        tag, _, rest = each.strip().partition(";")
        language = tag.partition("-")[0].lower()
        if language in LANGUAGES and (likes := _likes(rest)) > liking:
            best, liking = language, likes
    return best


def told(
    connection: HTTPConnection,
    document: Any,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """A document as JSON, its sentences in the language that is asked for; nobody keeps it."""
    content = localised(document, language_of(connection))
    return JSONResponse(content, status, headers={**NO_STORE, **(headers or {})})


def _likes(rest: str) -> float:
    """The weight that a browser gives to a language: `q=0.8`; 1 if it gives none."""
    name, _, value = rest.strip().partition("=")
    try:
        return float(value) if name == "q" else 1.0
    except ValueError:
        return 0.0
