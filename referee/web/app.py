"""The web application: every page and route of one site, each only for those who may use it."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from referee.games.said import say
from referee.web.access import DeniedError, declared
from referee.web.answers import NO_STORE, language_of, told
from referee.web.guard import Guard
from referee.web.routes import routers
from referee.web.site import Site
from referee.words import in_language

_REFUSED = {
    400: say("The body can't be read."),
    404: say("There is no such page."),
    405: say("This can't be done with that address."),
}


def create_app(site: Site) -> FastAPI:
    """The application of a site. Raises TypeError if a route does not say who may use it."""
    app = FastAPI(title="table-referee", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.site = site
    app.add_middleware(Guard, site=site)
    rooms = routers(site)
    app.state.access = declared(rooms)
    for room in rooms:
        app.include_router(room)

    @app.exception_handler(RequestValidationError)
    def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        """Says what is wrong with a request; what was sent is not repeated."""
        wrong = [f"{'.'.join(map(str, each['loc'][1:]))}: {each['msg']}" for each in error.errors()]
        return JSONResponse({"text": "; ".join(wrong)}, status_code=422)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> JSONResponse:
        """Says in a sentence what the library would say in its own words."""
        text = _REFUSED.get(error.status_code, "")
        return told(request, {"text": text or error.detail}, error.status_code, error.headers)

    @app.exception_handler(DeniedError)
    async def denied(connection: Request | WebSocket, error: DeniedError) -> Response | None:
        """Says what would help; a page is sent to where one logs in."""
        if isinstance(connection, WebSocket):
            # A page learns why only if its socket was opened.
            await connection.accept()
            reason = in_language(error.text, language_of(connection))
            await connection.close(4401 if error.log_in else 4403, reason)
            return None
        if error.log_in and _is_page(connection):
            wanted = quote(str(connection.url.replace(scheme="", netloc="")))
            return RedirectResponse(f"/login?to={wanted}", 303, headers=NO_STORE)
        return told(connection, {"text": error.text}, 401 if error.log_in else 403)

    return app


def _is_page(request: Request) -> bool:
    """Whether a browser is to show the answer, rather than a script."""
    return request.method == "GET" and "text/html" in request.headers.get("accept", "")
