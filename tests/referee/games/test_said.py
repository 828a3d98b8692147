"""Sentences that can be told again in another language."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from referee.games.said import Said, either, joined, listed, say, say_n, told

GERMAN = {
    "{name} loses {what}.": {"": "{name} verliert {what:acc}."},
    "one statue": {"": "eine Statue"},
    "one supporter": {"": "ein Gefolgsmann", "acc": "einen Gefolgsmann"},
    "{n:word} supporters": {"": "{n:word} Gefolgsleute"},
    "{n:word,upper} supporters remain.": {"": "Es bleiben {n:word} Gefolgsleute."},
    "{some} and {last}": {"": "{some} und {last}", "acc": "{some:acc} und {last:acc}"},
    "{some} or {last}": {"": "{some} oder {last}"},
    "no": {"": "keine"},
    "three": {"": "drei"},
}


def german(template: str, form: str) -> str:
    forms = GERMAN[template]
    return forms.get(form, forms[""])


def supporters(n: int) -> Said:
    return say_n(n, "one supporter", "{n:word} supporters")


def test_a_sentence_is_its_english_text() -> None:
    sentence = say("{name} loses {what}.", name="Ann", what=supporters(3))
    assert sentence == "Ann loses three supporters."
    assert isinstance(sentence, str)
    assert hash(sentence) == hash("Ann loses three supporters.")
    assert json.dumps([sentence]) == '["Ann loses three supporters."]'


def test_it_is_told_again_with_the_forms_that_the_other_language_needs() -> None:
    one = say("{name} loses {what}.", name="Ann", what=supporters(1))
    assert one == "Ann loses one supporter."
    assert told(one, german) == "Ann verliert einen Gefolgsmann."
    assert told(supporters(1), german) == "ein Gefolgsmann"
    assert told("Ann", german) == "Ann"


def test_numbers_are_words_as_far_as_they_go() -> None:
    def remain(n: int) -> Said:
        return say("{n:word,upper} supporters remain.", n=n)

    assert remain(3) == "Three supporters remain."
    assert remain(0) == "No supporters remain."
    assert remain(11) == "11 supporters remain."
    assert told(remain(0), german) == "Es bleiben keine Gefolgsleute."
    assert told(remain(11), german) == "Es bleiben 11 Gefolgsleute."


def test_enumerations_are_told_again_and_pass_forms_on() -> None:
    items = [supporters(3), supporters(1), say("one statue")]
    assert listed(items) == "three supporters, one supporter and one statue"
    assert told(listed(items), german) == "drei Gefolgsleute, ein Gefolgsmann und eine Statue"
    lost = say("{name} loses {what}.", name="Ann", what=listed(items))
    assert told(lost, german) == (
        "Ann verliert drei Gefolgsleute, einen Gefolgsmann und eine Statue."
    )
    assert either(["a", "b", "c"]) == "a, b or c"
    assert told(either(["a", "b"]), german) == "a oder b"
    assert listed([]) == joined([]) == either([]) == ""
    assert listed(["a"]) == "a"


def test_what_is_joined_needs_no_words_of_its_own() -> None:
    both = joined([supporters(1), supporters(3)], "; ")
    assert both == "one supporter; three supporters"
    assert told(both, german) == "ein Gefolgsmann; drei Gefolgsleute"
    assert told(say("{both:upper}", both=both), german) == "Ein Gefolgsmann; drei Gefolgsleute"


def test_letters_and_decimals_are_as_the_sentence_wants_them() -> None:
    def other(template: str, form: str) -> str:
        return template.replace("{mm}", "{mm:comma}").replace("{what}", "{what:lower}")

    assert say("{what:upper}: {mm} mm", what="table", mm="0.5") == "Table: 0.5 mm"
    assert told(say("{what} {mm} mm", what="Table", mm="0.5"), other) == "table 0,5 mm"
    assert say("{what:lower}.", what=say("Camera")) == "camera."


def test_an_argument_may_look_like_a_placeholder() -> None:
    sentence = say("{name} loses {what}.", name="{what}", what="{name}")
    assert sentence == "{what} loses {name}."
    assert told(sentence, german) == "{what} verliert {name}."


def test_it_survives_copying_pickling_and_an_exception() -> None:
    sentence = say("{name} loses {what}.", name="Ann", what=supporters(1))
    for same in (
        copy.copy(sentence),
        copy.deepcopy(sentence),
        pickle.loads(pickle.dumps(sentence)),
        str(sentence),
        str(ValueError(sentence)),
    ):
        assert same == sentence
        assert told(same, german) == "Ann verliert einen Gefolgsmann."


def test_it_never_changes() -> None:
    with pytest.raises(AttributeError, match="template"):
        say("one statue").template = "two statues"


@pytest.mark.parametrize("template", ["{}", "{0}", "{name!r}", "{name.upper}"])
def test_placeholders_have_plain_names(template: str) -> None:
    with pytest.raises(ValueError, match="plain name"):
        say(template, name="Ann")


def test_a_missing_argument_is_an_error() -> None:
    with pytest.raises(KeyError, match="name"):
        say("{name} passes.")
