"""Sections 1 and 2 as data: the kit's values, open values, and what a file may not say."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from referee.games.tumult_royale import (
    FIELD_TYPES,
    EditionError,
    OpenValuesError,
    Phase,
    RandomPlayer,
    deal,
    edition_names,
    load_draft,
    load_edition,
    play,
)
from referee.games.tumult_royale.edition import Edition
from referee.games.tumult_royale.schema import Value, walk
from tests.referee.games.tumult_royale.tables import KIT

# The kit


@pytest.mark.parametrize(("players", "tiles"), [(2, 21), (3, 30), (4, 39)])
def test_tiles_in_play(players: int, tiles: int) -> None:
    assert len(KIT.tiles_of(players)) == tiles
    assert sum(KIT.tiles_in_play[players]) == tiles


def test_tiles_by_frame() -> None:
    frames = Counter(tile.frame for tile in KIT.tiles_of(4))
    assert frames == {"plain": 21, "grey": 9, "black": 9}
    by_symbols = Counter(
        (tile.commodity, tile.symbols) for tile in KIT.tiles_of(4) if tile.frame == "plain"
    )
    for commodity in ("bread", "marble", "tools"):
        assert [by_symbols[commodity, symbols] for symbols in (1, 2, 3)] == [2, 3, 2]


def test_there_are_105_supporters_and_25_statues() -> None:
    assert KIT.supporters == 105
    assert KIT.numbers.statues == 25


def test_costs_and_statues_of_the_kit() -> None:
    assert KIT.cost_of == {
        "pasture": (1, 1, 0),
        "forest": (1, 0, 1),
        "mountain": (0, 1, 1),
        "village": (2, 2, 0),
        "castle": (0, 2, 3),
    }
    assert [KIT.statues_on[kind] for kind in FIELD_TYPES] == [1, 1, 1, 2, 3]


def test_chronicle_of_the_kit() -> None:
    assert KIT.chronicle.statues == (1, 1, 1, 1, 1, 2, 2, 2, 2, 2)
    assert KIT.end_numbers == {6: 6, 7: 5, 8: 4, 9: 3, 10: 2}
    assert KIT.chronicle.reveal_at == (3, 5)
    reveals = [KIT.setup_for(players).reveals for players in (2, 3, 4)]
    assert reveals == [(1, 1), (1, 2), (2, 2)]


def test_spinner_bears_2_to_5() -> None:
    assert set(KIT.spinner) == {2, 3, 4, 5}


def test_regions_of_the_kit() -> None:
    assert len(KIT.regions) == 10
    assert all(len(region) == 9 for region in KIT.regions)
    assert all(region.count("pasture") >= 2 for region in KIT.regions)
    assert set(sum(KIT.regions, ())) == set(FIELD_TYPES)


def test_sizes_of_the_kit() -> None:
    assert (KIT.sizes.tile, KIT.sizes.field, KIT.sizes.castle) == ((35, 35), 40, (180, 150))


def test_rulings_default_to_those_of_the_rules() -> None:
    rulings = KIT.rulings
    assert rulings.mercy == "always"
    assert not rulings.no_greed_punished
    assert rulings.few_supporters_punished == rulings.few_supporters_crowned == "all"
    assert rulings.losses_add_up
    assert rulings.pass_is_final
    assert rulings.too_few_statues == "forbidden"
    assert rulings.short_supply == "as_many"
    assert rulings.spare_tile == "illegal"
    assert rulings.cheaper_payment == "advisory"
    assert not rulings.consolation_if_punished
    assert rulings.fewest_tied == "all"
    assert rulings.last_statue == "at_once"


def test_the_digest_names_the_values() -> None:
    again = load_edition("kit")
    assert again == KIT
    assert hash(again) == hash(KIT)
    assert again.digest == KIT.digest
    draft = load_draft("kit")
    bigger = draft.with_value("sizes.field", 41).complete()
    assert bigger.digest != KIT.digest
    assert bigger.rules_digest == KIT.rules_digest
    other = draft.with_value("numbers.consolation", 3).complete()
    assert other.rules_digest != KIT.rules_digest


# Every value is documented


@pytest.mark.parametrize(("key", "declared"), list(walk(Edition)), ids=lambda part: str(part)[:40])
def test_every_value_says_what_it_is(key: str, declared: Value) -> None:

    assert key
    assert declared.title
    assert declared.description.endswith(".")
    assert declared.kind.allowed


# The boxed game


def test_starting_with_open_values_lists_all_of_them_and_where_they_are_printed() -> None:
    with pytest.raises(OpenValuesError) as caught:
        load_edition("retail")
    keys = {missing.key for missing in caught.value.missing}
    assert {
        "spinner",
        "regions",
        "tiles.plain.bread",
        "tiles.black.tools",
        "costs.forest",
        "costs.mountain",
        "costs.village",
        "chronicle.statues",
        "chronicle.ends_above",
        "setup.three.face_down",
        "setup.three.reveals",
        "sizes.tile",
    } <= keys
    assert not {"costs.pasture", "costs.castle", "setup.four.face_down"} & keys
    text = str(caught.value)
    for missing in caught.value.missing:
        assert missing.value.found
        assert f"{missing.key} ({missing.value.title}): {missing.value.found}" in text
    assert text.startswith(f"The edition retail can't be played yet: {len(keys)} values are open.")


def test_the_boxed_game_can_be_completed_by_hand_and_played() -> None:
    draft, kit = load_draft("retail"), load_draft("kit")
    for missing in draft.missing:
        raw: object = kit.table
        for part in missing.key.split("."):
            assert isinstance(raw, dict)
            raw = raw[part]
        draft = draft.with_value(missing.key, raw)
    edition = draft.complete()
    rng = Random(1)
    *_, (_, last) = play(deal(edition, 2, rng), [RandomPlayer()] * 2, rng)
    assert last.phase is Phase.OVER


# What a file may not say


@pytest.mark.parametrize(
    ("key", "raw", "complaint"),
    [
        ("spinner", [2, 6], "spinner: is [2, 6]; must be a list of 1 to 24 items, each a whole"),
        ("spinner", 3, "must be a list"),
        ("numbers.statues", 4, "numbers.statues: is 4; must be a whole number from 5 to 50"),
        ("numbers.statues", "25", "must be a whole number"),
        ("numbers.crown", True, "numbers.crown: is True; must be a whole number from 0 to 20"),
        ("numbers.crown", 5.0, "must be a whole number"),
        ("costs.forest", {"bread": 1, "wood": 1}, "costs.forest: is"),
        ("costs.forest", {"bread": 0}, "not all of them 0"),
        ("rulings.pass_is_final", 1, "must be true or false"),
        ("rulings.mercy", "never", 'must be "always" or "asked"'),
        ("rulings.mercies", "always", "rulings.mercies: unknown key; allowed here: mercy,"),
        ("colour", "red", "colour: unknown key"),
        ("name.short", "kit", "name.short: unknown key; name is a value, no table"),
        ("sizes.field", -1, "sizes.field: is -1; must be a length from 0 to 200 mm"),
        ("sizes.field", float("nan"), "must be a length"),
        ("sizes.tile", [35], "must be a list of 2 items, each a length from 1 to 100 mm"),
        ("costs", 3, "must be a table [costs]"),
        ("regions", ["PPP PPP PPX"] * 10, 'such as "PPF MVP PFC"'),
        ("regions", ["PPPPPPPPP"] * 10, "three rows of three letters"),
        ("name", "", "name: is ''; must be a text of 1 to 40 characters"),
    ],
)
def test_a_bad_value_names_the_key_and_what_is_allowed(
    key: str, raw: object, complaint: str
) -> None:
    with pytest.raises(EditionError, match=re.escape(complaint)):
        load_draft("kit").with_value(key, raw)


@pytest.mark.parametrize(
    ("key", "raw", "complaint"),
    [
        ("tiles.plain.bread", [2, 3, 3], "tiles.plain: counts 22 tiles; must be 21"),
        ("chronicle.ends_above", [6, 5], "chronicle.ends_above: has 2 numbers; must be 5"),
        ("chronicle.reveal_at", [5, 3], "must be rising numbers from 1 to 10"),
        ("chronicle.reveal_at", [3, 11], "must be rising numbers from 1 to 10"),
        ("setup.two.face_down", [2, 5], "2 different places from 1 to 4"),
        ("setup.three.face_down", [1, 1, 2], "3 different places from 1 to 6"),
        ("setup.four.reveals", [4, 2], "at most 4 together"),
        ("setup.four.supporters", 27, "must be at most 26"),
    ],
)
def test_values_that_contradict_each_other(key: str, raw: object, complaint: str) -> None:
    with pytest.raises(EditionError, match=re.escape(complaint)):
        load_draft("kit").with_value(key, raw).complete()


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('name = 3\nspinner = "x"\n[rulings]\nmercie = 1\n', encoding="utf-8")
    with pytest.raises(EditionError) as caught:
        load_draft(file)
    assert [problem.split(":")[0] for problem in caught.value.problems] == [
        "name",
        "spinner",
        "rulings.mercie",
    ]


def test_a_file_of_ones_own(tmp_path: Path) -> None:

    kit = files("referee.games.tumult_royale") / "editions" / "kit.toml"
    file = tmp_path / "umlaut.toml"
    text = kit.read_text(encoding="utf-8").replace("Print-and-play kit", "Spielecafé Grün")
    file.write_text(text, encoding="utf-8")
    assert load_edition(file).title == "Spielecafé Grün"
    assert load_edition(str(file)).rules_digest == KIT.rules_digest


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(EditionError, match="no edition 'box'; there are kit, retail"):
        load_edition("box")
    with pytest.raises(EditionError, match="can't read the edition file"):
        load_edition(tmp_path / "absent.toml")
    broken = tmp_path / "broken.toml"
    broken.write_text("name = ", encoding="utf-8")
    with pytest.raises(EditionError, match="is no TOML"):
        load_edition(broken)
    assert edition_names() == ("kit", "retail")
