"""The print-and-play set as a PDF, and how other devices find this server."""

from __future__ import annotations

import io
from typing import Annotated, Any, Literal

import segno
from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict, Field

from referee.games.said import say
from referee.web.access import Access, needs
from referee.web.answers import NO_STORE, told
from referee.web.setup.printing import PAPERS, Printing
from referee.web.site import Site

Json = dict[str, Any]
Paper = Literal["a4", "letter"]
Language = Literal["en", "de"]


class PrintBody(BaseModel):
    """What is to be printed."""

    model_config = ConfigDict(extra="forbid")

    paper: Paper
    language: Language


class KitTold(BaseModel):
    """What can be printed, and where other devices find this server."""

    papers: list[str]
    paper: Annotated[str, Field(description="What the printer holds, as it was set up.")]
    languages: list[str]
    lan: Annotated[bool, Field(description="Whether other devices can open the pages.")]
    port: int
    links: Annotated[list[str], Field(description="Where others find the table screen.")]
    printed: Annotated[list[Json], Field(description="What was printed, or is being printed.")]


class PrintedTold(BaseModel):
    """How far a PDF is."""

    ready: bool
    running: bool
    seconds: Annotated[float, Field(description="For how long it has been made.")]
    trouble: Annotated[str, Field(description="Why it can't be made, and what to do; else empty.")]


_NO_KIT: dict[int | str, dict[str, Any]] = {404: {"description": "There is no such thing here."}}


def router(site: Site) -> APIRouter:
    """The page, the PDF, and codes for cameras of telephones."""
    router = APIRouter(tags=["kit"], responses=_NO_KIT)
    made = None if site.house is None else Printing(site.house.gear)

    def printing() -> Printing:
        if made is None:
            raise HTTPException(404, say("This server has nothing to print."))
        return made

    def known(language: str) -> str:
        if language not in printing().languages:
            raise HTTPException(404, say("The set is not printed in this language."))
        return language

    @router.get("/kit", response_class=Response, **needs(Access.WATCH))
    def kit_page(request: Request) -> Response:
        """The page of what is printed."""
        return site.assets.answer(request, "kit/index.html")

    @router.get("/api/kit", response_model=KitTold, **needs(Access.WATCH))
    def kit(request: Request) -> Response:
        """What can be printed, how far it is, and where other devices find this server."""
        printer = printing()
        assert site.house is not None
        return told(
            request,
            {
                "papers": PAPERS,
                "paper": site.house.settings.paper,
                "languages": printer.languages,
                "lan": site.reach.lan,
                "port": site.reach.port,
                "links": site.reach.links() if site.reach.lan else [],
                "printed": [
                    {"paper": paper, "language": language, **_state(printer, paper, language)}
                    for paper in PAPERS
                    for language in printer.languages
                ],
            },
        )

    @router.post("/api/kit/print", response_model=PrintedTold, **needs(Access.WATCH))
    def make(request: Request, body: PrintBody) -> Response:
        """Makes a PDF once; it takes some seconds."""
        printing().make(body.paper, known(body.language))
        return told(request, _state(printing(), body.paper, body.language))

    @router.get("/kit/{paper}-{language}.pdf", response_class=FileResponse, **needs(Access.WATCH))
    def pdf(paper: Paper, language: Language) -> Response:
        """A PDF that was made; 404 as long as it is not."""
        file = printing().job(paper, known(language)).result
        if file is None:
            raise HTTPException(404, say("This is not made yet: press the button on /kit."))
        name = f"tumult-kit-{paper}-{language}.pdf"
        return FileResponse(file, media_type="application/pdf", filename=name, headers=NO_STORE)

    @router.get("/api/kit/watch.svg", response_class=Response, **needs(Access.WATCH))
    def watch_code(number: Annotated[int, Query(ge=0, le=20)] = 0) -> Response:
        """The code of an address of the table screen, the likeliest first."""
        return _code(site.reach.links() if site.reach.lan else [], number)

    @router.get("/api/kit/join.svg", response_class=Response, **needs(Access.PLAY))
    def join_code(number: Annotated[int, Query(ge=0, le=20)] = 0) -> Response:
        """The code by which a player's device joins, the likeliest address first."""
        return _code(site.join_links(), number)

    return router


def _state(printing: Printing, paper: str, language: str) -> Json:
    job = printing.job(paper, language)
    what, remedy = job.trouble
    return {
        "ready": job.result is not None,
        "running": job.running,
        "seconds": round(job.seconds, 1),
        "trouble": say("{what} {remedy}", what=what, remedy=remedy) if what else "",
    }


def _code(links: list[str], number: int) -> Response:
    if number >= len(links):
        return Response(status_code=404, headers=NO_STORE)
    drawn = io.BytesIO()
    segno.make(links[number], error="m").save(drawn, kind="svg", scale=8, border=4, light="#fff")
    return Response(drawn.getvalue(), media_type="image/svg+xml", headers=NO_STORE)
