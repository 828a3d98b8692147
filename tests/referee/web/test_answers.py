"""In which language somebody is answered, and what files are served."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.web.app import create_app
from referee.web.assets import Assets
from referee.web.site import Site
from tests.referee.web.client import Client
from tests.referee.web.home import at_home
from tests.referee.web.stage import Stage


@pytest.mark.parametrize(
    ("query", "house", "browser", "german"),
    [
        ("", "", "", False),
        ("", "", "de", True),
        ("", "", "de-AT,en;q=0.8", True),
        ("", "", "en;q=0.5,de;q=0.9", True),
        ("", "", "en-US,de;q=0.9", False),
        ("", "", "fr,de;q=0.3", True),
        ("", "", "de;q=x", False),
        ("", "de", "en", True),
        ("", "en", "de", False),
        ("?lang=en", "de", "de", False),
        ("?lang=de", "en", "en", True),
        ("?lang=fr", "de", "en", True),
    ],
)
def test_the_address_then_the_house_then_the_browser(
    site: Site, stage: Stage, query: str, house: str, browser: str, german: bool
) -> None:
    home = at_home(site, stage)
    assert home.house is not None
    home.house.change(language=house)
    client = Client(create_app(home))
    answer = client.get(f"/no-such-page{query}", **{"Accept-Language": browser})
    assert answer.json()["text"] == (
        "Diese Seite gibt es nicht." if german else "There is no such page."
    )


def test_pages_are_told_the_language_of_the_house(site: Site, stage: Stage) -> None:
    home = at_home(site, stage)
    client = Client(create_app(home))
    before = client.get("/")
    assert '<html lang="en">' in before.text
    assert home.house is not None
    home.house.change(language="de")
    after = client.get("/", **{"If-None-Match": before.headers["etag"]})
    assert after.status_code == 200
    assert '<html lang="en" data-house="de">' in after.text
    again = client.get("/", **{"If-None-Match": after.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_files_are_those_of_the_start_and_no_other(site: Site, tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "main.js").write_text("1")
    (tmp_path / "LICENSE").write_text("not served")
    (tmp_path / "notes.md").write_text("not served")
    (tmp_path.parent / "secret.js").write_text("not served")
    assets = Assets(tmp_path)
    (tmp_path / "later.js").write_text("not served")
    client = Client(create_app(replace(site, assets=assets)))
    assert assets.names == ["table/main.js"]
    answer = client.get("/static/table/main.js")
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    for name in (
        "LICENSE",
        "notes.md",
        "later.js",
        "../secret.js",
        "..%2fsecret.js",
        "table%2f..%2ftable%2fmain.js",
        "table%2f..%2f..%2fsecret.js",
        "table\\main.js",
        "/etc/passwd",
        "table",
        "",
    ):
        assert client.get(f"/static/{name}").status_code == 404, name
