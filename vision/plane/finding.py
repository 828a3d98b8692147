"""Finds the plane by the markers at its edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.errors import UnreadableError
from vision.layout import Layout, Marker
from vision.plane.consensus import FEWEST_MARKERS, fit_markers
from vision.plane.edges import sharpened
from vision.plane.geometry import Image, Plane, corners_of, grey_of, signed_area, too_large
from vision.plane.markers import (
    Sighting,
    find_hard_markers,
    find_markers,
    glance_at_markers,
    look_closely,
)
from vision.plane.pinhole import Fit, Lens

#: Ways to look for markers, the quickest first, and with how many that fit together it ends: by
#: four a false one is told, so that those the glance missed can be looked for at their places.
_LOOKS = (
    (glance_at_markers, FEWEST_MARKERS + 1),
    (find_markers, FEWEST_MARKERS),
    (find_hard_markers, FEWEST_MARKERS),
)
#: Once the plane is known, a missing marker is looked for within so many of its sides.
_NEAR_SIDES = 0.5


@dataclass(frozen=True, eq=False)
class Located:
    """The plane, if it was found, and the markers seen: those it rests on, or all."""

    plane: Plane | None
    sightings: tuple[Sighting, ...]
    strays: tuple[int, ...] = ()
    """Ids of markers that were seen, but not where they must lie by the plane."""


def find_plane(image: Image, layout: Layout, lens: Lens | None = None) -> Plane:
    """Finds the table plane by the markers of `layout` in a BGR or grey picture.

    A marker's centre is its datum and its side is known; its turn on the table is free. Three
    markers suffice (see `Plane.sigma_mm` for how far that is to be trusted); from four on a false
    one is told by where it lies. `lens` is the camera's own calibration; without it the focal
    length and two radial terms are estimated from the markers.

    Raises UnreadableError with the ids that are missing if fewer than three fit together.
    """
    located = locate(image, layout, lens)
    if located.plane is None:
        raise missing(located, layout)
    return located.plane


def locate(
    image: Image, layout: Layout, lens: Lens | None = None, *, thorough: bool = True
) -> Located:
    """Finds the plane as `find_plane` does, and says which markers were seen.

    Unless `thorough`, markers that are hard to read are not looked for. Raises UnreadableError if
    the layout has fewer than three markers, or the plane is larger than the picture.
    """
    grey = grey_of(image)
    size = (grey.shape[1], grey.shape[0])
    markers = {marker.id: marker for marker in layout.markers}
    check_markers(layout)
    sightings: list[Sighting] = []
    for look, enough in _LOOKS if thorough else _LOOKS[:-1]:
        sightings = _joined(sightings, sharpened(grey, look(grey, markers)))
        found = fit_markers(sightings, markers, layout.size, size, lens)
        if found is not None and len(found[1]) >= enough:
            break
    if found is None:
        return Located(None, tuple(sightings))
    plane, used = _plane_of(*found, layout, size)
    missed = [markers[i] for i in sorted(markers.keys() - set(plane.markers))]
    more = [seen for marker in missed if (seen := look_for(grey, plane, marker, _NEAR_SIDES))]
    if more:
        more = sharpened(grey, more)
        again = fit_markers([*used, *more], markers, layout.size, size, lens)
        plane, used = (plane, used) if again is None else _plane_of(*again, layout, size)
    if abs(signed_area(plane.to_px(corners_of(layout.size)))) > 4 * size[0] * size[1]:
        raise too_large(size)
    strays = {sighting.id for sighting in (*sightings, *more)} - set(plane.markers)
    return Located(plane, tuple(used), tuple(sorted(strays)))


def _plane_of(
    fit: Fit, used: list[Sighting], layout: Layout, size: tuple[int, int]
) -> tuple[Plane, list[Sighting]]:
    """The plane of a fit, and the sightings that it rests on."""
    ids = tuple(sorted(sighting.id for sighting in used))
    view = fit.view
    return Plane(layout.size, ids, size, view.projection, view.lens, fit.sigma_mm), used


def check_markers(layout: Layout) -> None:
    """Raises UnreadableError unless the layout has markers enough for a plane."""
    if len(layout.markers) < FEWEST_MARKERS:
        raise UnreadableError(
            "The layout has {n} markers on the plane, {fewest} are needed.",
            "Give the four corners of the plane by hand.",
            n=len(layout.markers),
            fewest=FEWEST_MARKERS,
        )


def missing(located: Located, layout: Layout) -> UnreadableError:
    """What to say when too few markers were found."""
    seen = {sighting.id for sighting in located.sightings}
    absent = ", ".join(str(i) for i in sorted({marker.id for marker in layout.markers} - seen))
    if not seen:
        what = "No markers found: {absent} are missing."
    elif absent:
        what = "Markers {absent} are missing (found: {found})."
    else:
        what = "The markers found do not lie as the layout says."
    return UnreadableError(
        what,
        "At least {fewest} markers must lie at their places in the picture, flat, "
        "uncovered, sharp and evenly lit.",
        absent=absent,
        found=", ".join(str(i) for i in sorted(seen)),
        fewest=FEWEST_MARKERS,
    )


def _joined(first: Sequence[Sighting], more: Sequence[Sighting]) -> list[Sighting]:
    """All sightings, without those of `more` that show a marker of `first` once more."""
    return [
        *first,
        *(
            sighting
            for sighting in more
            if not any(
                known.id == sighting.id
                and np.linalg.norm(known.centre - sighting.centre) < known.side / 2
                for known in first
            )
        ),
    ]


def look_for(
    image: Image, plane: Plane, marker: Marker, sides: float, *, thorough: bool = True
) -> Sighting | None:
    """Looks closely for a marker within so many of its `sides` of its place on the plane."""
    x, y, half = *marker.centre, marker.side / 2
    centre, left, right, top, bottom = np.asarray(
        plane.to_px([(x, y), (x - half, y), (x + half, y), (x, y - half), (x, y + half)]),
        np.float64,
    )
    side = float(np.linalg.norm(right - left) + np.linalg.norm(bottom - top)) / 2
    reach = sides * side
    return look_closely(grey_of(image), marker.id, centre, side, reach, thorough=thorough)
