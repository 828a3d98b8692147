"""The game as the match sees it: setups, text, choices, what people may decide, and words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from referee.games.game import Game, RunGlass, SpinDial
from referee.games.tumult_royale import (
    Build,
    Crown,
    Edition,
    Fault,
    FirstStatue,
    Laid,
    Move,
    Pass,
    Phase,
    Plead,
    Punish,
    RandomPlayer,
    Rank,
    Reveal,
    SetAside,
    ShowMercy,
    Spin,
    State,
    TimeUp,
    TurnRegion,
    apply,
    check,
    deal,
    faults,
    legal_moves,
    load_draft,
    parse_tiles,
    play,
)
from referee.games.tumult_royale.game import TumultRoyale
from referee.games.tumult_royale.tiles import NO_TILES, labels_of, total
from tests.referee.games.tumult_royale.tables import KIT, build, house, number, position
from tests.referee.games.tumult_royale.test_random_games import MIXED, OTHERWISE

ROYALE = TumultRoyale(KIT)
GAME: Game[State, Move] = ROYALE


def games(
    editions: tuple[Edition, ...], count: int, seed: int
) -> Iterator[tuple[TumultRoyale, State, Move, State]]:
    """Every move of random games: the game, the position before, the move, and after it."""
    rng = Random(seed)
    for index in range(count):
        edition, players = editions[index % len(editions)], 2 + index % 3
        game, state = TumultRoyale(edition), deal(edition, players, rng)
        for move, after in play(state, MIXED[:players], rng):
            yield game, state, move, after
            state = after


# Text


def test_positions_and_moves_of_every_phase_are_read_back_as_they_were_written() -> None:
    phases = set()
    for game, state, move, after in games((KIT, OTHERWISE), 6, 1):
        phases |= {state.phase, after.phase}
        assert game.read_state(game.write_state(after)) == after
        assert game.read_move(game.write_move(move, state), state) == move
        assert not game.faults(after)
        assert game.possible(state, move)
    assert phases == set(Phase)


def test_a_count_with_empty_hands_is_read_back() -> None:
    state = position(Phase.TAXES)
    for move in (TimeUp((4, 0), hands_empty=True), TimeUp((4, 0)), TimeUp(None)):
        assert GAME.read_move(GAME.write_move(move, state), state) == move
        after = GAME.apply(state, move)
        assert GAME.read_state(GAME.write_state(after)) == after
    assert GAME.write_move(TimeUp((4, 0), hands_empty=True), state) == "time 4,0!"


def test_the_edition_names_its_values() -> None:
    other = load_draft("kit").with_value("sizes.tile", [34, 35]).complete()
    assert GAME.edition.startswith("kit:")
    assert TumultRoyale(other).edition != GAME.edition
    assert TumultRoyale(KIT).edition == GAME.edition


# Setup


def test_the_start_that_people_set_up() -> None:
    state = GAME.begin({"seats": "grey,blue", "ranks": "2,1", "regions": "7@3,1@0"})
    assert [seat.colour for seat in state.seats] == ["grey", "blue"]
    assert state.king == 1
    assert state.board.places == (Laid(7, 3), None, Laid(1, 0), None)
    assert state.phase is Phase.FIRST_STATUES


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seats": ""}, "lacks seats"),
        ({"ranks": "1,1"}, "ranks"),
        ({"seats": "red,blue"}, "red"),
        ({"regions": "7@3"}, "regions"),
        ({"regions": "7,1"}, "region"),
        ({"colour": "x"}, "colour"),
    ],
)
def test_a_wrong_setup_is_refused_with_its_reason(changes: dict[str, str], said: str) -> None:
    setup = {"seats": "grey,blue", "ranks": "2,1", "regions": "7@3,1@0"}
    with pytest.raises(ValueError, match=said):
        GAME.begin(setup | changes)


@pytest.mark.parametrize("seats", ["grey,blue", "grey,blue,purple", "yellow,blue,grey,purple"])
def test_what_chance_decides_is_drawn_and_the_rest_stays(seats: str) -> None:
    rng = Random(1)
    drawn = [GAME.draw({"seats": seats}, rng) for _ in range(20)]
    assert all(each["seats"] == seats for each in drawn)
    assert len({each["ranks"] for each in drawn}) > 1
    assert len({each["regions"] for each in drawn}) > 10
    for each in drawn:
        state = GAME.begin(each)
        assert GAME.faults(state) == ()
        assert all(text.endswith(".") for text in GAME.lay(state))
    players = range(1, seats.count(",") + 2)
    ranks = ",".join(str(rank) for rank in reversed(players))
    assert GAME.draw({"seats": seats, "ranks": ranks}, rng)["ranks"] == ranks


@pytest.mark.parametrize("setup", [{}, {"seats": "grey"}, {"seats": "red,blue"}])
def test_nobody_draws_who_plays(setup: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"play|colour|one of"):
        GAME.draw(setup, Random(1))


# Steps


def test_every_step_says_who_does_what() -> None:
    for game, state, _, after in games((KIT, OTHERWISE), 6, 2):
        step = game.step(state)
        assert step is not None
        assert step.phase == state.phase.value
        assert step.rule == state.phase.rule
        assert step.instruction.endswith(".")
        assert step.instruction[0].isupper()
        acting = tuple(range(state.players)) if state.turn == -1 else (state.turn,)
        if state.phase is Phase.TUMULTS:
            acting = tuple(n for n, player in enumerate(after.seats) if player.punished)
        assert step.actors == acting
        if state.turn != -1:
            assert state.seats[state.turn].colour.capitalize() in step.instruction
        if step.due is not None:
            assert game.check(state, step.due) == ()
            assert state.phase in (Phase.RANKS, Phase.CROWNING, Phase.MERCY, Phase.TUMULTS)
        by_hand = {Phase.PLEAS, Phase.RANKS, Phase.CROWNING, Phase.REGIONS, Phase.MERCY}
        assert (step.ask is None) == (state.phase in by_hand)
        assert (game.step(after) is None) == (after.phase is Phase.OVER)


def test_who_can_build_nothing_is_told_to_pass() -> None:
    told = {}
    for castle in ("b1m1", "b1"):
        step = GAME.step(position(Phase.BUILD, castles=(castle, "-")))
        assert step is not None
        told[castle] = step.instruction
    assert told == {
        "b1m1": "Yellow: place statues on one field and pay into the centre, or pass.",
        "b1": "Yellow: there is nothing that you can build now, so pass.",
    }


def test_the_box_spins_and_runs_the_glass() -> None:
    spins = GAME.step(position(Phase.SENTIMENT))
    assert spins is not None
    assert spins.device == SpinDial(("2", "3", "4", "3", "5", "4"))
    assert spins.instruction == "Yellow, the king: press the button to spin."
    taxes = GAME.step(position(Phase.TAXES))
    assert taxes is not None
    assert isinstance(taxes.device, RunGlass)
    assert taxes.device.seconds == 20
    assert "start" not in taxes.device.meanwhile, "it runs by then"


def test_what_a_step_asks_of_the_tiles() -> None:
    """Two players: 21 in play, 6 aside; later exactly what was revealed."""
    expected = {Phase.SET_ASIDE: False, Phase.TAXES: False, Phase.REVEAL: True}
    for phase, face_up in expected.items():
        step = GAME.step(position(phase))
        assert step is not None
        assert step.ask is not None
        assert step.ask.tiles is not None
        assert (step.ask.tiles.expected, step.ask.tiles.aside) == (15, 6)
        assert step.ask.tiles.face_up == face_up
        assert sum(step.ask.tiles.in_play.values()) == 21
    state = position(Phase.BUILD, castles=("b1m1", "t1"))
    step = GAME.step(state)
    assert step is not None
    assert step.ask is not None
    assert step.ask.tiles is not None
    known = total((state.centre, *(seat.tiles for seat in state.seats)))
    assert sorted(step.ask.tiles.in_play) == sorted({*labels_of(known)})
    assert sum(step.ask.tiles.in_play.values()) == step.ask.tiles.expected == 15
    assert step.ask.fields
    assert step.ask.boards == ("map",)


def test_lost_supporters_alone_are_for_people_to_confirm() -> None:
    """Demand 3, no tools left, yellow has one tile of them: it is kept, 3 supporters are lost."""
    state = position(Phase.TUMULTS, castles=("t1", "-"), centre=parse_tiles("b3m3"))
    step = GAME.step(state)
    assert step is not None
    assert step.due == Punish((NO_TILES, NO_TILES))
    assert step.instruction == "Yellow: give three supporters to the supply."


# Choices


def test_choices_are_the_legal_moves_in_words() -> None:
    for game, state, _, _ in games((KIT,), 3, 3):
        choices = game.choices(state)
        moves = {game.read_move(choice.text, state) for choice in choices}
        wanted = {TimeUp(None)} if state.phase is Phase.TAXES else {*legal_moves(state)}
        assert moves == wanted
        assert len({choice.words for choice in choices}) == len(choices)


def test_a_choice_in_words() -> None:
    state = position(Phase.BUILD, ("r3c3", "r5c1"), ("m2t3", "-"))
    words = {choice.text: choice.words for choice in GAME.choices(state)}
    assert words["yellow build r4c3 m2t3"] == (
        "Build on the castle in row 4, column 3 with marble 2 and tools 3"
    )
    assert words["yellow pass"] == "Yellow passes"


# What people may decide


def odd_moves(state: State, move: Move, rng: Random) -> Iterator[Move]:
    """Moves that may break rules, or make no sense at all."""
    seats = range(-1, state.players + 1)
    fields = range(-1, len(state.board.types) + 1)

    def heap(most: int = 2) -> tuple[int, ...]:
        return tuple(rng.randint(0, most) * (rng.random() < 0.4) for _ in range(9))

    def some(n: int) -> tuple[bool, ...]:
        return tuple(rng.random() < 0.5 for _ in range(n))

    players = rng.choice((state.players, state.players, state.players, 1, 5))
    heaps = tuple(heap(1) for _ in range(players))
    held = tuple(tuple(rng.randint(0, n) for n in seat.tiles) for seat in state.seats)
    yield move
    yield FirstStatue(rng.choice(seats), rng.choice(fields))
    yield Spin(rng.randint(0, 6))
    yield SetAside(rng.randint(-1, 50))
    yield TimeUp(tuple(rng.randint(-1, 9) for _ in range(players)), rng.random() < 0.5)
    yield TimeUp(None, rng.random() < 0.5)
    yield Reveal(heap(), heaps)
    yield Plead(some(players))
    yield Punish(heaps)
    yield Punish(held)
    seat = rng.choice(range(state.players))
    yield Build(seat, rng.choice(fields), held[seat])
    yield Build(rng.choice(seats), rng.choice(fields), heap(1))
    yield Pass(rng.choice(seats))
    yield Rank(tuple(rng.sample(range(1, state.players + 1), state.players)))
    yield Rank((1,) * players)
    yield Crown(rng.randint(-1, 4))
    yield TurnRegion(rng.randint(0, 9), Laid(rng.randint(0, 11), rng.randint(-1, 4)))
    yield ShowMercy(some(players))


#: What a decision against a rule may leave behind: all else must stay as it is on real tables.
BENT = (
    Fault.SET_ASIDE | Fault.FIELD_COUNT | Fault.FIELD_ALONE | Fault.FIRST_STATUE | Fault.CHRONICLE
)


@pytest.mark.parametrize("edition", [KIT, OTHERWISE], ids=["kit", "otherwise"])
def test_what_people_decide_keeps_everything_on_the_table(edition: Edition) -> None:
    rng = Random(6)
    game = TumultRoyale(edition)
    decided: set[type[Move]] = set()
    illegal = 0
    for index in range(6):
        state = deal(edition, 2 + index % 3, rng)
        players = [RandomPlayer(0.5)] * state.players
        for _ in range(400):
            if state.phase is Phase.OVER:
                break
            honest, _ = next(play(state, players, rng))
            ways = [each for each in odd_moves(state, honest, rng) if game.possible(state, each)]
            assert honest in ways
            for way in ways:
                after = game.apply(state, way)
                assert not faults(after) & ~BENT, (way, game.faults(after))
                assert game.read_state(game.write_state(after)) == after
                assert all(text[-1] in ".!" for text in game.tell(state, way))
                game.placement(after)
                game.sheet(after)
                if after.phase is not Phase.OVER:
                    assert game.step(after) is not None
            way = rng.choice(ways)
            decided.add(type(way))
            illegal += any(finding.illegal for finding in game.check(state, way))
            state = game.apply(state, way)
    assert illegal > 100
    assert {Build, Punish, Reveal, Rank, Pass} <= decided


def test_a_field_that_touches_nothing_may_be_ruled_built() -> None:
    """A mountain apart has no price: what was paid is accepted, and brings no supporters."""
    state = position(Phase.BUILD, ("r1c1", "r4c1"), ("m2t2", "-"))
    move = build(state, "r5c2", "m2t2")
    assert [finding.reason for finding in GAME.check(state, move)] == ["NOT_ADJACENT"]
    assert GAME.possible(state, move)
    after = GAME.apply(state, move)
    assert after.seats[0].statues_on(number(state, "r5c2")) == 1
    assert after.seats[0].supporters == state.seats[0].supporters
    assert after.seats[0].tiles == NO_TILES


def test_too_little_paid_may_be_ruled_enough() -> None:
    state = position(Phase.BUILD, ("r1c1", "r5c1"), ("b3", "-"))
    move = build(state, "r1c2", "b3")
    assert GAME.possible(state, move)
    assert GAME.apply(state, move).seats[0].supporters == state.seats[0].supporters


def test_a_build_out_of_turn_may_be_ruled_done_and_leaves_the_turn() -> None:
    state = position(Phase.BUILD, ("r1c1", "r5c1"), ("-", "b1m1"))
    move = build(state, "r4c1", "b1m1", seat=1)
    assert GAME.possible(state, move)
    after = GAME.apply(state, move)
    assert after.turn == state.turn == 0
    assert after.seats[1].built == 2


@pytest.mark.parametrize(
    ("field", "payment", "seat"),
    [
        ("r5c1", "b1m1", 0),  # not free
        ("r1c4", "b1m1", 0),  # face down
        ("r1c2", "b2m1", 0),  # tiles that are not there
        ("r1c2", "b1m1", 2),  # nobody
    ],
)
def test_nobody_can_decide_for_what_makes_no_sense(field: str, payment: str, seat: int) -> None:
    state = position(Phase.BUILD, ("r1c1", "r5c1"), ("b1m1", "-"))
    assert not GAME.possible(state, build(state, field, payment, seat=seat))
    assert not GAME.possible(state, Spin(3))


def test_a_late_grab_may_be_ruled_right() -> None:
    state = position(Phase.REVEAL, at_time=(0, 0), hands_empty=True)
    heaps = (parse_tiles("b1122m1122t1"), (parse_tiles("b2m2t1"), parse_tiles("b33m3")))
    move = Reveal(*heaps)
    assert any(finding.reason.name == "TAKEN_AFTER_TIME" for finding in check(state, move))
    assert GAME.possible(state, move)
    assert apply(state, move).seats[0].tiles == heaps[1][0]


# Words


def test_an_impossible_position_is_told_in_sentences() -> None:
    state = position(Phase.BUILD)
    assert GAME.faults(state) == ()
    assert GAME.faults(replace(state, supply=-1)) == (
        "The supporters of players and supply are not all that there are.",
    )
    every = [GAME.faults(replace(state, turn=7)), GAME.faults(replace(state, demand=9))]
    assert all(text.endswith(".") for texts in every for text in texts)
    assert all(every)


def test_every_move_is_told() -> None:
    kinds = set()
    for game, state, move, after in games((KIT, OTHERWISE), 6, 4):
        told = game.tell(state, move)
        kinds.add(type(move))
        assert told
        for text in told:
            assert text[0].isupper() or text[0].isdigit()
            assert text[-1] in ".!"
        assert ("wins with" in told[-1]) == (after.phase is Phase.OVER)
    assert len(kinds) == 13


def test_a_reveal_is_told_with_the_whole_verdict() -> None:
    """Rules 3.3: 1 < 3 bread is a tumult; 3 marble and 3 tools are enough."""
    state = position(Phase.REVEAL)
    move = Reveal(parse_tiles("b1m3t3"), (parse_tiles("b23"), parse_tiles("b3")))
    headline, bread, marble, tools = GAME.tell(state, move)
    assert headline == "Tumult over bread!"
    assert "Yellow is the greediest with 5" in bread
    assert marble == "Three symbols of marble remain, 3 demanded: no tumult."
    assert tools == "Three symbols of tools remain, 3 demanded: no tumult."


def test_a_build_is_told_with_what_it_costs_and_brings() -> None:
    state = position(Phase.BUILD, ("r3c3", "r5c1"), ("m3t3", "-"))
    assert GAME.tell(state, build(state, "r4c3", "m3t3")) == (
        "Yellow builds on the castle in row 4, column 3.",
        "Yellow places three statues and pays marble 3 and tools 3.",
        "Yellow takes one supporter for what is paid too much.",
    )


def test_the_sheet_has_a_line_a_seat_and_the_winner() -> None:
    state = position(Phase.BUILD, ranks=(2, 1), supporters=(7, 9))
    sheet = GAME.sheet(state)
    assert [line.name for line in sheet.lines] == ["Yellow", "Blue"]
    assert [line.rank for line in sheet.lines] == [2, 1]
    assert sheet.lines[1].zone == "castle-blue"
    assert dict(sheet.lines[1].facts)["supporters"] == "9"
    assert sheet.winner == ""
    *_, (game, _, _, end) = games((KIT,), 1, 5)
    assert game.sheet(end).winner.endswith(" statues.")


def test_mercy_that_is_asked_for_is_a_step_for_people() -> None:
    game = TumultRoyale(house(mercy="asked"))
    state = position(Phase.PLEAS, edition=house(mercy="asked"), seats=({"mercy": True}, {}))
    step = game.step(state)
    assert step is not None
    assert step.ask is None
    assert step.instruction == "Yellow: say whether you use your mercy."
    assert [choice.text for choice in game.choices(state)] == ["plead -", "plead yellow"]
