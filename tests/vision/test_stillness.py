"""When a frame is quiet, on small drawn tables; what the networks say is given by the tests."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.camera import Frame
from vision.stillness import Quiet, Settings, Stillness
from vision.stillness.limbs import LimbMap, LimbSight, Palm

Image = NDArray[np.uint8]

ROWS, COLUMNS, RATE = 270, 480, 15.0


class Seen:
    """What the networks answer: an arm within a box of the picture, and the score of a palm."""

    def __init__(self) -> None:
        self.limb = 0.0
        self.box = (0.0, 0.0, 1.0, 1.0)
        self.palm = 0.0
        self.asked = 0

    def limbs(self, picture: Image) -> LimbMap:
        self.asked += 1
        score = np.zeros((18, 32), np.float32)
        x0, y0, x1, y1 = self.box
        score[round(y0 * 18) : round(y1 * 18), round(x0 * 32) : round(x1 * 32)] = self.limb
        return LimbMap(score)

    def palms(self, picture: Image) -> Palm:
        x0, y0, x1, y1 = self.box
        return Palm(self.palm, ((x0 + x1) / 2, (y0 + y1) / 2))


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    answers = Seen()
    monkeypatch.setattr(LimbSight, "limbs", lambda _, picture: answers.limbs(picture))
    monkeypatch.setattr(LimbSight, "palm", lambda _, picture: answers.palms(picture))
    return answers


class Film:
    """Takes pictures with noise at a steady rate, and has them judged."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.stillness = Stillness(settings)
        self.table = _table()
        self.corners: list[tuple[float, float]] | None = None
        self.number = 0
        self.grain = np.random.default_rng(1).normal(0, 2, (ROWS, COLUMNS, 3)).astype(np.int16)

    def take(
        self, picture: Image | None = None, *, noisy: bool = True, moved: bool = False
    ) -> Quiet:
        picture = self.table if picture is None else picture
        # The same grain elsewhere in each frame looks as new as new grain.
        rows, columns = picture.shape[:2]
        grain = np.roll(self.grain, 7919 * self.number)[:rows, :columns] if noisy else 0
        image = np.asarray(np.clip(picture + grain, 0, 255), np.uint8)
        frame = Frame(image, self.number, self.number / RATE)
        self.number += 1
        return self.stillness.look(frame, moved, self.corners)

    def run(self, seconds: float, picture: Image | None = None) -> list[Quiet]:
        return [self.take(picture) for _ in range(round(seconds * RATE))]

    def settled(self) -> Film:
        assert self.run(1.0)[-1].quiet
        return self


def _table() -> Image:
    """A wooden table with tiles: stripes and squares of many colours."""
    rng = np.random.default_rng(0)
    picture = np.empty((ROWS, COLUMNS, 3), np.uint8)
    picture[:] = (90, 130, 170)
    picture[::6] = (80, 118, 158)
    for _ in range(60):
        x, y = int(rng.integers(5, COLUMNS - 30)), int(rng.integers(5, ROWS - 30))
        ink = tuple(int(n) for n in rng.integers(30, 220, 3))
        cv2.rectangle(picture, (x, y), (x + 22, y + 22), ink, -1)
    return picture


def _with_arm(picture: Image, reach: int = 150) -> Image:
    """An arm that comes from the lower border."""
    over = picture.copy()
    cv2.rectangle(over, (200, ROWS - reach), (245, ROWS), (110, 140, 210), -1)
    return over


def _shaded(picture: Image, strength: float = 0.4) -> Image:
    """The soft shadow of somebody at the lower border."""
    y, x = np.mgrid[0:ROWS, 0:COLUMNS]
    dark = 1 - strength * np.exp(-(((x - 240) / 90.0) ** 2) - ((y - ROWS) / 90.0) ** 2)
    return np.asarray(picture * dark[..., None], np.uint8)


def whys(said: list[Quiet]) -> set[str | None]:
    return {each.why for each in said}


def test_a_still_table_is_quiet_after_the_hold_time_and_stays_so(seen: Seen) -> None:
    film = Film(Settings(hold=0.4))
    said = film.run(4.0)
    assert [each.quiet for each in said] == [False] * 6 + [True] * 54
    assert said[0].why == "motion"
    assert said[-1].since == pytest.approx(6 / RATE)


def test_nothing_is_asked_of_the_networks_while_nothing_changes(seen: Seen) -> None:
    film = Film().settled()
    asked = seen.asked
    film.run(2.0)
    assert seen.asked == asked


def test_exposure_and_white_balance_that_wander_are_no_motion(seen: Seen) -> None:
    film = Film().settled()
    for share in np.linspace(0, 1, 60):
        gains = 1 + share * np.array([0.12, -0.05, -0.15])
        assert film.take(np.asarray(np.clip(film.table * gains, 0, 255), np.uint8)).quiet


def test_a_thing_that_moves_is_motion_and_then_part_of_the_table(seen: Seen) -> None:
    film = Film().settled()
    now = film.table.copy()
    now[100:130, 100:130] = (20, 200, 240)
    said = film.run(1.0, now)
    assert said[0].why == "motion"
    assert whys(said[:6]) == {"motion"}
    assert all(each.quiet for each in said[7:])


def test_a_lamp_is_light(seen: Seen) -> None:
    film = Film().settled()
    y = np.linspace(0.6, 1.3, ROWS)[:, None, None]
    said = film.run(1.0, np.asarray(np.clip(film.table * y, 0, 255), np.uint8))
    assert whys(said[:6]) == {"light"}
    assert said[-1].quiet


def test_a_passing_shadow_is_light_and_no_hand(seen: Seen) -> None:
    film = Film().settled()
    strengths = np.concatenate([np.linspace(0.1, 0.5, 8), np.linspace(0.5, 0.0, 8)])
    said = [film.take(_shaded(film.table, float(s))) for s in strengths]
    assert "hand" not in whys(said)
    assert "light" in whys(said)
    assert film.run(1.0)[-1].quiet


def test_an_arm_that_both_networks_miss_is_a_hand_while_it_rests_at_the_border(seen: Seen) -> None:
    film = Film(Settings(doubt=6.0)).settled()
    said = film.run(3.0, _with_arm(film.table))
    assert not any(each.quiet for each in said)
    assert said[-1].why == "hand"
    assert said[-1].hand_box is not None
    x0, y0, x1, y1 = said[-1].hand_box
    assert x0 < 215 < 235 < x1
    assert y0 < 140 < ROWS - 10 < y1
    assert film.run(1.0)[-1].quiet


def test_what_lies_still_at_the_border_for_long_is_no_arm(seen: Seen) -> None:
    film = Film(Settings(doubt=2.0)).settled()
    said = film.run(4.0, _with_arm(film.table))
    assert not any(each.quiet for each in said[: round(1.9 * RATE)])
    assert said[-1].quiet
    assert film.run(1.0, _with_arm(film.table))[-1].quiet


INNER = [(40.0, 40.0), (440.0, 40.0), (440.0, 230.0), (40.0, 230.0)]


def _with_tile_on_the_edge(picture: Image) -> Image:
    """A tile that lies across the lower edge of the table with the corners INNER."""
    over = picture.copy()
    cv2.rectangle(over, (200, 190), (245, 240), (240, 245, 245), -1)
    return over


def test_a_tile_laid_across_the_table_s_edge_is_no_arm(seen: Seen) -> None:
    film = Film()
    film.corners = INNER
    film.settled()
    said = film.run(1.0, _with_tile_on_the_edge(film.table))
    assert "hand" not in whys(said)
    assert said[-1].quiet


def test_an_arm_that_comes_from_the_picture_s_border_over_the_edge_is_a_hand(seen: Seen) -> None:
    film = Film()
    film.corners = INNER
    film.settled()
    said = film.run(3.0, _with_arm(film.table))
    assert not any(each.quiet for each in said)
    assert said[-1].why == "hand"


def test_an_arm_that_lay_beside_the_table_before_needs_but_a_hint(seen: Seen) -> None:
    film = Film()
    film.corners = INNER
    film.table = _with_arm(film.table, reach=ROWS - 236)
    film.settled()
    seen.limb, seen.box = 0.6, (0.4, 0.5, 0.52, 1.0)
    said = film.run(3.0, _with_arm(film.table))
    assert not any(each.quiet for each in said)
    assert said[-1].why == "hand"


def test_without_the_network_whatever_is_new_at_the_edge_may_be_an_arm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LimbSight, "limbs", lambda _, picture: None)
    monkeypatch.setattr(LimbSight, "palm", lambda _, picture: None)
    film = Film(Settings(doubt=2.0))
    film.corners = INNER
    film.settled()
    said = film.run(3.0, _with_tile_on_the_edge(film.table))
    assert not any(each.quiet for each in said[: round(1.9 * RATE)])
    assert said[-1].quiet


def test_a_hand_that_a_network_sees_stays_for_as_long_as_it_is_there(seen: Seen) -> None:
    film = Film(Settings(doubt=1.0)).settled()
    seen.limb, seen.box = 0.99, (0.4, 0.4, 0.52, 1.0)
    said = film.run(5.0, _with_arm(film.table))
    assert whys(said) == {"hand"}
    seen.limb = 0.0
    assert film.run(1.0)[-1].quiet


def test_a_palm_alone_is_a_hand(seen: Seen) -> None:
    film = Film().settled()
    seen.palm, seen.box = 0.9, (0.4, 0.5, 0.5, 0.7)
    assert film.run(1.0, _with_arm(film.table))[-1].why == "hand"


@pytest.mark.parametrize(
    ("palm", "limb", "why"),
    [(0.6, 0.7, None), (0.6, 0.85, "hand"), (0.9, 0.3, None), (0.9, 0.7, "hand")],
)
def test_what_looks_like_a_palm_but_hangs_on_no_arm_needs_both_networks(
    seen: Seen, palm: float, limb: float, why: str | None
) -> None:
    """Tiles that were laid down look like a palm to one network, or a little so to both."""
    film = Film().settled()
    seen.palm, seen.limb, seen.box = palm, limb, (0.2, 0.36, 0.28, 0.5)
    now = film.table.copy()
    now[100:130, 100:130] = (20, 200, 240)
    assert film.run(1.0, now)[-1].why == why


def test_a_print_that_looks_like_a_palm_keeps_no_table_from_being_read(seen: Seen) -> None:
    film = Film()
    seen.palm, seen.box = 0.85, (0.4, 0.5, 0.5, 0.7)
    assert film.run(Settings().doubt - 1.0)[-1].why == "hand"
    assert film.run(2.0)[-1].quiet
    assert Stillness().glance(film.table).why == "hand"
    seen.limb = 0.7
    assert Film().run(Settings().doubt + 2.0)[-1].why == "hand"


def test_a_hand_at_the_start_of_a_session_is_found_by_the_networks(seen: Seen) -> None:
    film = Film()
    seen.limb = 0.99
    said = film.run(2.0, _with_arm(film.table))
    assert not any(each.quiet for each in said)
    assert said[-1].why == "hand"
    seen.limb = 0.0
    said = film.run(1.0)
    assert said[-1].quiet


def test_the_first_quiet_frame_is_unsure_and_later_ones_are_not(
    seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Stillness, "missing", ())
    film = Film()
    assert film.run(1.0)[-1].unsure
    now = film.table.copy()
    now[100:130, 100:130] = (20, 200, 240)
    said = film.run(1.0, now)
    assert said[-1].quiet
    assert not said[-1].unsure


def test_what_the_networks_imagine_where_nothing_changed_is_ignored(seen: Seen) -> None:
    film = Film().settled()
    seen.limb, seen.box = 0.99, (0.7, 0.1, 0.9, 0.3)
    now = film.table.copy()
    now[180:210, 100:130] = (20, 200, 240)
    assert film.run(1.0, now)[-1].quiet


def test_a_frozen_camera_is_stale_until_its_picture_changes(seen: Seen) -> None:
    film = Film(Settings(frozen=1.0))
    film.run(0.5)
    same = [film.take(noisy=False) for _ in range(round(2 * RATE))]
    assert same[-1].why == "stale"
    assert not any(each.quiet for each in same[round(1.0 * RATE) + 1 :])
    assert film.take().why == "stale"
    assert film.run(1.0)[-1].quiet


def test_a_gap_between_frames_is_stale_and_the_hold_time_begins_anew(seen: Seen) -> None:
    film = Film(Settings(gap=1.0)).settled()
    film.number += round(3 * RATE)
    said = film.run(1.0)
    assert said[0].why == "stale"
    assert said[-1].quiet


def test_a_camera_said_to_be_pushed_is_moved(seen: Seen) -> None:
    film = Film().settled()
    said = film.take(moved=True)
    assert (said.quiet, said.why) == (False, "moved")
    assert film.run(1.0)[-1].quiet


def test_a_pushed_camera_is_noticed_without_being_told_and_is_no_hand(seen: Seen) -> None:
    film = Film().settled()
    turn = np.asarray(cv2.getRotationMatrix2D((COLUMNS / 2, ROWS / 2), 1.0, 1.0), np.float64)
    turn[:, 2] += (7.0, -4.0)
    pushed = cv2.warpAffine(film.table, turn, (COLUMNS, ROWS), borderMode=cv2.BORDER_REFLECT)
    said = film.run(1.0, np.asarray(pushed, np.uint8))
    assert said[0].why == "moved"
    assert said[-1].quiet


def test_only_the_table_is_watched(seen: Seen) -> None:
    film = Film()
    table = [(20.0, 20.0), (460.0, 20.0), (460.0, 150.0), (20.0, 150.0)]
    said: list[Quiet] = []
    for number in range(30):
        picture = _with_arm(film.table, reach=60 + number % 3 * 15)
        image = np.asarray(picture, np.uint8) ^ np.uint8(number % 2)
        said.append(film.stillness.look(Frame(image, number, number / RATE), table=table))
    assert all(each.quiet for each in said[8:])


def test_frames_of_another_size_begin_anew(seen: Seen) -> None:
    film = Film().settled()
    small = np.asarray(cv2.resize(film.table, (320, 180)), np.uint8)
    assert film.take(small).why == "motion"
    assert film.run(1.0, small)[-1].quiet


def test_a_single_picture_is_judged_by_its_hands_alone(seen: Seen) -> None:
    assert Stillness().glance(_table()).quiet
    seen.limb = 0.99
    said = Stillness().glance(_with_arm(_table()))
    assert (said.quiet, said.why) == (False, "hand")


@pytest.fixture(autouse=True)
def _no_threads() -> Iterator[None]:
    """OpenCV's threads only cost time on pictures this small."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(threads)
