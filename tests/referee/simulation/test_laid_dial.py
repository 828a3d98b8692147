"""The kit's spinner on simulated tables: where it lies, and that its number can be read there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.claims import layout_of
from referee.cli.kitset import KitArt, kit_edition
from referee.games.table import Placement
from referee.games.tumult_royale.table import spinner_centre, table_plan
from referee.simulation.arrangement import Arrangement
from referee.simulation.conditions import Conditions
from referee.simulation.staging import scene_of
from vision.dial import DialReader
from vision.plane import find_plane
from vision.scene.cameras import overhead_camera
from vision.scene.description import Lamp, Sensor
from vision.scene.render import render

PLAN = table_plan(kit_edition(), ("yellow", "blue"))


def laid(arrow: float | None, seed: int = 5) -> Arrangement:
    rng = np.random.default_rng(seed)
    return Arrangement.empty(PLAN, rng).relaid(Placement(dial=arrow), rng)


def test_the_plan_has_the_spinner_of_the_edition() -> None:
    assert PLAN.dial is not None
    assert PLAN.dial.labels == ("2", "3", "4", "3", "5", "4")
    assert PLAN.dial.centre == spinner_centre(kit_edition().sizes)
    dial = layout_of(PLAN).dial
    assert dial is not None
    assert (dial.labels, dial.diameter) == (PLAN.dial.labels, 100.0)


def test_a_dial_lies_only_where_the_placement_has_an_arrow() -> None:
    assert laid(None).dial is None
    with pytest.raises(ValueError, match="no dial"):
        Arrangement.empty(replace(PLAN, dial=None), np.random.default_rng(0)).relaid(
            Placement(dial=0.0), np.random.default_rng(0)
        )


def test_only_the_arrow_turns() -> None:
    first = laid(10.0)
    then = first.relaid(Placement(dial=250.0), np.random.default_rng(1))
    assert first.dial is not None
    assert then.dial is not None
    assert then.dial.pose == first.dial.pose
    assert (first.dial.arrow, then.dial.arrow) == (10.0, 250.0)


@pytest.mark.parametrize(("angle", "label"), [(10.0, "2"), (105.0, "4"), (240.0, "5")])
def test_the_number_at_the_arrow_is_read(angle: float, label: str) -> None:
    art = KitArt()
    camera = overhead_camera(PLAN.size, (1280, 720), tilt=6.0)
    conditions = Conditions(camera, "linen", 7, Lamp(), Sensor())
    image = render(scene_of(laid(angle), art, conditions)).image
    layout = layout_of(PLAN)
    assert layout.dial is not None
    reader = DialReader(layout.dial, art["spinner"], art["spinner-arrow"])
    reading = reader.read(image, find_plane(image, layout))
    assert (reading.label, reading.certain) == (label, True)
    assert reading.angle_deg == pytest.approx(angle, abs=1.5)
