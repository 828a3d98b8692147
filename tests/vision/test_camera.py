import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import (
    Camera,
    Drawn,
    EndOfFramesError,
    Film,
    Image,
    Live,
    Pictures,
    load_image,
    open_source,
    save_image,
)
from vision.camera.device import Shot
from vision.errors import UnreadableError


def gradient(width: int = 64, height: int = 48) -> Image:
    """A picture that is dark at its left and blue at its bottom."""
    image = np.zeros((height, width, 3), np.uint8)
    image[..., 2] = np.linspace(0, 255, width).astype(np.uint8)
    image[..., 0] = np.linspace(0, 255, height).astype(np.uint8)[:, None]
    return image


@pytest.mark.parametrize("name", ["table.png", "Tischfoto grün ß.png", "桌子.png", "a b.PNG"])
def test_a_picture_survives_saving_under_any_name(tmp_path: Path, name: str) -> None:
    save_image(tmp_path / name, gradient())
    assert np.array_equal(load_image(tmp_path / name), gradient())


def test_a_turned_photo_is_loaded_upright(tmp_path: Path) -> None:
    _, jpeg = cv2.imencode(".jpg", gradient())
    # TIFF header, one entry: tag 0x0112 (orientation), type SHORT, value 6: turn clockwise.
    exif = b"Exif\0\0MM\0*\0\0\0\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, 6, 0, 0)
    app1 = b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif
    (tmp_path / "turned.jpg").write_bytes(b"\xff\xd8" + app1 + jpeg.tobytes()[2:])
    image = load_image(tmp_path / "turned.jpg")
    assert image.shape == (64, 48, 3)
    # What was left (not red) is on top, what was the bottom (blue) is left.
    assert image[0, :, 2].mean() < 20 < 200 < image[-1, :, 2].mean()
    assert image[:, -1, 0].mean() < 20 < 200 < image[:, 0, 0].mean()


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "There is no file"), (b"", "empty"), (b"no picture at all", "is not a picture")],
)
def test_what_is_no_picture_is_named(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "photo.jpg"
    if content is not None:
        path.write_bytes(content)
    for load in (load_image, lambda p: open_source(str(p))):
        with pytest.raises(UnreadableError, match=says) as caught:
            load(path)
        assert "photo.jpg" in caught.value.what
        assert caught.value.remedy


def test_a_folder_is_no_picture_and_an_empty_one_no_source(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="is a folder"):
        load_image(tmp_path)
    with pytest.raises(UnreadableError, match="no picture in"):
        open_source(str(tmp_path))


def test_a_picture_is_not_saved_without_a_format_or_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="suffix"):
        save_image(tmp_path / "table", gradient())
    with pytest.raises(UnreadableError, match="can't be written"):
        save_image(tmp_path / "missing" / "table.png", gradient())


def frames_of(camera: Camera) -> list[int]:
    """The red of the last column of each frame, rounded to tens."""
    seen = []
    while True:
        try:
            seen.append(round(float(camera.read().image[:, -1, 2].mean()), -1))
        except EndOfFramesError:
            camera.close()
            return [int(red) for red in seen]


def plain(red: int) -> Image:
    return np.full((48, 64, 3), (0, 0, red), np.uint8)


def test_a_folder_is_read_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    for name, red in (("photo10.png", 30), ("photo2.png", 20), ("photo1.jpg", 10)):
        save_image(tmp_path / name, plain(red))
    (tmp_path / "notes.txt").write_text("no picture", encoding="utf-8")
    camera = open_source(str(tmp_path))
    assert isinstance(camera, Pictures)
    assert frames_of(camera) == [10, 20, 30]


def test_a_still_is_one_frame(tmp_path: Path) -> None:
    save_image(tmp_path / "still.png", plain(120))
    assert frames_of(open_source(str(tmp_path / "still.png"))) == [120]


def test_a_film_ends_and_knows_its_times(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for red in (40, 90, 140):
        writer.write(plain(red))
    writer.release()
    film = open_source(str(path))
    assert isinstance(film, Film)
    first, second = film.read(), film.read()
    assert (first.id, second.id) == (0, 1)
    assert second.captured_at - first.captured_at == pytest.approx(0.1)
    assert frames_of(film) == [140]


def test_a_file_that_only_looks_like_a_film_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.mp4"
    path.write_bytes(b"nothing")
    with pytest.raises(UnreadableError, match=r"broken\.mp4 is neither"):
        open_source(str(path))


def test_drawn_pictures_count_up() -> None:
    camera = Drawn(gradient)
    assert [camera.read().id for _ in range(3)] == [0, 1, 2]
    camera.close()


def test_a_camera_that_is_not_there_is_named() -> None:
    with pytest.raises(UnreadableError, match=r"camera front isn't there"):
        Live("front", lambda: None)


class FakeDevice:
    """Sends what `picture` gives, or nothing once it gives None."""

    dials = None

    def __init__(self, picture: Callable[[int], Image | None]) -> None:
        self.picture, self.sent, self.released = picture, 0, threading.Event()

    def read(self) -> Shot | None:
        time.sleep(0.002)
        image = self.picture(self.sent)
        self.sent += 1
        return None if image is None else Shot(image)

    def present(self) -> bool:
        return True

    def release(self) -> None:
        self.released.set()


def test_a_live_camera_gives_each_picture_once_and_the_newest() -> None:
    device = FakeDevice(lambda n: plain(n % 250))
    camera = Live("fake", lambda: device)
    first, second = camera.read(), camera.read()
    while device.sent < second.id + 10:
        time.sleep(0.002)
    third = camera.read()
    assert first.id < second.id < third.id - 1
    assert first.captured_at < second.captured_at < third.captured_at
    camera.close()
    assert device.released.is_set()


def test_a_live_camera_that_falls_silent_says_so() -> None:
    camera = Live("fake", lambda: FakeDevice(lambda n: plain(7)), stale_s=0.05)
    assert camera.read().image[0, 0, 2] == 7
    with pytest.raises(UnreadableError, match="same picture"):
        camera.read()
    camera.close()
