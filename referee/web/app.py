"""The web application of a match: one page, the state, people's commands, pictures, the health."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any

from fastapi import Depends, FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.middleware.trustedhost import TrustedHostMiddleware

from referee.web.commands import CommandBody
from referee.web.guard import OwnPageOnly, ours
from referee.web.page import MatchPage

#: A client that waits for something newer is answered after so many seconds in any case.
PATIENCE_S = 1.0
#: How often the match is looked at while clients wait: none of them holds a thread.
POLL_S = 0.02

NO_STORE, NO_CACHE = {"Cache-Control": "no-store"}, {"Cache-Control": "no-cache"}
#: The page's files and their types; nothing else of the folder is served.
STATIC = {
    "index.html": "text/html",
    "style.css": "text/css",
    "parts.js": "text/javascript",
    "players.js": "text/javascript",
    "hand.js": "text/javascript",
    "main.js": "text/javascript",
}
#: Who may use a route, as its tag: whoever reaches the machine, or only the referee's own page.
READ, DECIDE = "read", "decide"


def create_app(
    page: MatchPage[Any, Any], hosts: Sequence[str] = ("127.0.0.1", "localhost")
) -> FastAPI:
    """The application; it answers only to the names in `hosts`."""
    app = FastAPI(title="table-referee", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(OwnPageOnly)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    folder = files(__package__) / "static"
    static = {name: (folder / name).read_bytes() for name in STATIC}

    @app.exception_handler(RequestValidationError)
    def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        """Says what is wrong with a request; what was sent is not repeated."""
        wrong = [f"{'.'.join(map(str, each['loc'][1:]))}: {each['msg']}" for each in error.errors()]
        return JSONResponse({"text": "; ".join(wrong)}, status_code=422)

    @app.get("/", tags=[READ])
    def index() -> Response:
        """The page."""
        return Response(static["index.html"], media_type=STATIC["index.html"], headers=NO_STORE)

    @app.get("/static/{name}", tags=[READ])
    def part(name: str) -> Response:
        """The page's style and scripts."""
        if name not in static:
            return Response(status_code=404)
        return Response(
            static[name], media_type=STATIC[name], headers={"Cache-Control": "no-cache"}
        )

    @app.get("/api/state", tags=[READ])
    async def state(after: int = -1) -> JSONResponse:
        """All that the page shows beside the pictures; waits for an event that is not `after`."""
        await _until(lambda: page.seq != after)
        return JSONResponse(await run_in_threadpool(page.state), headers=NO_STORE)

    @app.get("/api/position", tags=[DECIDE], dependencies=[Depends(ours)])
    def position() -> JSONResponse:
        """The position in the game's notation, to put it right by hand."""
        return JSONResponse(page.position(), headers=NO_STORE)

    @app.post("/api/command", tags=[DECIDE])
    def command(body: CommandBody) -> JSONResponse:
        """Does what a person wants; 409 with a sentence as `text` if it is refused."""
        answer = page.command(body.command())
        told = {"accepted": answer.accepted, "state": answer.state, "text": answer.text}
        return JSONResponse(told, 200 if answer.accepted else 409, headers=NO_STORE)

    @app.get("/frame.jpg", tags=[READ])
    async def frame(after: int = -1) -> Response:
        """The newest annotated picture, if need be after waiting for another one than `after`.

        204 if there is none in time. The header X-Frame has the picture's id.
        """
        if not await _until(lambda: page.frame_id not in (after, -1)):
            return Response(status_code=204, headers=NO_STORE)
        frame_id, jpeg = await run_in_threadpool(page.picture)
        headers = {**NO_STORE, "X-Frame": f"{frame_id}"}
        return Response(jpeg, media_type="image/jpeg", headers=headers)

    @app.get("/evidence/{name}.jpg", tags=[READ])
    def evidence(name: str) -> Response:
        """A picture that a verdict rests on."""
        jpeg = page.evidence(name)
        if jpeg is None:
            return Response(status_code=404, headers=NO_STORE)
        return Response(jpeg, media_type="image/jpeg", headers=NO_STORE)

    @app.get("/art/{name}.png", tags=[READ])
    def art(name: str) -> Response:
        """One of the game's drawings."""
        png = page.art(name)
        if png is None:
            return Response(status_code=404)
        return Response(png, media_type="image/png", headers={"Cache-Control": "max-age=3600"})

    @app.get("/healthz", tags=[READ])
    def health() -> JSONResponse:
        """Whether the table is watched and the record can be written: 503 if not."""
        told = page.health()
        return JSONResponse(told, status_code=200 if told["ok"] else 503, headers=NO_STORE)

    return app


async def _until(holds: Callable[[], bool]) -> bool:
    """Waits until something holds, or for `PATIENCE_S`; whether it does."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + PATIENCE_S
    while not (held := holds()) and clock() < deadline:
        await asyncio.sleep(POLL_S)
    return held
