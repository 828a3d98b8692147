"""A few minutes of the soak: the film goes on round by round, and every hourglass ends."""

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


def test_rounds_are_played_and_taken_back(tmp_path: Path) -> None:
    before = threading.active_count()
    try:
        soak = Soak(Film.shot(kit_art(), (960, 540)), tmp_path / "soak.match", rest_s=0.2)
    except ModelMissingError as missing:
        pytest.skip(str(missing))
    frames = itertools.takewhile(lambda _: soak.count["rounds"] < 2, soak.play())
    for _ in itertools.islice(frames, 4000):
        pass
    events = list(soak.journal.events())
    fold = folded(soak.film.game, events)
    assert (fold.seq, fold.position) == (soak.match.view.seq, soak.match.view.position)
    soak.close()
    assert soak.count["rounds"] == 2
    assert soak.count["given up"] == 0
    moves = sum(scene.deed.move is not None for scene in soak.film.scenes)
    assert sum(event.kind == "move" for event in events) == 2 * moves
    ends = [e.cause.kind for e in events if e.kind == "glass" and e.data["stage"] == "over"]
    assert ends == ["box", "person"], "the first ran out, the second was ended early"
    assert threading.active_count() == before
