"""One round of the soak: the film goes on to its end, and so does the hourglass."""

from __future__ import annotations

import itertools
import threading
from pathlib import Path

import pytest

from referee.match.fold import folded
from tests.bench.kit_tables import kit_art
from tests.referee.journal.conftest import tmp_path
from tests.referee.match.film import Film
from tests.referee.match.soaking import Soak
from vision.network import ModelMissingError

__all__ = ["tmp_path"]


def test_a_round_is_played_and_taken_back(tmp_path: Path) -> None:
    before = threading.enumerate()
    try:
        soak = Soak(Film.shot(kit_art(), (960, 540)), tmp_path / "soak.match", rest_s=0.1)
    except ModelMissingError as missing:
        pytest.skip(str(missing))
    frames = itertools.takewhile(lambda _: not soak.count["rounds"], soak.play())
    for _ in itertools.islice(frames, 2000):
        pass
    events = list(soak.journal.events())
    fold = folded(soak.film.game, events)
    assert (fold.seq, fold.position) == (soak.match.view.seq, soak.match.view.position)
    soak.close()
    assert soak.count["rounds"] == 1
    assert soak.count["given up"] == 0
    moves = sum(scene.deed.move is not None for scene in soak.film.scenes)
    assert sum(event.kind == "move" for event in events) == moves
    ends = [e.cause.kind for e in events if e.kind == "glass" and e.data["stage"] == "over"]
    assert ends == ["box"]
    assert [event.data["to"] for event in events if event.kind == "undo"] == [0]
    for thread in threading.enumerate():
        if thread.name.startswith(("box", "evidence")) and thread not in before:
            thread.join(10.0)
            assert not thread.is_alive(), thread.name
