"""Cameras are known by what stays of them, not by their numbers."""

from __future__ import annotations

import json
from collections import namedtuple
from pathlib import Path

import pytest

from tests.vision.fake_machine import FakeMachine
from vision.camera import Found, camera_named
from vision.camera.device import Capture, Shot
from vision.camera.elsewhere import mac_cameras, numbered_cameras, windows_cameras
from vision.camera.identity import told_apart
from vision.camera.sources import opener
from vision.errors import UnreadableError


@pytest.fixture
def machine(tmp_path: Path) -> FakeMachine:
    return FakeMachine(tmp_path)


def specs(machine: FakeMachine) -> list[tuple[int, str]]:
    return [(camera.place, camera.spec) for camera in told_apart(machine.cameras())]


def test_a_camera_with_a_serial_number_goes_by_it(machine: FakeMachine) -> None:
    machine.plug(0, "2", serial="A1B2 C3")
    assert specs(machine) == [(0, "camera:046d:0825:A1B2_C3")]


def test_cameras_of_one_model_without_serial_numbers_go_by_their_ports(
    machine: FakeMachine,
) -> None:
    machine.plug(0, "2.3")
    machine.plug(2, "2.4", serial="0000")
    assert specs(machine) == [
        (0, "camera:046d:0825@0000:00:14.0-2.3"),
        (2, "camera:046d:0825@0000:00:14.0-2.4"),
    ]


def test_cameras_that_bear_the_same_serial_number_go_by_their_ports(machine: FakeMachine) -> None:
    machine.plug(0, "1", serial="SN0001")
    machine.plug(2, "4", serial="SN0001")
    assert [spec for _, spec in specs(machine)] == [
        "camera:046d:0825@0000:00:14.0-1",
        "camera:046d:0825@0000:00:14.0-4",
    ]
    with pytest.raises(UnreadableError, match="2 cameras answer to 046d:0825:SN0001") as caught:
        camera_named("camera:046d:0825:SN0001", machine.cameras)
    assert "@0000:00:14.0-4" in caught.value.remedy
    assert camera_named("camera:046d:0825@0000:00:14.0-4", machine.cameras).place == 2


def test_a_port_keeps_its_name_when_its_bus_gets_another_number(machine: FakeMachine) -> None:
    machine.plug(0, "2")
    before = specs(machine)[0][1]
    machine.unplug("2")
    machine.plug(4, "2", bus=3)
    assert specs(machine) == [(4, before)]


def test_what_sends_no_pictures_and_what_is_built_in(machine: FakeMachine) -> None:
    board = machine.sys / "devices/platform/soc/fe801000.csi"
    machine.node(1, board, "unicam image", camera=True)
    machine.node(10, board.parent / "codec", "bcm2835-codec", camera=False)
    assert specs(machine) == [(1, "camera:unicam_image@fe801000.csi")]


def test_a_camera_is_named_by_key_number_or_device_file(
    machine: FakeMachine, tmp_path: Path
) -> None:
    machine.plug(0, "1", serial="A")
    machine.plug(2, "2", serial="B")
    link = tmp_path / "by-id"
    link.symlink_to(machine.dev / "video2")
    for spec in ("camera:046d:0825:B", "camera:046d:0825@0000:00:14.0-2", "2", str(link)):
        assert camera_named(spec, machine.cameras).place == 2
    with pytest.raises(UnreadableError, match=r"camera:x isn't there .*camera:046d:0825:A \(HD"):
        camera_named("camera:x", machine.cameras)
    with pytest.raises(UnreadableError, match="camera 7 isn't there"):
        camera_named("7", machine.cameras)


class Opened:
    """An opened device; it remembers where."""

    dials = None

    def __init__(self, found: Found, opened: list[int]) -> None:
        self.place = found.place
        opened.append(found.place)

    def read(self) -> Shot | None:
        return None

    def present(self) -> bool:
        return True

    def release(self) -> None:
        self.place = -1


def test_a_replugged_camera_is_found_at_its_new_number(machine: FakeMachine) -> None:
    machine.plug(0, "1", serial="A")
    opened: list[int] = []
    found = camera_named("0", machine.cameras)
    open_now = opener(found, (64, 48), machine.cameras, lambda f, _: Opened(f, opened))
    assert open_now() is not None
    machine.unplug("1")
    assert open_now() is None
    # Another camera gets the old number, then the first one comes back at another port.
    machine.plug(0, "1", serial="B")
    assert open_now() is None
    machine.plug(2, "3", serial="A")
    assert open_now() is not None
    assert opened == [0, 2]


def test_a_camera_without_serial_number_is_not_taken_for_its_twin(machine: FakeMachine) -> None:
    machine.plug(0, "1")
    machine.plug(2, "2")
    opened: list[int] = []
    found = camera_named("0", machine.cameras)
    open_now = opener(found, (64, 48), machine.cameras, lambda f, _: Opened(f, opened))
    machine.unplug("1")
    machine.unplug("2")
    machine.plug(0, "2")
    assert open_now() is None
    machine.plug(2, "1")
    assert open_now() is not None
    assert opened == [2]


def test_a_twin_with_the_same_serial_number_that_comes_later_is_told_by_its_port(
    machine: FakeMachine,
) -> None:
    machine.plug(2, "2", serial="SN1")
    opened: list[int] = []
    found = camera_named("2", machine.cameras)
    open_now = opener(found, (64, 48), machine.cameras, lambda f, _: Opened(f, opened))
    machine.plug(0, "1", serial="SN1")
    assert open_now() is not None
    assert opened == [2]


def test_a_number_given_away_while_opening_is_noticed(machine: FakeMachine) -> None:
    machine.plug(0, "1", serial="A")
    found = camera_named("0", machine.cameras)

    def open_late(found: Found, size: tuple[int, int]) -> Capture:
        machine.unplug("1")
        machine.plug(0, "2", serial="B")
        return Opened(found, [])

    assert opener(found, (64, 48), machine.cameras, open_late)() is None


def test_windows_cameras_go_by_their_device_paths() -> None:
    entry = namedtuple("entry", "index name path")
    usb = r"\\?\usb#vid_046d&pid_0825&mi_{}#{}#{{e5323777-f976-4f5b-9b55-b94699c46e44}}\global"
    cameras = windows_cameras(
        lambda: [
            entry(0, "C525", usb.format("00", "7&2a1c5b3f&0&0000")),
            entry(1, "C525", usb.format("00", "7&15ee0a11&0&0000")),
            entry(2, "Infrared", usb.format("02", "7&15ee0a11&0&0002")),
            entry(3, "OBS Virtual Camera", None),
        ]
    )
    assert [camera.spec for camera in told_apart(cameras)] == [
        "camera:046d:0825@7&2a1c5b3f&0&0000",
        "camera:046d:0825@7&15ee0a11&0&0000",
        "camera:046d:0825@7&15ee0a11&0&0002#2",
        "3",
    ]


def test_mac_cameras_are_numbered_by_their_unique_ids() -> None:
    report = {
        "SPCameraDataType": [
            {"_name": "FaceTime HD Camera", "spcamera_unique-id": "EAB7A68F-EC2B"},
            {"_name": "HD Webcam C525", "spcamera_unique-id": "0x14200000046d0826"},
        ]
    }
    cameras = mac_cameras(lambda: json.dumps(report))
    assert [(camera.place, camera.spec) for camera in cameras] == [
        (0, "camera:0x14200000046d0826"),
        (1, "camera:EAB7A68F-EC2B"),
    ]


def test_elsewhere_cameras_have_numbers_only() -> None:
    cameras = numbered_cameras(lambda number: number in (0, 2))
    assert [camera.spec for camera in cameras] == ["0", "2"]
    places: list[int] = []
    assert opener(cameras[1], (64, 48), list, lambda f, _: Opened(f, places))() is not None
    assert places == [2]
