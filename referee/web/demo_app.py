"""The demo's web application: one page, the picture, the state, the health."""

from __future__ import annotations

import asyncio
from importlib.resources import files

from fastapi import FastAPI, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.middleware.trustedhost import TrustedHostMiddleware

from referee.web.demo_page import DemoPage, Json

#: A client that waits for a newer picture is answered after so many seconds in any case.
PATIENCE_S = 1.0
#: How often the newest picture is looked at while a client waits for it.
POLL_S = 0.02
#: A picture older than this means that nobody watches the table any more.
STALE_S = 5.0

NO_STORE = {"Cache-Control": "no-store"}


def create_app(page: DemoPage) -> FastAPI:
    """The application; it answers only to the names of this machine."""
    app = FastAPI(title="table-referee", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])
    index = (files(__package__) / "static" / "demo.html").read_text(encoding="utf-8")

    @app.get("/")
    def show_page() -> HTMLResponse:
        """The page."""
        return HTMLResponse(index)

    @app.get("/api/state")
    def state() -> JSONResponse:
        """All that the page shows beside the picture."""
        return JSONResponse(page.state(), headers=NO_STORE)

    @app.get("/frame.jpg")
    async def frame(after: int = -1) -> Response:
        """The newest annotated picture, if need be after waiting for one newer than `after`.

        204 if there is none in time. The header X-Frame has the picture's id.
        """
        clock = asyncio.get_running_loop().time
        deadline = clock() + PATIENCE_S
        while page.frame_id <= after:
            if clock() >= deadline:
                return Response(status_code=204, headers=NO_STORE)
            await asyncio.sleep(POLL_S)
        frame_id, jpeg = await run_in_threadpool(page.picture)
        return Response(
            jpeg, media_type="image/jpeg", headers={**NO_STORE, "X-Frame": f"{frame_id}"}
        )

    @app.get("/art/{name}.png")
    def art(name: str) -> Response:
        """One of the game's drawings."""
        png = page.art(name)
        if png is None:
            return Response(status_code=404)
        return Response(png, media_type="image/png", headers={"Cache-Control": "max-age=3600"})

    @app.get("/healthz")
    def health() -> JSONResponse:
        """Whether the table is still being watched: 503 if the newest picture is old."""
        age: float | None = page.frame_age()
        watched = age is not None and age <= STALE_S
        state: Json = {"ok": watched, "frame_age_s": None if age is None else round(age, 2)}
        return JSONResponse(state, status_code=200 if watched else 503, headers=NO_STORE)

    return app
