"""The match itself, on a small game: commands, the camera's claims, the box; nothing is mocked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from referee.claims import Claims, DoubtfulTile
from referee.games.game import Counts
from referee.journal import Journal, canonical
from referee.match.commands import (
    Answer,
    Command,
    DeviceFails,
    Do,
    Drawn,
    GlassOrder,
    GlassOver,
    GlassRuns,
    Presses,
    Sight,
    SpinOrder,
    Stands,
    StopOrder,
)
from referee.match.fold import Stage, folded
from referee.match.match import Match
from referee.match.replay import replay
from referee.match.verdict import Outcome, Reason
from referee.match.watcher import PATIENCE_S, SECOND_LOOK_S
from tests.referee.match.toy import Move, Toy, ToyGame, faces

FIELD = frozenset({"f1"})


class Kept:
    """Pictures that were kept, and to which event they were tied."""

    def __init__(self) -> None:
        self.tied: dict[str, int] = {}
        self.pictures: dict[str, bytes] = {}

    def keep(self, name: str, jpeg: bytes, at: float) -> None:
        self.pictures[name] = jpeg

    def tie(self, name: str, seq: int) -> None:
        self.tied[name] = seq


class Club:
    """A match of the small game at a table that a test describes."""

    def __init__(self, path: Path) -> None:
        self.path, self.now, self.frame, self.kept = path, 100.0, 0, Kept()
        self.serial = 0
        self.last: Claims | None = None
        header = {"game": "toy", "edition": "toy-1"}
        self.journal = Journal.create(path, header, now=self.wall)
        Match.begin(ToyGame(), self.journal, Toy(), "Ann")
        self.match = self.opened()

    def wall(self) -> float:
        return 1_800_000_000.0 + self.now

    def opened(self) -> Match[Toy, Move]:
        return Match(ToyGame(), self.journal, now=self.now, wall=self.wall, pictures=self.kept)

    def restart(self) -> None:
        """As after kill -9: only the file is left."""
        self.journal.close()
        self.journal = Journal.open(self.path, now=self.wall)
        self.match = self.opened()

    def say(self, do: Do, text: str = "", **more: object) -> Answer:
        self.serial += 1
        at = self.match.view.state_id
        command = Command(do, at, f"c{self.serial}", "Ann", text)
        self.now += 0.1
        return self.match.command(replace(command, **more), self.now)  # type: ignore[arg-type]

    def see(self, claims: Claims | None, *, why: Reason | None = None) -> None:
        self.last = claims
        self.now += 0.1
        self.frame += 1
        tiles = tuple(range(len(claims.zones))) if claims else ()
        sight = Sight(
            self.frame, self.now, claims, why, tiles,
            picture=lambda verdict: b"picture", crop=lambda tile: b"crop",
        )  # fmt: skip
        self.match.see(sight, self.now)
        self.now += 0.01

    def watch(self, claims: Claims) -> None:
        """Sees a table long enough for a second reading."""
        self.see(claims)
        self.now += SECOND_LOOK_S
        self.see(claims)
        if self.match.second_look:
            self.see(replace(claims))

    def spin(self, label: str = "2") -> None:
        self.say(Do.START)
        self.match.told(Drawn(label), self.now)
        self.match.told(Stands(label), self.now)
        self.see(looks(dial=label))

    def raid(self, *taken: str) -> None:
        self.say(Do.START)
        self.now += 20.0
        self.match.told(GlassOver(self.now), self.now)
        self.watch(looks(faces(*taken)))


def looks(
    tiles: Counts | None = None,
    *,
    statue: bool = False,
    dial: str | None = None,
    doubtful: Mapping[str, tuple[str, ...]] | None = None,
) -> Claims:
    """What the camera claims; `doubtful` tiles by zone."""
    lying = [
        (zone, label)
        for zone, labels in (tiles if tiles is not None else faces()).items()
        for label, number in labels.items()
        for _ in range(number)
    ]
    unsure = list((doubtful or {}).items())
    return Claims(
        zones=(*(zone for zone, _ in lying), *(zone for zone, _ in unsure)),
        labels={tile: label for tile, (_, label) in enumerate(lying)},
        doubtful=tuple(
            DoubtfulTile(len(lying) + k, zone, rivals) for k, (zone, rivals) in enumerate(unsure)
        ),
        face_down=(),
        pieces={"f1": {"red": 1}} if statue else {},
        doubtful_pieces=(),
        stray_pieces=(),
        sure_fields=FIELD,
        dial=dial,
    )


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    club = Club(tmp_path / "toy.match")
    yield club
    club.journal.close()


def stage(club: Club) -> Stage:
    return club.match.view.device.stage


def said(club: Club) -> tuple[Outcome, Reason | None] | None:
    verdict = club.match.view.verdict
    return None if verdict is None else (verdict.outcome, verdict.reason)


def wants_more(club: Club) -> bool:
    return club.match.second_look


def accused(club: Club) -> list[str]:
    verdict = club.match.view.verdict
    return [] if verdict is None else [finding.reason for finding in verdict.findings]


def behind(club: Club) -> bool:
    return club.match.view.behind


def kinds(club: Club) -> list[str]:
    return [event.kind for event in club.journal.events()]


def test_a_whole_game_by_camera_and_box(club: Club) -> None:
    for _ in range(3):
        club.spin("2")
        club.raid("a", "b")
        club.watch(looks(faces("a")))
        assert club.say(Do.DONE).accepted
    view = club.match.view
    assert view.step is None
    assert view.moves[1:5] == ("spin 2 -", "raid - a,b", "pay b -", "shake - -")
    causes = [e.cause.kind for e in club.journal.events() if e.kind == "move"]
    assert causes == ["camera", "camera", "camera", "person"] * 3


def test_the_same_game_by_hand_alone(club: Club) -> None:
    for text in ("spin 2 -", "raid - a,b", "pay b -"):
        assert club.say(Do.ENTER, text).accepted
    assert club.say(Do.DONE).accepted
    assert club.match.view.sheet.round == 2


# Commands.


def test_a_command_that_comes_twice_is_done_once(club: Club) -> None:
    command = Command(Do.ENTER, 0, "twice", "Ann", "spin 2 -")
    assert club.match.command(command, club.now).accepted
    assert club.match.command(command, club.now).accepted
    assert kinds(club) == ["begin", "move"]


def test_it_is_done_once_though_the_program_was_killed_in_between(club: Club) -> None:
    command = Command(Do.ENTER, 0, "twice", "Ann", "spin 2 -")
    club.match.command(command, club.now)
    club.restart()
    assert club.match.command(command, club.now).accepted
    assert kinds(club) == ["begin", "move"]


def test_what_was_refused_is_refused_as_it_was_when_it_comes_again_later(club: Club) -> None:
    late = Command(Do.REVIEW, 0, "late", "Bob", reason="I was not heard")
    assert club.say(Do.REVIEW, reason="a statue fell").accepted
    refusal = club.match.command(late, club.now)
    assert not refusal.accepted
    assert club.say(Do.RESUME).accepted
    assert club.match.command(late, club.now) == refusal
    assert kinds(club) == ["begin", "review", "resume"]


def test_a_stale_command_is_refused(club: Club) -> None:
    club.say(Do.ENTER, "spin 2 -")
    answer = club.match.command(Command(Do.ENTER, 0, "late", "Bob", "spin 1 -"), club.now)
    assert (answer.accepted, answer.state) == (False, 1)
    assert "gone on" in answer.text
    assert kinds(club) == ["begin", "move"]


@pytest.mark.parametrize("text", ["", "spin", "jump 2 -"])
def test_what_is_no_move_is_refused_in_words(club: Club, text: str) -> None:
    answer = club.say(Do.ENTER, text)
    assert not answer.accepted
    assert "is no move" in answer.text


def test_a_person_may_overrule_a_rule_but_must_say_why(club: Club) -> None:
    club.say(Do.ENTER, "spin 1 -")
    assert "More than 1" in club.say(Do.ENTER, "raid - a,b").text
    assert "Say why" in club.say(Do.ENTER, "raid - a,b", overrule=True).text
    assert club.say(Do.ENTER, "raid - a,b", overrule=True, reason="agreed").accepted
    event = list(club.journal.events())[-1]
    verdict = event.data["verdict"]
    assert isinstance(verdict, dict)
    assert (verdict["outcome"], event.data["reason"]) == ("ruled", "agreed")


def test_what_makes_no_sense_can_not_be_overruled(club: Club) -> None:
    answer = club.say(Do.ENTER, "pay a -", overrule=True, reason="because")
    assert not answer.accepted


def test_undo_is_an_event_and_can_itself_be_undone(club: Club) -> None:
    club.say(Do.ENTER, "spin 2 -")
    club.say(Do.ENTER, "raid - a")
    assert club.say(Do.UNDO).accepted
    assert club.match.view.position == Toy(1, "raid", 2)
    assert club.match.view.state_id == 3
    assert club.say(Do.UNDO, to=2).accepted
    assert club.match.view.position == Toy(1, "pay", 2, ("a",))
    assert kinds(club) == ["begin", "move", "move", "undo", "undo"]
    assert not club.say(Do.UNDO, to=9).accepted


def test_a_position_by_hand_needs_a_reason(club: Club) -> None:
    assert "Say why" in club.say(Do.POSITION, "2 pay 1 a 0").text
    assert club.say(Do.POSITION, "2 pay 1 a 0", reason="as photographed").accepted
    assert club.match.view.position == Toy(2, "pay", 1, ("a",))
    assert "is no position" in club.say(Do.POSITION, "rubbish", reason="x").text


def test_a_note_needs_no_state(club: Club) -> None:
    answer = club.match.command(Command(Do.NOTE, -5, "n", "Ann", "tea was spilt"), club.now)
    assert answer.accepted
    assert club.match.view.state_id == 0


# The box.


def test_the_number_that_the_camera_reads_counts_and_a_difference_asks_a_person(
    club: Club,
) -> None:
    club.say(Do.START)
    (order,) = club.match.orders()
    assert order == SpinOrder(("1", "2"))
    club.match.told(Drawn("1"), club.now)
    assert "spin" in kinds(club), "what was drawn is on record before the arrow moves"
    club.match.told(Stands("1"), club.now)
    club.see(looks(dial="2"))
    verdict = club.match.view.verdict
    assert verdict is not None
    assert (verdict.outcome, verdict.reason) == (Outcome.INCONCLUSIVE, Reason.DIAL_DISAGREES)
    assert {move.label for move in verdict.rivals} == {"1", "2"}
    assert club.say(Do.ENTER, "spin 2 -").accepted


def test_no_number_counts_before_the_arrow_has_turned(club: Club) -> None:
    club.see(looks(dial="2"))
    assert club.match.view.state_id == 0


def test_a_dial_that_was_read_before_it_was_spun_is_read_again(club: Club) -> None:
    before = looks(dial="1")
    club.see(before)
    read_at = club.now
    assert club.say(Do.DONE).accepted, "spun by hand"
    club.now += 0.2
    club.match.see(Sight(50, club.now, before, read_at=read_at), club.now)
    assert club.match.view.state_id == 0, "nobody saw the arrow turn, but it was read before"
    assert wants_more(club)
    club.see(looks(dial="2"))
    assert club.match.view.moves[-1] == "spin 2 -"


def test_without_a_box_the_arrow_is_spun_by_hand(club: Club) -> None:
    club.say(Do.START)
    club.match.told(DeviceFails("There is no box.", "Spin by hand."), club.now)
    assert club.match.view.trouble == "There is no box. Spin by hand."
    assert stage(club) is Stage.IDLE
    assert club.say(Do.DONE).accepted
    club.see(looks(dial="1"))
    assert club.match.view.moves[-1] == "spin 1 -"


def test_the_hourglass_runs_without_the_box_too(club: Club) -> None:
    club.say(Do.ENTER, "spin 2 -")
    club.say(Do.START)
    assert club.match.orders() == [GlassOrder(20.0)]
    began = club.now
    club.match.told(DeviceFails("The link was lost.", "Plug it in."), club.now)
    club.now = began + 19.8
    club.match.tick(club.now)
    assert stage(club) is Stage.RUNNING
    club.now = began + 20.01
    club.match.tick(club.now)
    assert stage(club) is Stage.OVER


def test_an_hourglass_outlives_the_program(club: Club) -> None:
    club.say(Do.ENTER, "spin 2 -")
    club.say(Do.START)
    club.match.told(GlassRuns(club.now + 20.0), club.now)
    began = club.now
    club.now += 5.0
    club.restart()
    assert stage(club) is Stage.RUNNING
    # The box never tells the end: its cable is out. A second later it is over all the same.
    club.now = began + 20.5
    club.match.tick(club.now)
    assert stage(club) is Stage.RUNNING
    club.now = began + 21.1
    club.match.tick(club.now)
    assert stage(club) is Stage.OVER


def test_an_arrow_that_turned_when_the_program_was_killed_is_spun_again(club: Club) -> None:
    club.say(Do.START)
    club.match.told(Drawn("2"), club.now)
    club.restart()
    assert stage(club) is Stage.IDLE
    assert "Spin it again" in club.match.view.trouble
    assert club.say(Do.START).accepted


def test_a_glass_can_be_ended_early_but_once(club: Club) -> None:
    club.say(Do.ENTER, "spin 2 -")
    club.say(Do.START)
    assert not club.say(Do.START).accepted
    assert club.say(Do.STOP).accepted
    assert StopOrder() in club.match.orders()
    club.match.told(GlassOver(club.now), club.now)
    assert not club.say(Do.STOP).accepted
    assert [e.data["stage"] for e in club.journal.events() if e.kind == "glass"] == [
        "running",
        "over",
    ]


def test_the_button_does_what_comes_next_and_a_double_press_nothing(club: Club) -> None:
    club.say(Do.ENTER, "spin 2 -")
    club.now += 5.0
    club.match.told(Presses(), club.now)
    club.match.told(Presses(), club.now + 0.2)
    assert stage(club) is Stage.RUNNING
    club.now += 5.0
    club.match.told(Presses(), club.now)
    assert stage(club) is Stage.OVER


# The camera.


def test_a_table_is_not_judged_while_the_glass_runs(club: Club) -> None:
    club.say(Do.ENTER, "spin 2 -")
    club.say(Do.START)
    club.watch(looks(faces("a")))
    assert club.match.view.state_id == 1


def test_what_is_under_way_costs_nobody_anything(club: Club) -> None:
    club.spin("2")
    club.raid("a", "c")
    club.watch(looks(faces("a", "c"), statue=True))
    verdict = club.match.view.verdict
    assert verdict is not None
    assert (verdict.outcome, verdict.reason) == (Outcome.INCONCLUSIVE, Reason.UNFINISHED)
    assert verdict.missing == ("A tile c is still to be paid.",)
    club.watch(looks(faces("a"), statue=True))
    assert club.match.view.moves[-1] == "pay c -"


def test_a_contradiction_needs_a_second_reading_and_ends_when_it_is_put_right(
    club: Club,
) -> None:
    club.spin("2")
    club.raid("a")
    wrong = looks(faces("a", "b"))
    club.see(wrong)
    assert said(club) is None
    assert not wants_more(club), "it is too early"
    club.now += SECOND_LOOK_S
    club.see(wrong)
    assert wants_more(club)
    club.see(replace(wrong))
    assert said(club) == (Outcome.OUT_OF_SYNC, Reason.CONTRADICTS_RECORD)
    assert accused(club) == ["TILE_MOVED"]
    view = club.match.view
    assert view.apart
    assert club.kept.tied[view.evidence[-1]] == view.seq
    club.see(looks(faces("a")))
    assert said(club) is None
    assert not club.match.view.apart


def test_what_is_in_doubt_is_read_again_but_not_for_ever(club: Club) -> None:
    club.spin("2")
    club.raid("a")
    hidden = {"centre": {"a": 1, "b": 2, "c": 1}, "castle": {"a": 1}}
    looked: list[float] = []
    club.see(looks(hidden))
    began = club.now
    for _ in range(100):
        club.now += 0.1
        club.see(club.last)
        if wants_more(club):
            looked.append(club.now - began)
            club.see(looks(hidden))
    # Four times soon, the first before anybody wonders; then as seldom as any table.
    assert looked[0] < 0.5
    assert looked[3] < 6.0
    assert len(looked) == 4 + 3
    assert said(club) == (Outcome.INCONCLUSIVE, Reason.TILES_MISSING)


def test_a_contradiction_seen_once_and_then_not_is_never_told(club: Club) -> None:
    club.spin("2")
    club.raid("a")
    club.see(looks(faces("a", "b")))
    club.now += SECOND_LOOK_S
    club.see(looks(faces("a")))
    assert club.match.view.verdict is None
    assert "out-of-sync" not in str([dict(event.data) for event in club.journal.events()])


def test_the_table_is_right(club: Club) -> None:
    club.spin("1")
    club.raid("a", "b")
    verdict = club.match.view.verdict
    assert verdict is not None
    assert verdict.outcome is Outcome.OUT_OF_SYNC
    assert "Say why" in club.say(Do.TABLE_RIGHT).text
    assert club.say(Do.TABLE_RIGHT, reason="all agree").accepted
    assert club.match.view.position.castle == ("a", "b")


def test_the_record_is_right_waits_for_the_table(club: Club) -> None:
    club.spin("2")
    club.raid("a")
    club.watch(looks(faces("a", "b")))
    assert club.say(Do.RECORD_RIGHT).accepted
    club.watch(looks(faces("a", "b")))
    verdict = club.match.view.verdict
    assert verdict is not None
    assert (verdict.outcome, verdict.reason) == (Outcome.INCONCLUSIVE, Reason.NOT_CARRIED_OUT)
    club.watch(looks(faces("a")))
    assert club.match.view.verdict is None
    assert not club.match.view.behind


def test_no_single_move_means_it_is_fixed_by_hand(club: Club) -> None:
    club.spin("2")
    club.raid("a")
    club.watch(looks(faces("a", "b")))
    answer = club.say(Do.TABLE_RIGHT, reason="so be it")
    assert not answer.accepted
    assert "enter what happened" in answer.text
    assert club.say(Do.POSITION, "1 pay 2 a,b 0", reason="so be it").accepted
    club.watch(looks(faces("a", "b")))
    assert club.match.view.verdict is None


def test_what_was_entered_by_hand_may_be_done_later(club: Club) -> None:
    club.spin("2")
    club.raid("a", "c")
    club.say(Do.ENTER, "pay c -")
    club.say(Do.DONE)
    club.say(Do.ENTER, "spin 2 -")
    assert club.match.view.behind
    club.say(Do.START)
    club.say(Do.STOP)
    club.watch(looks(faces("a")))
    assert club.match.view.moves[-1] == "raid - a"


def test_what_does_not_show_on_the_table_leaves_nothing_to_be_done(club: Club) -> None:
    club.say(Do.ENTER, "spin 2 -")
    assert not behind(club)
    club.raid("a")
    club.say(Do.ENTER, "pay a -")
    assert behind(club)
    club.say(Do.DONE)
    assert behind(club), "the tile is still to be paid"


def test_done_is_said_of_one_deed_only(club: Club) -> None:
    club.spin("2")
    club.raid("a", "c")
    half = looks(faces("a", "c"), statue=True)
    club.watch(half)
    club.say(Do.DONE)
    club.watch(replace(half))
    assert said(club) == (Outcome.OUT_OF_SYNC, Reason.CONTRADICTS_RECORD)
    club.watch(looks(faces("a", "c")))
    assert said(club) is None, "it was put right"
    club.watch(replace(half))
    assert said(club) == (Outcome.INCONCLUSIVE, Reason.UNFINISHED), "the next one is under way"


def test_a_corrected_tile_stays_corrected_as_long_as_it_lies_there(club: Club) -> None:
    club.spin("2")
    club.say(Do.START)
    club.say(Do.STOP)
    lying = {"centre": {"a": 1, "b": 2, "c": 2}}
    unsure = looks(lying, doubtful={"castle": ("b", "c")})
    # Neither fits: the game has no third b or c, so it can only be an a that looks like none.
    club.watch(unsure)
    verdict = club.match.view.verdict
    assert verdict is not None
    assert verdict.reason is Reason.MULTISET_BROKEN
    assert "can't be 'z'" in club.say(Do.CORRECT, "z", to=5, frame=club.frame).text
    assert "any more" in club.say(Do.CORRECT, "a", to=17, frame=club.frame).text
    assert club.say(Do.CORRECT, "a", to=5, frame=club.frame).accepted
    club.see(replace(unsure))
    assert club.match.view.moves[-1] == "raid - a"
    (event,) = [event for event in club.journal.events() if event.kind == "correction"]
    assert club.kept.pictures[str(event.data["crop"])] == b"crop"


@pytest.mark.parametrize("change", ["gone", "turned", "another"])
def test_a_correction_ends_with_the_tile_that_it_was_said_of(club: Club, change: str) -> None:
    club.spin("2")
    club.say(Do.START)
    club.say(Do.STOP)
    misread = looks({"centre": {"a": 1, "b": 2, "c": 2}, "castle": {"b": 1}})
    club.watch(misread)
    assert said(club) == (Outcome.INCONCLUSIVE, Reason.MULTISET_BROKEN)
    assert club.say(Do.CORRECT, "a", to=5, frame=club.frame).accepted
    changed = {
        "gone": replace(
            misread, zones=misread.zones[:5], labels=dict(list(misread.labels.items())[:5])
        ),
        "turned": replace(misread, labels=dict(list(misread.labels.items())[:5]), face_down=(5,)),
        "another": replace(misread, labels={**misread.labels, 5: "c"}),
    }[change]
    club.match.tick(club.now)
    club.see(changed)
    club.see(replace(misread))
    assert said(club) == (Outcome.INCONCLUSIVE, Reason.MULTISET_BROKEN)


def test_a_table_that_can_not_be_read_says_why_after_a_while(club: Club) -> None:
    club.spin("2")
    club.raid("a")
    club.see(None, why=Reason.HAND_OVER_TABLE)
    assert said(club) is None
    club.now += PATIENCE_S
    club.see(None, why=Reason.HAND_OVER_TABLE)
    assert said(club) == (Outcome.INCONCLUSIVE, Reason.HAND_OVER_TABLE)


def test_a_camera_that_falls_silent_is_told_and_forgotten_when_it_is_back(club: Club) -> None:
    club.spin("2")
    club.raid("a")
    club.see(looks(faces("a")))
    club.now += PATIENCE_S - 0.5
    club.match.tick(club.now)
    assert said(club) is None
    club.now += 1.0
    club.match.tick(club.now)
    assert said(club) == (Outcome.DEGRADED, Reason.NO_NEW_PICTURES)
    assert club.say(Do.ENTER, "pay a -").accepted, "the match goes on by hand"
    club.see(looks(faces()))
    assert said(club) is None


def test_a_picture_that_took_too_long_to_be_read_does_not_count(club: Club) -> None:
    club.spin("2")
    club.raid("a")
    club.match.see(Sight(99, club.now, looks(faces())), club.now + 10.0)
    assert len(club.match.view.moves) == 3


def test_what_was_seen_before_a_change_does_not_count_after_it(club: Club) -> None:
    club.spin("2")
    club.raid("a")
    before = Sight(99, club.now - 5.0, looks(faces()))
    club.match.see(before, club.now)
    assert club.match.view.state_id == 2


def test_the_picture_at_the_buzzer_is_evidence_of_the_next_verdict(club: Club) -> None:
    club.spin("2")
    club.raid("a")
    assert club.match.view.evidence[0] == "buzzer-1"
    assert set(club.match.view.evidence) <= club.kept.pictures.keys()


# The record.


def test_after_a_restart_the_match_is_where_it_was(club: Club) -> None:
    club.spin("2")
    club.raid("a", "c")
    club.say(Do.NOTE, "break")
    before = club.match.view
    club.restart()
    after = club.match.view
    assert (after.position, after.state_id, after.seq) == (
        before.position,
        before.state_id,
        before.seq,
    )
    assert after.moves == before.moves
    assert after.told == before.told


def test_the_state_is_a_fold_over_the_journal(club: Club) -> None:
    club.spin("2")
    club.raid("a", "c")
    club.say(Do.UNDO)
    fold = folded(ToyGame(), club.journal.events())
    assert fold.position == club.match.view.position
    assert [event.state for event in club.journal.events() if event.kind in ("move", "undo")] == [
        1,
        2,
        3,
    ]


def test_a_replay_reproduces_every_verdict_bit_for_bit(club: Club) -> None:
    club.spin("1")
    club.raid("a", "b")
    club.say(Do.TABLE_RIGHT, reason="all agree")
    club.watch(looks(faces("a", "b"), statue=True))
    club.say(Do.DONE)
    club.watch(looks(faces("a", "b"), statue=True))
    club.watch(looks(faces("a")))
    told = list(replay(ToyGame(), club.journal))
    assert len(told) >= 4
    assert all(each.same for each in told)
    assert {"confirmed", "out-of-sync"} <= {
        outcome
        for each in told
        for outcome in ("confirmed", "out-of-sync")
        if outcome in each.again
    }
    assert canonical({"b": 1, "a": 2}) == '{"a":2,"b":1}'


def test_a_match_of_another_edition_is_refused(club: Club) -> None:
    class Newer(ToyGame):
        edition = "toy-2"

    with pytest.raises(ValueError, match="toy-1"):
        Match(Newer(), club.journal, now=0.0, wall=club.wall)


def test_nothing_changes_during_a_match_unless_somebody_says_why(club: Club) -> None:
    parts = {"version": "1", "models": {"faces": "aa", "tiles": "bb"}}
    club.match.note_run(parts)
    club.match.note_run(parts)
    newer = {"version": "1", "models": {"faces": "aa", "tiles": "cc"}}
    with pytest.raises(ValueError, match="have changed: tiles"):
        club.match.note_run(newer)
    club.match.note_run(newer, "the old network was lost")
    club.match.note_run(newer)
    runs = [event.data["changed"] for event in club.journal.events() if event.kind == "run"]
    assert runs == [[], [], ["tiles"], []]
