"""The web application: every page and route of one site, each only for those who may use it."""

from __future__ import annotations

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.middleware.trustedhost import TrustedHostMiddleware

from referee.web.access import DeniedError, declared
from referee.web.guard import OwnPageOnly
from referee.web.routes import routers
from referee.web.site import Site


def create_app(site: Site) -> FastAPI:
    """The application of a site. Raises TypeError if a route does not say who may use it."""
    app = FastAPI(title="table-referee", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.site = site
    app.add_middleware(OwnPageOnly)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(site.hosts))
    rooms = routers(site)
    app.state.access = declared(rooms)
    for room in rooms:
        app.include_router(room)

    @app.exception_handler(RequestValidationError)
    def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        """Says what is wrong with a request; what was sent is not repeated."""
        wrong = [f"{'.'.join(map(str, each['loc'][1:]))}: {each['msg']}" for each in error.errors()]
        return JSONResponse({"text": "; ".join(wrong)}, status_code=422)

    @app.exception_handler(DeniedError)
    async def denied(connection: Request | WebSocket, error: DeniedError) -> JSONResponse | None:
        """Says what would help; a browser learns why a WebSocket closed only if it was opened."""
        if isinstance(connection, WebSocket):
            await connection.accept()
            await connection.close(4401 if error.log_in else 4403, error.text)
            return None
        return JSONResponse({"text": error.text}, status_code=401 if error.log_in else 403)

    return app
