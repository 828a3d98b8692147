"""Finds the plane by the markers at its edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
from vision.plane.pinhole import Lens, View

#: Ways to look for markers, the quickest first, and with how many that fit together it ends: by
#: four a false one is told, so that those the glance missed can be looked for at their places.
_LOOKS = (
    (glance_at_markers, FEWEST_MARKERS + 1),
    (find_markers, FEWEST_MARKERS),
    (find_hard_markers, FEWEST_MARKERS),
)


def find_plane(image: Image, layout: Layout, lens: Lens | None = None) -> Plane:
    """Finds the table plane by the markers of `layout` in a BGR or grey picture.

    A marker's centre is its datum and its side is known; its turn on the table is free. Three
    markers suffice (see `Plane.sigma_mm` for how far that is to be trusted); from four on a false
    one is told by where it lies. `lens` is the camera's own calibration; without it the focal
    length and one radial term are estimated from the markers.

    Raises UnreadableError with the ids that are missing if fewer than three fit together.
    """
    grey = grey_of(image)
    size = (grey.shape[1], grey.shape[0])
    markers = {marker.id: marker for marker in layout.markers}
    if len(markers) < FEWEST_MARKERS:
        raise UnreadableError(
            f"The layout has {len(markers)} markers on the plane, {FEWEST_MARKERS} are needed.",
            "Give the four corners of the plane by hand.",
        )
    sightings: list[Sighting] = []
    for look, enough in _LOOKS:
        sightings = _joined(sightings, sharpened(grey, look(grey, markers)))
        found = fit_markers(sightings, markers, layout.size, size, lens)
        if found is not None and len(found[1]) >= enough:
            break
    if found is None:
        raise _missing({sighting.id for sighting in sightings}, markers)
    fit, used = found
    missing = markers.keys() - {sighting.id for sighting in used}
    more = [s for i in sorted(missing) if (s := _look_for(grey, fit.view, markers[i])) is not None]
    if more:
        more = sharpened(grey, more)
        fit, used = fit_markers([*used, *more], markers, layout.size, size, lens) or (fit, used)
    plane = Plane(
        layout.size,
        tuple(sorted(sighting.id for sighting in used)),
        size,
        fit.view.projection,
        fit.view.lens,
        fit.sigma_mm,
    )
    if abs(signed_area(plane.to_px(corners_of(layout.size)))) > 4 * size[0] * size[1]:
        raise too_large(size)
    return plane


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


def _look_for(grey: Image, view: View, marker: Marker) -> Sighting | None:
    """Looks closely at the place where a marker must be by a view of the plane."""
    x, y, half = *marker.centre, marker.side / 2
    points = np.array(
        [(x, y, 0), (x - half, y, 0), (x + half, y, 0), (x, y - half, 0), (x, y + half, 0)]
    )
    centre, left, right, top, bottom = view.project(points)
    side = float(np.linalg.norm(right - left) + np.linalg.norm(bottom - top)) / 2
    return look_closely(grey, marker.id, centre, side, reach=side / 2)


def _missing(seen: set[int], markers: Mapping[int, Marker]) -> UnreadableError:
    """What to say when too few markers were found."""
    missing = [str(i) for i in sorted(markers.keys() - seen)]
    if not seen:
        what = f"No markers found: {', '.join(missing)} are missing."
    elif missing:
        there = ", ".join(str(i) for i in sorted(seen))
        what = f"Markers {', '.join(missing)} are missing (found: {there})."
    else:
        what = "The markers found do not lie as the layout says."
    return UnreadableError(
        what,
        f"At least {FEWEST_MARKERS} markers must lie at their places in the picture, flat, "
        "uncovered, sharp and evenly lit.",
    )
