"""Reads the tiles of a picture: where they lie, what they show, in which zone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.faces import (
    BACK,
    FaceBook,
    FaceMatcher,
    Matches,
    PartialMatcher,
    default_matcher,
    lengthwise,
    straighten,
    turned,
)
from vision.layout import Layout
from vision.observation import NONE, Facing, TileReadings
from vision.places import Places
from vision.plane import PlacedBoard, Plane
from vision.tiles import (
    OF_STOCK,
    SHADE,
    Detections,
    Detector,
    Glimpse,
    common_change,
    default_detector,
    hidden,
    lies_below,
    outlined,
    overlaps,
    pack,
    rims,
    share_of_stock,
    share_under_glare,
    shifted,
    sizes,
    whole,
)

Image = NDArray[np.uint8]

#: How often faces are looked at, each time leaving out what overlaps those already certain.
ROUNDS = 3
#: So many faces named in one round show the light to the next.
LIT = 8
#: Score of the outline and likeness at a glimpse that together deserve a close look.
PROMISING = 0.75
#: Score of the outline and likeness, the mean of both looks, that together make a tile of what is
#: not certain: of what has a name, and of what has none.
EVIDENT, UNNAMED_EVIDENT = 0.83, 0.93
#: Score of the outline, and likeness, the mean of both looks, of which what is certain has one:
#: board and cloth between tiles passed for tiles with a plain face. Of 843 certain tiles with other
#: art on generated tables two had neither.
PLAINLY_OUTLINED, PLAINLY_ALIKE = 0.38, 0.54
#: Share of a taught rim that has its usual colour if no print reaches into it.
PLAIN = 0.9
#: Tiles of a set are equal: what is so many times as large as those that are certain is none. The
#: face of what is too small may be a part of a larger one's, however certain it is, unless it is no
#: smaller than SHRUNK and shows the same face at the full size.
OVERSIZE, UNDERSIZE, SHRUNK = 1.09, 0.85, 0.7
#: Score of an outline that can be seen, by the tier of the find.
OUTLINED = np.array([0.3, 0.9], np.float32)
#: An outline of which less shows is worth no more for that.
LEAST_SHOWN = 0.4
#: What an outline whose face is unknown is worth beside one whose face is known.
UNKNOWN_WORTH = 0.4
#: What a find of a later tier that is not certain is worth beside one of an earlier.
LATER_WORTH = 0.5
#: Share of a quad that the seen side of a thick tile may be, and where that may lie: how much of it
#: before the face, across and down.
SIDE = 0.06
SIDES = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.5, 0.5))


class TileReader:
    """Reads the tiles of one table; holds no state between pictures."""

    def __init__(
        self,
        layout: Layout,
        book: FaceBook,
        detector: Detector | None = None,
        matcher: FaceMatcher | None = None,
    ) -> None:
        """Raises UnreadableError if the book is empty, or a network is damaged."""
        self._layout, self._book = layout, book
        self._places = Places(layout)
        self._detector = default_detector() if detector is None else detector
        self._matcher = default_matcher(book) if matcher is None else matcher
        self.labels = tuple(label for label in book.labels if label != BACK)
        #: From the book's label ids, NONE last, to those of an Observation, which has no back.
        self._label_ids = np.array(
            [self.labels.index(b) if b != BACK else NONE for b in book.labels] + [NONE], np.int16
        )
        self._backs = [k for k, label in enumerate(book.labels) if label == BACK]
        self._partial = PartialMatcher(book)
        pictures = [picture for label in book.labels for picture in book.pictures(label)]
        self._glimpse = Glimpse(pictures, book.aspect)
        taught = [_rims(book.pictures(label)) for label in book.labels]
        #: The colour of the rim of each label, (k, 3), and whether all of it has that colour.
        self._stock = np.array([np.median(rim, axis=(0, 1)) for rim in taught])
        self._plain = np.array(
            [
                share_of_stock(rim, colour[None], 0.0).min() >= PLAIN
                for rim, colour in zip(taught, self._stock, strict=True)
            ]
        )

    @property
    def zones(self) -> tuple[str, ...]:
        """The names of the zones that the readings' ids index."""
        return self._places.zones

    def find(self, image: Image, plane: Plane, boards: Sequence[PlacedBoard]) -> Detections:
        """Where tiles may lie on a BGR picture; finds may overlap."""

        def may_bear(centres: NDArray[np.float32]) -> NDArray[np.bool_]:
            return self._places.may_bear(centres, boards)

        tile, thickness = self._layout.tile, self._layout.tile_thickness
        found = self._detector.detect(image, plane, tile, thickness, may_bear)
        return found.select(may_bear(np.asarray(found.quads_mm.mean(axis=1), np.float32)))

    def read(self, image: Image, found: Detections, boards: Sequence[PlacedBoard]) -> TileReadings:
        """The tiles among the finds, with their faces, facings and zones."""
        quads_px, quads_mm = (
            turned(quads, lengthwise(found.quads_mm, self._book.aspect))
            for quads in (found.quads_px, found.quads_mm)
        )
        outlines = quads_mm[found.scores >= OUTLINED[found.tiers]].mean(axis=1)
        like, shift = self._glimpse.look(image, quads_px)
        promise = found.scores + like.clip(0)
        found = replace(found, quads_mm=shifted(quads_mm, shift), quads_px=shifted(quads_px, shift))
        promising = promise > PROMISING
        found, promise = found.select(promising), promise[promising]
        looked, matches = self._look(image, found, promise)
        found, promise = found.select(looked), promise[looked]
        found, matches = self._grown(image, found, matches)
        matches, shown = self._partly_seen(image, found, matches)
        worth = self._worth(image, found, matches, promise, shown)
        kept = pack(worth, overlaps(found.quads_mm))
        matches = self._looked_again(image, found, matches, kept[shown[kept] == 1])
        like = (matches.candidate_scores[:, 0] + promise - found.scores) / 2
        evident = (found.scores >= PLAINLY_OUTLINED) | (like >= PLAINLY_ALIKE)
        upright_px, upright_mm = (
            turned(quads, matches.turns)[kept] for quads in (found.quads_px, found.quads_mm)
        )
        down = np.isin(matches.label_ids, self._backs)
        return TileReadings(
            quads_mm=upright_mm,
            quads_px=upright_px,
            found_scores=found.scores[kept],
            label_ids=self._label_ids[matches.label_ids[kept]],
            facings=np.where(down[kept], Facing.DOWN, Facing.UP).astype(np.int8),
            certain=outlined(upright_mm, outlines, (matches.certain & evident)[kept]),
            **self._candidates(matches, kept),
            zone_ids=self._places.zone_ids(upright_mm.mean(axis=1), boards),
        )

    def _look(
        self, image: Image, found: Detections, promise: NDArray[np.float32]
    ) -> tuple[NDArray[np.intp], Matches]:
        """Indices of the finds that were looked at closely, and what they show.

        `promise` (n,) is how likely each is to be a tile. A close look costs far more than a
        glimpse: each round looks at the best finds that do not overlap, the first at those of the
        first tier alone, and what overlaps a tile that is certain by then is left out.
        """
        rivals, open_ = overlaps(found.quads_mm), promise.copy()
        looked, known = np.zeros(0, np.intp), Matches.empty()
        lit = np.zeros((0, *self._book.crop_size[::-1], 3), np.uint8)
        first = np.where(found.tiers == 0, open_, np.float32(0))
        for number in range(ROUNDS):
            chosen = pack(open_ if number else first, rivals)
            if not len(chosen):
                continue
            crops = straighten(image, found.quads_px[chosen], self._book.crop_size)
            # A few faces named before tell the matcher the light, which one face alone can't.
            matches = self._matcher.match(np.concatenate([crops, lit]))
            matches = matches.select(np.arange(len(crops)))
            lit = np.concatenate([lit, crops[matches.certain]])[:LIT]
            looked, known = np.concatenate([looked, chosen]), known.merged(matches)
            open_[chosen] = 0
            for find in chosen[matches.certain].tolist():
                open_[list(rivals[find])] = 0
        return looked, known

    def _grown(
        self, image: Image, found: Detections, matches: Matches
    ) -> tuple[Detections, Matches]:
        """The finds and matches, in which tiles that were outlined too small are as large as all.

        An edge in a shadow or in glare is easily taken for print: what shows its certain face
        better at the size of the others lies there at that size.
        """
        size = sizes(found.quads_mm, matches.certain)
        small = np.flatnonzero(matches.certain & (size >= SHRUNK) & (size < UNDERSIZE))
        if not len(small):
            return found, matches
        lacking = np.asarray(1 - 1 / size[small], np.float32)
        quads_px, quads_mm = (
            _cut(quads[small], lacking, 0.5, 0.5) for quads in (found.quads_px, found.quads_mm)
        )
        before, _ = self._glimpse.look(image, found.quads_px[small])
        like, shift = self._glimpse.look(image, quads_px)
        quads_px, quads_mm = shifted(quads_px, shift), shifted(quads_mm, shift)
        lit = found.quads_px[np.flatnonzero(matches.certain & (size >= UNDERSIZE))[:LIT]]
        crops = straighten(image, np.concatenate([quads_px, lit]), self._book.crop_size)
        again = self._matcher.match(crops).select(np.arange(len(small)))
        same = again.certain & (again.label_ids == matches.label_ids[small]) & (like > before)
        grown, at = small[same], np.arange(len(matches))
        at[grown] = len(matches) + np.flatnonzero(same)
        found = replace(
            found,
            quads_px=np.concatenate([found.quads_px, quads_px])[at],
            quads_mm=np.concatenate([found.quads_mm, quads_mm])[at],
        )
        return found, matches.merged(again).select(at)

    def _partly_seen(
        self, image: Image, found: Detections, matches: Matches
    ) -> tuple[Matches, NDArray[np.float32]]:
        """The matches, in which finds on which others lie have the name that fits what shows.

        Those with edges of their own that are not certain: they stay in doubt. Beside them, the
        share (n,) of the outline of each that shows: 1 of all that were given no such name.
        """
        outline, which = np.ones(len(found), np.float32), np.arange(len(found))
        edged = (found.tiers == 0) & (found.scores >= OUTLINED[0])
        unsure, above = np.flatnonzero(edged & ~matches.certain), found.quads_px[matches.certain]
        partly = unsure[lies_below(found.quads_px[unsure], above)]
        if not len(partly):
            return matches, outline
        quads, middles = found.quads_px[partly], above.mean(axis=1, keepdims=True)
        # A tile is thick, and casts a shadow.
        above = np.asarray(middles + (above - middles) * (1 + 2 * SIDE), np.float32)
        shows = np.asarray(~hidden(quads, above, *self._partial.size).any(axis=1), np.bool_)
        named = self._partial.match(straighten(image, quads, self._book.crop_size), shows)
        given = np.flatnonzero(named.label_ids != NONE)
        which[partly[given]] = len(matches) + given
        outline[partly[given]] = _of_border(shows[given])
        return matches.merged(named).select(which), outline

    def _worth(
        self,
        image: Image,
        found: Detections,
        matches: Matches,
        promise: NDArray[np.float32],
        shown: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """What each find (n,) is worth as a tile, 0 if it is none.

        `promise` (n,) is what they promised before a close look, `shown` (n,) the share of their
        outlines that can be seen: of what is partly hidden the rest tells as much.
        """
        known = matches.label_ids != NONE
        faces, partly = matches.candidate_scores[:, 0], shown < 1
        evidence = (found.scores + faces + promise) / 2
        evidence[partly] = (found.scores / shown.clip(LEAST_SHOWN) + faces)[partly]
        worth = np.where(known, evidence, UNKNOWN_WORTH * evidence)
        least = np.where(known, EVIDENT, UNNAMED_EVIDENT)
        worth[~matches.certain & (evidence < least)] = 0
        size = sizes(found.quads_mm, matches.certain)
        fits = self._of_stock(rims(image, found.quads_px), matches) & (size >= UNDERSIZE)
        fits &= matches.certain | (size <= OVERSIZE)
        worth[~fits] = 0
        # Prints of squares abound: what has no edges that the first tier finds needs a name.
        worth[~known & (found.tiers > 0)] = 0
        worth[~matches.certain & (found.tiers > 0)] *= LATER_WORTH
        return np.asarray(worth, np.float32)

    def _looked_again(
        self, image: Image, found: Detections, matches: Matches, kept: NDArray[np.intp]
    ) -> Matches:
        """The matches, in which what was kept in doubt has the name that fits best.

        A side may have been outlined with the face: then a smaller quad shows the face truly. A
        name out of several tries stays in doubt, unless no look gave another and most are certain.
        """
        doubtful = kept[~matches.certain[kept]]
        if not len(doubtful):
            return matches
        quads = found.quads_px[doubtful]
        tries = np.stack([_cut(quads, SIDE, *side) for side in SIDES])
        lit = np.flatnonzero(matches.certain)[:LIT]
        seen = np.concatenate([tries.reshape(-1, 4, 2), found.quads_px[lit]])
        again = self._matcher.match(straighten(image, seen, self._book.crop_size))
        shape = (len(tries), len(doubtful))
        scores = again.candidate_scores[: tries.shape[0] * len(doubtful), 0].reshape(shape)
        names = again.label_ids[: scores.size].reshape(shape)
        best = scores.argmax(axis=0) * len(doubtful) + np.arange(len(doubtful))
        first = matches.label_ids[doubtful]
        agreed = (first != NONE) & ((names == first) | (names == NONE)).all(axis=0)
        better = scores.max(axis=0) > matches.candidate_scores[doubtful, 0]
        which, certain = np.arange(len(matches)), matches.certain.copy()
        which[doubtful[better]] = len(matches) + best[better]
        sure = 2 * again.certain[: scores.size].reshape(shape).sum(axis=0) > len(tries)
        certain[doubtful] = better & agreed & sure & again.certain[best]
        return replace(matches.merged(again).select(which), certain=certain)

    def _of_stock(self, rim: NDArray[np.uint8], matches: Matches) -> NDArray[np.bool_]:
        """Which rims (n, points, 3) may have the colour of the set's stock in the frame's light.

        What is certain may lie in a shadow, and may if print reaches into the rim of its face: then
        that tells nothing. What has a name in doubt may lie under glare.
        """
        certain = np.flatnonzero(matches.certain)
        sure = matches.label_ids[certain]
        change = common_change(rim[certain], self._stock[sure])
        alike = share_of_stock(rim, self._stock, change) >= OF_STOCK
        shaded = share_of_stock(rim[certain], self._stock, change, SHADE) >= OF_STOCK
        alike[certain] |= shaded | ~self._plain[sure]
        pale = np.flatnonzero(~alike & (matches.label_ids != NONE))
        own = self._stock[matches.label_ids[pale]]
        alike[pale] = share_under_glare(rim[pale], own, change) >= OF_STOCK
        return np.asarray(alike, np.bool_)

    def _candidates(self, matches: Matches, kept: NDArray[np.intp]) -> dict[str, NDArray[Any]]:
        """The candidates of the kept ones among the labels of an Observation, best first."""
        ids = self._label_ids[matches.candidate_ids[kept]]
        scores = np.where(ids == NONE, 0, matches.candidate_scores[kept]).astype(np.float32)
        # The back is no label: what comes after it moves up.
        order = np.argsort(ids == NONE, axis=1, kind="stable")
        return {
            "candidate_ids": np.take_along_axis(ids, order, axis=1),
            "candidate_scores": np.take_along_axis(scores, order, axis=1),
        }


def _rims(pictures: Sequence[Image]) -> NDArray[np.uint8]:
    """The rims (n, points, 3) of n pictures of one face."""
    return np.concatenate([rims(picture, whole(picture)) for picture in pictures])


def _of_border(cells: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Share (n,) of the cells along the border of each (n, rows, columns) that are set."""
    border = np.ones(cells.shape[1:], np.bool_)
    border[1:-1, 1:-1] = False
    return np.asarray(cells[:, border].mean(axis=1), np.float32)


def _cut(
    quads: NDArray[np.float32], share: float | NDArray[np.float32], across: float, down: float
) -> NDArray[np.float32]:
    """Quads (n, 4, 2) without a `share` of their sides, of all or of each (n,); below 0 adds to it.

    `across` and `down` from 0 to 1 say how much of it is cut off before the face.
    """
    cut = np.broadcast_to(np.asarray(share, np.float32), len(quads))[:, None, None]
    u = np.array([across, across - 1, across - 1, across], np.float32)[:, None] * cut
    v = np.array([down, down, down - 1, down - 1], np.float32)[:, None] * cut
    width = (quads[:, 1] - quads[:, 0])[:, None]
    height = (quads[:, 3] - quads[:, 0])[:, None]
    return np.asarray(quads + u * width + v * height, np.float32)
