"""Sentences that were written down are recognised."""

from __future__ import annotations

import json
from random import Random

import pytest

from referee.games.said import Said, say
from referee.games.tumult_royale import deal, load_edition, play
from referee.games.tumult_royale.game import TumultRoyale
from referee.heard import heard
from referee.match.verdict import Reason
from referee.words import in_language
from tests.referee.games.tumult_royale.test_random_games import MIXED

KIT = load_edition("kit")


def written(sentence: str) -> str:
    """A sentence as a record keeps it."""
    text = json.loads(json.dumps(sentence))
    assert type(text) is str
    return text


def test_what_a_game_says_is_heard_and_told_in_german_as_if_it_were_new() -> None:
    game, state = TumultRoyale(KIT), deal(KIT, 4, Random(3))
    n = 0
    for move, after in play(state, MIXED, Random(4)):
        for sentence in game.tell(state, move):
            n += 1
            again = heard(written(sentence))
            assert again == sentence
            assert isinstance(again, Said)
            assert in_language(again, "de") == in_language(sentence, "de")
        state = after
    assert n > 100


@pytest.mark.parametrize("reason", list(Reason))
def test_reasons_of_verdicts_are_heard(reason: Reason) -> None:
    for number in (1, 3):
        sentence = reason.sentence(number)
        assert in_language(heard(written(sentence)), "de") == in_language(sentence, "de")


@pytest.mark.parametrize("text", ["", "4", "Ann pays well", "überhaupt nicht", "- - -"])
def test_what_nobody_says_stays_as_it_is(text: str) -> None:
    assert heard(text) == text
    assert in_language(heard(text), "de") == text


def test_what_is_a_sentence_already_stays_one() -> None:
    sentence = say("Nobody says this: {what}", what="x")
    assert heard(sentence) is sentence
