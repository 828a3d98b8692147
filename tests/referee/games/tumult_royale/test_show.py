"""The show: its tables keep the rules of conservation, and go on only from what is sent back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from referee.games.show import Beat
from referee.games.step import Counts
from referee.games.tumult_royale import PLAYERS, Tumults, load_edition
from referee.games.tumult_royale.show import show
from referee.match.demo import laid


def beats(players: int, seed: int) -> Iterator[Beat[Tumults]]:
    """A whole game; whoever looks at the table sees it as it is, once all tiles are turned up."""
    edition = load_edition("kit")
    characters = [(name, PLAYERS[name]) for name in ("greedy", "steady", "modest", "random")]
    told = show(edition, characters[:players], Random(seed)).beats
    answer: Counts | None = None
    beat = next(told)
    while True:
        yield beat
        up = all(tile.face_up for tile in beat.placement.tiles)
        answer = laid(beat.placement.tiles, beat.step.ask.zones) if beat.step and up else None
        try:
            beat = told.send(answer)
        except StopIteration:
            return


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_beat_has_all_tiles_in_play_or_all_but_those_set_aside(players: int) -> None:
    edition = load_edition("kit")
    in_play = Counter(tile.label for tile in edition.tiles_of(players))
    numbers = {in_play.total(), in_play.total() - 3 * players}
    rulings = 0
    for beat in beats(players, seed=players):
        labels = Counter(tile.label for tile in beat.placement.tiles)
        assert labels.total() in numbers
        assert labels <= in_play
        if beat.step is not None:
            assert labels.total() == min(numbers)
            assert not beat.step.ask.expected - labels.total()
            rulings += 1
    assert rulings >= 6
    assert beat.title == "The end"
    assert "wins with" in beat.caption


def test_a_tile_forgotten_face_down_is_turned_up_after_no_verdict() -> None:
    asked = [beat for seed in range(3) for beat in beats(4, seed) if beat.step is not None]
    forgotten = [i for i, b in enumerate(asked) if not all(t.face_up for t in b.placement.tiles)]
    assert forgotten
    for i in forgotten:
        before, after = asked[i].placement.tiles, asked[i + 1].placement.tiles
        assert all(tile.face_up for tile in after)
        assert [(t.label, t.zone) for t in before] == [(t.label, t.zone) for t in after]
        assert not asked[i + 1].relaid


def test_tiles_are_laid_anew_if_nothing_is_wrong_but_the_referee_is_unsure() -> None:
    edition = load_edition("kit")
    told = show(edition, [("steady", PLAYERS["steady"])] * 2, Random(2)).beats
    beat = next(beat for beat in told if beat.step is not None)
    while not all(tile.face_up for tile in beat.placement.tiles):
        beat = told.send(None)
    assert told.send(None).relaid
