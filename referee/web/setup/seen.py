"""What a camera sees of the table, told for somebody who sets up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from referee.games.said import Said, joined, listed, say, say_n
from referee.games.table import Point, TablePlan
from referee.web.setup.sights import Sight, zones_px
from referee.words import said
from vision.camera import Held
from vision.fitness import Complaint
from vision.layout import Layout
from vision.plane.consensus import FEWEST_MARKERS

Json = dict[str, Any]

#: From this uncertainty of the plane (mm) on a reading may take a tile for one beside its zone.
GOOD_MM, FAIR_MM = 0.6, 1.5

_DIALS: Mapping[str, str] = {
    "mains": say("mains frequency"),
    "auto_exposure": say("automatic exposure"),
    "exposure": say("exposure"),
    "gain": say("gain"),
    "auto_white_balance": say("automatic white balance"),
    "white_balance": say("white balance"),
    "auto_focus": say("automatic focus"),
    "focus": say("focus"),
}
#: Nine places on the table, row by row.
_PLACES = (
    (say("top left"), say("top middle"), say("top right")),
    (say("left middle"), say("middle"), say("right middle")),
    (say("bottom left"), say("bottom middle"), say("bottom right")),
)


def fitness(found: Sequence[Complaint], titled: Callable[[str], str]) -> list[Json]:
    """What makes a picture unfit to be read, and what to do; `titled` names zones for people."""
    told = []
    for each in found:
        what, remedy = said(each)
        if each.zone and isinstance(what, Said):
            what = Said(what.template, {**what.arguments, "zone": titled(each.zone)})
        told.append({"what": what, "remedy": remedy})
    return told


def held(report: Sequence[Held]) -> list[Json]:
    """What the camera was set to, and whether it held."""
    told = []
    for each in report:
        if each.held:
            text = say("holds at {value}", value=each.got if each.got is not None else each.asked)
        elif each.got is None:
            text = say("the camera has no such setting")
        else:
            text = say("does not hold: it stands at {value}", value=each.got)
        told.append({"name": _DIALS.get(each.name, each.name), "held": each.held, "text": text})
    return told


def place(centre: Point, size: tuple[float, float]) -> str:
    """Where on the table something lies, in words."""
    across, down = (
        min(2, int(3 * value / length)) for value, length in zip(centre, size, strict=True)
    )
    return _PLACES[down][across]


def markers(sight: Sight, plan: TablePlan) -> Json:
    """Which markers are seen, which are not and why that may be, and how well the plane is known.

    Outlines and places are in pixels of the picture.
    """
    located, plane = sight.located, sight.plane
    seen = {} if located is None else {each.id: each for each in located.sightings}
    strays = set() if located is None else set(located.strays)
    listing: list[Json] = []
    for marker in plan.markers:
        told: Json = {"id": marker.id, "where": place(marker.centre, plan.size)}
        if marker.id in seen and marker.id not in strays:
            told |= {"seen": True, "outline": _points(seen[marker.id].quad), "hint": ""}
        else:
            told |= {"seen": False, "outline": [], "hint": ""}
            if marker.id in strays:
                told["hint"] = say(
                    "It is seen, but not at its place: lay it {place}, this way up.",
                    place=told["where"],
                )
            elif plane is not None:
                ((x, y),) = plane.to_px([marker.centre])
                inside = 0 <= x < sight.size[0] and 0 <= y < sight.size[1]
                told["expected"] = [round(float(x)), round(float(y))]
                told["hint"] = (
                    say("It should be where the ring is: is it covered, bent, or in a glare?")
                    if inside
                    else say("It lies outside the picture: turn or raise the camera.")
                )
        listing.append(told)
    count = sum(each["seen"] for each in listing)
    return {"list": listing, "count": count, "ok": plane is not None, **_quality(sight, count)}


def _quality(sight: Sight, count: int) -> Json:
    plane = sight.plane
    if plane is None:
        need = FEWEST_MARKERS
        text = say(
            "The table is not found yet: {count} of at least {need} markers are seen.",
            count=count,
            need=need,
        )
        return {"quality": "none", "text": text, "sigma_mm": None}
    sigma = plane.sigma_mm
    told = f"{sigma:.1f}"
    if sigma <= GOOD_MM:
        quality, text = "good", say("The table is known to {mm} mm: very good.", mm=told)
    elif sigma <= FAIR_MM:
        quality, text = "fair", say("The table is known to {mm} mm: good enough.", mm=told)
    else:
        quality = "poor"
        text = say(
            "The table is known to {mm} mm only: show more markers, nearer to the corners.",
            mm=told,
        )
    return {"quality": quality, "text": text, "sigma_mm": round(sigma, 2)}


def table(sight: Sight, plan: TablePlan, layout: Layout) -> Json:
    """The table's zones over the picture, and which boards were found by their markers."""
    plane = sight.plane
    if plane is None:
        return {"zones": [], "boards": [], "text": say("The table is not found yet."), "ok": False}
    zones = zones_px(plane, sight.boards, layout)
    boards = [{"name": each.board.name, "found": each.found} for each in sight.boards]
    missing = [
        plan.called(each.board.name)
        for each in sight.boards
        if not each.found and each.board.markers
    ]
    if missing:
        text = joined(
            [
                say_n(
                    len(missing),
                    "One board is not seen: {names}.",
                    "{n} boards are not seen: {names}.",
                    names=listed(missing),
                ),
                say("Its usual place is assumed; boards of those who don't play may be missing."),
            ]
        )
    else:
        text = say("All boards are found by their own markers.")
    outlines = [{"name": name, "outline": _points(quad)} for name, quad in zones.items()]
    found = any(each.found for each in sight.boards) or not layout.boards
    return {"zones": outlines, "boards": boards, "text": text, "ok": found}


def _points(quad: NDArray[Any]) -> list[list[int]]:
    return [[round(float(x)), round(float(y))] for x, y in quad]
