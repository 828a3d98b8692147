"""The pages of the first run: what is chosen, found, taught, typed in, tried, begun and ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import cv2
from fastapi import APIRouter, HTTPException, Path, Query, Request, Response

from referee.games.said import joined, say
from referee.journal import JournalError
from referee.match.acceptance import Reply
from referee.web.access import Access, needs
from referee.web.answers import NO_STORE, told
from referee.web.routes.session import Nothing
from referee.web.setup.bodies import (
    BeginBody,
    CheckBody,
    DoneTold,
    EditionBody,
    EndBody,
    FormTold,
    GridBody,
    NameBody,
    NamesBody,
    ReplyBody,
    SettingsBody,
    SetupTold,
    TakeUpBody,
    TrialBody,
)
from referee.web.setup.desk import Desk
from referee.web.setup.settings import KIT
from referee.web.setup.teaching import MOST_PIECES
from referee.web.setup.tell import document
from referee.web.setup.tell_parts import form_json
from referee.web.site import Site
from referee.words import said
from vision.camera import without_password
from vision.errors import UnreadableError

_NO_HOUSE: dict[int | str, dict[str, Any]] = {404: {"description": "Nothing to set up here."}}


def router(site: Site) -> APIRouter:
    """The page and what it does; all of it for whoever gave the PIN."""
    router = APIRouter(tags=["setup"], responses=_NO_HOUSE)
    made = None if site.house is None else Desk(site.house)

    def here() -> Desk:
        if made is None:
            raise HTTPException(404, say("This server has nothing to set up."))
        return made

    def done(request: Request, deed: Callable[[], object]) -> Response:
        """Does something; what people can do something about is told in a sentence."""
        try:
            deed()
        except UnreadableError as error:
            return told(request, {"accepted": False, "text": joined(said(error))})
        except JournalError as error:
            text = joined([error.what, error.remedy])
            return told(request, {"accepted": False, "text": text})
        except ValueError as error:
            return told(request, {"accepted": False, "text": error.args[0]})
        return told(request, {"accepted": True, "text": ""})

    @router.get("/setup", response_class=Response, **needs(Access.JUDGE))
    def setup_page(request: Request) -> Response:
        """The page of the setup."""
        return site.assets.answer(request, "setup/index.html")

    @router.get("/api/setup", response_model=SetupTold, **needs(Access.JUDGE))
    def setup(request: Request) -> Response:
        """How far each step is, and what is wrong with it; to be asked about once a second."""
        return told(request, document(here(), site.reach))

    @router.get(
        "/api/setup/picture.jpg",
        response_class=Response,
        responses={204: {"description": "There is no picture yet."}},
        **needs(Access.JUDGE),
    )
    def picture(camera: Annotated[str, Query(max_length=400)]) -> Response:
        """What a camera sees now, all of it; 204 as long as there is no picture."""
        there = [each.spec for each in here().cameras.found()]
        known = {without_password(spec): spec for spec in (*there, here().chosen) if spec}
        jpeg = here().eye(known[camera]).jpeg() if camera in known else b""
        if not jpeg:
            return Response(status_code=204, headers=NO_STORE)
        return Response(jpeg, media_type="image/jpeg", headers=NO_STORE)

    @router.get("/api/setup/art/{name}.png", response_class=Response, **needs(Access.JUDGE))
    def drawing(name: Annotated[str, Path(max_length=100)]) -> Response:
        """One of the set's drawings."""
        image = here().house.gear.art(name)
        if image is None:
            return Response(status_code=404)
        png = cv2.imencode(".png", image)[1].tobytes()
        return Response(png, media_type="image/png", headers={"Cache-Control": "max-age=3600"})

    @router.post("/api/setup/settings", response_model=DoneTold, **needs(Access.JUDGE))
    def change(request: Request, body: SettingsBody) -> Response:
        """Changes settings; those that a running match rests on stay."""

        def deed() -> None:
            values = body.model_dump(exclude_none=True)
            if "edition" in values:
                values["edition"] = here().editions.spec(values["edition"])
            here().house.change(**values)
            if "box" in values:
                here().box.forget()

        return done(request, deed)

    @router.post("/api/setup/again", response_model=DoneTold, **needs(Access.JUDGE))
    def look_again(request: Request, body: Nothing) -> Response:
        """Looks anew for cameras and ports."""
        here().cameras.again()
        here().ports.again()
        return done(request, lambda: None)

    @router.post("/api/setup/settle", response_model=DoneTold, **needs(Access.JUDGE))
    def settle(request: Request, body: Nothing) -> Response:
        """Lets the camera's exposure, white balance and focus settle anew, then holds them."""

        def deed() -> None:
            here().house.allowed(["camera"])
            chosen = here().chosen
            if chosen is None or not here().eye(chosen).settle():
                raise UnreadableError(
                    say("This camera has nothing that can be set."),
                    say("Change the light, or turn the camera's own ring."),
                )

        return done(request, deed)

    @router.post("/api/setup/photo", response_model=DoneTold, **needs(Access.JUDGE))
    def photograph(request: Request, body: GridBody) -> Response:
        """Finds the pieces that lie in a grid in the picture of now; it takes a while."""
        return done(request, lambda: here().photograph(body.rows, body.columns))

    @router.get("/api/setup/cut/{number}.png", response_class=Response, **needs(Access.JUDGE))
    def cut(number: Annotated[int, Path(ge=0, lt=MOST_PIECES * 4)]) -> Response:
        """A piece of the photo, counted row by row from 0."""
        photo = here().photo.result
        if photo is None or number >= len(photo.cuts):
            return Response(status_code=404)
        return Response(photo.cuts[number], media_type="image/png", headers=NO_STORE)

    @router.post("/api/setup/teach", response_model=DoneTold, **needs(Access.JUDGE))
    def teach(request: Request, body: NamesBody) -> Response:
        """Teaches the photo's pieces by their names; it takes a while."""
        return done(request, lambda: here().teach(list(body.names)))

    @router.post("/api/setup/faces", response_model=DoneTold, **needs(Access.JUDGE))
    def keep_faces(request: Request, body: NameBody) -> Response:
        """Saves what was taught under a name, and uses it from now on."""
        return done(request, lambda: here().keep_faces(body.name))

    @router.get("/api/setup/edition", response_model=FormTold, **needs(Access.JUDGE))
    def edition(request: Request, name: Annotated[str, Query(max_length=60)] = KIT) -> Response:
        """An edition as a form: every value, what it may be, where it is printed."""
        try:
            form = here().editions.form(here().edition(name))
        except UnreadableError as error:
            return told(request, {"text": joined(said(error))}, 404)
        return told(request, form_json(name, form, here().editions.ours(name)))

    @router.post("/api/setup/edition", response_model=DoneTold, **needs(Access.JUDGE))
    def enter(request: Request, body: EditionBody) -> Response:
        """Enters values into an edition, complete or not; what is wrong is in its form then."""
        return done(request, lambda: here().enter(body.name, body.base, body.values))

    @router.post("/api/setup/box", response_model=DoneTold, **needs(Access.JUDGE))
    def try_box(request: Request, body: TrialBody) -> Response:
        """Tries a part of the box; what came of it is in the setup then."""

        def deed() -> None:
            here().house.allowed(["box"])
            here().box.start(body.what)

        return done(request, deed)

    @router.post("/api/setup/begin", response_model=DoneTold, **needs(Access.JUDGE))
    def begin(request: Request, body: BeginBody) -> Response:
        """Begins a match."""

        def deed() -> None:
            seats = {each.piece: each.name for each in body.seats}
            if len(seats) < len(body.seats):
                raise UnreadableError(
                    say("Two sit on the same seat."), say("Give each a colour of their own.")
                )
            here().house.begin(
                seats, ranks=body.ranks or None, regions=body.regions or None, by=body.by
            )

        return done(request, deed)

    @router.post("/api/setup/take-up", response_model=DoneTold, **needs(Access.JUDGE))
    def take_up(request: Request, body: TakeUpBody) -> Response:
        """Goes on with a match on disk: the newest unfinished one if none is named."""
        return done(request, lambda: here().house.take_up(body.id or None, changed=body.changed))

    @router.post("/api/setup/end", response_model=DoneTold, **needs(Access.JUDGE))
    def end(request: Request, body: EndBody) -> Response:
        """Ends the open match; who did and why is on record if its game is not over."""
        return done(request, lambda: here().end(body.by, body.reason))

    @router.post("/api/setup/check", response_model=DoneTold, **needs(Access.JUDGE))
    def check(request: Request, body: CheckBody) -> Response:
        """Begins the check before a match; what it asks is in the setup then."""
        return done(request, lambda: here().check(body.by))

    @router.post("/api/setup/check/reply", response_model=DoneTold, **needs(Access.JUDGE))
    def reply(request: Request, body: ReplyBody) -> Response:
        """What a person says to what the check asks."""

        def deed() -> None:
            checking = here().checking
            if checking is None or not checking.reply(body.step, Reply(body.reply)):
                raise UnreadableError(
                    say("The check has gone on meanwhile."), say("Look what it asks now.")
                )

        return done(request, deed)

    @router.post("/api/setup/check/stop", response_model=DoneTold, **needs(Access.JUDGE))
    def break_off(request: Request, body: Nothing) -> Response:
        """Breaks the check off: all is taken back, the match is put away, and can be taken up."""
        return done(request, here().break_off)

    return router
