"""The parts of the referee that see: camera, vision, plane, readings, the camera's settings."""

from __future__ import annotations

import time
from collections.abc import Callable

from referee.games.said import joined, say
from referee.match.sighting import why
from referee.match.watch import Watch
from referee.web.judging.meter import Meter
from referee.web.judging.parts import ABSENT, BAD, DOUBTFUL, GOOD, Part, alive, least, rounded
from referee.web.page import STALE_S
from referee.words import said
from vision.camera import Held
from vision.session import Look

#: From a picture to its reading: longer than this, people wait for verdicts (s).
SLOW_S = 2.0
#: Without these threads nothing is seen.
_THREADS = ("capture", "vision")


class Eyes:
    """What one watch sees; for any thread."""

    def __init__(
        self,
        watch: Watch | None,
        held: Callable[[], tuple[Held, ...]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`held` tells the camera's settings, and whether they held."""
        self._watch, self._held, self._clock = watch, held, clock
        self._meter = None if watch is None else Meter(watch, clock)

    def parts(self) -> tuple[Part, ...]:
        """All of them."""
        return (
            self._camera(),
            self._vision(),
            self._plane(),
            self._readings(),
            self._settings(),
        )

    @property
    def _look(self) -> Look | None:
        return None if self._watch is None else self._watch.newest

    def _camera(self) -> Part:
        part = Part("camera", say("Camera"))
        watch, look, meter = self._watch, self._look, self._meter
        if watch is None or meter is None:
            part.state, part.says = ABSENT, say("No camera is used.")
            part.remedy = say("Enter by hand what happens, or choose a camera on the setup page.")
            return part
        age = None if look is None else self._clock() - look.frame.captured_at
        part.beat_s = age
        if watch.trouble:
            part.state, part.says = BAD, watch.trouble
            part.remedy = say("Enter by hand what happens meanwhile.")
        elif age is None:
            part.state, part.says = DOUBTFUL, say("The camera has sent no picture yet.")
            part.remedy = say("Wait a moment; if it stays so, unplug it and plug it in again.")
        elif age > STALE_S:
            part.state = BAD
            part.says = say("The newest picture is {n} s old.", n=round(age))
            part.remedy = say("Check its cable. Enter by hand what happens meanwhile.")
        else:
            part.says = say("It sends pictures.")
        rate = meter.pictures_per_s
        size = "" if look is None else "{1} x {0}".format(*look.frame.image.shape[:2])
        part.values = (
            (say("pictures a second"), rounded(rate, 1)),
            (say("age of the newest picture, s"), rounded(age, 2)),
            (say("number of the newest picture"), None if look is None else look.frame.id),
            (say("size, pixels"), size),
            (say("opened anew, times"), None if look is None else look.frame.epoch),
        )
        return part

    def _vision(self) -> Part:
        part = Part("vision", say("Reading the pictures"))
        watch, look, meter = self._watch, self._look, self._meter
        if watch is None or meter is None:
            part.state, part.says = ABSENT, say("Without a camera nothing is read.")
            return part
        part.beat_s = meter.beat_age_s
        if not alive(*_THREADS):
            part.state, part.says = BAD, say("It stands still.")
            part.remedy = say("Start the program again: the match goes on where it was.")
        elif part.beat_s is not None and part.beat_s > STALE_S:
            part.state = BAD
            part.says = say("Nothing was read for {n} s.", n=round(part.beat_s))
            part.remedy = say("Check the camera first; then start the program again.")
        elif look is None or look.quiet.quiet:
            part.says = say("The table is quiet and can be read.")
        else:
            reason = why(look)
            part.state, part.says, part.remedy = DOUBTFUL, reason.sentence(1), reason.remedy
        slow = (meter.delay_s or 0.0) > SLOW_S
        if part.state == GOOD and slow:
            part.state, part.says = DOUBTFUL, say("Reading takes long: verdicts come late.")
            part.remedy = say("Close other programs on this computer, or take a smaller picture.")
        seen = None if look is None else look.reading
        spent = {} if seen is None else seen.ms
        part.values = (
            (say("looks a second"), rounded(meter.looks_per_s, 1)),
            (say("a look takes, s"), rounded(meter.look_s, 3)),
            (say("from picture to reading, longest, s"), rounded(meter.delay_s, 3)),
            *((_STAGES.get(stage, stage), rounded(ms, 1)) for stage, ms in spent.items()),
            (say("looks that failed"), watch.failures),
        )
        return part

    def _plane(self) -> Part:
        part = Part("plane", say("Where the table lies"))
        look, meter = self._look, self._meter
        if look is None or meter is None:
            part.state, part.says = ABSENT, say("Nothing was seen of it yet.")
            return part
        tracked, plane = look.tracked, look.tracked.plane
        if plane is None:
            part.state = BAD
            if tracked.fault is not None:
                part.says, part.remedy = said(tracked.fault)
        elif tracked.pushed or tracked.boards.unseen:
            part.state = DOUBTFUL
            part.says = say("Not every marker is where it was.")
            part.remedy = say("Uncover the markers, and see that they lie flat and as on the plan.")
        else:
            part.says = say("The markers are where they were.")
        part.values = (
            (say("markers that hold it"), tracked.held),
            (say("markers that were pushed"), joined([str(each) for each in tracked.pushed], ", ")),
            (say("boards whose markers are hidden"), joined(tracked.boards.unseen, ", ")),
            (say("shift, pixels"), rounded(tracked.shift_px, 2)),
            (
                say("deviation at the worst corner, mm"),
                None if plane is None else rounded(plane.sigma_mm, 2),
            ),
            (say("pixels for a mm"), None if plane is None else rounded(plane.px_per_mm, 2)),
            (say("found anew before, s"), rounded(meter.plane_age_s, 0)),
            (say("calibration"), "" if plane is None else plane.calibration_id),
        )
        return part

    def _readings(self) -> Part:
        part = Part("readings", say("What is read"))
        look = self._look
        seen = None if look is None else look.reading
        if seen is None:
            part.state, part.says = ABSENT, say("Nothing is read just now.")
            return part
        unsure = int((~seen.tiles.certain).sum())
        if unsure:
            part.state, part.says = DOUBTFUL, say("Some tiles are in doubt.")
            part.remedy = say("See the readings: the doubtful ones come first.")
        else:
            part.says = say("Every tile is read without doubt.")
        dial = seen.dial
        part.values = (
            (say("tiles read"), len(seen.tiles)),
            (say("tiles in doubt"), unsure),
            (say("least certain tile, score"), least(seen.tiles.candidate_scores[:, 0])),
            (say("pieces read"), len(seen.pieces)),
            (say("pieces in doubt"), int((~seen.pieces.certain).sum())),
            (say("least certain piece, score"), least(seen.pieces.scores)),
            (say("fields known for sure"), f"{len(seen.sure_fields)} / {len(seen.fields)}"),
            (say("number at the dial"), "" if dial is None else dial.label or dial.why),
            (say("faces and networks"), seen.model_hash),
        )
        return part

    def _settings(self) -> Part:
        part = Part("settings", say("Settings of the camera"))
        held = self._held()
        if not held:
            part.state, part.says = ABSENT, say("It has none that can be held.")
            return part
        if lost := [_SETTINGS.get(each.name, each.name) for each in held if not each.held]:
            part.state = DOUBTFUL
            part.says = say("Left to the camera: {what}.", what=joined(lost, ", "))
            part.remedy = say("Keep the light steady: it may change its picture by itself.")
        else:
            part.says = say("They are held.")
        part.values = tuple((_SETTINGS.get(each.name, each.name), each.got) for each in held)
        return part


_SETTINGS = {
    "exposure": say("exposure"),
    "auto_exposure": say("exposure by itself"),
    "white_balance": say("white balance"),
    "auto_white_balance": say("white balance by itself"),
    "focus": say("focus"),
    "auto_focus": say("focus by itself"),
    "mains": say("frequency of the mains"),
}

_STAGES = {
    "plane": say("finding the plane, ms"),
    "tiles": say("finding tiles, ms"),
    "faces": say("naming faces, ms"),
    "pieces": say("finding pieces, ms"),
    "dial": say("reading the dial, ms"),
    "total": say("a reading in all, ms"),
}
