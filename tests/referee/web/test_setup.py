"""The setup's routes: each step at a rendered table, taught tiles, a typed edition, a fake box."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.box.fake import fake_board, forget_fake_boards
from referee.box.protocol import Button
from referee.cli.kitset import KitArt
from referee.cli.rendered import RenderedGear
from referee.games.loading import load_form
from referee.games.tumult_royale.edition import edition_text
from referee.journal import Journal, latest_matches
from referee.web.app import create_app
from referee.web.house import House
from referee.web.pin import Pin
from referee.web.reach import Reach
from referee.web.screens import Screens, pages_of
from referee.web.sessions import Sessions
from referee.web.setup.sights import Eye
from referee.web.site import Site
from tests.referee.web.client import Client
from tests.referee.web.conftest import PIN
from tests.referee.web.houses import GREY, DrawnGear, a_house, grey
from vision.camera import Image
from vision.errors import UnreadableError

#: Whatever takes longer has failed. (s)
LONG = 60.0
SEATS = [{"piece": "yellow", "name": "Ann"}, {"piece": "blue", "name": "Ben"}]
FACES = [f"{good}-{n}" for good in ("bread", "marble", "tools") for n in (1, 2, 3)]


class Desk:
    """A house, its application, and somebody who gave the PIN."""

    def __init__(self, house: House, pin: Pin) -> None:
        self.house = house
        self.screens = Screens(pages_of(house))
        site = Site(self.screens, house, sessions=Sessions(pin), reach=Reach(8000))
        self.app = create_app(site)
        self.client = Client(self.app)
        self.client.log_in(PIN)

    def told(self, lang: str = "en") -> dict[str, Any]:
        answer = self.client.get(f"/api/setup?lang={lang}")
        assert answer.status_code == 200, answer.text
        document: dict[str, Any] = answer.json()
        return document

    def does(self, deed: str, /, **body: object) -> str:
        """Does something; why not, empty if it was done."""
        answer = self.client.post(f"/api/setup/{deed}?lang=en", body)
        assert answer.status_code == 200, answer.text
        told = answer.json()
        assert told["accepted"] == (not told["text"])
        return str(told["text"])

    def until(self, holds: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The document as soon as something holds in it."""
        end = time.monotonic() + LONG
        while not holds(told := self.told()):
            assert time.monotonic() < end, told["steps"]
            time.sleep(0.1)
        return told


@pytest.fixture
def desk(tmp_path: Path, pin: Pin) -> Iterator[Callable[..., Desk]]:
    """Makes a desk of a house with drawn cameras."""
    made: list[Desk] = []

    def make(gear: DrawnGear | None = None, **overrides: object) -> Desk:
        made.append(Desk(a_house(tmp_path, gear, **overrides), pin))
        return made[-1]

    yield make
    for each in made:
        each.house.close()
    forget_fake_boards()


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desk at the demo's table."""
    folder = tmp_path_factory.mktemp("rendered")
    with House(RenderedGear(), folder / "matches", file=folder / "settings.toml") as house:
        yield Desk(house, Pin(PIN, cost=2))


def states(document: dict[str, Any]) -> dict[str, str]:
    return {step["id"]: step["state"] for step in document["steps"]}


# Camera.


def test_two_cameras_are_shown_and_one_is_chosen_by_its_picture(
    desk: Callable[..., Desk],
) -> None:
    white = np.full_like(GREY, 255)
    here = desk(DrawnGear({"one": grey, "two": lambda: white}), camera="")
    told = here.told()
    assert [each["spec"] for each in told["camera"]["found"]] == ["camera:one", "camera:two"]
    assert told["camera"]["text"] == "Choose one of 2 cameras."
    assert states(told)["camera"] == "todo"
    shown = {}
    for name in ("one", "two"):
        end = time.monotonic() + LONG
        path = f"/api/setup/picture.jpg?camera=camera:{name}"
        while (answer := here.client.get(path)).status_code == 204:
            assert time.monotonic() < end
            time.sleep(0.05)
        image = cv2.imdecode(np.frombuffer(answer.content, np.uint8), 1)
        assert image is not None
        shown[name] = round(float(image.mean()))
    assert shown == {"one": 90, "two": 255}
    assert here.does("settings", camera="camera:two") == ""
    told = here.until(lambda told: told["camera"]["complaints"])
    assert told["camera"]["chosen"] == "camera:two"
    assert "too bright" in told["camera"]["complaints"][0]["what"]
    assert "Dim the light" in told["camera"]["complaints"][0]["remedy"]
    assert states(told)["camera"] == "wrong"


def test_a_camera_that_is_gone_says_so_and_comes_back(desk: Callable[..., Desk]) -> None:
    gear = DrawnGear()
    here = desk(gear, camera="camera:other")
    told = here.until(lambda told: told["camera"]["trouble"])
    assert "isn't there" in told["camera"]["trouble"]["what"]
    gear.drawings["other"] = grey
    here.until(lambda told: told["camera"]["trouble"] is None)


def test_no_picture_of_a_camera_that_is_not_there(desk: Callable[..., Desk]) -> None:
    here = desk()
    assert here.client.get("/api/setup/picture.jpg?camera=/etc/passwd").status_code == 204


def test_a_camera_that_nobody_asks_for_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.web.setup.sights.IDLE_S", 0.3)
    closed: list[int] = []

    class Tap:
        live = None

        def read(self) -> object:
            raise UnreadableError("No picture.", "Wait.")

        def close(self) -> None:
            closed.append(1)

    eye = Eye(Tap, lambda: None, lambda: False)  # type: ignore[arg-type]
    eye.sight()
    end = time.monotonic() + LONG
    while not closed:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert eye.sight().trouble == ("", "")


# Markers and table.


def test_the_markers_and_zones_of_a_rendered_table(rendered: Desk) -> None:
    told = rendered.until(lambda told: told["table"]["state"] == "done")
    assert states(told)["camera"] == "done"
    markers = told["markers"]
    assert markers["count"] == len(markers["list"]) == 8
    assert markers["quality"] == "good"
    assert markers["list"][0]["where"] == "top left"
    assert markers["size"] == [1280, 720]
    assert {each["title"] for each in told["table"]["boards"]} == {
        "Map",
        "Castle, Yellow",
        "Castle, Blue",
        "Castle, Grey",
        "Castle, Purple",
    }
    assert all(each["found"] for each in told["table"]["boards"])
    zones = {each["title"]: each["outline"] for each in told["table"]["zones"]}
    # The centre lies below the middle of the picture, the yellow castle top left.
    middle = np.array(zones["Centre"]).mean(axis=0)
    assert 500 < middle[0] < 780
    assert middle[1] > 360
    assert np.array(zones["Castle, Yellow"]).mean(axis=0).tolist() < [400, 300]
    german = rendered.told("de")
    assert german["markers"]["list"][0]["where"] == "links oben"
    assert " mm genau bekannt" in german["markers"]["text"]
    assert "mm mm" not in german["markers"]["text"]


def test_a_covered_marker_is_told_with_its_place(desk: Callable[..., Desk], rendered: Desk) -> None:
    sight = rendered.until(lambda told: told["markers"].get("count") == 8)
    picture: Image = rendered.house.gear.open("", rendered.house.settings).read().image.copy()
    outline = np.array(sight["markers"]["list"][2]["outline"])
    low, high = outline.min(axis=0) - 9, outline.max(axis=0) + 9
    picture[low[1] : high[1], low[0] : high[0]] = (40, 60, 90)
    here = desk(DrawnGear({"one": lambda: picture}), camera="")
    told = here.until(lambda told: told["markers"].get("list"))
    covered = told["markers"]["list"][2]
    assert told["markers"]["count"] == 7
    assert not covered["seen"]
    assert "covered" in covered["hint"]
    assert np.abs(np.array(covered["expected"]) - outline.mean(axis=0)).max() < 6
    assert states(told)["markers"] == "done", "three markers suffice"


def test_without_markers_each_is_missing(desk: Callable[..., Desk]) -> None:
    here = desk(camera="")
    told = here.until(lambda told: told["markers"].get("list"))
    assert told["markers"]["count"] == 0
    assert states(told)["markers"] == "wrong"
    assert "0 of at least 3" in told["markers"]["text"]
    assert told["table"]["state"] == "todo"


def test_without_a_camera_nothing_is_asked_of_it(desk: Callable[..., Desk]) -> None:
    told = desk().told()
    found = states(told)
    assert (found["camera"], found["markers"], found["table"]) == ("done", "done", "done")


# Faces.


def laid_out() -> Image:
    """Nine tiles of the kit on a pale cloth, in three rows, as from above."""
    art, cloth = KitArt(4.0), np.full((720, 1280, 3), (150, 190, 170), np.uint8)
    for k, label in enumerate(FACES):
        tile = art[f"tile-{label}-plain"][..., :3]
        height, width = tile.shape[:2]
        top, left = 60 + 215 * (k // 3), 340 + 230 * (k % 3)
        cloth[top : top + height, left : left + width] = tile
    noise = np.random.default_rng(1).normal(0, 2, cloth.shape)
    return np.clip(cv2.GaussianBlur(cloth, (3, 3), 0.6) + noise, 0, 255).astype(np.uint8)


def test_faces_are_taught_by_one_photo(desk: Callable[..., Desk]) -> None:
    picture = laid_out()
    here = desk(DrawnGear({"one": lambda: picture}), camera="")
    here.until(lambda told: told["camera"]["size"][0] if "size" in told["camera"] else 0)
    assert here.does("photo", rows=3, columns=3) == ""
    told = here.until(lambda told: not told["faces"]["photo"]["running"])
    assert told["faces"]["photo"]["trouble"] is None
    assert told["faces"]["photo"]["grid"] == [3, 3]
    cut = here.client.get("/api/setup/cut/0.png")
    assert cut.status_code == 200
    assert here.client.get("/api/setup/cut/9.png").status_code == 404
    assert here.does("teach", names=[*FACES[:8], ""]) == ""
    told = here.until(lambda told: not told["faces"]["lesson"]["running"])
    assert "no name" in told["faces"]["lesson"]["trouble"]["what"]
    assert here.does("teach", names=FACES) == ""
    told = here.until(lambda told: not told["faces"]["lesson"]["running"])
    assert told["faces"]["lesson"]["names"] == FACES
    assert "no name for a file" in here.does("faces", name="../evil")
    assert here.does("faces", name="My café") == ""
    told = here.told()
    assert told["faces"]["chosen"].endswith("My café.book")
    assert states(told)["faces"] == "done"
    assert set(here.house.gear.book(here.house.settings.book).labels) == set(FACES)
    assert here.does("settings", book="kit") == ""


def test_too_few_tiles_say_what_to_do(desk: Callable[..., Desk]) -> None:
    here = desk(camera="")
    here.until(lambda told: told["camera"]["state"] != "todo")
    assert here.does("photo", rows=2, columns=2) == ""
    told = here.until(lambda told: not told["faces"]["photo"]["running"])
    assert "pieces were found" in told["faces"]["photo"]["trouble"]["what"]
    assert "plain cloth" in told["faces"]["photo"]["trouble"]["remedy"]


# Edition.


def test_an_edition_is_typed_in_value_by_value(desk: Callable[..., Desk]) -> None:
    here = desk()
    assert "can't be called" in here.does("edition", name="kit", values={})
    assert here.does("edition", name="mine", base="retail") == ""
    form = here.client.get("/api/setup/edition?name=mine&lang=de").json()
    assert form["open"] > 20
    assert not form["ours"]
    assert here.does("settings", edition="mine") == ""
    told = here.told()
    assert states(told)["edition"] == "wrong"
    assert told["edition"]["chosen"] == "mine"
    assert here.does("edition", name="mine", values={"spinner": [2, 9]}) == ""
    form = here.client.get("/api/setup/edition?name=mine&lang=de").json()
    (wrong,) = [each for part in form["sections"] for each in part["entries"] if each["problem"]]
    assert wrong["key"] == "spinner"
    assert "erlaubt ist" in wrong["problem"]
    assert "Feld" in wrong["title"]
    maker = load_form("tumult_royale")
    kit = maker.form(maker.table(edition_text("kit")))
    values = {
        each.key: each.value for part in kit.sections for each in part.entries if not each.default
    }
    assert here.does("edition", name="mine", values={**values, "name": "mine"}) == ""
    form = here.client.get("/api/setup/edition?name=mine").json()
    assert form["complete"], form
    assert states(here.told())["edition"] == "done"
    assert here.does("begin", seats=SEATS) == ""
    assert "While the match" in here.does("edition", name="mine", values={"spinner": [2]})
    assert here.client.get("/api/setup/edition?name=../x").status_code == 404


# Box.


def test_the_box_is_greeted_and_tried(desk: Callable[..., Desk]) -> None:
    here = desk(box="fake://desk")
    assert states(here.told())["box"] == "todo"
    assert here.does("box", what="hello") == ""
    told = here.until(lambda told: told["box"]["tried"])
    assert "a box in this program" in told["box"]["tried"][0]["text"]
    assert states(told)["box"] == "done"
    with fake_board("desk") as board:
        board.press(Button.STOP)
    told = here.until(lambda told: len(told["box"]["tried"]) == 2)
    assert "Stop button" in told["box"]["tried"][1]["text"]
    assert here.does("box", what="arrow") == ""
    told = here.until(lambda told: len(told["box"]["tried"]) == 3 and not told["box"]["trying"])
    assert told["box"]["tried"][2]["ok"]


def test_a_box_that_is_not_there_says_what_to_do(desk: Callable[..., Desk]) -> None:
    here = desk(box="/dev/no-box")
    assert here.does("box", what="hello") == ""
    told = here.until(lambda told: told["box"]["tried"])
    assert "/dev/no-box" in told["box"]["tried"][0]["text"]
    assert states(told)["box"] == "wrong"
    assert here.does("settings", box="none") == ""
    told = here.told()
    assert told["box"]["tried"] == []
    assert states(told)["box"] == "done"


# Match and check.


def test_a_match_is_begun_ended_and_gone_on_with(desk: Callable[..., Desk]) -> None:
    here = desk()
    assert "same seat" in here.does("begin", seats=[SEATS[0], SEATS[0]])
    assert "1 players" in here.does("begin", seats=SEATS[:1])
    assert here.does("begin", seats=SEATS, ranks="2,1") == ""
    told = here.told()
    opened = told["match"]["open"]
    assert [(seat["person"], seat["rank"]) for seat in opened["seats"]] == [("Ann", 2), ("Ben", 1)]
    assert opened["lay"]
    assert "nothing that it rests on may change" in told["locked"]
    for name in ("camera", "edition", "book", "box"):
        assert "While the match" in here.does("settings", **{name: "another"})
    assert "not finished" in here.does("begin", seats=SEATS)
    here.house.put_away()
    told = here.told()
    assert [each["id"] for each in told["match"]["unfinished"]] == [opened["id"]]
    assert told["match"]["unfinished"][0]["people"] == {"yellow": "Ann", "blue": "Ben"}
    assert here.does("take-up") == ""
    assert "reason" in here.does("end", by="Eve")
    assert here.does("end", by="Eve", reason="closing time") == ""
    assert here.told()["match"]["open"] is None
    assert here.does("take-up") == "No match is unfinished. Begin a new one."


def test_the_check_is_walked_through_and_signed(desk: Callable[..., Desk]) -> None:
    here = desk(box="fake://checked")
    assert "just begun" in here.does("check", by="Eve")
    assert here.does("begin", seats=SEATS) == ""
    assert here.does("check", by="Eve") == ""
    asked = set()
    while True:
        told = here.until(lambda told: told["check"]["prompt"] or not told["check"]["running"])
        prompt = told["check"]["prompt"]
        if prompt is None:
            break
        asked.add(prompt["step"])
        says = {"answer": "yes", "deed": "skip", "nothing": "done"}[prompt["asks"]]
        here.does("check/reply", step=prompt["step"], reply=says)
        time.sleep(0.15)
    results = {each["step"]: each["mark"] for each in told["check"]["results"]}
    assert results["record"] == results["lights"] == results["signed"] == "passed"
    assert {"lights", "sound", "button"} <= asked
    assert here.house.match is not None
    with Journal.read(here.house.match.journal.path) as journal:
        (check,) = [event for event in journal.events() if event.kind == "check"]
    assert check.cause.who == "Eve"


def test_a_check_that_is_broken_off_puts_the_match_away(desk: Callable[..., Desk]) -> None:
    here = desk(box="fake://broken")
    here.does("begin", seats=SEATS)
    here.does("check", by="Eve")
    here.until(lambda told: (told["check"]["prompt"] or {}).get("asks") == "answer")
    assert "under way" in here.does("end", by="Eve", reason="enough")
    assert here.does("check/stop") == ""
    told = here.told()
    assert not told["check"]["running"]
    assert "broken off" in told["check"]["trouble"]
    assert told["match"]["open"] is None
    (found,) = latest_matches(here.house.folder)
    with Journal.read(found.path) as journal:
        assert [event.kind for event in journal.events()][-1] == "check"
    assert here.does("take-up") == ""
    assert here.told()["match"]["open"]["at_start"]


def test_who_has_not_given_the_pin_sees_and_changes_nothing(desk: Callable[..., Desk]) -> None:
    here = desk()
    other = Client(here.app)
    assert other.get("/api/setup").status_code == 401
    assert other.get("/api/setup/picture.jpg?camera=camera:one").status_code == 401
    assert other.post("/api/setup/begin", {"seats": SEATS}).status_code == 401
    assert here.house.match is None


def test_a_password_in_a_cameras_address_is_not_told(desk: Callable[..., Desk]) -> None:
    here = desk(camera="rtsp://cafe:secret@192.0.2.7/stream")
    answer = here.client.get("/api/setup")
    assert "secret" not in answer.text
    assert answer.json()["camera"]["chosen"] == "rtsp://192.0.2.7/stream"
    assert here.does("settings", language="de") == ""
    assert here.house.settings.camera == "rtsp://cafe:secret@192.0.2.7/stream"
