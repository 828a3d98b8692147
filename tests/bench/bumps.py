"""Bumped cameras: sequences of rendered frames in which the camera is moved, hands over the table.

Environment: BUMPS=20 makes fewer bumps.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.claims import layout_of
from tests.bench.kit_tables import kit_table
from tests.bench.matching import read_labels
from tests.bench.report import Figure, Report, need
from tests.shared import RENDERED
from vision.camera import Film
from vision.layout import Layout, Marker
from vision.plane import Plane, PlaneTracker
from vision.plane.maps import maps_between, nodes_of, seen_through
from vision.scene.description import Camera, Hand, Image, Scene
from vision.scene.projection import View
from vision.scene.render import Renderer

Points = NDArray[np.float64]
Phase = Literal["before", "moving", "after"]

BUMPS, BUMPS_A_TABLE = 200, 10
SIZES = ((1280, 720), (1920, 1080))
#: Frames before a bump, after it, and in which a creeping camera moves on.
BEFORE, AFTER, CREEPING = 5, 7, 10
#: A bump moves the edge of the table in the picture by so much at least; less is trembling.
LEAST_PX = 1.0
#: A bump must be noticed so soon.
IN_TIME = 3
#: A plane is wrong if the picture has moved by more than this against it, anywhere at its edge.
WRONG_PX = 1.0
#: In each so manieth table the moved camera's picture is rendered; in the others the picture of the
#: unmoved one is warped as the table's plane moves in it, which is much quicker.
RENDERED_ANEW = 10
#: Seeds of tables that no threshold was chosen on.
FIRST_SEED = 7000


@dataclass(frozen=True, eq=False)
class Shot:
    """One frame of a sequence, in the step of one bump: before it, moving, or after it."""

    scene: Scene
    step: int
    phase: Phase


@dataclass
class Counts:
    """What a tracker made of sequences."""

    bumps: int = 0
    noticed: int = 0
    found_again: int = 0
    quiet: int = 0
    alarms: int = 0
    withheld: int = 0
    given: int = 0
    wrong: int = 0
    errors_mm: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)


def run(report: Report) -> None:
    """Tracks rendered sequences and the path-traced clips."""
    bumps = int(os.environ.get("BUMPS", BUMPS))
    counts = Counts()
    tables = -(-bumps // BUMPS_A_TABLE)
    for table in report.progress("bumps", range(tables), tables):
        _track(counts, FIRST_SEED + table, min(BUMPS_A_TABLE, bumps - BUMPS_A_TABLE * table))
    report.share("bumps", f"noticed within {IN_TIME} frames", counts.noticed, counts.bumps, 100.0)
    report.share("bumps", "plane found again", counts.found_again, counts.bumps)
    note = f"of {counts.given} given"
    report.add(Figure("bumps", "wrong planes given", counts.wrong, "frames", 0.0, "<=", note))
    rate = 1000 * counts.alarms / counts.quiet
    note = f"{counts.alarms} of {counts.quiet}"
    report.add(Figure("bumps", "false alarms per 1000 quiet frames", rate, "", 0.0, "<=", note))
    report.share("bumps", "quiet frames without a plane", counts.withheld, counts.quiet, sense="<=")
    for name, share in (("median", 50), ("95 % below", 95), ("most", 100)):
        value = float(np.percentile(counts.errors_mm, share))
        report.add(Figure("bumps", f"off at the edge after a bump, {name}", value, "mm"))
    report.add(Figure("bumps", "a quiet frame, median", statistics.median(counts.ms), "ms"))
    _clips(report)


def sequence(seed: int, size: tuple[int, int], bumps: int) -> tuple[Layout, Iterator[Shot]]:
    """The layout, and the frames, of a table whose camera is bumped again and again.

    Of four bumps one comes over three frames, one creeps, and two are sudden. At every other bump
    hands reach over the table, and over one or two of its markers. Every other table has but its
    four corner markers; lamps are switched between bumps.
    """
    plan, scene = kit_table(seed, size)
    layout = layout_of(plan)
    if seed % 2:
        layout = replace(layout, markers=layout.markers[:4])
    return layout, _shots(np.random.default_rng([seed, 30]), scene, layout, bumps)


def _shots(rng: np.random.Generator, scene: Scene, layout: Layout, bumps: int) -> Iterator[Shot]:
    usual, at = scene.camera, scene.camera
    number = 0
    for step in range(bumps):
        hands = _hands(rng, layout) if step % 2 else ()
        there = bumped(usual, rng)
        while _apart(_edge(there, layout), _edge(at, layout)) < LEAST_PX:
            there = bumped(usual, rng)
        kind = int(rng.integers(4))
        shares = [1.0] if kind > 1 else np.linspace(0, 1, (CREEPING, 3)[kind] + 1)[1:].tolist()
        cameras = [at] * BEFORE + [_between(at, there, s) for s in shares] + [there] * AFTER
        for k, camera in enumerate(cameras):
            number += 1
            if k == 2 and rng.random() < 0.3:
                light = float(rng.uniform(0.6, 1.5))
                scene = replace(scene, sensor=replace(scene.sensor, exposure=light))
            shown = _reaching(hands, k / len(cameras))
            phase: Phase = "before" if k < BEFORE else "moving"
            if k >= len(cameras) - AFTER:
                phase = "after"
            yield Shot(replace(scene, camera=camera, hands=shown, seed=number), step, phase)
        at = there


def _edge(camera: Camera, layout: Layout) -> Points:
    """Where the corners and the middles of the sides of the table's plane are seen."""
    shares = np.array([(x, y) for x in (0.0, 0.5, 1.0) for y in (0.0, 0.5, 1.0)])
    return View(camera).project(shares * layout.size)


def bumped(camera: Camera, rng: np.random.Generator) -> Camera:
    """The camera pushed: its picture shifts by 1 to 20 px and turns by 0.2 to 3 degrees, or both.

    The shift comes from a pan and tilt of the camera, or from a move of the whole stand.
    """
    kind = int(rng.integers(3))
    shift = float(np.exp(rng.uniform(0.0, np.log(20.0)))) if kind != 1 else 0.0
    turn = float(rng.uniform(0.2, 3.0)) * float(rng.choice((-1, 1))) if kind != 0 else 0.0
    focal = float(camera.matrix[0, 0])
    side = rng.uniform(0, 2 * np.pi)
    aim = shift / focal * np.array([np.cos(side), np.sin(side)])
    stand = rng.random() < 0.3
    angles = np.array([0.0, 0.0, np.deg2rad(turn)])
    if not stand:
        angles[:2] = aim
    extra, _ = cv2.Rodrigues(angles)
    rotation = extra @ cv2.Rodrigues(camera.rvec)[0]
    shifted = extra @ camera.tvec
    if stand:
        shifted = shifted + np.array([*aim, 0.0]) * camera.tvec[2]
    rvec = np.asarray(cv2.Rodrigues(rotation)[0], np.float64).ravel()
    return replace(camera, rvec=rvec, tvec=shifted)


def _between(one: Camera, other: Camera, share: float) -> Camera:
    return replace(
        one,
        rvec=one.rvec + share * (other.rvec - one.rvec),
        tvec=one.tvec + share * (other.tvec - one.tvec),
    )


def _hands(rng: np.random.Generator, layout: Layout) -> tuple[Hand, ...]:
    """One or two hands, each at a marker of the table or beside it."""
    height = layout.size[1]
    hands = []
    for k in rng.choice(len(layout.markers), int(rng.integers(1, 3)), replace=False):
        x, y = layout.markers[k].centre
        tip = (x + float(rng.normal(0, 40)), y + float(rng.normal(0, 40)))
        out = 600.0 if y > height / 2 else -600.0
        hands.append(Hand(tip, (tip[0] + float(rng.normal(0, 150)), tip[1] + out)))
    return tuple(hands)


def _reaching(hands: Sequence[Hand], share: float) -> tuple[Hand, ...]:
    """The hands at a share of a step's time: half way in, over the table, half way out, gone."""
    if share >= 0.7:
        return ()
    back = 0.0 if 0.2 <= share < 0.6 else 0.3
    return tuple(
        replace(
            hand,
            tip=(hand.tip[0], hand.tip[1] + back * (hand.elbow[1] - hand.tip[1])),
            elbow=(hand.elbow[0], hand.elbow[1] + back * (hand.elbow[1] - hand.tip[1])),
        )
        for hand in hands
    )


class Picture:
    """Takes the pictures of one table; its camera's first place is the usual one."""

    def __init__(self, *, anew: bool) -> None:
        self._anew, self._renderer = anew, Renderer()
        self._usual: Camera | None = None
        self._shown: Hashable = None
        self._clean: Image

    def of(self, scene: Scene) -> Image:
        """The picture of a scene, with noise of its own."""
        if self._anew:
            return self._renderer.render(scene).image
        self._usual = self._usual or scene.camera
        if self._shown != (scene.hands, scene.sensor):
            self._shown = (scene.hands, scene.sensor)
            clean = replace(scene.sensor, noise=0.0, jpeg=None)
            still = replace(scene, camera=self._usual, sensor=clean)
            self._clean = self._renderer.render(still).image
        size = scene.camera.size
        seen = View(scene.camera).see(nodes_of(size))
        nodes = View(self._usual).project(seen).astype(np.float32)
        image = seen_through(self._clean, maps_between(nodes[None], size))
        rng = np.random.default_rng(scene.seed)
        grain = rng.standard_normal(image.shape[:2], np.float32) * np.float32(scene.sensor.noise)
        noisy = np.clip(image + grain[..., None], 0, 255).astype(np.uint8)
        _, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, scene.sensor.jpeg or 95])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _track(counts: Counts, seed: int, bumps: int) -> None:
    """Tracks one table's sequence, and compares with where its camera stood."""
    layout, shots = sequence(seed, SIZES[seed % 4 == 0], bumps)
    tracker, film = PlaneTracker(layout), Picture(anew=seed % RENDERED_ANEW == 0)
    #: Where the edge was seen when each plane was found.
    births: dict[str, Points] = {}
    for _, step in groupby(shots, key=lambda shot: shot.step):
        _one_bump(counts, list(step), layout, tracker, film, births)


def _one_bump(
    counts: Counts,
    shots: Sequence[Shot],
    layout: Layout,
    tracker: PlaneTracker,
    film: Picture,
    births: dict[str, Points],
) -> None:
    edge = np.array([(x, y) for x in (0.0, 0.5, 1.0) for y in (0.0, 0.5, 1.0)]) * layout.size
    truths = [_edge(shot.scene.camera, layout) for shot in shots]
    away = [k for k, truth in enumerate(truths) if _apart(truth, truths[0]) > WRONG_PX]
    begins = away[0] if away else len(shots) - AFTER
    noticed: int | None = None
    for k, (shot, truth) in enumerate(zip(shots, truths, strict=True)):
        image = film.of(shot.scene)
        began = time.perf_counter()
        tracked = tracker.track(image)
        took = 1000 * (time.perf_counter() - began)
        if shot.phase != "before" and tracked.moved and noticed is None:
            noticed = k
        if tracked.plane is not None:
            births.setdefault(tracked.plane.calibration_id, truth)
            counts.given += 1
            counts.wrong += _apart(truth, births[tracked.plane.calibration_id]) > WRONG_PX
        if shot.phase == "before":
            counts.quiet += 1
            counts.alarms += tracked.moved
            counts.withheld += tracked.plane is None
            counts.ms.append(took)
    counts.bumps += 1
    counts.noticed += noticed is not None and noticed < begins + IN_TIME
    if tracked.plane is not None:
        counts.found_again += 1
        off = tracked.plane.to_mm(truths[-1]) - edge
        counts.errors_mm.append(float(np.linalg.norm(off, axis=1).max()))


def _apart(one: Points, other: Points) -> float:
    return float(np.linalg.norm(one - other, axis=1).max())


def _clips(report: Report) -> None:
    """Tracks the path-traced clips; their hands and lamp are no bumps."""
    folder = need(RENDERED)
    labels = read_labels(folder)
    for clip in labels["videos"]:
        name, plane = clip["kind"], clip["start"]["plane"]
        markers = tuple(
            Marker(m["id"], tuple(m["centre_mm"]), plane["marker_side_mm"])
            for m in plane["markers"]
        )
        tracker = PlaneTracker(Layout(tuple(plane["size_mm"]), (35.0, 35.0), markers=markers))
        film, bump = Film(folder / clip["file"]), clip.get("bump_frame")
        moved, wrong, without, errors = [], 0, 0, []
        births: dict[str, Points] = {}
        for k in range(clip["frames"]):
            tracked = tracker.track(film.read().image)
            truth = np.array(clip["per_frame"][k]["corners_px"])
            if tracked.moved:
                moved.append(k)
            if tracked.plane is None:
                without += 1
                continue
            birth = births.setdefault(tracked.plane.calibration_id, truth)
            wrong += _apart(truth, birth) > WRONG_PX
            errors.append(_off(tracked.plane, truth))
        film.close()
        if bump is not None:
            late = moved[0] - bump if moved else clip["frames"]
            report.add(Figure("bumps", f"clip {name}: noticed after", late, "frames", 2.0, "<="))
        else:
            report.add(Figure("bumps", f"clip {name}: false alarms", len(moved), "", 0.0, "<="))
        report.add(Figure("bumps", f"clip {name}: wrong planes given", wrong, "", 0.0, "<="))
        report.add(Figure("bumps", f"clip {name}: frames without a plane", without))
        report.add(Figure("bumps", f"clip {name}: corners off, most", max(errors), "mm"))


def _off(plane: Plane, corners_px: Points) -> float:
    """How far the plane is off at its corners, in mm."""
    w, h = plane.size
    return _apart(
        np.asarray(plane.to_mm(corners_px), np.float64), np.array([(0, 0), (w, 0), (w, h), (0, h)])
    )
