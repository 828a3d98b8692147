"""Matches on record: what happened, statistics, export, deletion."""

from __future__ import annotations

from pathlib import Path as File
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from referee.games.said import joined, say
from referee.journal import Journal, JournalError, Pictures, delete, evidence_path
from referee.journal.export import exported
from referee.web.access import Access, needs
from referee.web.answers import NO_STORE, told
from referee.web.history.records import Record
from referee.web.history.shelf import Shelf
from referee.web.site import Site

Json = dict[str, Any]

#: What a match is called is looked for among the names that are there: no path reaches the disk.
MatchId = Annotated[str, Path(max_length=200, description="The match's name.")]
PictureName = Annotated[str, Path(pattern=r"^(buzzer|verdict)-[0-9]{1,9}$")]
_MEDIA = {"json": "application/json", "csv": "text/csv; charset=utf-8"}
_JPEG = b"\xff\xd8"


class ListTold(BaseModel):
    """All matches in short, and how people did in them."""

    matches: Annotated[list[Json], Field(description="The newest first.")]
    games: Annotated[list[Json], Field(description="For each game who won how often.")]
    read: Annotated[int, Field(description="How many matches have been read.")]
    of: Annotated[int, Field(description="How many there are: ask again until all are read.")]
    open: Annotated[str, Field(description="The id of the match that is open; empty if none.")]


class DeleteBody(BaseModel):
    """Says twice which match is to be deleted."""

    model_config = ConfigDict(extra="forbid")

    match: Annotated[str, Field(max_length=200)]


class DeletedTold(BaseModel):
    """Whether a match is gone."""

    deleted: bool
    text: Annotated[str, Field(description="Why not, in a sentence; empty if it is.")]


class TextTold(BaseModel):
    """What went wrong, in a sentence."""

    text: str


_GONE: dict[int | str, dict[str, Any]] = {404: {"model": TextTold, "description": "Not there."}}


def router(site: Site) -> APIRouter:
    """The page, and what it shows."""
    router = APIRouter(tags=["history"])
    shelf = Shelf(_folder(site), lambda: _is_played(site))

    def record(request: Request, match: str) -> Record | None:
        """A match; while its judge reviews it, others see it as it was before."""
        return shelf.match(match, _until(site, request, match))

    def missing(request: Request) -> Response:
        return told(request, {"text": say("There is no such match.")}, 404)

    @router.get("/history", response_class=Response, **needs(Access.WATCH))
    def history_page(request: Request) -> Response:
        """Matches that were played here."""
        return site.assets.answer(request, "history/index.html")

    @router.get("/api/history", response_model=ListTold, **needs(Access.WATCH))
    def matches(request: Request) -> Response:
        """All matches in short, the newest first; files that can't be read say why."""
        listed, held = shelf.listed(), _open(site)
        if _until(site, request, held) is not None and (seen := record(request, held)):
            listed["matches"] = [
                seen.summary if each["id"] == held else each for each in listed["matches"]
            ]
        return told(request, {**listed, "open": held})

    @router.get(
        "/api/history/{match}",
        response_model=dict[str, Any],
        responses=_GONE,
        **needs(Access.WATCH),
    )
    def one_match(request: Request, match: MatchId) -> Response:
        """One match: its rounds with moves and verdicts in words, and its statistics."""
        found = record(request, match)
        if found is None:
            return missing(request)
        return told(request, {**found.whole, "open": match == _open(site)})

    @router.get(
        "/api/history/{match}/evidence/{name}.jpg",
        response_class=Response,
        responses=_GONE,
        **needs(Access.WATCH),
    )
    def evidence(request: Request, match: MatchId, name: PictureName) -> Response:
        """A picture that a verdict of a match rests on, as long as it is kept."""
        found, path = record(request, match), shelf.path(match)
        jpeg = None
        if found is not None and path is not None and name in _pictures(found):
            jpeg = _picture(path, name)
        if jpeg is None:
            return told(request, {"text": say("This picture is not kept any more.")}, 404)
        return Response(jpeg, media_type="image/jpeg", headers=NO_STORE)

    @router.get(
        "/api/history/{match}/export",
        response_class=Response,
        responses=_GONE,
        **needs(Access.JUDGE),
    )
    def export(
        request: Request, match: MatchId, form: Literal["json", "csv"], names: bool = False
    ) -> Response:
        """A match as a file; without `names` those who played or decided are not named."""
        path = shelf.path(match)
        if path is None:
            return missing(request)
        try:
            with Journal.read(path) as journal:
                text = exported(journal, form, named=names).text
        except JournalError as error:
            return told(request, {"text": joined([error.what, error.remedy])}, 404)
        named = f"attachment; filename*=UTF-8''{quote(f'{match}.{form}')}"
        file = {"Content-Disposition": named}
        return Response(text.encode(), media_type=_MEDIA[form], headers={**NO_STORE, **file})

    @router.post(
        "/api/history/{match}/delete",
        response_model=DeletedTold,
        **needs(Access.JUDGE),
    )
    def remove(request: Request, match: MatchId, body: DeleteBody) -> Response:
        """Deletes a match with its pictures, for good; its name is said once more for safety."""
        path, text = shelf.path(match), ""
        if body.match != match:
            text = say("The match to be deleted was named in two ways: nothing was deleted.")
        elif path is None:
            text = say("There is no such match.")
        elif match == _open(site):
            text = say("This match is open: end it first.")
        else:
            try:
                delete(path)
            except JournalError as error:
                text = joined([error.what, error.remedy])
            shelf.forget(match)
        return told(request, {"deleted": not text, "text": text})

    return router


def _folder(site: Site) -> File | None:
    return site.folder if site.house is None else site.house.folder


def _open(site: Site) -> str:
    """The id of the match that is open; empty if none is."""
    page = site.page
    return "" if page is None else page.view.match


def _is_played(site: Site) -> bool:
    page = site.page
    return page is not None and page.view.step is not None


def _until(site: Site, request: Request, match: str) -> int | None:
    """The last event of a match that somebody may see now; None if all."""
    page = site.page
    review = None if page is None or page.view.match != match else page.view.review
    if review is None or site.access(request) == Access.JUDGE:
        return None
    return review.seq


def _pictures(record: Record) -> set[str]:
    """The names of the pictures that are told of."""
    rounds = record.whole["rounds"]
    entries = [entry for each in rounds for entry in each["entries"]]
    return {picture["name"] for entry in entries for picture in entry["evidence"]}


def _picture(path: File, name: str) -> bytes | None:
    """A picture of a match as JPEG; None if it is gone."""
    try:
        with Pictures(evidence_path(path)) as pictures:
            jpeg = pictures.get(name)
    except JournalError:
        return None
    return jpeg if jpeg is not None and jpeg.startswith(_JPEG) else None
