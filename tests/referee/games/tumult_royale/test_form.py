"""The edition as a form: what is open, what is wrong, and where it says so."""

from __future__ import annotations

import pytest
import tomli_w

from referee.games.form import Entry, Form
from referee.games.loading import load_form, load_game
from referee.games.tumult_royale.edition import Edition, edition_text, load_draft
from referee.games.tumult_royale.schema import walk
from referee.words import in_language

MAKER = load_form("tumult_royale")
KIT = MAKER.table(edition_text("kit"))


def entries(form: Form) -> dict[str, Entry]:
    return {each.key: each for part in form.sections for each in part.entries}


def test_it_has_every_value_of_the_schema_once() -> None:
    listed = [each.key for part in MAKER.form(KIT).sections for each in part.entries]
    assert sorted(listed) == sorted(key for key, _ in walk(Edition))


def test_the_kit_is_complete_and_the_retail_edition_says_what_is_open() -> None:
    assert MAKER.form(KIT).complete
    form = MAKER.form(MAKER.table(edition_text("retail")))
    open_keys = {key for key, each in entries(form).items() if each.value is None}
    assert open_keys == {missing.key for missing in load_draft("retail").missing}
    assert form.open == len(open_keys)
    assert not form.complete
    assert not form.faults


@pytest.mark.parametrize(
    ("key", "raw"),
    [
        ("spinner", [2, 9]),
        ("spinner", "2, 3"),
        ("sizes.tile", [35]),
        ("costs.castle", {"gold": 1}),
        ("numbers.hourglass", True),
        ("rulings.mercy", "never"),
        ("regions", ["PPF"] * 10),
        ("name", ""),
    ],
)
def test_what_is_wrong_is_said_at_its_value_alone(key: str, raw: object) -> None:
    form = MAKER.form(MAKER.entered(KIT, {key: raw}))
    wrong = {each.key: each for each in entries(form).values() if each.problem}
    assert list(wrong) == [key]
    assert wrong[key].value == raw
    assert wrong[key].allowed in wrong[key].problem
    german = in_language(wrong[key].problem, "de")
    assert "erlaubt" in german


def test_values_that_contradict_each_other_are_said_where_they_stand() -> None:
    form = MAKER.form(
        MAKER.entered(KIT, {"chronicle.ends_above": [1], "tiles.plain.bread": [1, 1, 1]})
    )
    by_title = {part.title: part for part in form.sections}
    assert "must be 21 together" in by_title["Tiles with a plain frame"].problem
    assert "one for each double space" in entries(form)["chronicle.ends_above"].problem
    assert form.faults == 2


def test_what_was_typed_in_makes_the_game() -> None:
    kit, draft = entries(MAKER.form(KIT)), MAKER.table(edition_text("retail"))
    for key, each in kit.items():
        draft = MAKER.entered(draft, {key: None if each.default else each.value})
    assert MAKER.form(draft).complete
    same = load_game("tumult_royale", tomli_w.dumps(draft))
    assert same.edition == load_game("tumult_royale", edition_text("kit")).edition
    assert MAKER.form(MAKER.entered(draft, {"spinner": None})).open == 1


def test_an_unknown_value_is_refused() -> None:
    with pytest.raises(ValueError, match=r"rulings\.luck"):
        MAKER.entered(KIT, {"rulings.luck": 1})
