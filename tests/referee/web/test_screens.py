"""What is shown of a house's matches, one after the other."""

from __future__ import annotations

import json
import time
from pathlib import Path

from referee.web.patch import plain
from referee.web.publish import Audience
from referee.web.screens import Screens, pages_of
from referee.words import LANGUAGES, localised
from tests.referee.web.houses import SEATS, a_house


def test_each_match_has_a_page_of_its_own(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        page_of = pages_of(house)
        assert page_of() is None
        house.begin(SEATS)
        first = page_of()
        assert first is not None
        assert page_of() is first
        house.end("host", "over")
        assert page_of() is None
        house.begin(SEATS)
        assert page_of() not in (None, first)


def test_a_real_match_is_told_as_json_in_each_language(tmp_path: Path) -> None:
    with a_house(tmp_path) as house:
        house.begin(SEATS)
        page = pages_of(house)()
        assert page is not None
        documents = page.documents()
        for audience in Audience:
            document = documents[audience]
            for lang in LANGUAGES:
                told = plain(localised(document, lang))
                assert json.loads(json.dumps(told)) == told
        seats = [line["player"] for line in documents[Audience.OVERLAY]["standings"]]
        assert seats == list(SEATS.values())


def test_screens_end_though_a_match_is_open(tmp_path: Path) -> None:
    with a_house(tmp_path) as house, Screens(pages_of(house)) as screens:
        match = house.begin(SEATS)
        editions = screens.publisher.editions(Audience.TABLE)
        while editions.newest.document.get("match") != match.id:
            time.sleep(0.01)
        assert screens.publisher.alive
    assert screens.page is None
