"""The match as it goes: its state, its pictures, and what people want done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from fastapi import APIRouter, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from referee.web.access import Access, needs
from referee.web.commands import CommandBody
from referee.web.site import Site

#: A client that waits for something newer is answered after so many seconds in any case.
PATIENCE_S = 1.0
#: How often the match is looked at while clients wait: none of them holds a thread.
POLL_S = 0.02

NO_STORE = {"Cache-Control": "no-store"}


def router(site: Site) -> APIRouter:
    """State, commands and pictures."""
    router, page = APIRouter(), site.page

    @router.get("/api/state", **needs(Access.WATCH))
    async def state(after: int = -1) -> JSONResponse:
        """All that the page shows beside the pictures; waits for an event that is not `after`."""
        await _until(lambda: page.seq != after)
        return JSONResponse(await run_in_threadpool(page.state), headers=NO_STORE)

    @router.get("/api/position", **needs(Access.JUDGE))
    def position() -> JSONResponse:
        """The position in the game's notation, to put it right by hand."""
        return JSONResponse(page.position(), headers=NO_STORE)

    @router.post("/api/command", **needs(Access.PLAY))
    def command(body: CommandBody) -> JSONResponse:
        """Does what a person wants; 409 with a sentence as `text` if it is refused."""
        answer = page.command(body.command())
        told = {"accepted": answer.accepted, "state": answer.state, "text": answer.text}
        return JSONResponse(told, 200 if answer.accepted else 409, headers=NO_STORE)

    @router.get("/frame.jpg", **needs(Access.WATCH))
    async def frame(after: int = -1) -> Response:
        """The newest annotated picture, if need be after waiting for another one than `after`.

        204 if there is none in time. The header X-Frame has the picture's id.
        """
        if not await _until(lambda: page.frame_id not in (after, -1)):
            return Response(status_code=204, headers=NO_STORE)
        frame_id, jpeg = await run_in_threadpool(page.picture)
        headers = {**NO_STORE, "X-Frame": f"{frame_id}"}
        return Response(jpeg, media_type="image/jpeg", headers=headers)

    @router.get("/evidence/{name}.jpg", **needs(Access.WATCH))
    def evidence(name: str) -> Response:
        """A picture that a verdict rests on."""
        jpeg = page.evidence(name)
        if jpeg is None:
            return Response(status_code=404, headers=NO_STORE)
        return Response(jpeg, media_type="image/jpeg", headers=NO_STORE)

    @router.get("/art/{name}.png", **needs(Access.WATCH))
    def art(name: str) -> Response:
        """One of the game's drawings."""
        png = page.art(name)
        if png is None:
            return Response(status_code=404)
        return Response(png, media_type="image/png", headers={"Cache-Control": "max-age=3600"})

    return router


async def _until(holds: Callable[[], bool]) -> bool:
    """Waits until something holds, or for `PATIENCE_S`; whether it does."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + PATIENCE_S
    while not (held := holds()) and clock() < deadline:
        await asyncio.sleep(POLL_S)
    return held
